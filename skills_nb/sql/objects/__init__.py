"""What a statement touches, how to look at it beforehand, and how to take it back.

Room: sql. Pure text work: the queries and inverse statements it returns are for others to run.
The parser loads on first use.
Spec: the contract's "Front matter" (compensation, recovery).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skills_nb.sql.objects.refs import Change, ObjectRef

__all__ = [
    "Change",
    "ObjectRef",
    "changes_of",
    "compensation_of",
    "ddl_probe_for",
    "probe_for",
]


def changes_of(sql: str, database: str | None, schema: str | None) -> tuple[Change, ...]:
    """Return what the text changes, in its order; () for what only reads or only sets the session.

    Names are qualified with the current database and schema as far as those are known. Text that
    cannot be read changes nothing that could be named.
    """
    from skills_nb.sql.objects import changes

    return changes.changes_of(sql, database, schema)


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
