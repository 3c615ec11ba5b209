"""Tables of SHOW: columns and how a row is read from an object.

Room: embedded. `columns_of` reads `name` for text, `name:t` for an instant, `name:d` for a date,
`name:n` for a number,
`name:b` for a boolean.
"""

from __future__ import annotations

from functools import lru_cache

from skills_nb.embedded.types import data_types
from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.values import Column

_TYPES: dict[str, SfType] = {
    "": data_types.TEXT,
    "t": data_types.LTZ,
    "d": data_types.DATE,
    "n": data_types.INTEGER,
    "b": data_types.BOOLEAN,
    "v": data_types.VARIANT,
    "a": data_types.ARRAY,
    "o": data_types.OBJECT,
    "r": data_types.REAL,
}


@lru_cache
def columns_of(spec: str) -> tuple[Column, ...]:
    """Read a column list: names separated by spaces, `_` before `?` kept, types behind `:`."""
    made = []
    for word in spec.split():
        name, _, kind = word.partition(":")
        made.append(Column(name.replace("~", " "), _TYPES[kind]))
    return tuple(made)
