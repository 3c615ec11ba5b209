"""How many rows tables hold.

Room: embedded. DuckDB knows how many rows were ever put into a table, which is how many there are
until one is deleted; and nothing is deleted before its former image is kept in a table beside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skills_nb.embedded.catalog.entities import Entity, TableDetail
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import Place
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import images

_BATCH = 50
_MANY = 20
"""From so many tables on, one look at DuckDB's list of tables is quicker than counting."""
_BYTES_A_ROW = 64


def size_of(rows: int | None) -> int | None:
    """Return how large a table is said to be; None where a policy hides how many rows it has."""
    return None if rows is None else rows * _BYTES_A_ROW


def row_counts(session: Context, entities: Iterable[Entity]) -> dict[int, int | None]:
    """Count the rows of many tables; None where a row access policy hides how many."""
    counts: dict[int, int | None] = {}
    wanted: list[tuple[int, Place]] = []
    entities = tuple(entities)
    lent = session.account.lent_rows(entities)
    for entity in entities:
        counts[entity.id] = None
        hidden = session.account.policies_of(entity).rows is not None
        if not isinstance(entity.detail, TableDetail) or hidden or entity.dropped_on is not None:
            continue
        if entity.id in lent:
            counts[entity.id] = lent[entity.id]
        else:
            wanted.append((entity.id, entity.detail.place))
    never_deleted = _never_deleted(session) if len(wanted) >= _MANY else {}
    counts.update((i, never_deleted[place]) for i, place in wanted if place in never_deleted)
    counts.update(_counted(session, [one for one in wanted if one[1] not in never_deleted]))
    return counts


def _counted(session: Context, tables: list[tuple[int, Place]]) -> Iterator[tuple[int, int]]:
    """Count the rows of tables by their numbers."""
    asked = [
        duck_sql.of("SELECT {id}, count(*) FROM {t}", id=number, t=duck_sql.place(place))
        for number, place in tables
    ]
    for start in range(0, len(asked), _BATCH):
        together = duck_sql.joined(" UNION ALL ", asked[start : start + _BATCH])
        yield from session.cursor.execute(together).fetchall()


def _never_deleted(session: Context) -> dict[Place, int]:
    """Return the rows of all tables that never lost one; of none in an open transaction.

    DuckDB's list tells what is committed, by whomever, and not what a transaction put in.
    """
    if session.in_transaction:
        return {}
    asked = duck_sql.of(
        "SELECT schema_name, table_name, estimated_size FROM duckdb_tables() WHERE NOT temporary"
    )
    held = {(schema, name): rows for schema, name, rows in session.cursor.execute(asked).fetchall()}
    return {place: rows for place, rows in held.items() if images.past(place) not in held}
