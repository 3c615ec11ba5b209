"""Command lines: a template whose values become whole words of a POSIX shell.

Room: sql. The lines are shown, to be run by hand. A value is quoted, so it stays one word wherever
it stands; inside quotes of the template's own, or in a here-document, it would not, and is refused.
Source: POSIX, "Shell Command Language", Quoting.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any

from skills_nb.sql.template_problems import TemplateProblem, at_offset
from skills_nb.sql.templates.glue import MARK
from skills_nb.sql.templates.identifier_values import Name
from skills_nb.sql.templates.literals import number_of
from skills_nb.sql.templates.sandbox import bounded_text
from skills_nb.sql.templates.template_error import TemplateError, refuse

_QUOTED = re.compile(
    r"""
      \\.                                  # what follows a backslash
    | '[^']*(?:'|\Z)
    | "(?:\\.|[^"\\])*(?:"|\Z)
    | (?<!\S)\#[^\n]*                      # a comment
    | <<-?[^\n]*\n.*                       # a here-document, to the end of the block
    """,
    re.VERBOSE | re.DOTALL,
)
_HINT = "Take the quotes away: a value brings its own."


def find_misplaced(shape: str) -> TemplateProblem | None:
    """Find the first value that stands inside quotes, a comment or a here-document."""
    for found in _QUOTED.finditer(shape):
        at = found[0].find(MARK)
        if at >= 0:
            return at_offset(shape, found.start() + at, "a value stands inside quotes", _HINT)
    return None


def check_words(shape: str) -> None:
    """Refuse a shape in which a value would not be a word, or a part of one.

    Raises:
        TemplateError: places are those of the rendered text.
    """
    if (problem := find_misplaced(shape)) is not None:
        raise TemplateError(problem)


def word_of(value: Any) -> str:
    """Write a value as one word of a command line; a list as several.

    Raises:
        TemplateError: a command line has no word for it.
    """
    match value:
        case None:
            raise refuse("nothing is known for this place of a command line")
        case bool():
            return "true" if value else "false"
        case Name():
            return shlex.quote(value.fqn)
        case str():
            return shlex.quote(value)
        case int() | float():
            return shlex.quote(number_of(value))
        case list() | tuple():
            return bounded_text(" ".join(word_of(item) for item in value))
        case Mapping():
            raise refuse("a mapping is no word of a command line")
        case _:
            raise refuse(f"a {type(value).__name__} is no word of a command line")
