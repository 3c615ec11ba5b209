"""Tables of the system: a column list and rows.

Room: embedded. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.values import Column

T = TypeVar("T")
Table = tuple[tuple[Column, ...], Sequence[tuple[Any, ...]]]
Row = tuple[Any, ...]
Rows = tuple[str, list[Row]]
"""A column list as `show.tables.columns_of` reads it, and rows."""


def made(spec: str, rows: list[Row]) -> Table:
    """Type the rows."""
    return columns_of(spec), tuple(rows)


def yes(value: object) -> str:
    """Write a flag as INFORMATION_SCHEMA does."""
    return "YES" if value else "NO"


def laid_out(columns: Mapping[str, Callable[[T], Any]], items: Iterable[T]) -> Rows:
    """Make a table of columns that are each read from an item by a function of its own."""
    return " ".join(columns), [tuple(read(item) for read in columns.values()) for item in items]
