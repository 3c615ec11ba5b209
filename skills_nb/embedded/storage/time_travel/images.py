"""Images: rows as they are and as they were.

Room: embedded. Each DuckDB table has two columns of the account's own: the row's number and the
instant since which it stands. Before a change, what it replaces or deletes is copied to
`<place>~past` together with the instant of its end. Instants are microseconds since 1970; those of
an open transaction are above any real one and become real when it commits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlglot
from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.connection import Connection
from skills_nb.embedded.physical.duck_sql import EVERY, DuckSql, Place
from skills_nb.embedded.session.capabilities import Rows
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names

if TYPE_CHECKING:
    from collections.abc import Iterable


ROW = "metadata$row"
SINCE = "metadata$since"
UNTIL = "metadata$until"
PENDING = 1 << 62
"""Above every real instant; plus the session's number it marks what its transaction did."""
_ROW, _SINCE, _UNTIL = map(duck_sql.name, (ROW, SINCE, UNTIL))
ROW_NUMBERS = duck_sql.place(("_account", "row_number"))
OWN_COLUMNS = (
    duck_sql.of(
        "{row} BIGINT DEFAULT nextval({numbers})",
        row=_ROW,
        numbers=duck_sql.text(ROW_NUMBERS.text),
    ),
    duck_sql.of("{since} BIGINT DEFAULT getvariable('moment')", since=_SINCE),
)
"""Definitions of the account's own columns."""
ACTION, IS_UPDATE, ROW_ID = "METADATA$ACTION", "METADATA$ISUPDATE", "METADATA$ROW_ID"
"""Columns that a stream adds to those of its source."""


def past(place: Place) -> Place:
    """Name the table of former images."""
    return place[0], f"{place[1]}~past"


def has_past(session: Rows, place: Place) -> bool:
    """Tell whether a change has ever replaced or deleted a row of the table."""
    asked = duck_sql.of(
        "SELECT count(*) FROM duckdb_tables() WHERE schema_name = ? AND table_name = ?"
    )
    found = session.cursor.execute(asked, list(past(place))).fetchone()
    return bool(found and found[0])


def both(session: Rows, place: Place) -> tuple[DuckSql, ...]:
    """Name the table of rows and, where there is one, that of former images."""
    listed = (place, past(place)) if has_past(session, place) else (place,)
    return tuple(duck_sql.place(one) for one in listed)


def keep(session: Context, place: Place, condition: DuckSql = EVERY) -> None:
    """Copy the rows that the next statement replaces or deletes."""
    source, target = duck_sql.place(place), duck_sql.place(past(place))
    session.run(
        duck_sql.of(
            "CREATE TABLE IF NOT EXISTS {target} AS SELECT *, 0::BIGINT AS {until} "
            "FROM {source} LIMIT 0",
            target=target,
            until=_UNTIL,
            source=source,
        )
    )
    session.run(
        duck_sql.of(
            "INSERT INTO {target} BY NAME SELECT *, {stamp}::BIGINT AS {until} "
            "FROM {source} WHERE {condition}",
            target=target,
            stamp=session.stamp,
            until=_UNTIL,
            source=source,
            condition=condition,
        )
    )


def settle(session: Rows, places: Iterable[Place], moment: int) -> None:
    """Give a committed transaction's rows their instant."""
    for place in sorted(places):
        for table in both(session, place):
            session.run(_settling(table, _SINCE), [moment, session.stamp])
        if has_past(session, place):
            session.run(_settling(duck_sql.place(past(place)), _UNTIL), [moment, session.stamp])


def _settling(table: DuckSql, column: DuckSql) -> DuckSql:
    return duck_sql.of("UPDATE {t} SET {c} = ? WHERE {c} = ?", t=table, c=column)


def adopt(connection: Connection) -> None:
    """Give tables that were made before rows had numbers and instants theirs: as of always."""
    asked = duck_sql.of(
        "SELECT schema_name, table_name FROM duckdb_tables() AS t WHERE schema_name LIKE '%.%' "
        "AND NOT temporary AND table_name NOT LIKE '%~past' AND NOT EXISTS (FROM duckdb_columns() "
        "AS c WHERE c.table_oid = t.table_oid AND c.column_name = ?)"
    )
    always = duck_sql.of("{since} BIGINT DEFAULT 0", since=_SINCE)
    for schema, name in connection.execute(asked, [ROW]).fetchall():
        table = duck_sql.place((schema, name))
        for made in (OWN_COLUMNS[0], always):
            connection.execute(duck_sql.of("ALTER TABLE {t} ADD COLUMN {c}", t=table, c=made))
        connection.execute(
            duck_sql.of(
                "ALTER TABLE {t} ALTER COLUMN {c} SET DEFAULT getvariable('moment')",
                t=table,
                c=_SINCE,
            )
        )


def forget(session: Context, place: Place) -> None:
    """Drop a table with its former images."""
    for table in both(session, place):
        session.run(duck_sql.of("DROP TABLE {table}", table=table))


# ---- reading


def last_change(session: Context, place: Place) -> int:
    """Return the last instant at which a row came or went; 0 where none ever did."""
    came = [_latest(table, _SINCE) for table in both(session, place)]
    went = [_latest(duck_sql.place(past(place)), _UNTIL)] if len(came) > 1 else []
    asked = duck_sql.of("SELECT max(moment) FROM ({all})", all=_union([*came, *went]))
    found = session.run(asked).fetchone()
    return int(found[0] or 0) if found else 0


def _latest(table: DuckSql, column: DuckSql) -> DuckSql:
    return duck_sql.of("SELECT max({c}) AS moment FROM {t}", c=column, t=table)


