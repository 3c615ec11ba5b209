"""A table of a rehearsal copy that holds one chosen row at a time, so that it is known which it is.

Room: embedded. Whoever asks such a table is answered with that very row or with none: what a mask
made of it, and whether a policy hides it, needs no guess. Only copies are staged, never the account
itself; what the copy's table held comes back when the stage is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.table_details import TableDetail
from skills_nb.embedded.physical import duck_sql

if TYPE_CHECKING:
    from skills_nb.embedded.catalog.entities import Entity
    from skills_nb.embedded.engine.account import Account
    from skills_nb.embedded.physical.duck_sql import DuckSql, Place

_CHOSEN = duck_sql.place(("_account", "chosen_rows"))
_OWN = "_account"


class RowStage:
    """The stage of one table; `staged` sets it up and takes it down."""

    def __init__(self, account: Account, place: Place, aside: Place) -> None:
        """Take over a table whose rows are aside."""
        self._connection = account.store.connection
        self._table, self._aside = duck_sql.place(place), duck_sql.place(aside)

    def count(self) -> int:
        """Return how many rows the table has."""
        asked = duck_sql.of("SELECT count(*) FROM {t}", t=self._aside)
        ((found,),) = self._connection.execute(asked).fetchall()
        return int(found)

    def choose(self, positions: Sequence[int]) -> None:
        """Keep the rows at these places, from 0, as the chosen ones, in this order."""
        self._connection.execute(
            duck_sql.of("CREATE OR REPLACE TABLE {c} AS FROM {t} LIMIT 0", c=_CHOSEN, t=self._aside)
        )
        for position in positions:
            self._connection.execute(
                duck_sql.of(
                    "INSERT INTO {c} SELECT * FROM {t} ORDER BY rowid LIMIT 1 OFFSET {n}",
                    c=_CHOSEN,
                    t=self._aside,
                    n=position,
                )
            )

    def take_chosen(self, account: Account, columns: Sequence[str]) -> None:
        """Take the rows that were chosen in another copy, as far as their columns are here, too."""
        names = [duck_sql.name(one) for one in columns]
        source = account.store.connection
        made = duck_sql.of(
            "CREATE OR REPLACE TABLE {c} AS SELECT {n} FROM {t} LIMIT 0",
            c=_CHOSEN,
            n=duck_sql.listed(names),
            t=self._aside,
        )
        self._connection.execute(made)
        source.execute(
            duck_sql.of(
                "CREATE OR REPLACE TABLE {c} AS SELECT {n} FROM {c}",
                c=_CHOSEN,
                n=duck_sql.listed(names),
            )
        )
        self._connection.take(source, _CHOSEN)

    def put(self, number: int) -> None:
        """Let the table hold one of the chosen rows, and nothing else."""
        self._connection.execute(duck_sql.of("DELETE FROM {t}", t=self._table))
        self._connection.execute(
            duck_sql.of(
                "INSERT INTO {t} BY NAME SELECT * FROM {c} ORDER BY rowid LIMIT 1 OFFSET {n}",
                t=self._table,
                c=_CHOSEN,
                n=number,
            )
        )

    def stored(self, columns: Sequence[str]) -> tuple[Any, ...]:
        """Return the values of the row that the table holds, whoever may see them."""
        names = duck_sql.listed([duck_sql.name(one) for one in columns])
        asked = duck_sql.of("SELECT {n} FROM {t}", n=names, t=self._table)
        (found,) = self._connection.execute(asked).fetchall()
        return tuple(found)


@contextmanager
def staged(account: Account, entity: Entity) -> Iterator[RowStage]:
    """Set up the stage of a table in a copy of an account, and give the table back its rows.

    Raises:
        duckdb.Error: the copy cannot move its rows aside.
    """
    detail = entity.detail
    assert isinstance(detail, TableDetail), "only tables hold rows"
    if entity.id in account.unmade:
        account.make_places((entity.id,))
    connection, place = account.store.connection, detail.place
    aside = (place[0], f"{_OWN} aside")
    _rename(account, place, aside[1])
    try:
        connection.execute(
            duck_sql.of(
                "CREATE TABLE {t} AS FROM {a} LIMIT 0",
                t=duck_sql.place(place),
                a=duck_sql.place(aside),
            )
        )
        yield RowStage(account, place, aside)
    finally:
        connection.execute(duck_sql.of("DROP TABLE IF EXISTS {t}", t=duck_sql.place(place)))
        _rename(account, aside, place[1])


def _rename(account: Account, place: Place, name: str) -> None:
    renamed: DuckSql = duck_sql.of(
        "ALTER TABLE {t} RENAME TO {n}", t=duck_sql.place(place), n=duck_sql.name(name)
    )
    account.store.connection.execute(renamed)
