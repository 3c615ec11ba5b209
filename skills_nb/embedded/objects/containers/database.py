"""Databases, those that a consumer makes from a share among them.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-database
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import DatabaseDetail, Entity, Kind, SchemaDetail
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.containers import container_clones, contents, shared_contents
from skills_nb.embedded.objects.lifecycle import create_steps, creation, shelf
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Row,
    register,
)
from skills_nb.embedded.objects.principals import holdings
from skills_nb.embedded.objects.shown_values import owner_kind, y_or_n
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def create(session: Context, statement: ast.CreateDatabase) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-database."""
    if statement.from_share is not None:
        return _imported(session, statement, statement.from_share)
    days = properties.retention(statement.properties)
    made = DatabaseDetail("TRANSIENT" in statement.modifiers, days)

    def detail() -> DatabaseDetail:
        container_clones.refuse_itself(session, Kind.DATABASE, statement.clone, statement.name)
        return made

    def fill(entity: Entity) -> None:
        if statement.clone is not None:
            container_clones.database(session, statement.clone, entity)
        else:
            create_steps.finish_create(
                session, Kind.SCHEMA, (entity.name, "PUBLIC"), SchemaDetail()
            )
        made_ones.append(entity)

    made_ones: list[Entity] = []
    outcome = creation.create(session, statement, Kind.DATABASE, detail, fill)
    for entity in made_ones:  # Entered last: the statement's tags are found from where it was sent.
        session.frame = replace(session.frame, database=entity.name, schema="PUBLIC")
    return outcome


def _imported(session: Context, statement: ast.CreateDatabase, name: tuple[str, ...]) -> Outcome:
    """Make a consumer's database; it is read-only, and shows what the share holds at any time."""
    properties.none(statement.properties)
    if statement.clone is not None or statement.modifiers:
        raise errors.syntax("syntax error: a database from a share has no other properties.")
    share = shared_contents.lent(session, name)
    made = DatabaseDetail(origin=".".join(name), share=share.name, share_id=share.id)

    def enter(entity: Entity) -> None:
        shared_contents.refresh(session)
        public = session.account.catalog.find(Kind.SCHEMA, (entity.name, "PUBLIC"))
        schema = public.name if public else None
        session.frame = replace(session.frame, database=entity.name, schema=schema)

    return creation.create(session, statement, Kind.DATABASE, lambda: made, enter)


def drop(session: Context, entity: Entity) -> None:
    """Drop a database with everything in it; a consumer's leaves nothing behind."""
    if shared_contents.is_imported(session, entity):
        _forget_imported(session, entity)
    else:
        shelf.shelve_contents(session, entity)
    if session.database == entity.name:
        session.frame = replace(session.frame, database=None, schema=None)


def _forget_imported(session: Context, database: Entity) -> None:
    """Forget a consumer's database, which can be made from the share again."""
    catalog = session.account.catalog
    for kind in (Kind.TABLE, Kind.SCHEMA):
        for mirror in list(catalog.within(kind, database.path)):
            catalog.forget(mirror)
    for held in catalog.children(Kind.DATABASE_ROLE, database.path):
        holdings.forget(session, held)
        catalog.forget(held)
    catalog.forget(database)


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-databases."""
    detail = e.detail
    assert isinstance(detail, DatabaseDetail)
    kind = "IMPORTED DATABASE" if detail.origin else "STANDARD"
    options = "TRANSIENT" if detail.transient else ""
    return (
        e.created_on,
        e.name,
        "N",
        y_or_n(session.database == e.name),
        detail.origin,
        e.owner,
        e.comment,
        options,
        str(detail.retention_days),
        kind,
        None,
        owner_kind(e),
    )


def _rename(session: Context, database: Entity, path: tuple[str, ...]) -> None:
    if session.database == database.name:
        session.frame = replace(session.frame, database=path[0])


register(
    ObjectKind(
        kind=Kind.DATABASE,
        plurals=("DATABASES",),
        create={ast.CreateDatabase: create},
        properties=contents.RETENTION,
        parameters=properties.HELD_RETENTION,
        rename=_rename,
        drop=drop,
        refuse_drop=contents.refuse_policies_in_use,
        undrop=shelf.restore,
        listing=Listing(
            "created_on:t name is_default is_current origin owner comment options retention_time "
            "kind budget owner_role_type",
            _row,
            history=contents.dropped_databases,
        ),
        describe=contents.describe,
        ddl=contents.ddl,
        privileges=(
            "APPLYBUDGET",
            "CREATE DATABASE ROLE",
            "CREATE SCHEMA",
            "EXECUTE AUTO CLASSIFICATION",
            "MODIFY",
            "MONITOR",
            "USAGE",
            "IMPORTED PRIVILEGES",
            "REFERENCE_USAGE",
        ),
        clone=Cloning("USAGE", with_schema=False),
        export=Exporting(Phase.OWN),
    )
)
