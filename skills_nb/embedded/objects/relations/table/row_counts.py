"""How many rows tables hold.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Iterable

from skills_nb.embedded.catalog.entities import Entity, TableDetail
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.session.context import Context

_BATCH = 200
_BYTES_A_ROW = 64


def size_of(rows: int | None) -> int | None:
    """Return how large a table is said to be; None where a policy hides how many rows it has."""
    return None if rows is None else rows * _BYTES_A_ROW


def row_counts(session: Context, entities: Iterable[Entity]) -> dict[int, int | None]:
    """Count the rows of many tables; None where a row access policy hides how many."""
    counts: dict[int, int | None] = {}
    wanted: list[DuckSql] = []
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
            place = duck_sql.place(entity.detail.place)
            wanted.append(duck_sql.of("SELECT {id}, count(*) FROM {t}", id=entity.id, t=place))
    for start in range(0, len(wanted), _BATCH):
        asked = duck_sql.joined(" UNION ALL ", wanted[start : start + _BATCH])
        counts.update(session.cursor.execute(asked).fetchall())
    return counts
