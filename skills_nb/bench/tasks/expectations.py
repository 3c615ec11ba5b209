"""What an answer must look like: rows, one value, a bound, or a refusal.

Room: work (bench). Pure. Comparing is exact: numbers by value, texts by character, NULL only
with NULL. An expectation says why it is not met; a comparison that is not understood is an error
of the task, never silently false.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, assert_never

from skills_nb.errors import SqlError, UsageError
from skills_nb.ports import QueryRows

Kind = Literal["rows", "rows_in_any_order", "value", "compare", "row_count", "matches", "refused"]

_SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "!=": operator.ne,
    "<>": operator.ne,
    "==": operator.eq,
    "=": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}
_COMPARISON = re.compile(r"\s*(>=|<=|!=|<>|==|=|>|<)\s*(.+?)\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected of one statement."""

    kind: Kind
    """What is compared, and so the form of `expected`."""
    expected: Any
    """By kind: rows as tuples · one cell · a comparison such as `>= 3` · a number of rows, or a
    comparison · a regular expression for the one cell · what the error says: its number, or a
    regular expression for its text."""

    def shown(self) -> str:
        """Return what is expected as text, a row a line."""
        match self.kind:
            case "rows" | "rows_in_any_order":
                return "\n".join(map(_cells, self.expected)) or "no row"
            case "value":
                return _cells((self.expected,))
            case "compare":
                return f"a value {self.expected}"
            case "row_count":
                return f"{self.expected} rows"
            case "matches":
                return f"a value that matches {self.expected}"
            case "refused":
                return f"refused: {self.expected}"
            case _:
                assert_never(self.kind)

    def problem(self, found: QueryRows | SqlError) -> str:
        """Return why what was found is not what is expected; empty where it is."""
        if self.kind == "refused":
            return self._refusal_problem(found)
        if isinstance(found, SqlError):
            return f"refused: {one_line(found.message)}"
        return _PROBLEMS[self.kind](self.expected, found)

    def _refusal_problem(self, found: QueryRows | SqlError) -> str:
        if not isinstance(found, SqlError):
            return "accepted, and must be refused"
        if isinstance(self.expected, int):
            is_met = found.errno == self.expected
        else:
            is_met = re.search(str(self.expected), found.message, re.IGNORECASE) is not None
        return "" if is_met else f"refused for another reason: {one_line(found.message)}"


def expectation(kind: Kind, expected: Any) -> Expectation:
    """Return an expectation, its words checked.

    Raises:
        UsageError: the expected value does not fit the kind.
    """
    match kind:
        case "rows" | "rows_in_any_order":
            if not isinstance(expected, list) or not all(isinstance(r, list) for r in expected):
                raise UsageError(f"'{kind}' takes a list of rows, each a list of cells")
            return Expectation(kind, tuple(tuple(row) for row in expected))
        case "compare":
            if not isinstance(expected, str) or _COMPARISON.match(expected) is None:
                raise UsageError(f"'{expected}' is not a comparison", hint='such as ">= 3"')
        case "row_count":
            if isinstance(expected, bool) or not isinstance(expected, int | str):
                raise UsageError(f"'row_count' takes a number or a comparison, not '{expected}'")
        case "matches" | "refused":
            _require_pattern(expected)
        case "value":
            if isinstance(expected, list | dict):
                raise UsageError("'value' takes one cell")
        case _:
            assert_never(kind)
    return Expectation(kind, expected)


def _require_pattern(expected: Any) -> None:
    try:
        re.compile(str(expected))
    except re.error as problem:
        raise UsageError(f"'{expected}' is not a regular expression: {problem}") from problem


# ---- cells


def same_cell(found: Any, expected: Any) -> bool:
    """Return whether a cell is the expected one: numbers by value, everything else as it is."""
    if expected is None or found is None:
        return found is expected
    if isinstance(expected, bool) or isinstance(found, bool):
        return str(found).lower() == str(expected).lower()
    if isinstance(expected, int | float):
        number = _number(found)
        return number is not None and number == Decimal(str(expected))
    return str(found) == str(expected)


