"""What a rule is, and the list of all of them.

Room: lint. A rule is one function from a subject to findings, with a code, a name, the heading of
the specification that it holds, and a page: its docstring, ending in `Fails:` and `Passes:`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from skills_nb.lint.subject import Subject
from skills_nb.model.diagnostics import Severity, Span
from skills_nb.model.documents import DocumentKind


class Finding(NamedTuple):
    """A diagnostic before its rule signs it."""

    span: Span
    """Where it is; the file's first line where it is about the file as a whole."""
    message: str
    """What is wrong, with the value quoted."""
    hint: str
    """The repair, imperative."""


Check = Callable[[Subject], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule about library text."""

    code: str
    """`SK` and three digits; never used again for another rule."""
    name: str
    """Kebab-case; what a sound library has or lacks."""
    spec: str
    """Heading of the specification that it holds."""
    check: Check
    """Yields what it finds in one file or in the whole library."""
    severity: Severity = Severity.ERROR
    """Of its findings."""
    requires: tuple[str, ...] = ()
    """Codes that, reported for a file, make this rule silent about it."""
    needs: tuple[DocumentKind, ...] = ()
    """Kinds of files that must all be readable, because it looks from one file to others."""
    is_firm: bool = False
    """Whether no allowance silences it: what deceives a reader would allow itself."""

    @property
    def page(self) -> str:
        """Return what `explain` shows, as plain Markdown."""
        return inspect.cleandoc(self.check.__doc__ or "")

    @property
    def summary(self) -> str:
        """Return the page's first line."""
        return self.page.split("\n", 1)[0]


_RULES: dict[str, Rule] = {}
RULES: Mapping[str, Rule] = MappingProxyType(_RULES)
"""All rules by code; complete once `skills_nb.lint.rules` is imported."""


def rule(
    code: str,
    name: str,
    *,
    spec: str,
    severity: Severity = Severity.ERROR,
    requires: tuple[str, ...] = (),
    needs: tuple[DocumentKind, ...] = (),
    is_firm: bool = False,
) -> Callable[[Check], Check]:
    """Enter a function into the list of rules.

    Raises:
        ValueError: the code is taken.
    """

    def enter(check: Check) -> Check:
        if code in _RULES:
            raise ValueError(f"rule {code} is there twice")
        _RULES[code] = Rule(code, name, spec, check, severity, requires, needs, is_firm)
        return check

    return enter
