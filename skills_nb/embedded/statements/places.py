"""Places: the DuckDB tables behind the catalog's tables.

Room: embedded. A place is named after the table that it was made for and keeps that name when the
table is renamed, dropped or replaced, so that UNDROP finds the rows again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import bootstrap, names
from skills_nb.embedded.catalog.entities import Entity, TableDetail
from skills_nb.embedded.statements.storing import stored_value

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def free_place(session: AccountSession, path: tuple[str, ...]) -> tuple[str, str]:
    """Return the place for a new table: `DB.SCHEMA` and its name, numbered where that is taken."""
    schema = f"{path[0]}.{path[1]}"
    taken = {
        row[0]
        for row in session.cursor.execute(
            "SELECT lower(table_name) FROM duckdb_tables() WHERE lower(schema_name) = lower(?)",
            [schema],
        ).fetchall()
    }
    name, number = path[2], 1
    while name.lower() in taken:
        number += 1
        name = f"{path[2]}~{number}"
    return schema, name


def make(session: AccountSession, detail: TableDetail) -> None:
    """Make the empty DuckDB table."""
    for statement in bootstrap.place_sql(detail):
        session.run(statement)


def fill(session: AccountSession, detail: TableDetail, buffer: str) -> None:
    """Move a temporary table's rows in, column by column."""
    buffered = [r[0] for r in session.cursor.execute(
        f'SELECT column_name FROM (DESCRIBE temp.main."{buffer}")').fetchall()]  # fmt: skip
    listed = ", ".join(
        stored_value(names.column(name), column).sql("duckdb")
        for name, column in zip(buffered, detail.columns, strict=True)
    )
    target = names.physical_table(detail.place).sql("duckdb")
    session.run(f'INSERT INTO {target} SELECT {listed} FROM temp.main."{buffer}"')


def drop(session: AccountSession, entity: Entity) -> None:
    """Take a table or view out of sight, and what hangs on it; its rows stay for UNDROP."""
    catalog = session.account.catalog
    for record in catalog.about(entity.id):
        catalog.remove(record)
    if isinstance(entity.detail, TableDetail):
        catalog.change(entity, dropped_on=session.account.clock())
    else:
        catalog.remove(entity)


def columns_sql(detail: TableDetail) -> str:
    """List the columns, quoted."""
    return ", ".join(exp.to_identifier(c.name, quoted=True).sql("duckdb") for c in detail.columns)
