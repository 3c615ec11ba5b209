"""What a shell would act on in a command line, beside running it.

Room: sql. Command lines are for a person to run by hand, or an argument vector: one plain command
a line. What stands in single quotes is text; so is what a template fills in.
Source: POSIX.1-2024, Shell Command Language, 2.2 Quoting, 2.6 Word Expansions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skills_nb.sql.template_problems import TemplateProblem, at_offset

_TOKEN = re.compile(
    r"""
      (?P<tag>\{\{.*?\}\}|\{%.*?%\}|\{\#.*?\#\})
    | (?P<comment>(?<!\S)\#[^\n]*)
    | (?P<escape>\\.)
    | (?P<single>'[^']*')
    | (?P<double>"(?:\\.|[^"\\])*")
    | (?P<mark>\$\(|\$\{?[\w@*#?!$-]+\}?|&&|\|\||>>|<<|[;&|<>`*?\[]|(?<!\S)~)
    | (?P<open>['"])
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_INSIDE = re.compile(r"\\.|(?P<mark>\$\(|\$\{?[A-Za-z_@*#?!$][\w]*\}?|`)", re.DOTALL)
_HINT = "Write one plain command a line; put what a shell must not act on in single quotes."


def shell_marks(text: str) -> Iterator[TemplateProblem]:
    """Yield, once a line, what a shell would act on in a block of commands."""
    last = 0
    for offset, mark in _marks(text):
        problem = at_offset(text, offset, f"a shell acts on '{mark}' in this command", _HINT)
        if problem.line != last:
            last = problem.line
            yield problem


def _marks(text: str) -> Iterator[tuple[int, str]]:
    for found in _TOKEN.finditer(text):
        if found["mark"]:
            yield found.start(), found["mark"]
        elif found["open"]:
            yield found.start(), found["open"]
            return
        elif found["double"]:
            yield from (
                (found.start() + each.start(), each["mark"])
                for each in _INSIDE.finditer(found["double"])
                if each["mark"]
            )
