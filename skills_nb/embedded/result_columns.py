"""Tables of SHOW: columns and how a row is read from an object.

Room: embedded. `columns_of` reads `name` for text, `name:t` for an instant, `name:d` for a date,
`name:n` for a number,
`name:b` for a boolean.
"""

from __future__ import annotations

from functools import lru_cache

from skills_nb.embedded import types
from skills_nb.embedded.types import SfType
from skills_nb.embedded.values import Column

_TYPES: dict[str, SfType] = {
    "": types.TEXT,
    "t": types.LTZ,
    "d": types.DATE,
    "n": types.INTEGER,
    "b": types.BOOLEAN,
    "v": types.VARIANT,
    "a": types.ARRAY,
    "o": types.OBJECT,
    "r": types.REAL,
}


@lru_cache
def columns_of(spec: str) -> tuple[Column, ...]:
    """Read a column list: names separated by spaces, `_` before `?` kept, types behind `:`."""
    made = []
    for word in spec.split():
        name, _, kind = word.partition(":")
        made.append(Column(name.replace("~", " "), _TYPES[kind]))
    return tuple(made)
