"""When statements last wrote rows of a table, whether or not they changed any.

Room: embedded. A row for each statement, in its transaction, so that sessions which write to one
table at a time are in nobody's way; what an open transaction wrote gets its instant with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import Place
from skills_nb.embedded.session.capabilities import Rows
from skills_nb.embedded.storage.time_travel.images import PENDING

if TYPE_CHECKING:
    from skills_nb.embedded.session.context import Context

_TABLE = duck_sql.place(("_account", "write"))


def note(session: Context, place: Place) -> None:
    """Note that the statement at work writes rows of a table."""
    session.run(
        duck_sql.of("INSERT INTO {table} VALUES (?, ?, ?)", table=_TABLE),
        [*place, session.stamp],
    )


def settle(session: Rows, moment: int) -> None:
    """Give what a transaction wrote the instant of its commit."""
    made = duck_sql.of("UPDATE {table} SET moment = ? WHERE moment = ?", table=_TABLE)
    session.run(made, [moment, session.stamp])


def last_writes(session: Context) -> dict[Place, int]:
    """Return the instant of the last write by place; what is not committed yet is as of now."""
    asked = duck_sql.of(
        "SELECT place_schema, place_table, max(moment) FROM {table} GROUP BY ALL", table=_TABLE
    )
    found = session.cursor.execute(asked).fetchall()
    return {
        (schema, name): session.moment if moment >= PENDING else int(moment)
        for schema, name, moment in found
    }
