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

from skills_nb.embedded import names

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb

    from skills_nb.embedded.lookups import Lookups

ROW = "metadata$row"
SINCE = "metadata$since"
UNTIL = "metadata$until"
PENDING = 1 << 62
"""Above every real instant; plus the session's number it marks what its transaction did."""
ROW_NUMBERS = '"_account".row_number'
OWN_COLUMNS = (
    f"\"{ROW}\" BIGINT DEFAULT nextval('{ROW_NUMBERS}')",
    f"\"{SINCE}\" BIGINT DEFAULT getvariable('moment')",
)
"""Definitions of the account's own columns."""
ACTION, IS_UPDATE, ROW_ID = "METADATA$ACTION", "METADATA$ISUPDATE", "METADATA$ROW_ID"
"""Columns that a stream adds to those of its source."""
Place = tuple[str, str]


def sql_of(place: Place) -> str:
    """Name a DuckDB table, quoted."""
    return names.physical_table(place).sql("duckdb")


def past(place: Place) -> Place:
    """Name the table of former images."""
    return place[0], f"{place[1]}~past"


def has_past(session: Lookups, place: Place) -> bool:
    """Tell whether a change has ever replaced or deleted a row of the table."""
    found = session.cursor.execute(
        "SELECT count(*) FROM duckdb_tables() WHERE schema_name = ? AND table_name = ?",
        list(past(place)),
    ).fetchone()
    return bool(found and found[0])


def both(session: Lookups, place: Place) -> tuple[str, ...]:
    """Name the table of rows and, where there is one, that of former images."""
    listed = (place, past(place)) if has_past(session, place) else (place,)
    return tuple(sql_of(one) for one in listed)


def keep(session: Lookups, place: Place, condition: str = "TRUE") -> None:
    """Copy the rows that the next statement replaces or deletes."""
    source, target = sql_of(place), sql_of(past(place))
    session.run(
        f'CREATE TABLE IF NOT EXISTS {target} AS SELECT *, 0::BIGINT AS "{UNTIL}" '
        f"FROM {source} LIMIT 0"
    )
    session.run(
        f'INSERT INTO {target} BY NAME SELECT *, {session.stamp}::BIGINT AS "{UNTIL}" '
        f"FROM {source} WHERE {condition}"
    )


def settle(session: Lookups, places: Iterable[Place], moment: int) -> None:
    """Give a committed transaction's rows their instant."""
    mark = session.stamp
    for place in sorted(places):
        for table in both(session, place):
            session.run(f'UPDATE {table} SET "{SINCE}" = {moment} WHERE "{SINCE}" = {mark}')
        if has_past(session, place):
            gone = sql_of(past(place))
            session.run(f'UPDATE {gone} SET "{UNTIL}" = {moment} WHERE "{UNTIL}" = {mark}')


def adopt(connection: duckdb.DuckDBPyConnection) -> None:
    """Give tables that were made before rows had numbers and instants theirs: as of always."""
    old = connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() AS t WHERE schema_name LIKE '%.%' "
        "AND NOT temporary AND table_name NOT LIKE '%~past' AND NOT EXISTS (FROM duckdb_columns() "
        "AS c WHERE c.table_oid = t.table_oid AND c.column_name = ?)",
        [ROW],
    ).fetchall()
    for schema, table in old:
        for definition in (OWN_COLUMNS[0], f'"{SINCE}" BIGINT DEFAULT 0'):
            connection.execute(f"ALTER TABLE {sql_of((schema, table))} ADD COLUMN {definition}")
        connection.execute(
            f'ALTER TABLE {sql_of((schema, table))} ALTER COLUMN "{SINCE}" '
            "SET DEFAULT getvariable('moment')"
        )


def forget(session: Lookups, place: Place) -> None:
    """Drop a table with its former images."""
    for table in both(session, place):
        session.run(f"DROP TABLE {table}")


# ---- reading


