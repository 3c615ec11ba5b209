"""Renames: RENAME TO and SWAP WITH.

Room: embedded. Grants, policies, tags and rows hang on numbers and places, so a rename is a new path.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from skills_nb.embedded import bootstrap, refusals
from skills_nb.embedded.catalog.entities import (
    Entity,
    FutureGrant,
    Grant,
    Kind,
    RoleGrant,
    TableDetail,
)
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
    inside = [e for e in catalog.all(Entity)
              if e.id != entity.id and _contains(entity, e)]  # fmt: skip
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
    if entity.name in bootstrap.SYSTEM_ROLES:
        raise access.denied(entity)
    catalog = session.account.catalog
    for record in [*catalog.all(Grant), *catalog.all(FutureGrant)]:
        if record.grantee == entity.name and getattr(record, "grantee_kind", "ROLE") == "ROLE":
            catalog.remove(record)
            catalog.put(replace(record, grantee=name))
    for held in catalog.all(RoleGrant):
        made = replace(
            held,
            role=name if held.role == entity.name else held.role,
            grantee=name if (held.grantee_kind, held.grantee) == ("ROLE", entity.name)
            else held.grantee,
        )  # fmt: skip
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
