"""Clones of tables, schemas and databases: copies of rows, with policies and tags.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-clone
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from skills_nb.embedded import names, refusals
from skills_nb.embedded.catalog.entities import (
    POLICY_KINDS,
    Entity,
    Grant,
    Kind,
    PolicyRef,
    SchemaDetail,
    TableDetail,
    TagRef,
    ViewDetail,
)
from skills_nb.embedded.statements import access, cloned_objects, places, shares
from skills_nb.embedded.versions import images, travel
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def table(
    session: AccountSession,
    source: Entity,
    path: tuple[str, ...],
    standing: Entity | None,
    *,
    kind: Kind = Kind.TABLE,
    copy_grants: bool = False,
    moment: int | None = None,
) -> Entity:
    """Copy a table: its rows, now or at an instant, as stored, its policies and its tags."""
    detail = source.detail
    if not isinstance(detail, TableDetail):
        raise refusals.wrong_kind(source.kind.value, source.path, "TABLE")
    if standing is not None:
        places.drop(session, standing)
    part = detail.dynamic if kind is Kind.DYNAMIC_TABLE else None
    part = replace(part, suspended=True) if part is not None else None
    made = replace(detail, place=places.free_place(session, path), dynamic=part)
    places.make(session, made)
    columns = tuple(c.name for c in detail.columns)
    rows = images.at(session, detail.place, columns, moment)
    listed = ", ".join(names.quoted(name).sql("duckdb") for name in columns)
    target = names.physical_table(made.place).sql("duckdb")
    session.run(f"INSERT INTO {target} ({listed}) {rows.sql('duckdb')}")
    entity = access.finish_create(session, kind, path, made, source.comment)
    _carry(session, source, entity, copy_grants=copy_grants)
    return entity


def _carry(session: AccountSession, source: Entity, entity: Entity, *, copy_grants: bool) -> None:
    catalog = session.account.catalog
    for record in catalog.about(source.id):
        if isinstance(record, (PolicyRef, TagRef)) or (copy_grants and isinstance(record, Grant)):
            catalog.put(replace(record, object_id=entity.id))


def schema(session: AccountSession, clone: ast.Clone, made: Entity) -> None:
    """Copy what is in a schema into a new one."""
    source = access.existing(session, Kind.SCHEMA, clone.source)
    _refuse_imported(session, source)
    access.require(session, source, "USAGE")
    fill_schema(session, source, made, moment_of(session, clone))


def fill_schema(
    session: AccountSession, source: Entity, made: Entity, moment: int | None = None
) -> None:
    """Copy what is in a schema; of an instant, the tables that were there then."""
    copies: dict[int, int] = {}
    for entity in session.account.catalog.children(Kind.TABLE, source.path):
        path = (*made.path, entity.name)
        if moment is not None and travel.micros(entity.created_on) > moment:
            continue
        if isinstance(entity.detail, TableDetail):
            copied = table(
                session, entity, path, None, kind=entity.kind, copy_grants=True, moment=moment
            )
            _keep_owner(session, copied, entity)
            copies[entity.id] = copied.id
        elif isinstance(entity.detail, ViewDetail):
            copied = access.finish_create(session, Kind.VIEW, path, entity.detail, entity.comment)
            _carry(session, entity, copied, copy_grants=True)
            _keep_owner(session, copied, entity)
            copies[entity.id] = copied.id
    for kind in (*POLICY_KINDS, Kind.TAG):
        for entity in session.account.catalog.children(kind, source.path):
            copied = access.finish_create(
                session, kind, (*made.path, entity.name), entity.detail, entity.comment
            )
            _carry(session, entity, copied, copy_grants=True)
            _keep_owner(session, copied, entity)
    for entity, copied in cloned_objects.schema_objects(session, source, made, copies):
        _carry(session, entity, copied, copy_grants=True)
        _keep_owner(session, session.account.catalog.by_id(copied.id) or copied, entity)


def _refuse_imported(session: AccountSession, source: Entity) -> None:
    """See https://docs.snowflake.com/en/user-guide/data-share-consumers (limitations)."""
    if shares.is_imported(session, source):
        raise refusals.unsupported("CLONE of a shared database")


def _keep_owner(session: AccountSession, copied: Entity, source: Entity) -> None:
    """Who clones a container does not thereby own what is in it."""
    session.account.catalog.change(copied, owner=source.owner)


def database(session: AccountSession, clone: ast.Clone, made: Entity) -> None:
    """Copy every schema of a database into a new one."""
    source = access.existing(session, Kind.DATABASE, clone.source)
    _refuse_imported(session, source)
    access.require(session, source, "USAGE")
    moment = moment_of(session, clone)
    for child in session.account.catalog.children(Kind.SCHEMA, source.path):
        detail = child.detail
        assert isinstance(detail, SchemaDetail)
        copied = access.finish_create(session, Kind.SCHEMA, (made.name, child.name), detail)
        fill_schema(session, child, copied, moment)


def moment_of(session: AccountSession, clone: ast.Clone) -> int | None:
    """Return the instant that AT or BEFORE names; None for a clone of now."""
    return travel.of_clause(session, clone.at) if clone.at is not None else None
