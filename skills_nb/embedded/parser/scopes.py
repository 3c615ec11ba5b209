"""Scopes: what the names of a script stand for while it runs.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from skills_nb.embedded.parser.scripts import ExceptionOf, ProcedureOf
from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.values import Column


@dataclass(slots=True)
class Value:
    """A variable."""

    value: Any
    """As Python has it; None is NULL."""
    type: SfType | None = None
    """What assigned values are cast to; None for the type of whatever is assigned."""


@dataclass(slots=True)
class Table:
    """A resultset: rows that are at hand."""

    columns: tuple[Column, ...] = ()
    """Empty before it is filled."""
    rows: Sequence[tuple[Any, ...]] = ()
    """Empty before it is filled."""
    query_id: str = ""
    """Of the query that filled it; empty before."""
    awaited: bool = True
    """False from ASYNC to AWAIT, while nobody may read it."""


@dataclass(slots=True)
class Cursor:
    """A cursor: its query, and once open its rows and the next one."""

    source: str
    """Text of the query, or the name of a resultset."""
    table: Table | None = None
    """Its rows while it is open; None otherwise."""
    next_row: int = 0
    """Place of the row that FETCH gives next, from 0."""


@dataclass(slots=True)
class Record:
    """The row of a FOR loop."""

    fields: dict[str, Value]


@dataclass(slots=True)
class Procedure:
    """A nested procedure, and the names around its declaration."""

    declared: ProcedureOf
    """Its parameters and its block, as they were read."""
    home: Scope
    """Where it was declared: its body sees these names, not the caller's."""


Meaning = Value | Table | Cursor | Record | ExceptionOf | Procedure


@dataclass(slots=True)
class Scope:
    """One block's names, and those of the blocks around it."""

    outer: Scope | None = None
    """The block around this one; None for the outermost."""
    names: dict[str, Meaning] = field(default_factory=dict)
    """Stored name to what it stands for in this block."""

    def find(self, name: str) -> Meaning | None:
        """Return what a name stands for."""
        if name in self.names:
            return self.names[name]
        return self.outer.find(name) if self.outer is not None else None
