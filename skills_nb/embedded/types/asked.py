"""What a query asks of a view of the system: columns by name, and rows by the names in them.

Room: embedded. Pure. A reader may leave out what is not asked for; the query filters all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import repeat

from skills_nb.embedded.types.system_rows import Table


@dataclass(frozen=True, slots=True)
class Asked:
    """The part of a view that a query can need."""

    columns: frozenset[str] | None = None
    """Names of the columns, and more names may be among them; None for all columns."""
    texts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By column: the only texts in it with which a row counts."""

    def reads(self, *columns: str) -> bool:
        """Tell whether one of the columns is needed."""
        return self.columns is None or not self.columns.isdisjoint(columns)

    def admits(self, column: str, text: str) -> bool:
        """Tell whether a row with this text in the column counts."""
        return column not in self.texts or text in self.texts[column]


ALL = Asked()


def left_out(table: Table, asked: Asked) -> Table:
    """Put nothing into the columns that are not read."""
    columns, rows = table
    if asked.columns is None or not rows:
        return table
    held = (
        values if asked.reads(column.name) else repeat(None, len(rows))
        for column, values in zip(columns, zip(*rows, strict=True), strict=True)
    )
    return columns, tuple(zip(*held, strict=True))
