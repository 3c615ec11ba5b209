"""What databases and schemas have in common: their contents and how long these are kept.

Room: embedded. Only what the role may see is shown and written.

See https://docs.snowflake.com/en/sql-reference/functions/get_ddl
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import (
    POLICY_KINDS,
    DatabaseDetail,
    Entity,
    Kind,
    SchemaDetail,
)
from skills_nb.embedded.objects import object_kind, properties
from skills_nb.embedded.objects.ddl_words import tight_comment, written_name
from skills_nb.embedded.objects.lifecycle import changes
from skills_nb.embedded.objects.object_kind import Properties, Row
from skills_nb.embedded.objects.show_filters import matches, scope_of
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import travel
from skills_nb.sql.governance import ast


def ddl(session: Context, entity: Entity, qualified: bool) -> str:
    """Write a schema or database, and what it contains whose text the role may read."""
    name = written_name(entity, qualified=qualified)
    parts = [f"create or replace {entity.kind.value} {name}{tight_comment(entity)}"]
    for child in _children(session, entity):
        parts.append(object_kind.write(session, child, qualified=qualified))
    return ";\n\n".join(parts)


def _children(session: Context, entity: Entity) -> list[Entity]:
    """List what is directly within, what is named before what names it."""
    listed: list[Entity] = []
    inner = 2 if entity.kind is Kind.DATABASE else 3
    chosen = (
        k for k, one in object_kind.KINDS.items() if k.depth == inner and one.is_in_schema_ddl
    )
    for one in object_kind.in_order(chosen):
        children = session.account.catalog.children(one.kind, entity.path)
        seen = [c for c in children if access.sees(session, c) and access.reads_text(session, c)]
        listed += one.in_order(sorted(seen, key=lambda child: child.id))
    return listed


def describe(session: Context, entity: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-database."""
    catalog = session.account.catalog
    if entity.kind is Kind.DATABASE:
        found = catalog.children(Kind.SCHEMA, entity.path)
    else:
        found = catalog.children(Kind.TABLE, entity.path)
    rows: list[Row] = [
        (e.created_on, e.name, e.kind.value) for e in found if access.sees(session, e)
    ]
    return "created_on:t name kind", rows


def refuse_policies_in_use(session: Context, entity: Entity) -> None:
    """Refuse to drop a container whose policies protect what is elsewhere.

    Raises:
        SqlError: one of them does (3532).
    """
    catalog = session.account.catalog
    for kind in POLICY_KINDS:
        for policy in catalog.within(kind, entity.path):
            for ref in catalog.uses_of_policy(policy.id):
                target = catalog.by_id(ref.object_id)
                if target is not None and target.path[: len(entity.path)] != entity.path:
                    raise errors.policies_in_use(entity.kind.value, entity.name)


def _set(session: Context, entity: Entity, given: dict[str, Any]) -> None:
    _keep(session, entity, properties.retention(given))


def _unset(session: Context, entity: Entity, name: str) -> None:
    properties.none({name: None} if name != properties.RETENTION else {})
    _keep(session, entity, travel.retention_around(session, entity.path))


def _keep(session: Context, entity: Entity, days: int) -> None:
    assert isinstance(entity.detail, (DatabaseDetail, SchemaDetail))
    changes.put(session, entity, replace(entity.detail, retention_days=days))


RETENTION = Properties(_set, _unset)
"""How long dropped contents can be brought back."""


def dropped_schemas(session: Context, statement: ast.Show) -> list[Entity]:
    """List the dropped schemas that can still be brought back."""
    return _dropped(session, statement, Kind.SCHEMA)


def dropped_databases(session: Context, statement: ast.Show) -> list[Entity]:
    """List the dropped databases that can still be brought back."""
    return _dropped(session, statement, Kind.DATABASE)


def _dropped(session: Context, statement: ast.Show, kind: Kind) -> list[Entity]:
    scope = scope_of(session, statement, kind)
    return [
        e
        for e in session.account.catalog.all(Entity)
        if e.dropped_on is not None
        and e.kind is kind
        and e.path[: len(scope)] == scope
        and matches(statement, e.name)
        and access.sees(session, e)
    ]
