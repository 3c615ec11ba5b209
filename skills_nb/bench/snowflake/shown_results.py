"""What a model is shown of its statements before the next turn, shortened to limits it is told.

Room: work (bench). Pure. Errors stand as Snowflake's clients put them: number, SQL state, text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from skills_nb.bench.tasks.expectations import one_line
from skills_nb.errors import SqlError
from skills_nb.ports import QueryRows
from skills_nb.sql.statements import Statement

MOST_ROWS = 50
"""Rows that are shown of one result."""
MOST_CELL = 2_000
"""Characters that are shown of one cell."""
MOST_RESULT = 6_000
"""Characters that are shown of one result."""
MOST_TURN = 24_000
"""Characters that are shown of all results of a turn."""
LIMITS = (
    f"Of a result you see the first {MOST_ROWS} rows, of a cell {MOST_CELL:,} characters, of one "
    f"result {MOST_RESULT:,} and of a turn {MOST_TURN:,}; what is cut is said."
)
"""For whoever is shown results."""
NOTHING_RUN = "Your answer holds no statement, so nothing was run."
Outcome = QueryRows | SqlError


def shown_turn(statements: Sequence[Statement], outcomes: Sequence[Outcome]) -> str:
    """Return what the statements of a turn answered.

    Args:
        statements: all of them.
        outcomes: one each, as far as it went: a refusal is the last one.
    """
    if not statements:
        return NOTHING_RUN
    told = [
        f"[{number}] {one_line(statement.text, 100)}\n{_cut(_shown(found), MOST_RESULT)}"
        for number, (statement, found) in enumerate(zip(statements, outcomes, strict=False), 1)
    ]
    left = len(statements) - len(outcomes)
    if left:
        them = "Statement" if left == 1 else "Statements"
        span = f"{len(statements)}" if left == 1 else f"{len(outcomes) + 1} to {len(statements)}"
        was = "was" if left == 1 else "were"
        told.append(f"{them} {span} {was} not run: a script stops at its first error.")
    return _cut("\n\n".join(told), MOST_TURN)


def shown_error(error: SqlError) -> str:
    """Return a refusal as Snowflake's clients put it: `002003 (02000): …`."""
    number = "" if error.errno is None else f"{error.errno:06d} "
    state = f"({error.sqlstate})" if error.sqlstate else ""
    head = f"{number}{state}".strip()
    return f"{head}: {error.message}" if head else error.message


def _shown(found: Outcome) -> str:
    if isinstance(found, SqlError):
        return shown_error(found)
    return "\n".join(_lines(found))


def _lines(found: QueryRows) -> Iterator[str]:
    yield " | ".join(found.columns)
    # A text that stands alone, such as a definition, keeps its lines.
    is_alone = len(found.columns) == 1 and len(found.rows) == 1
    for row in found.rows[:MOST_ROWS]:
        yield " | ".join(_cell(cell, is_alone=is_alone) for cell in row)
    rows = "1 row" if found.row_count == 1 else f"{found.row_count:,} rows"
    shown = f", the first {MOST_ROWS} shown" if len(found.rows) > MOST_ROWS else ""
    yield f"({rows}{shown})"


def _cell(cell: Any, *, is_alone: bool) -> str:
    if cell is None:
        return "NULL"
    text = str(cell)
    return _cut(text if is_alone else text.replace("\n", "\\n"), MOST_CELL)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} characters cut)"
