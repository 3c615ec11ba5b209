"""Places: the DuckDB tables behind the catalog's tables.

Room: embedded. A place is named after the table that it was made for and keeps that name when the
table is renamed, dropped or replaced, so that UNDROP finds the rows again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from skills_nb.embedded import bootstrap, names, refusals
from skills_nb.embedded.catalog import codec
from skills_nb.embedded.catalog.entities import Entity, PolicyRef, Shelved, TableDetail, TagRef
from skills_nb.embedded.statements.storing import stored_value
from skills_nb.embedded.versions.travel import instant_of

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def free_place(session: AccountSession, path: tuple[str, ...]) -> tuple[str, str]:
    """Return the place for a new table: `DB.SCHEMA` and its name, numbered where that is taken."""
    schema = f"{path[0]}.{path[1]}"
    name, number = path[2], 1
    while session.account.catalog.is_taken((schema, name)):
        number += 1
        name = f"{path[2]}~{number}"
    return schema, name


def make(session: AccountSession, detail: TableDetail) -> None:
    """Make the empty DuckDB table."""
    for statement in bootstrap.place_sql(detail):
        session.run(statement)


def fill(session: AccountSession, detail: TableDetail, buffer: str) -> None:
    """Move a temporary table's rows in, column by column."""
    buffered = [
        r[0]
        for r in session.cursor.execute(
            f'SELECT column_name FROM (DESCRIBE temp.main."{buffer}")'
        ).fetchall()
    ]
    listed = ", ".join(
        stored_value(names.column(name), column, session.customs).sql("duckdb")
        for name, column in zip(buffered, detail.columns, strict=True)
    )
    target = names.physical_table(detail.place).sql("duckdb")
    columns = ", ".join(names.quoted(c.name).sql("duckdb") for c in detail.columns)
    session.run(f'INSERT INTO {target} ({columns}) SELECT {listed} FROM temp.main."{buffer}"')


def drop(session: AccountSession, entity: Entity) -> None:
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


def restore(session: AccountSession, entity: Entity) -> None:
    """Bring a dropped table back with what hung on it.

    Raises:
        SqlError: a policy that protected it is gone, so that its rows would come back unprotected.
    """
    catalog = session.account.catalog
    shelved = catalog.get(Shelved, entity.id)
    catalog.remove(entity)
    catalog.put(replace(entity, dropped_on=None))
    if shelved is None:
        return
    for record in (codec.load(body) for body in shelved.bodies):
        if isinstance(record, PolicyRef) and catalog.by_id(record.policy_id) is None:
            raise refusals.policy_gone(entity.name)
        if isinstance(record, TagRef) and catalog.by_id(record.tag_id) is None:
            continue
        catalog.put(record)
    catalog.remove(shelved)