def at(session: Context, place: Place, columns: tuple[str, ...], moment: int | None) -> exp.Query:
    """Return a query over the rows as they stood at an instant, or now."""
    listed, table = duck_sql.names(columns), duck_sql.place(place)
    if moment is None:
        return own(duck_sql.of("SELECT {c} FROM {t}", c=listed, t=table))
    now = duck_sql.of(
        "SELECT {c} FROM {t} WHERE {since} <= {m}", c=listed, t=table, since=_SINCE, m=moment
    )
    if not has_past(session, place):
        return own(now)
    gone = duck_sql.of(
        "SELECT {c} FROM {t} WHERE {since} <= {m} AND {until} > {m}",
        c=listed,
        t=duck_sql.place(past(place)),
        since=_SINCE,
        until=_UNTIL,
        m=moment,
    )
    return own(_union([now, gone]))


def changes(
    session: Context, place: Place, columns: tuple[str, ...], source: int, since: int, until: int
) -> exp.Query:
    """Return the net changes between two instants: what was gone, and what had come."""
    listed = duck_sql.names(columns)
    parts = [_come(duck_sql.place(place), listed, since, until)]
    if has_past(session, place):
        gone = duck_sql.place(past(place))
        stayed = duck_sql.of("{u} > {until}", u=_UNTIL, until=until)
        parts.append(_come(gone, listed, since, until, stayed))
        parts.append(_gone(gone, listed, since, until))
    updated = duck_sql.of("count(*) OVER (PARTITION BY {row}) > 1", row=_ROW)
    return own(
        duck_sql.of(
            "SELECT {c}, {metadata} FROM ({parts}) AS d",
            c=listed,
            metadata=_metadata(duck_sql.of("act"), updated, source),
            parts=_union(parts),
        )
    )


def _come(
    table: DuckSql, listed: DuckSql, since: int, until: int, condition: DuckSql = EVERY
) -> DuckSql:
    return duck_sql.of(
        "SELECT {c}, {row}, 'INSERT' AS act FROM {t} "
        "WHERE {s} > {since} AND {s} <= {until} AND {condition}",
        c=listed,
        row=_ROW,
        t=table,
        s=_SINCE,
        since=since,
        until=until,
        condition=condition,
    )


def _gone(table: DuckSql, listed: DuckSql, since: int, until: int) -> DuckSql:
    return duck_sql.of(
        "SELECT {c}, {row}, 'DELETE' FROM {t} "
        "WHERE {s} <= {since} AND {u} > {since} AND {u} <= {until}",
        c=listed,
        row=_ROW,
        t=table,
        s=_SINCE,
        u=_UNTIL,
        since=since,
        until=until,
    )


def additions(
    session: Context, place: Place, columns: tuple[str, ...], source: int, since: int, until: int
) -> exp.Query:
    """Return rows as they were first put in between two instants, whatever became of them."""
    listed = duck_sql.names(columns)
    parts = [
        duck_sql.of("SELECT {c}, {row}, {s} FROM {t}", c=listed, row=_ROW, s=_SINCE, t=table)
        for table in both(session, place)
    ]
    metadata = _metadata(duck_sql.text("INSERT"), duck_sql.of("FALSE"), source)
    return own(
        duck_sql.of(
            "SELECT {c}, {metadata} FROM (SELECT *, min({s}) OVER (PARTITION BY {row}) AS born "
            "FROM ({parts}) AS u) AS d WHERE {s} = born AND {s} > {since} AND {s} <= {until}",
            c=listed,
            metadata=metadata,
            s=_SINCE,
            row=_ROW,
            parts=_union(parts),
            since=since,
            until=until,
        )
    )


def difference(before: exp.Query, after: exp.Query, columns: tuple[str, ...]) -> exp.Query:
    """Return what differs between two results of one view, row by row."""
    made = own(
        duck_sql.of(
            "SELECT *, 'DELETE' AS act FROM (SELECT * FROM before EXCEPT ALL SELECT * FROM after) "
            "AS g UNION ALL SELECT *, 'INSERT' AS act FROM "
            "(SELECT * FROM after EXCEPT ALL SELECT * FROM before) AS c"
        )
    )
    for table in list(made.find_all(exp.Table)):
        chosen = before if table.name == "before" else after
        table.replace(exp.Subquery(this=chosen.copy(), alias=exp.to_identifier(table.name)))
    listed = duck_sql.names(columns)
    number = duck_sql.of("hash({c})", c=listed)
    metadata = _metadata(duck_sql.of("act"), duck_sql.of("FALSE"), 0, number)
    outer = own(duck_sql.of("SELECT {c}, {m} FROM (SELECT 1) AS d", c=listed, m=metadata))
    outer.find(exp.Subquery).set("this", made)  # type: ignore[union-attr]
    return outer


def _metadata(action: DuckSql, updated: DuckSql, source: int, number: DuckSql = _ROW) -> DuckSql:
    return duck_sql.of(
        "{action} AS {a}, {updated} AS {u}, sha1(concat({source}, {number})) AS {r}",
        action=action,
        updated=updated,
        source=duck_sql.text(f"{source}/"),
        number=number,
        a=duck_sql.name(ACTION),
        u=duck_sql.name(IS_UPDATE),
        r=duck_sql.name(ROW_ID),
    )


def _union(parts: list[DuckSql]) -> DuckSql:
    return duck_sql.joined(" UNION ALL ", parts)


def own(query: DuckSql) -> exp.Query:
    """Parse DuckDB SQL that the account wrote; its tables, stars and functions need no leave."""
    tree = sqlglot.parse_one(query.text, read="duckdb")
    assert isinstance(tree, exp.Query)
    for table in tree.find_all(exp.Table):
        names.own(table)
    for node in tree.find_all(exp.Anonymous, exp.Star):
        node.set(names.GOVERNED, True)
    return tree
