"""What a statement touches, how to look at it beforehand, and how to take it back.

Room: sql. Pure text work: the queries and inverse statements it returns are for others to run.
The parser loads on first use.
Spec: the contract's "Front matter" (compensation, recovery).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skills_nb.sql.objects.affected_rows import RowEffect, RowEffects, rows_probe_for
from skills_nb.sql.objects.object_comparison import Look
from skills_nb.sql.objects.object_refs import AttachmentQuery, Change, ObjectRef, Touch

__all__ = [
    "Change",
    "Look",
    "ObjectRef",
    "RowEffect",
    "RowEffects",
    "Touch",
    "changes_of",
    "compensation_of",
    "counting_query",
    "ddl_probe_for",
    "goes_on_at",
    "grants_of",
    "hangings",
    "probe_for",
    "row_effects_of",
    "rows_probe_for",
    "touches_of",
    "watches",
]


def changes_of(sql: str, database: str | None, schema: str | None) -> tuple[Change, ...]:
    """Return what the text changes, in its order; () for what only reads or only sets the session.

    Names are qualified with the current database and schema as far as those are known. Text that
    cannot be read changes nothing that could be named.
    """
    from skills_nb.sql.objects import changes

    return changes.changes_of(sql, database, schema)


def row_effects_of(sql: str, database: str | None, schema: str | None) -> RowEffects:
    """Return what the text does to the rows of which tables, in its order.

    Names are qualified like those of `changes_of`.
    """
    from skills_nb.sql.objects import row_effects

    return row_effects.row_effects_of(sql, database, schema)


def counting_query(sql: str) -> str | None:
    """Return a query for how many rows a statement would change; None where none can tell."""
    from skills_nb.sql.objects import row_counting

    return row_counting.counting_query(sql)


def probe_for(ref: ObjectRef) -> str | None:
    """Return a query that has rows where the object (or its facet) is there; None: none exists."""
    from skills_nb.sql.objects import probes

    return probes.probe_for(ref)


def ddl_probe_for(ref: ObjectRef) -> str | None:
    """Return a query for the statement that would make the object anew; None: there is none."""
    from skills_nb.sql.objects import probes

    return probes.ddl_probe_for(ref)


def compensation_of(
    sql: str, database: str | None, schema: str | None, prior: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the statements that take a text back, in the order in which to run them.

    Args:
        sql: The statement that has run; several, or a block, are taken back in reverse.
        database: The database that was current.
        schema: The schema that was current.
        prior: What `probe_for` and `ddl_probe_for` found before, by `ObjectRef.fqn`: `exists`
            (None: could not be told), `ddl`, `value`, and `rows` (one mapping a row).
    """
    from skills_nb.sql.objects import compensation

    return compensation.compensation_of(sql, database, schema, prior)


def goes_on_at(ref: ObjectRef, prior: Mapping[str, Any]) -> str | None:
    """Return the number at which a sequence starts that is made anew, where it started elsewhere.

    Its counter cannot be set, and no number is to be given out twice.
    """
    from skills_nb.sql.objects import compensation

    return compensation.goes_on_at(ref, prior)


def touches_of(sql: str, database: str | None, schema: str | None) -> tuple[Touch, ...]:
    """Return what a text touches, each once: what it changes, and what goes with that."""
    from skills_nb.sql.objects import touched_objects

    return touched_objects.touches_of(sql, database, schema)


def watches(touch: Touch) -> tuple[str, ...]:
    """Return the queries that answer the same as long as nobody touches the object."""
    from skills_nb.sql.objects import touched_objects

    return touched_objects.watches(touch)


def hangings(touch: Touch) -> tuple[AttachmentQuery, ...]:
    """Return what others can hang on something that a statement made or named."""
    from skills_nb.sql.objects import touched_objects

    return touched_objects.hangings(touch)


def grants_of(ref: ObjectRef) -> tuple[str, ...]:
    """Return the queries for what an object gives to others and, of a role, what it may do."""
    from skills_nb.sql.objects import attachments

    return attachments.grants_of(ref)
