"""Places: the DuckDB tables behind the catalog's tables.

Room: embedded. A place is named after the table that it was made for and keeps that name when the
table is renamed, dropped or replaced, so that UNDROP finds the rows again.
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.catalog import codec
from skills_nb.embedded.catalog.entities import Entity, PolicyRef, Shelved, TableDetail, TagRef
from skills_nb.embedded.catalog.table_details import ColumnDef
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.connection import Connection
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel.images import OWN_COLUMNS
from skills_nb.embedded.storage.time_travel.travel import instant_of
from skills_nb.embedded.translator.storing import stored_value
from skills_nb.embedded.types import names


def free_place(session: Context, path: tuple[str, ...]) -> tuple[str, str]:
    """Return the place for a new table: `DB.SCHEMA` and its name, numbered where that is taken."""
    schema = f"{path[0]}.{path[1]}"
    name, number = path[2], 1
    while session.account.catalog.is_taken((schema, name)):
        number += 1
        name = f"{path[2]}~{number}"
    return schema, name


def make(session: Context, detail: TableDetail) -> None:
    """Make the empty DuckDB table."""
    for statement in place_sql(detail):
        session.run(statement)


def fill(session: Context, detail: TableDetail, buffer: DuckSql) -> None:
    """Move a temporary table's rows in, column by column."""
    asked = duck_sql.of("SELECT column_name FROM (DESCRIBE {buffer})", buffer=buffer)
    buffered = [row[0] for row in session.cursor.execute(asked).fetchall()]
    values = [
        stored_value(names.column(name), column, session.customs)
        for name, column in zip(buffered, detail.columns, strict=True)
    ]
    session.run(
        duck_sql.of(
            "INSERT INTO {target} ({columns}) SELECT {values} FROM {buffer}",
            target=duck_sql.place(detail.place),
            columns=duck_sql.names(c.name for c in detail.columns),
            values=duck_sql.listed(values),
            buffer=buffer,
        )
    )


def drop(session: Context, entity: Entity) -> None:
    """Take a table or view out of sight, and what hangs on it; its rows stay for UNDROP."""
    catalog = session.account.catalog
    held = catalog.about(entity.id)
    for record in held:
        catalog.remove(record)
    if isinstance(entity.detail, TableDetail):
        catalog.put(Shelved(entity.id, tuple(codec.dump(record) for record in held)))
        catalog.change(entity, dropped_on=instant_of(session.moment))
    else:
        catalog.remove(entity)


def restore(session: Context, entity: Entity) -> None:
    """Bring a dropped table back with what hung on it.

    Raises:
        SqlError: a policy that protected it is gone, so that its rows would come back unprotected
            (3533).
    """
    catalog = session.account.catalog
    shelved = catalog.get(Shelved, entity.id)
    catalog.remove(entity)
    catalog.put(replace(entity, dropped_on=None))
    if shelved is None:
        return
    for record in (codec.load(body) for body in shelved.bodies):
        if isinstance(record, PolicyRef) and catalog.by_id(record.policy_id) is None:
            raise errors.policy_gone(entity.name)
        if isinstance(record, TagRef) and catalog.by_id(record.tag_id) is None:
            continue
        catalog.put(record)
    catalog.remove(shelved)


def make_place(connection: Connection, detail: TableDetail) -> None:
    """Make the empty DuckDB table for a catalog table."""
    for statement in place_sql(detail):
        connection.execute(statement)


def place_sql(detail: TableDetail) -> tuple[DuckSql, DuckSql]:
    """Return the statements that make the empty DuckDB table for a catalog table."""
    columns = duck_sql.listed([*(_column_sql(c) for c in detail.columns), *OWN_COLUMNS])
    return (
        duck_sql.of("CREATE SCHEMA IF NOT EXISTS {schema}", schema=duck_sql.name(detail.place[0])),
        duck_sql.of("CREATE TABLE {table} ({c})", table=duck_sql.place(detail.place), c=columns),
    )


def _column_sql(column: ColumnDef) -> DuckSql:
    name, kind = duck_sql.name(column.name), duck_sql.kind(column.type.physical)
    if column.nullable:
        return duck_sql.of("{name} {kind}", name=name, kind=kind)
    return duck_sql.of("{name} {kind} NOT NULL", name=name, kind=kind)
