"""Rules to diagnostics.

Room: lint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skills_nb.errors import UsageError
from skills_nb.lint.allowances import Allowances
from skills_nb.lint.registry import RULES, Rule
from skills_nb.lint.subject import Subject
from skills_nb.model.diagnostics import Diagnostic, Span
from skills_nb.model.documents import Documents
from skills_nb.model.library import Library
from skills_nb.ports import ExampleRunner

__all__ = ["BROKEN", "lint", "selected_rules"]

BROKEN = ("SK001", "SK003", "SK004", "SK005", "SK006", "SK007")
"""Reading codes after which only other reading codes are reported for a file."""
ALLOWANCES = "SK310"


def lint(
    documents: Documents,
    library: Library,
    *,
    select: Sequence[str] = (),
    today: str | None = None,
    examples: ExampleRunner | None = None,
) -> tuple[Diagnostic, ...]:
    """Return what the rules find, in order of path and line.

    Args:
        documents: every file, as reading parsed it.
        library: the same library as values.
        select: codes or beginnings of codes; all rules where empty.
        today: ISO date for staleness; without it nothing is stale.
        examples: runs the examples of primitives; without it they are only parsed.

    Raises:
        UsageError: a selection that names no rule.
    """
    chosen = selected_rules(select)
    subject = Subject(documents, library, today=today, examples=examples)
    found = _run(chosen, subject)
    return tuple(sorted(found, key=lambda each: (each.span, each.code)))


def selected_rules(select: Sequence[str]) -> tuple[Rule, ...]:
    """Return the rules that a selection names, by code.

    Raises:
        UsageError: part of the selection names none.
    """
    for prefix in select:
        if not any(code.startswith(prefix.upper()) for code in RULES):
            hint = f"Codes run from {min(RULES)} to {max(RULES)}; SK4 selects all of playbooks."
            raise UsageError(f"'{prefix}' names no rule", hint=hint)
    prefixes = tuple(prefix.upper() for prefix in select) or ("SK",)
    return tuple(RULES[code] for code in sorted(RULES) if code.startswith(prefixes))


def _run(chosen: Sequence[Rule], subject: Subject) -> list[Diagnostic]:
    """Run the rules by code, leaving out what a broken file or an allowance makes void."""
    broken = {each.span.path for code in BROKEN for each in subject.reading(code)}
    files = subject.documents.files
    lost = {files[path].kind for path in broken if path in files}
    allowances = Allowances(subject.documents)
    reported: dict[str, set[str]] = {}
    kept: list[Diagnostic] = []
    for rule in chosen:
        if not lost.isdisjoint(rule.needs):
            continue
        silenced = {path for code in rule.requires for path in reported.get(code, ())}
        if not rule.code.startswith("SK0"):
            silenced |= broken
        for finding in dict.fromkeys(rule.check(subject)):
            if finding.span.path in silenced:
                continue
            if not rule.is_firm and allowances.take(rule.code, finding.span):
                continue
            reported.setdefault(rule.code, set()).add(finding.span.path)
            kept.append(Diagnostic(rule.code, *finding, rule.severity))
    return [*kept, *_unused(allowances, {rule.code for rule in chosen})]


def _unused(allowances: Allowances, ran: set[str]) -> Iterator[Diagnostic]:
    """Yield the allowances that allow nothing, when their rule had its say."""
    if ALLOWANCES not in ran:
        return
    for path, allowance in allowances.unused():
        if allowance.code in ran:
            message = f"nothing here is reported as '{allowance.code}'"
            span = Span(path, allowance.line)
            severity = RULES[ALLOWANCES].severity
            yield Diagnostic(ALLOWANCES, span, message, "Delete the allowance.", severity)
