"""Renames: RENAME TO and SWAP WITH.

Room: embedded. Grants, policies, tags and rows hang on numbers and places, so that a
rename is a new path and nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from skills_nb.embedded import bootstrap, refusals
from skills_nb.embedded.catalog.entities import (
    Entity,
    FutureGrant,
    Kind,
    RoleGrant,
    TableDetail,
)
from skills_nb.embedded.grantees import may_be_named
from skills_nb.embedded.statements import access

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def rename(session: AccountSession, entity: Entity, name: tuple[str, ...]) -> None:
    """Give an object another name, and with it what it contains."""
    path = session.qualify_as(entity.kind, name)
    if path == entity.path:
        return
    if session.account.catalog.find(entity.kind, path) is not None:
        raise refusals.already_exists(entity.kind.value, path)
    if entity.kind.depth > 1:
        access.container_of(session, entity.kind, path)
    if path[:-1] != entity.path[:-1]:
        access.may_create(session, entity.kind, path)
    if entity.kind is Kind.ROLE:
        _rename_role(session, entity, path[0])
    elif entity.kind is Kind.USER:
        _rename_user(session, entity, path[0])
    _move(session, entity, path)
    _follow(session, entity, path)


def _move(session: AccountSession, entity: Entity, path: tuple[str, ...]) -> None:
    catalog = session.account.catalog
    inside = [e for e in catalog.all(Entity) if e.id != entity.id and _contains(entity, e)]
    catalog.change(entity, path=path, altered_on=session.account.clock())
    for child in inside:
        catalog.change(child, path=(*path, *child.path[len(path) :]))


def _contains(entity: Entity, other: Entity) -> bool:
    if entity.kind not in (Kind.DATABASE, Kind.SCHEMA) or other.kind.depth <= entity.kind.depth:
        return False
    return other.path[: len(entity.path)] == entity.path


def _follow(session: AccountSession, entity: Entity, path: tuple[str, ...]) -> None:
    if entity.kind is Kind.DATABASE and session.database == entity.name:
        session.database = path[0]
    elif entity.kind is Kind.SCHEMA and (session.database, session.schema) == entity.path:
        session.schema = path[-1]
    elif entity.kind is Kind.WAREHOUSE and session.warehouse == entity.name:
        session.warehouse = path[0]


def _rename_role(session: AccountSession, entity: Entity, name: str) -> None:
    if entity.name in bootstrap.SYSTEM_ROLES or not may_be_named(name):
        raise access.denied(entity)
    catalog = session.account.catalog
    for grant in catalog.grants_to("ROLE", entity.name):
        catalog.remove(grant)
        catalog.put(replace(grant, grantee=name))
    for future in catalog.all(FutureGrant):
        if future.grantee == entity.name:
            catalog.remove(future)
            catalog.put(replace(future, grantee=name))
    for held in catalog.all(RoleGrant):
        made = replace(
            held,
            role=name if held.role == entity.name else held.role,
            grantee=name
            if (held.grantee_kind, held.grantee) == ("ROLE", entity.name)
            else held.grantee,
        )
        if made != held:
            catalog.remove(held)
            catalog.put(made)
    for owned in catalog.all(Entity):
        if owned.owner == entity.name:
            catalog.change(owned, owner=name)


def _rename_user(session: AccountSession, entity: Entity, name: str) -> None:
    catalog = session.account.catalog
    for held in catalog.roles_granted_to("USER", entity.name):
        catalog.remove(held)
        catalog.put(replace(held, grantee=name))


def swap(session: AccountSession, entity: Entity, name: tuple[str, ...]) -> None:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-table (SWAP WITH)."""
    other = access.owned(session, entity.kind, name)
    if not isinstance(entity.detail, TableDetail) or not isinstance(other.detail, TableDetail):
        raise refusals.unsupported(f"SWAP WITH of a {entity.kind.value}")
    catalog = session.account.catalog
    catalog.remove(entity)
    catalog.remove(other)
    catalog.put(replace(entity, path=other.path))
    catalog.put(replace(other, path=entity.path))
