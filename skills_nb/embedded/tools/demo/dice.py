"""Chance without chance: every value of the demo data is a function of its table, row and column.

Room: embedded (demo). Pure. The same row is the same everywhere and for ever, and adding a column
does not move the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar
from zlib import crc32

_T = TypeVar("_T")
_MASK = (1 << 64) - 1


class Dice:
    """The rolls of one row."""

    def __init__(self, table: str, row: int) -> None:
        """Fix the row; every roll names the column it is for."""
        self._seed = (crc32(table.encode()) << 32 | row) * 0x9E3779B97F4A7C15 & _MASK

    def roll(self, column: str, sides: int) -> int:
        """Give a whole number from 0 up to, not including, `sides`."""
        mixed = (self._seed ^ crc32(column.encode()) * 0xC2B2AE3D27D4EB4F) & _MASK
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
        return (mixed ^ mixed >> 31) % sides

    def between(self, column: str, low: int, high: int) -> int:
        """Give a whole number from `low` to `high`, both included."""
        return low + self.roll(column, high - low + 1)

    def pick(self, column: str, choices: Sequence[_T]) -> _T:
        """Give one of the choices."""
        return choices[self.roll(column, len(choices))]

    def digits(self, column: str, count: int) -> str:
        """Give that many digits, leading zeros included."""
        return f"{self.roll(column, 10**count):0{count}d}"

    def often(self, column: str, percent: int) -> bool:
        """Be true in that many cases of a hundred."""
        return self.roll(column, 100) < percent
