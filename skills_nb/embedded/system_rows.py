"""Tables of the system: a column list and rows.

Room: embedded. Pure.
"""

from __future__ import annotations

from typing import Any

from skills_nb.embedded.result_columns import columns_of
from skills_nb.embedded.values import Column

Table = tuple[tuple[Column, ...], tuple[tuple[Any, ...], ...]]
Row = tuple[Any, ...]
Rows = tuple[str, list[Row]]
"""A column list as `show.tables.columns_of` reads it, and rows."""


def made(spec: str, rows: list[Row]) -> Table:
    """Type the rows."""
    return columns_of(spec), tuple(rows)


def yes(value: object) -> str:
    """Write a flag as INFORMATION_SCHEMA does."""
    return "YES" if value else "NO"
