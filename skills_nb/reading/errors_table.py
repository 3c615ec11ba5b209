"""Expected errors, as YAML rows and as the table of the plain form.

Room: reading.
Spec: Error Handling > Step-specific expected errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from warnings import catch_warnings, simplefilter

from skills_nb.model.diagnostics import Diagnostic, Severity, Span
from skills_nb.model.documents import Place, Row, Table
from skills_nb.model.skills import ExpectedError
from skills_nb.reading.fields import Fields, quoted

_FIELDS = ("pattern", "recovery", "retryable", "escalate", "errno")
_COLUMNS = {
    "pattern": ("pattern", "error", "error pattern", "message", "error message"),
    "recovery": ("recovery", "fix", "resolution", "what to do", "repair"),
    "retryable": ("retryable", "retry"),
    "escalate": ("escalate", "escalates"),
    "errno": ("errno", "number", "code", "error number", "error code"),
}
_YES = re.compile(r"(yes|true|y)\b", re.IGNORECASE)
MAX_PATTERN = 400


def read_error_rows(fields: Fields) -> Iterator[ExpectedError]:
    """Yield the entries of `expected_errors`."""
    for row in fields.rows("expected_errors"):
        row.only(*_FIELDS)
        pattern = row.text("pattern", required=True)
        retryable = row.flag("retryable", False)
        if pattern and _is_sound(pattern, row.path, row.place("pattern"), row.problems):
            yield ExpectedError(
                pattern=pattern,
                recovery=row.text("recovery"),
                retryable=retryable,
                escalate=row.flag("escalate", not retryable),
                errno=row.integer("errno", None),
            )


def read_error_table(
    table: Table, path: str, problems: list[Diagnostic]
) -> Iterator[ExpectedError]:
    """Yield the rows of a table of expected errors; none for a table without their column."""
    columns = {key: table.column(*names) for key, names in _COLUMNS.items()}
    if columns["pattern"] is None:
        hint = "Name the columns Pattern, Recovery, Retryable and Escalate."
        message = f"the table of expected errors has no column 'Pattern': {quoted(table.header)}"
        span = Span(path, table.line)
        problems.append(Diagnostic("SK016", span, message, hint, Severity.WARNING))
        return
    for row in table.rows:
        cells = {key: _cell(row, at) for key, at in columns.items()}
        if cells["pattern"] and _is_sound(cells["pattern"], path, Place(row.line, 1), problems):
            yield _from_cells(cells)


def is_error_table(table: Table) -> bool:
    """Return whether a table's heading is that of expected errors."""
    return all(table.column(*_COLUMNS[key]) is not None for key in ("pattern", "recovery"))


def _from_cells(cells: dict[str, str]) -> ExpectedError:
    retryable = bool(_YES.match(cells["retryable"]))
    escalate = bool(_YES.match(cells["escalate"])) if cells["escalate"] else not retryable
    number = cells["errno"].lstrip("0")
    return ExpectedError(
        pattern=cells["pattern"],
        recovery=cells["recovery"],
        retryable=retryable,
        escalate=escalate,
        errno=int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None,
    )


def _cell(row: Row, at: int | None) -> str:
    if at is None or at >= len(row.cells):
        return ""
    return row.cells[at].strip("`\"' ").replace("\\|", "|")


def _is_sound(pattern: str, path: str, place: Place, problems: list[Diagnostic]) -> bool:
    """Report a pattern that is not a regular expression; it can match nothing."""
    trouble = _pattern_trouble(pattern)
    if not trouble:
        return True
    span = Span(path, place.line, place.column)
    message = f"pattern {quoted(pattern)} is not a regular expression: {trouble}"
    problems.append(Diagnostic("SK008", span, message, "Put a backslash before ( ) [ ] * + ?."))
    return False


def _pattern_trouble(pattern: str) -> str:
    if len(pattern) > MAX_PATTERN:
        return f"over {MAX_PATTERN} characters"
    try:
        with catch_warnings():
            simplefilter("ignore", FutureWarning)  # `[[` reads as it always has
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error)
    return ""
