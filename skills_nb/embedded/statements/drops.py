"""DROP and UNDROP.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/drop
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.embedded import bootstrap, refusals
from skills_nb.embedded.catalog.entities import (
    LOGIN_POLICY_KINDS,
    POLICY_KINDS,
    RELATIONS,
    Entity,
    FutureGrant,
    Kind,
    Parameter,
)
from skills_nb.embedded.grantees import key_of
from skills_nb.embedded.statements import access, containers, materialized, places, shares
from skills_nb.embedded.values import Outcome
from skills_nb.embedded.versions import afterlife
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def drop(session: AccountSession, statement: ast.Drop) -> Outcome:
    """Drop one object."""
    kind = access.kind_of(statement.kind)
    word = f"DROP_{kind.value.replace(' ', '_')}"
    entity = _found(session, kind, statement)
    if entity is None:
        return access.status(
            f"Drop statement executed successfully ({statement.name[-1]} already dropped).", word
        )
    _refuse_system(entity)
    access.require_owner(session, entity)
    _refuse_attached(session, entity)
    remove(session, entity)
    shares.refresh(session)
    return access.status(f"{entity.name} successfully dropped.", word)


def _found(session: AccountSession, kind: Kind, statement: ast.Drop) -> Entity | None:
    if not statement.if_exists:
        entity = access.existing(session, kind, statement.name)
    else:
        try:
            found = access.find(session, kind, statement.name)
        except SqlError:
            found = None
        if found is None:
            return None
        entity = found
    if entity.kind is not kind:
        raise refusals.wrong_kind(entity.kind.value, entity.path, statement.kind)
    materialized.check_named(entity, statement.kind)
    return entity


def _refuse_system(entity: Entity) -> None:
    system = entity.kind is Kind.ROLE and entity.name in bootstrap.SYSTEM_ROLES
    if system or entity.path[0] == bootstrap.SNOWFLAKE:
        raise access.denied(entity)


def _refuse_attached(session: AccountSession, entity: Entity) -> None:
    """Refuse to drop a policy in use, alone or with its schema or database."""
    catalog = session.account.catalog
    if entity.kind in (*POLICY_KINDS, *LOGIN_POLICY_KINDS) and catalog.uses_of_policy(entity.id):
        raise refusals.policy_attached(entity.name)
    if entity.kind is Kind.NETWORK_POLICY and _lets_in(session, entity):
        raise refusals.policy_attached(entity.name)
    if entity.kind is Kind.TAG and catalog.policies_on(entity.id):
        raise refusals.tag_in_use(entity.name)
    if entity.kind not in (Kind.SCHEMA, Kind.DATABASE):
        return
    for kind in POLICY_KINDS:
        for policy in catalog.within(kind, entity.path):
            for ref in catalog.uses_of_policy(policy.id):
                target = catalog.by_id(ref.object_id)
                if target is not None and target.path[: len(entity.path)] != entity.path:
                    raise refusals.policies_in_use(entity.kind.value, entity.name)


def _lets_in(session: AccountSession, entity: Entity) -> bool:
    """Tell whether the account or a user names the network policy."""
    return any(
        held.name == entity.kind.value.replace(" ", "_") and held.value == entity.name
        for held in session.account.catalog.all(Parameter)
    )


def remove(session: AccountSession, entity: Entity) -> None:
    """Take an object and what it contains out of the catalog."""
    catalog = session.account.catalog
    if entity.kind in RELATIONS:
        places.drop(session, entity)
        return
    if entity.kind is Kind.DATABASE and shares.is_imported(session, entity):
        _forget_imported(session, entity)
        return
    if entity.kind in (Kind.SCHEMA, Kind.DATABASE):
        containers.drop(session, entity)
        _leave(session, entity)
        return
    if entity.kind in _SHELVED:
        containers.shelve(session, entity)
        return
    afterlife.forget(session, entity)
    if entity.kind in (Kind.ROLE, Kind.DATABASE_ROLE, Kind.SHARE):
        _forget_role(session, entity)
    if entity.kind is Kind.USER:
        for held in catalog.roles_granted_to("USER", entity.name):
            catalog.remove(held)
    catalog.forget(entity)
    _leave(session, entity)


def _forget_imported(session: AccountSession, database: Entity) -> None:
    """A consumer's database leaves nothing behind: it can be made from the share again."""
    catalog = session.account.catalog
    for kind in (Kind.TABLE, Kind.SCHEMA):
        for mirror in list(catalog.within(kind, database.path)):
            catalog.forget(mirror)
    for role in catalog.children(Kind.DATABASE_ROLE, database.path):
        _forget_role(session, role)
        catalog.forget(role)
    catalog.forget(database)
    _leave(session, database)


def _forget_role(session: AccountSession, entity: Entity) -> None:
    """What a dropped role or share held is gone; what a role owned goes to who drops it."""
    catalog = session.account.catalog
    kind, key = entity.kind.value.replace(" ", "_"), key_of(entity)
    for grant in [*catalog.grants_to(kind, key)]:
        catalog.remove(grant)
    for held in catalog.roles_granted_to(kind, key):
        catalog.remove(held)
    if entity.kind is Kind.SHARE:
        return
    for held in catalog.role_granted(key):
        catalog.remove(held)
    for future in catalog.all(FutureGrant):
        if future.grantee == key:
            catalog.remove(future)
    if entity.kind is Kind.DATABASE_ROLE:
        return
    for owned in catalog.all(Entity):
        if owned.owner == entity.name and owned.id != entity.id:
            catalog.change(owned, owner=session.role or "")


def _leave(session: AccountSession, entity: Entity) -> None:
    if entity.kind is Kind.DATABASE and session.database == entity.name:
        session.database = session.schema = None
    if entity.kind is Kind.SCHEMA and (session.database, session.schema) == entity.path:
        session.schema = None
    if entity.kind is Kind.WAREHOUSE and session.warehouse == entity.name:
        session.warehouse = None


def undrop(session: AccountSession, statement: ast.Undrop) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/undrop-table."""
    kind = access.kind_of(statement.kind)
    if kind not in _RESTORED:
        raise refusals.unsupported(f"UNDROP {statement.kind}")
    path = session.qualify_as(kind, statement.name)
    catalog = session.account.catalog
    if catalog.find(kind, path) is not None:
        raise refusals.already_exists(kind.value, path)
    gone = [
        e
        for e in catalog.dropped(kind, path)
        if session.account.rights.owns(session.active_roles(), e)
    ]
    if not gone:
        raise refusals.not_undroppable(kind.title, path)
    access.may_create(session, kind, path)
    if kind in (Kind.SCHEMA, Kind.DATABASE, *_SHELVED):
        containers.restore(session, gone[0])
    else:
        places.restore(session, gone[0])
    word = f"UNDROP_{kind.value.replace(' ', '_')}"
    return access.status(f"{kind.title} {path[-1]} successfully restored.", word)


_SHELVED = (Kind.TAG, Kind.NOTEBOOK, Kind.STREAMLIT, Kind.EXTERNAL_VOLUME)
"""Kinds that come back with what hung on them, beside tables and what contains them.

See https://docs.snowflake.com/en/sql-reference/sql/undrop
"""
_RESTORED = (Kind.TABLE, Kind.DYNAMIC_TABLE, Kind.SCHEMA, Kind.DATABASE, *_SHELVED)
