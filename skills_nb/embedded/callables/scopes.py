"""Scopes: what the names of a script stand for while it runs.

Room: embedded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skills_nb.embedded.callables.scripts import ExceptionOf, ProcedureOf
from skills_nb.embedded.types import SfType
from skills_nb.embedded.values import Column


@dataclass(slots=True)
class Value:
    """A variable."""

    value: Any
    type: SfType | None = None


@dataclass(slots=True)
class Table:
    """A resultset: rows that are at hand."""

    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    query_id: str = ""
    awaited: bool = True
    """False from ASYNC to AWAIT, while nobody may read it."""


@dataclass(slots=True)
class Cursor:
    """A cursor: its query, and once open its rows and the next one."""

    source: str
    table: Table | None = None
    next_row: int = 0


@dataclass(slots=True)
class Record:
    """The row of a FOR loop."""

    fields: dict[str, Value]


@dataclass(slots=True)
class Procedure:
    """A nested procedure, and the names around its declaration."""

    declared: ProcedureOf
    home: Scope


Meaning = Value | Table | Cursor | Record | ExceptionOf | Procedure


@dataclass(slots=True)
class Scope:
    """One block's names, and those of the blocks around it."""

    outer: Scope | None = None
    names: dict[str, Meaning] = field(default_factory=dict)

    def find(self, name: str) -> Meaning | None:
        """Return what a name stands for."""
        if name in self.names:
            return self.names[name]
        return self.outer.find(name) if self.outer is not None else None
