"""Rendering: the template runs with marks in place of values; the marks are judged, then filled.

Room: sql. Judging the finished shape, and not the template's text, sees through branches and
loops: a mark must stand alone, outside quotes and comments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import CodeType
from typing import Any

import jinja2
from jinja2 import Template, TemplateSyntaxError, Undefined, UndefinedError, nodes

from skills_nb.sql.template_problems import TemplateProblem
from skills_nb.sql.templates.glue import MARK, check_marks
from skills_nb.sql.templates.identifier_values import Name
from skills_nb.sql.templates.literals import sql_of
from skills_nb.sql.templates.sandbox import Restrict, Sandbox, bounded_text
from skills_nb.sql.templates.shell_templates import check_words, word_of
from skills_nb.sql.templates.template_error import TemplateError, refuse

_MARKED = re.compile(f"{MARK}(\\d+){MARK}")


class _Marks:
    """The values of one rendering, each known by its mark."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def put(self, value: Any) -> str:
        """Keep a value; its mark."""
        if isinstance(value, Undefined):
            str(value)  # raises, with the name in its words
        self.values.append(value)
        return f"{MARK}{len(self.values) - 1}{MARK}"

    def fill(self, shape: str) -> str:
        """Judge the shape, then put the values in."""
        texts = [sql_of(value) for value in self.values]
        is_name = [isinstance(value, Name) for value in self.values]
        check_marks(shape, _MARKED, texts, is_name)
        return bounded_text(_MARKED.sub(lambda found: texts[int(found.group(1))], shape))

    def fill_words(self, shape: str) -> str:
        """Judge the shape of command lines, then put the values in as words."""
        check_words(shape)
        words = [word_of(value) for value in self.values]
        return bounded_text(_MARKED.sub(lambda found: words[int(found.group(1))], shape))


def read_template(sandbox: Sandbox, template: str) -> nodes.Template:
    """Read a template into its tree.

    Raises:
        TemplateError: its syntax is wrong.
    """
    if MARK in template:
        raise refuse("the template holds a NUL character", "Remove it.")
    try:
        return sandbox.parse(template)
    except TemplateSyntaxError as error:
        problem = TemplateProblem(error.lineno, 1, error.message or "syntax error")
        raise TemplateError(problem) from error
    except RecursionError as error:
        raise refuse("the template is nested too deeply") from error


def restrict(tree: nodes.Template) -> nodes.Template:
    """Keep a tree to what SQL templates may hold; it is changed.

    Raises:
        TemplateError: it uses what they may not.
    """
    restricted: nodes.Template = Restrict().visit(tree)
    return restricted


_WRONG_VALUES = (ArithmeticError, TypeError, ValueError, LookupError, RecursionError)


def render_sql(template: str, values: Mapping[str, Any]) -> str:
    """Fill a template; see `templates.render`."""
    marks = _Marks()
    return marks.fill(_shape(template, values, marks))


def render_words(template: str, values: Mapping[str, Any]) -> str:
    """Fill command lines; see `templates.render_command`."""
    marks = _Marks()
    return marks.fill_words(_shape(template, values, marks))


def _shape(template: str, values: Mapping[str, Any], marks: _Marks) -> str:
    """Run a template with marks in place of its values."""
    sandbox = Sandbox(marks.put)
    compiled = _compiled(sandbox, template)
    context = compiled.new_context({k: v for k, v in values.items() if not k.startswith("_")})
    try:
        shape = "".join(compiled.root_render_func(context))
    except TemplateError as error:
        raise _placed(compiled, error, error.problem.message, error.hint) from error
    except UndefinedError as error:
        hint = "Use one of: " + ", ".join(sorted(values)[:20]) + "."
        raise _placed(compiled, error, str(error), hint) from error
    except (jinja2.TemplateError, *_WRONG_VALUES) as error:
        raise _placed(compiled, error, str(error), None) from error
    return bounded_text(shape)


def _compiled(sandbox: Sandbox, template: str) -> Template:
    return sandbox.template_class.from_code(sandbox, _code(template), sandbox.globals)


@lru_cache(maxsize=512)
def _code(template: str) -> CodeType:
    # A step renders the same template once per item; what it compiles to holds no values.
    sandbox = Sandbox()
    tree = restrict(read_template(sandbox, template))
    try:
        return sandbox.compile(tree)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise refuse("the template is nested too deeply") from error


def _placed(compiled: Template, error: Exception, text: str, hint: str | None) -> TemplateError:
    """Make the error at the template's line that was running."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            line = compiled.get_corresponding_lineno(trace.tb_lineno)
        trace = trace.tb_next
    return TemplateError(TemplateProblem(line, 1, text, hint))
