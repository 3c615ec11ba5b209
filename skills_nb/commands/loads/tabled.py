"""Data as they were read, and what a column is to hold of them.

Room: commands (loads).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Read = Callable[[Any], "str | None"]
"""Writes a value as the loaded file has it; None for NULL. ValueError says why it does not fit."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A row that is left out."""

    row: int
    """Its number among the rows of data, from 1."""
    column: str
    """Where the trouble is; empty where it is the whole row's."""
    value: str
    """What stands there, shortened."""
    why: str
    """What is wrong with it, in words."""


@dataclass(frozen=True, slots=True)
class Tabled:
    """Rows under names."""

    source: str
    """What they come from, as the person named it."""
    names: tuple[str, ...]
    """As the source has them; empty, or given twice, where it does so."""
    rows: tuple[tuple[Any, ...], ...]
    """As wide as the names. None for what is missing."""
    numbers: tuple[int, ...]
    """Each row's number in the source, from 1; rows that were rejected have one too."""
    is_text: bool
    """Whether texts say nothing of their type, as in a CSV file."""
    rejected: tuple[Rejected, ...] = ()
    """Rows that could not be read."""
    notes: tuple[str, ...] = ()
    """What a person should know of how it was read."""
    dates_are_texts: bool = False
    """Whether its format has no type for moments, as JSON has none."""

    def column(self, place: int) -> list[Any]:
        """Return the values of a column, from the first row on."""
        return [row[place] for row in self.rows]


@dataclass(frozen=True, slots=True)
class Fit:
    """What a column's values are kept as."""

    type: str
    """Snowflake's, as CREATE TABLE takes it."""
    read: Read
    """Writes each of its values."""
    note: str = ""
    """Why it is no better type, where somebody may expect one."""
    has_comma: bool = False
    """Whether a comma stands before its decimals."""


def shortened(value: Any, most: int = 40) -> str:
    """Return a value as a message shows it."""
    text = str(value)
    return text if len(text) <= most else text[: most - 1] + "…"
