"""Clones of schemas and databases, with what is in them.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-clone
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind, SchemaDetail, TableDetail, ViewDetail
from skills_nb.embedded.executor import column_defaults
from skills_nb.embedded.objects.containers import shared_contents
from skills_nb.embedded.objects.lifecycle import create_steps, object_clones
from skills_nb.embedded.objects.relations.table.table_clones import carry, moment_of, table
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import travel
from skills_nb.sql.governance import ast


def schema(session: Context, clone: ast.Clone, made: Entity) -> None:
    """Copy what is in a schema into a new one."""
    source = access.existing(session, Kind.SCHEMA, clone.source)
    _refuse_imported(session, source)
    access.require(session, source, "USAGE")
    carry(session, source, made, with_grants=False)
    fill_schema(session, source, made, moment_of(session, clone))
    _settle_defaults(session, made, source.path, made.path)


def refuse_itself(
    session: Context, kind: Kind, clone: ast.Clone | None, path: tuple[str, ...]
) -> None:
    """Refuse to replace a container by its own clone, which would begin with it gone.

    Raises:
        SqlError: the source is what stands at the path (0A000).
    """
    if clone is not None and session.qualify_as(kind, clone.source) == path:
        raise errors.unsupported(f"CREATE OR REPLACE {kind.value} … CLONE of itself")


def fill_schema(session: Context, source: Entity, made: Entity, moment: int | None = None) -> None:
    """Copy what is in a schema; of an instant, the tables that were there then."""
    copies: dict[int, int] = {}
    for entity in session.account.catalog.children(Kind.TABLE, source.path):
        path = (*made.path, entity.name)
        if getattr(entity.detail, "temporary", 0):
            continue  # which belongs to its session
        if moment is not None and travel.micros(entity.created_on) > moment:
            continue
        if isinstance(entity.detail, TableDetail):
            copied = table(
                session, entity, path, None, kind=entity.kind, with_grants=True, moment=moment
            )
            _keep_owner(session, copied, entity)
            copies[entity.id] = copied.id
        elif isinstance(entity.detail, ViewDetail):
            copied = create_steps.finish_create(
                session, Kind.VIEW, path, entity.detail, entity.comment
            )
            carry(session, entity, copied, with_grants=True)
            _keep_owner(session, copied, entity)
            copies[entity.id] = copied.id
    for entity, copied in object_clones.clone_into_schema(session, source, made, copies):
        carry(session, entity, copied, with_grants=True)
        _keep_owner(session, session.account.catalog.by_id(copied.id) or copied, entity)


def _refuse_imported(session: Context, source: Entity) -> None:
    """See https://docs.snowflake.com/en/user-guide/data-share-consumers (limitations)."""
    if shared_contents.is_imported(session, source):
        raise errors.unsupported("CLONE of a shared database")


def _keep_owner(session: Context, copied: Entity, source: Entity) -> None:
    """Who clones a container does not thereby own what is in it."""
    session.account.catalog.change(copied, owner=source.owner)


def database(session: Context, clone: ast.Clone, made: Entity) -> None:
    """Copy every schema of a database into a new one."""
    source = access.existing(session, Kind.DATABASE, clone.source)
    _refuse_imported(session, source)
    access.require(session, source, "USAGE")
    carry(session, source, made, with_grants=False)
    moment = moment_of(session, clone)
    for child in session.account.catalog.children(Kind.SCHEMA, source.path):
        detail = child.detail
        assert isinstance(detail, SchemaDetail)
        copied = create_steps.finish_create(session, Kind.SCHEMA, (made.name, child.name), detail)
        carry(session, child, copied, with_grants=True)
        _keep_owner(session, copied, child)
        fill_schema(session, child, copied, moment)
    _settle_defaults(session, made, source.path, made.path)


def _settle_defaults(
    session: Context, made: Entity, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    """Let defaults of what was cloned name the sequences that were cloned along.

    See https://docs.snowflake.com/en/user-guide/object-clone
    """
    for entity in session.account.catalog.within(Kind.TABLE, made.path):
        detail = entity.detail
        if isinstance(detail, TableDetail) and any(c.default for c in detail.columns):
            columns = tuple(
                replace(c, default=column_defaults.moved(c.default, before, after))
                if c.default
                else c
                for c in detail.columns
            )
            session.account.catalog.change(entity, detail=replace(detail, columns=columns))
