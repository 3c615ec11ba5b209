"""Who sees which columns, before and after: a matrix for each table.

Room: laws (views). A cell says it in words; the sign and the colour only help to find it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import plural

_SIGNS = {"clear": "●", "masked": "◐", "no access": "○", "varies": "◌"}
_MOST_OPEN = 3
"""So many tables stand in the open; more are folded."""
_KEY = "● clear  ◐ masked  ○ no access  ◌ depends on the row, a tag or another policy"
_BASIS = (
    "Judged in the rehearsal by grants and policies, as far as this role sees them; where the plan "
    "is a prediction, so is this."
)
ARROW = " → "


def access_blocks(found: Sequence[Mapping[str, Any]]) -> list[b.Block]:
    """Return a matrix for each table that some role sees otherwise than before.

    Args:
        found: as the dry run recorded it.
    """
    tables = [one for one in found if "table" in one]
    if not tables:
        return []
    blocks: list[b.Block] = [b.Paragraph(f"{_KEY}. {_BASIS}", is_muted=True)]
    for number, one in enumerate(tables):
        table = _matrix(one)
        is_folded = number >= _MOST_OPEN
        blocks.append(b.Fold(table.caption, (table,)) if is_folded else table)
    hidden = sum(int(one.get("more_tables", 0)) for one in found)
    if hidden:
        blocks.append(b.Paragraph(f"{plural(hidden, 'more table')} not shown or not looked at."))
    return blocks


def _matrix(one: Mapping[str, Any]) -> b.Table:
    roles = one["roles"]
    lines = [
        (str(column), *(_cell(role["before"][at], role["after"][at]) for role in roles))
        for at, column in enumerate(one["columns"])
    ]
    caption = f"Who sees what of {one['table']}, before → after"
    return b.Table(
        ("Column", *(str(role["role"]) for role in roles)),
        tuple(lines),
        caption,
        _note(one),
        is_prose=True,
        is_matrix=True,
    )


def _cell(before: str, after: str) -> str:
    if before == after:
        return _signed(after)
    return f"{_signed(before)}{ARROW}{_signed(after)}"


def _signed(word: str) -> str:
    return f"{_SIGNS.get(word, '')} {word}".lstrip()


def _note(one: Mapping[str, Any]) -> str:
    before, after = one.get("rows") or ("", "")
    more = (
        (one.get("more_columns"), "more column"),
        (one.get("more_roles"), "more role"),
    )
    left = [plural(int(count), what) for count, what in more if count]
    parts = [f"{' and '.join(left)} not shown"] if left else []
    if before != after:
        parts.append(f"Rows: {_policy(before)}{ARROW}{_policy(after)}")
    elif after:
        parts.append(f"Rows are filtered by {after}, before and after")
    return ". ".join(parts)


def _policy(name: str) -> str:
    return f"filtered by {name}" if name else "not filtered"