def at(session: Lookups, place: Place, columns: tuple[str, ...], moment: int | None) -> exp.Query:
    """Return a query over the rows as they stood at an instant, or now."""
    listed = _listed(columns)
    if moment is None:
        return own(f"SELECT {listed} FROM {sql_of(place)}")
    now = f'SELECT {listed} FROM {sql_of(place)} WHERE "{SINCE}" <= {moment}'
    if not has_past(session, place):
        return own(now)
    return own(
        f"{now} UNION ALL SELECT {listed} FROM {sql_of(past(place))} "
        f'WHERE "{SINCE}" <= {moment} AND "{UNTIL}" > {moment}'
    )


def changes(
    session: Lookups, place: Place, columns: tuple[str, ...], source: int, since: int, until: int
) -> exp.Query:
    """Return the net changes between two instants: what was gone, and what had come."""
    listed = _listed(columns)
    both_ends = f'"{SINCE}" > {since} AND "{SINCE}" <= {until}'
    parts = [f"SELECT {listed}, \"{ROW}\", 'INSERT' AS act FROM {sql_of(place)} WHERE {both_ends}"]
    if has_past(session, place):
        gone = sql_of(past(place))
        parts += [
            f"SELECT {listed}, \"{ROW}\", 'INSERT' FROM {gone} WHERE {both_ends} "
            f'AND "{UNTIL}" > {until}',
            f'SELECT {listed}, "{ROW}", \'DELETE\' FROM {gone} WHERE "{SINCE}" <= {since} '
            f'AND "{UNTIL}" > {since} AND "{UNTIL}" <= {until}',
        ]
    updated = f'count(*) OVER (PARTITION BY "{ROW}") > 1'
    return own(f"SELECT {listed}, {_metadata('act', updated, source)} FROM ({_union(parts)}) AS d")


def additions(
    session: Lookups, place: Place, columns: tuple[str, ...], source: int, since: int, until: int
) -> exp.Query:
    """Return rows as they were first put in between two instants, whatever became of them."""
    listed = _listed(columns)
    parts = [f'SELECT {listed}, "{ROW}", "{SINCE}" FROM {table}' for table in both(session, place)]
    born = f'min("{SINCE}") OVER (PARTITION BY "{ROW}") AS born'
    return own(
        f"SELECT {listed}, {_metadata(chr(39) + 'INSERT' + chr(39), 'FALSE', source)} "
        f"FROM (SELECT *, {born} FROM ({_union(parts)}) AS u) AS d "
        f'WHERE "{SINCE}" = born AND "{SINCE}" > {since} AND "{SINCE}" <= {until}'
    )


def difference(before: exp.Query, after: exp.Query, columns: tuple[str, ...]) -> exp.Query:
    """Return what differs between two results of one view, row by row."""
    made = own(
        "SELECT *, 'DELETE' AS act FROM (SELECT * FROM before EXCEPT ALL SELECT * FROM after) AS g "
        "UNION ALL "
        "SELECT *, 'INSERT' AS act FROM (SELECT * FROM after EXCEPT ALL SELECT * FROM before) AS c"
    )
    for table in list(made.find_all(exp.Table)):
        chosen = before if table.name == "before" else after
        table.replace(exp.Subquery(this=chosen.copy(), alias=exp.to_identifier(table.name)))
    listed = _listed(columns)
    number = f"hash({listed})"
    outer = own(f"SELECT {listed}, {_metadata('act', 'FALSE', 0, number)} FROM (SELECT 1) AS d")
    outer.find(exp.Subquery).set("this", made)  # type: ignore[union-attr]
    return outer


def _metadata(action: str, updated: str, source: int, number: str = f'"{ROW}"') -> str:
    row_id = f"sha1(concat('{source}/', {number}))"
    return f'{action} AS "{ACTION}", {updated} AS "{IS_UPDATE}", {row_id} AS "{ROW_ID}"'


def _union(parts: list[str]) -> str:
    return " UNION ALL ".join(parts)


def _listed(columns: tuple[str, ...]) -> str:
    return ", ".join(names.quoted(name).sql("duckdb") for name in columns)


def own(sql: str) -> exp.Query:
    """Parse DuckDB SQL that the account wrote; its tables and functions need no leave."""
    tree = sqlglot.parse_one(sql, read="duckdb")
    assert isinstance(tree, exp.Query)
    for table in tree.find_all(exp.Table):
        names.own(table)
    for call in tree.find_all(exp.Anonymous):
        call.set(names.GOVERNED, True)
    return tree
