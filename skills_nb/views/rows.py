"""The rows of a query.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skills_nb.views import account
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import cell, plural

if TYPE_CHECKING:
    from skills_nb.model.events import AccountContext

MOST_ROWS = 200
"""How many rows a view keeps."""


@dataclass(frozen=True, slots=True)
class RowsTable:
    """Rows as text, and how many there are in all."""

    columns: tuple[str, ...]
    """Their names, as the account tells them."""
    rows: tuple[tuple[str, ...], ...]
    """Those that are shown, as text."""
    row_count: int
    """How many the query found."""
    role: str = ""
    """Whose view of the data it is; empty for the session's."""
    badge: str = ""
    """The account that answered."""
    is_production: bool = False
    """Whether people depend on the account."""
    fetched: int = 0
    """How many rows are at hand, shown or not; 0: those that are shown."""


def rows_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    row_count: int | None = None,
    *,
    role: str | None = None,
    context: AccountContext | None = None,
) -> RowsTable:
    """Return the table of a query's answer.

    Args:
        columns: their names.
        rows: the rows that were fetched.
        row_count: how many the answer has, where not all were fetched.
        role: the role that asked, where it is not the session's.
        context: the account that answered.
    """
    kept = tuple(tuple(cell(value) for value in row) for row in rows[:MOST_ROWS])
    return RowsTable(
        columns=tuple(columns),
        rows=kept,
        row_count=len(rows) if row_count is None else row_count,
        role=role or "",
        badge=account.badge(context, role) if context is not None else "",
        is_production=context is not None and account.is_production(context),
        fetched=len(rows),
    )


def _why_hidden(view: RowsTable) -> str:
    if view.fetched >= view.row_count:
        return "not shown; the value has them all"
    if view.fetched > len(view.rows):
        return (
            f"not shown; the value has the first {view.fetched:,}, narrow the query to see others"
        )
    return "not fetched; narrow the query to see them"


def lay_out_rows(view: RowsTable) -> b.Sheet:
    """Return the blocks of a query's rows."""
    seen = f" as {view.role}" if view.role else ""
    hidden = view.row_count - len(view.rows)
    note = f"{hidden} more {_why_hidden(view)}" if hidden > 0 else ""
    title = f"{plural(view.row_count, 'row')}{seen}"
    shown: b.Block = b.Paragraph("The statement returned no columns.")
    if view.columns:
        shown = b.Table(view.columns, view.rows, "", note, most_in_text=50)
    return b.Sheet(title, badge=view.badge, is_loud=view.is_production, blocks=(shown,))
