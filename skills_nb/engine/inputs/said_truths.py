"""What is true of rows, by a column that is true or false: `tasks that are not done`.

Room: laws. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from skills_nb.engine.inputs.named_choices import spoken_key
from skills_nb.engine.inputs.table_columns import TableColumn

LEFT_OUT = re.compile(
    r"\b(?:not|except|excluding|without|besides|no)(?: (?:in|at|from|for|of|those|the|by|any))*\W*$"
)
"""What stands before something that is left out."""
_BEFORE = re.compile(r"^(?:is|has|was)[_ ]", re.IGNORECASE)
_ONLY_NAMED = re.compile(r"\b(?:per|by|each|every|columns?)(?: the)?\W*$")
_COLUMN = re.compile(r"\W*columns?\b")
_VALUE = re.compile(r"\s*(?:is|are|was|were|be|=|:)?\s*(?:(?:true|yes)|(?P<no>false|no))\b")


def said_keys(columns: Iterable[TableColumn]) -> Iterator[tuple[str, str]]:
    """Yield how each column is said, and its name; IS_ACTIVE also as `active`.

    What a column is called counts more than how another is said: it comes later.
    """
    listed = tuple(columns)
    for column in listed:
        if column.kind == "truth":
            yield spoken_key(_BEFORE.sub("", column.name)), column.name
    yield from ((spoken_key(column.name), column.name) for column in listed)


def truth_said(text: str, start: int, end: int, column: TableColumn) -> tuple[int, int, str] | None:
    """Return the stretch around a column's name that says whether it is true, and its SQL.

    Args:
        text: a goal in small letters.
        start: where the name begins.
        end: where it ends.
        column: what is called so.
    """
    is_named = _ONLY_NAMED.search(text[:start]) or _COLUMN.match(text, end)
    if column.kind != "truth" or is_named:
        return None
    if (value := _VALUE.match(text, end)) is not None:
        return start, value.end(), f"{column.sql} = {'FALSE' if value['no'] else 'TRUE'}"
    if (left_out := LEFT_OUT.search(text[:start])) is not None:
        return left_out.start(), end, f"{column.sql} IS DISTINCT FROM TRUE"
    return start, end, f"{column.sql} = TRUE"
