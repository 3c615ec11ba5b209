"""The one exception of templates.

Room: sql.
"""

from __future__ import annotations

from skills_nb.errors import UsageError
from skills_nb.sql.template_problems import TemplateProblem


class TemplateError(UsageError):
    """A template, message or value that cannot be rendered; says where, as far as is known."""

    def __init__(self, problem: TemplateProblem) -> None:
        """Keep the problem, whose place is 1-based within the template."""
        place = f"line {problem.line}, column {problem.column}: " if problem.line else ""
        super().__init__(place + problem.message, hint=problem.hint)
        self.problem = problem


def refuse(message: str, hint: str | None = None) -> TemplateError:
    """Make the error of a value, which stands nowhere in the template."""
    return TemplateError(TemplateProblem(0, 0, message, hint))