def compares(found: Any, wanted: Any) -> bool:
    """Return whether a value is the wanted one, or stands in the wanted relation (`>= 3`).

    Both sides as numbers where both are, else as texts; nothing compares with NULL.
    """
    told = _COMPARISON.match(wanted) if isinstance(wanted, str) else None
    if told is None:
        return same_cell(found, wanted)
    if found is None:
        return False
    left, right = _number(found), _number(told[2])
    if left is None or right is None:
        return _SIGNS[told[1]](str(found), told[2].strip("'\""))
    return _SIGNS[told[1]](left, right)


def _number(value: Any) -> Decimal | None:
    if isinstance(value, bool):
        return None
    try:
        return Decimal(str(value))
    except InvalidOperation:
        return None


# ---- rows


def _rows(expected: Sequence[Sequence[Any]], found: QueryRows) -> str:
    if len(found.rows) != len(expected):
        return f"{len(found.rows)} rows, expected {len(expected)}: {_shown(found.rows)}"
    for number, (row, wanted) in enumerate(zip(found.rows, expected, strict=True), 1):
        if not _same_row(row, wanted):
            return f"row {number} is {_cells(row)}, expected {_cells(wanted)}"
    return ""


def _rows_in_any_order(expected: Sequence[Sequence[Any]], found: QueryRows) -> str:
    left = list(found.rows)
    for wanted in expected:
        place = next((i for i, row in enumerate(left) if _same_row(row, wanted)), None)
        if place is None:
            return f"no row {_cells(wanted)} in {_shown(found.rows)}"
        del left[place]
    return f"unexpected rows: {_shown(left)}" if left else ""


def _same_row(found: Sequence[Any], expected: Sequence[Any]) -> bool:
    return len(found) == len(expected) and all(map(same_cell, found, expected))


def _value(expected: Any, found: QueryRows) -> str:
    cell, trouble = _only_cell(found)
    if trouble or same_cell(cell, expected):
        return trouble
    return f"{cell!r}, expected {expected!r}"


def _compare(expected: str, found: QueryRows) -> str:
    cell, trouble = _only_cell(found)
    if trouble or compares(cell, expected):
        return trouble
    return f"{cell!r}, expected {expected}"


def _matches(expected: str, found: QueryRows) -> str:
    cell, trouble = _only_cell(found)
    if trouble or (cell is not None and re.search(str(expected), str(cell))):
        return trouble
    return f"{cell!r} does not match {expected!r}"


def _row_count(expected: int | str, found: QueryRows) -> str:
    is_met = compares(found.row_count, expected)
    return "" if is_met else f"{found.row_count} rows, expected {expected}"


def _only_cell(found: QueryRows) -> tuple[Any, str]:
    if len(found.rows) == 1 and len(found.rows[0]) == 1:
        return found.rows[0][0], ""
    return None, f"{len(found.rows)} rows of {len(found.columns)} columns, expected one value"


_PROBLEMS: Mapping[str, Callable[[Any, QueryRows], str]] = {
    "rows": _rows,
    "rows_in_any_order": _rows_in_any_order,
    "value": _value,
    "compare": _compare,
    "row_count": _row_count,
    "matches": _matches,
}
KINDS: tuple[str, ...] = (*_PROBLEMS, "refused")


def _cells(row: Sequence[Any]) -> str:
    return "(" + ", ".join("NULL" if cell is None else str(cell) for cell in row) + ")"


def _shown(rows: Sequence[Sequence[Any]], most: int = 3) -> str:
    more = f" and {len(rows) - most} more" if len(rows) > most else ""
    return ", ".join(_cells(row) for row in rows[:most]) + more if rows else "none"


_MOST_SHOWN = 40


def shown_answer(found: QueryRows | SqlError) -> str:
    """Return what a statement answered as text, a row a line, the first of many."""
    if isinstance(found, SqlError):
        return f"refused: {one_line(found.message)}"
    lines = [_cells(row) for row in found.rows[:_MOST_SHOWN]]
    more = len(found.rows) - len(lines)
    return "\n".join([*lines, *([f"… and {more} more"] if more > 0 else [])]) or "no row"


def one_line(text: str, most: int = 300) -> str:
    """Return a text on one line, cut where it is long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def same_answer(before: QueryRows, after: QueryRows) -> bool:
    """Return whether two answers hold the same rows, in any order."""
    return before.columns == after.columns and Counter(map(repr, before.rows)) == Counter(
        map(repr, after.rows)
    )
