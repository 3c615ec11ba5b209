"""SQL templates: Jinja2 for the shape, typed values for the holes.

Room: sql. An output expression always yields one whole SQL constant or identifier, so a value can
never become SQL. What would break that (text set against an expression, an expression inside
quotes or comments) is refused. jinja2 loads on first use.
Spec: the contract's "A playbook step".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from skills_nb.sql.template_problems import TemplateProblem
from skills_nb.sql.templates.identifier_values import Name, identifier
from skills_nb.sql.templates.messages import check_message, fill_role, message, names_in_message
from skills_nb.sql.templates.template_error import TemplateError

__all__ = [
    "Name",
    "TemplateError",
    "TemplateProblem",
    "check",
    "check_command",
    "check_message",
    "fill_role",
    "identifier",
    "message",
    "names_in",
    "names_in_message",
    "render",
    "render_command",
]


def render(template: str, values: Mapping[str, Any]) -> str:
    """Fill a SQL template; every value comes out as a whole constant or identifier.

    Raises:
        TemplateError: the template cannot be read, names something unknown, loops too long, sets a
            value against other text, or meets a value that SQL has no constant for.
    """
    from skills_nb.sql.templates.rendering import render_sql

    return render_sql(template, values)


def render_command(template: str, values: Mapping[str, Any]) -> str:
    """Fill command lines for a POSIX shell; every value comes out quoted, as one word.

    Raises:
        TemplateError: as for `render`; a value that is not known, or that stands inside quotes, is
            refused.
    """
    from skills_nb.sql.templates.rendering import render_words

    return render_words(template, values)


def check(template: str, known: Iterable[str]) -> tuple[TemplateProblem, ...]:
    """Find what is wrong with a template without values, in the order of the text."""
    from skills_nb.sql.templates.template_checks import problems_of

    return problems_of(template, frozenset(known))


def check_command(template: str, known: Iterable[str]) -> tuple[TemplateProblem, ...]:
    """Find what is wrong with command lines without values, in the order of the text."""
    from skills_nb.sql.templates.template_checks import problems_of_command

    return problems_of_command(template, frozenset(known))


def names_in(template: str) -> frozenset[str] | None:
    """Return the names that a template reads from outside; None where it cannot be read."""
    from skills_nb.sql.templates.template_checks import free_names

    return free_names(template)
