"""Schemas.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-schema
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, Kind, SchemaDetail
from skills_nb.embedded.catalog.privileges import SCHEMA_CREATES
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.containers import container_clones, contents
from skills_nb.embedded.objects.lifecycle import changes, creation, shelf
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Row,
    by_class,
    register,
)
from skills_nb.embedded.objects.shown_values import owner_kind, y_or_n
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import travel
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def create(session: Context, statement: ast.CreateSchema) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-schema."""
    path = (session.database or "", *statement.name)[-2:]
    days = properties.retention(statement.properties, travel.retention_around(session, path))
    made = SchemaDetail("TRANSIENT" in statement.modifiers, statement.with_managed_access, days)

    def detail() -> SchemaDetail:
        container_clones.refuse_itself(session, Kind.SCHEMA, statement.clone, path)
        return made

    def fill(entity: Entity) -> None:
        if statement.clone is not None:
            container_clones.schema(session, statement.clone, entity)
        made_ones.append(entity)

    made_ones: list[Entity] = []
    outcome = creation.create(session, statement, Kind.SCHEMA, detail, fill)
    for entity in made_ones:  # Entered last: the statement's tags are found from where it was sent.
        session.frame = replace(session.frame, database=entity.path[0], schema=entity.path[1])
    return outcome


def drop(session: Context, entity: Entity) -> None:
    """Drop a schema with everything in it."""
    shelf.shelve_contents(session, entity)
    if (session.database, session.schema) == entity.path:
        session.frame = replace(session.frame, schema=None)


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-schemas."""
    detail = e.detail
    assert isinstance(detail, SchemaDetail)
    options = ", ".join(
        w
        for w, on in (("TRANSIENT", detail.transient), ("MANAGED ACCESS", detail.managed_access))
        if on
    )
    current = (session.database, session.schema) == e.path
    return (
        e.created_on,
        e.name,
        "N",
        y_or_n(current),
        e.path[0],
        e.owner,
        e.comment,
        options,
        str(detail.retention_days),
        owner_kind(e),
        None,
    )


def _set_managed_access(session: Context, schema: Entity, action: ast.SetManagedAccess) -> None:
    assert isinstance(schema.detail, SchemaDetail)
    changes.put(session, schema, replace(schema.detail, managed_access=action.enabled))


def _rename(session: Context, schema: Entity, path: tuple[str, ...]) -> None:
    if (session.database, session.schema) == schema.path:
        session.frame = replace(session.frame, schema=path[-1])


register(
    ObjectKind(
        kind=Kind.SCHEMA,
        plurals=("SCHEMAS",),
        create={ast.CreateSchema: create},
        alter=by_class({ast.SetManagedAccess: _set_managed_access}),
        properties=contents.RETENTION,
        parameters=properties.HELD_RETENTION,
        rename=_rename,
        drop=drop,
        refuse_drop=contents.refuse_policies_in_use,
        undrop=shelf.restore,
        listing=Listing(
            "created_on:t name is_default is_current database_name owner comment options "
            "retention_time owner_role_type budget",
            _row,
            history=contents.dropped_schemas,
        ),
        describe=contents.describe,
        ddl=contents.ddl,
        is_in_schema_ddl=True,
        privileges=(
            "ADD SEARCH OPTIMIZATION",
            "APPLYBUDGET",
            *(f"CREATE {word}" for word in SCHEMA_CREATES),
            "EXECUTE AUTO CLASSIFICATION",
            "MODIFY",
            "MONITOR",
            "USAGE",
        ),
        clone=Cloning("USAGE", with_schema=False),
        export=Exporting(Phase.OWN),
    )
)
