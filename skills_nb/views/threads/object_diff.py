"""Objects as a diff: `+` for what is new, `~` for what is changed, `−` for what is gone.

Room: laws (views). A sign never stands alone: the word is beside it, whatever the colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import in_words, plural, sentence

if TYPE_CHECKING:
    from skills_nb.model.net_changes import NetChange

MOST_UNFOLDED = 60
"""So many objects stand in one table; more are folded."""
_MOST_OBJECTS = 200
"""How many of one group a page shows."""
_MOST_IN_TEXT = 5
_SIGNS = {
    **{"create": "+", "change": "~", "drop": "−"},
    **{"created": "+", "changed": "~", "dropped": "−"},
}
Row = tuple[str, str, str, str]
"""(what happens, type, name, how), as in `create`, `table`, `D.S.T`."""


def diff_blocks(rows: Sequence[Row], caption: str, verb: str, note: str = "") -> list[b.Block]:
    """Return the objects in one table; where they are many, folded by what happens to which.

    Args:
        rows: the objects.
        caption: says what they are.
        verb: the heading of the first column.
        note: what to do about those that are left out.
    """
    if not rows:
        return []
    if len(rows) <= MOST_UNFOLDED:
        columns = (verb, "Type", "Object", "Change")
        signed = tuple((_signed(fate), *rest) for fate, *rest in rows)
        return [b.Table(columns, signed, caption, most_in_text=30, is_prose=True, is_diff=True)]
    groups: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    for fate, kind, *rest in rows:
        groups.setdefault((fate, kind), []).append((_SIGNS.get(fate, ""), *rest))
    return [_group(fate, kind, found, note) for (fate, kind), found in groups.items()]


def _signed(fate: str) -> str:
    sign = _SIGNS.get(fate, "")
    return f"{sign} {fate}".lstrip()


def _group(fate: str, kind: str, rows: Sequence[tuple[str, ...]], note: str) -> b.Fold:
    title = f"{_SIGNS.get(fate, '')} {sentence(fate)}: {plural(len(rows), kind)}".lstrip()
    hidden = len(rows) - _MOST_OBJECTS
    left = f"{hidden} more{f': {note}' if note else ''}" if hidden > 0 else ""
    shown = tuple(rows[:_MOST_OBJECTS])
    # The text form, which cannot fold, tells of a large group by a few of it.
    table = b.Table(
        ("", "Object", "Change"), shown, title, left, most_in_text=_MOST_IN_TEXT, is_diff=True
    )
    return b.Fold(title, (table,), in_text=True)


def rows_of_changes(
    changes: Sequence[NetChange], written: Sequence[tuple[str, str, str, str]]
) -> tuple[Row, ...]:
    """Return what a thread came to, one row an object, with what happened to its rows.

    Args:
        changes: what is not as it was.
        written: (step, type, name, what happened to its rows).
    """
    told: dict[str, str] = {name: how for _, _, name, how in written}
    found = [(one.fate, in_words(one.type), one.fqn, _joined(one, told)) for one in changes]
    known = {one.fqn for one in changes}
    more = [("changed", kind, name, how) for _, kind, name, how in written if name not in known]
    order = ("created", "changed", "dropped")
    return tuple(sorted([*found, *dict.fromkeys(more)], key=lambda row: order.index(row[0])))


def _joined(one: NetChange, told: Mapping[str, str]) -> str:
    rows = told.get(one.fqn, "")
    return "; ".join(part for part in (rows, *one.said) if part)
