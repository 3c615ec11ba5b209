"""Rows: what happens to those of a table, and how to ask how many there are.

Room: sql.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.object_refs import ObjectRef

RowVerb = Literal[
    "insert",
    "overwrite",
    "load",
    "update",
    "delete",
    "merge",
    "empty",
    "replace",
    "drop",
    "swap",
    "cut",
    "refresh",
]
"""`empty`: TRUNCATE; `cut`: a column is dropped, so every row loses a value."""

CONTAINERS = frozenset({"SCHEMA", "DATABASE"})
"""Kinds of objects that hold tables."""


@dataclass(frozen=True, slots=True)
class RowEffect:
    """What one statement does to the rows of one object."""

    verb: RowVerb
    """What happens to the rows; `drop` and `replace` take all of them."""
    target: ObjectRef
    """A table; of `drop` and `replace` also a schema or database with everything in it."""
    other: str = ""
    """Of `swap` the table that it changes places with."""


@dataclass(frozen=True, slots=True)
class RowEffects:
    """What a text does to rows."""

    effects: tuple[RowEffect, ...] = ()
    """In the order of the statements; empty where no rows change."""
    is_direct: bool = True
    """Whether the account's answer to the text is the answer to its only statement."""
    runs_others: bool = False
    """Whether it runs code that its text does not show: a procedure, a task, an alert."""
    database: str | None = None
    """One that the text names, of a table or of such code; None where it names none."""


def rows_probe_for(target: ObjectRef) -> str | None:
    """Return a query that has a row, with `rows`, for each table of a schema or database.

    Of a table the query that tells whether it is there tells its rows, too: None.
    """
    if target.kind not in CONTAINERS:
        return None
    return f"SHOW TABLES IN {target.kind} {render_name(target.name)}"
