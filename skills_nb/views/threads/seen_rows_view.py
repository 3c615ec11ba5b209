"""A few rows as each role would see them, before and after: for the eyes of whoever plans.

Room: laws (views). No card holds these blocks by itself, because cards are kept: a door that shows
something live asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import cell, plural
from skills_nb.views.threads.access_matrix import ARROW

if TYPE_CHECKING:
    from skills_nb.ports import RowsOfRole, SeenCell, SeenRow, SeenRows

_NOT_KEPT = (
    "Sample rows as each role would see them are shown only while the dry run is made: above the "
    "buttons in a notebook, with `--all` in a terminal. They are not kept, neither here nor in the "
    "thread."
)
_ROW = "Row"
_BASIS = (
    "Taken from the rehearsal copy: rows that you can read now with your active role, the same "
    "before and after. “not shown” stands for what you cannot see yourself. They are not kept."
)


def seen_blocks(found: Sequence[SeenRows], *, is_told: bool = False) -> list[b.Block]:
    """Return the fold with the sample rows of each table.

    Args:
        found: what a dry run of this process has shown.
        is_told: whether it is said, where there are none, where they are to be seen.
    """
    if not found:
        return [b.Paragraph(_NOT_KEPT, is_muted=True)] if is_told else []
    told = [block for one in found for block in _table(one)]
    note = [b.Paragraph(_BASIS, is_muted=True)] if any(one.own for one in found) else []
    return [b.Fold(_summary(found), (*note, *told))]


def _summary(found: Sequence[SeenRows]) -> str:
    rows = max((len(one.own) for one in found), default=0)
    if not rows:
        return "No sample rows as each role would see them"
    return f"{plural(rows, 'sample row')} as each role would see them, before and after"


def _table(one: SeenRows) -> list[b.Block]:
    if one.why:
        return [b.Paragraph(f"{one.table}: {one.why}")]
    own = tuple(tuple(map(_said, row)) for row in one.own)
    caption = f"{one.table} as you see it now"
    mine = b.Table((_ROW, *one.columns), _numbered(own), caption, is_matrix=True)
    return [mine, *(_as_role(one, role) for role in one.roles)]


def _numbered(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return the rows with their numbers, by which one is found again under each role."""
    return tuple((str(number), *row) for number, row in enumerate(rows, 1))


def _as_role(one: SeenRows, role: RowsOfRole) -> b.Table:
    rows = tuple(_turn(was, then) for was, then in zip(role.before, role.after, strict=False))
    caption = f"{one.table} as {role.role} sees it, before{ARROW}after"
    shown = (_ROW, *one.columns)
    return b.Table(shown, _numbered(rows), caption, is_prose=True, is_matrix=True)


def _turn(before: SeenRow, after: SeenRow) -> tuple[str, ...]:
    """Return the cells of a row: what stays is said once."""
    return tuple(
        _said(now) if was == now else f"{_said(was)}{ARROW}{_said(now)}"
        for was, now in zip(before, after, strict=False)
    )


def _said(one: SeenCell) -> str:
    return f"({one.word})" if one.word else cell(one.value)
