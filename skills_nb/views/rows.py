"""The rows of a query.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from skills_nb.views import blocks as b
from skills_nb.views.words import cell, plural

MOST_ROWS = 200
"""How many rows a view keeps."""


@dataclass(frozen=True, slots=True)
class RowsTable:
    """Rows as text, and how many there are in all."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_count: int
    role: str = ""
    """Whose view of the data it is; empty for the session's."""


def rows_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    row_count: int | None = None,
    *,
    role: str | None = None,
) -> RowsTable:
    """Return the table of a query's answer.

    Args:
        columns: their names.
        rows: the rows that were fetched.
        row_count: how many the answer has, where not all were fetched.
        role: the role that asked, where it is not the session's.
    """
    kept = tuple(tuple(cell(value) for value in row) for row in rows[:MOST_ROWS])
    return RowsTable(
        tuple(columns), kept, len(rows) if row_count is None else row_count, role or ""
    )


def lay_out_rows(view: RowsTable) -> b.Sheet:
    """Return the blocks of a query's rows."""
    seen = f" as {view.role}" if view.role else ""
    hidden = view.row_count - len(view.rows)
    note = f"{hidden} more not fetched; narrow the query to see them" if hidden > 0 else ""
    title = f"{plural(view.row_count, 'row')}{seen}"
    if not view.columns:
        return b.Sheet(title, blocks=(b.Paragraph("The statement returned no columns."),))
    table = b.Table(view.columns, view.rows, "", note, most_in_text=50)
    return b.Sheet(title, blocks=(table,))
