"""Objects as a diff: `+` for what is new, `~` for what is changed, `−` for what is gone.

Room: laws (views). A sign never stands alone: the word is beside it, whatever the colour.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    changes: Sequence[NetChange],
    made: Sequence[tuple[str, str, str]],
    written: Sequence[tuple[str, str, str, str]],
) -> tuple[Row, ...]:
    """Return what a thread came to, one row an object, with what happened to its rows.

    Args:
        changes: what is not as it was.
        made: (step, type, name) of what its steps made, where no statement tells of it.
        written: (step, type, name, what happened to its rows).
    """
    told = {name: how for _, _, name, how in written}
    steps = {name: step for step, _, name, _ in written} | {name: step for step, _, name in made}
    listed: dict[tuple[str, str], tuple[str, str, tuple[str, ...]]] = {}
    for one in changes:
        listed[one.fate, one.fqn] = (one.fate, in_words(one.type), one.said)
    known = {name for _, name in listed}
    for _, kind, name in made:
        if name not in known:
            listed["created", name] = ("created", kind, ())
    known |= {name for _, _, name in made}
    for _, kind, name, _ in written:
        if name not in known:
            listed["changed", name] = ("changed", kind, ())
    order = ("created", "changed", "dropped")
    new = {name for fate, name in listed if fate == "created"}
    rows = []
    for (_, name), (fate, kind, said) in listed.items():
        # Of two objects that had one name after another, rows and step are about the new one.
        is_former = fate != "created" and name in new
        of_rows, step = ("", "") if is_former else (told.get(name, ""), steps.get(name, ""))
        rows.append((fate, kind, name, _how(of_rows, said, step)))
    return tuple(sorted(rows, key=lambda row: order.index(row[0])))


def _how(rows: str, said: Sequence[str], step: str) -> str:
    where = f"in step {step}" if step else ""
    return "; ".join(part for part in (rows, *said, where) if part)
