"""Access: finding the object of a statement and holding the rules for creating and dropping.

Room: embedded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from skills_nb.embedded import grantees, refusals
from skills_nb.embedded.catalog.entities import DatabaseDetail, Detail, Entity, Grant, Kind
from skills_nb.embedded.types import text
from skills_nb.embedded.values import Column, Outcome
from skills_nb.embedded.versions.travel import instant_of

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

STATUS_COLUMNS = (Column("status", text(), nullable=False),)
DONE = "Statement executed successfully."


def status(message: str, statement_type: str) -> Outcome:
    """Answer with one line."""
    return Outcome(STATUS_COLUMNS, ((message,),), statement_type, 1)


def kind_of(words: str) -> Kind:
    """Return the kind that SQL writes like this.

    Raises:
        SqlError: the account has no such objects (0A000).
    """
    if words == "MATERIALIZED VIEW":
        return Kind.VIEW
    try:
        return Kind("INTEGRATION" if words.endswith(" INTEGRATION") else words)
    except ValueError:
        raise refusals.unsupported(words) from None


def find(session: AccountSession, kind: Kind, path: tuple[str, ...]) -> Entity | None:
    """Return the object if it exists and the session may know of it."""
    entity = session.account.catalog.find(kind, session.qualify_as(kind, path))
    if entity is None or (kind.depth == 3 and entity.kind is not kind and kind is Kind.VIEW):
        return None
    seen = session.sees(entity) and session.account.rights.visible(session.active_roles(), entity)
    return entity if seen else None


def existing(session: AccountSession, kind: Kind, path: tuple[str, ...]) -> Entity:
    """Return the object.

    Raises:
        SqlError: it does not exist or the session may not know of it (2003).
    """
    entity = find(session, kind, path)
    if entity is None:
        raise missing(session, kind, path)
    return entity


def missing(session: AccountSession, kind: Kind, path: tuple[str, ...]) -> Exception:
    """Return the error for an object that is not there, or its container."""
    full = session.qualify_as(kind, path)
    roles = session.active_roles()
    for container, depth in ((Kind.DATABASE, 1), (Kind.SCHEMA, 2)):
        if len(full) > depth:
            parent = session.account.catalog.find(container, full[:depth])
            if parent is None or not session.account.rights.visible(roles, parent):
                return refusals.not_found(container.title, full[:depth])
    shown = full[-1:] if kind in (Kind.DATABASE, Kind.ROLE, Kind.USER, Kind.WAREHOUSE) else full
    return refusals.not_found(kind.title, shown)


def owned(session: AccountSession, kind: Kind, path: tuple[str, ...]) -> Entity:
    """Return the object, which the session must own.

    Raises:
        SqlError: it is not there (2003) or belongs to somebody else (3001).
    """
    entity = existing(session, kind, path)
    require_owner(session, entity)
    return entity


def require_owner(session: AccountSession, entity: Entity) -> None:
    """Refuse who does not own the object."""
    if not session.account.rights.owns(session.active_roles(), entity):
        raise denied(entity)


def require(session: AccountSession, entity: Entity, privilege: str) -> None:
    """Refuse who lacks the privilege on the object."""
    if not session.account.rights.has(session.active_roles(), privilege, entity):
        raise denied(entity)


def require_global(session: AccountSession, privilege: str) -> None:
    """Refuse whose role lacks the privilege on the account."""
    if not session.account.rights.has_global(session.active_roles(), privilege):
        raise refusals.insufficient_privileges("account", session.account.info.locator)


def denied(entity: Entity) -> Exception:
    """Return the error for a privilege that is missing."""
    return refusals.insufficient_privileges(entity.kind.value, entity.name)


def container_of(session: AccountSession, kind: Kind, path: tuple[str, ...]) -> Entity | None:
    """Return the schema or database that a new object would live in."""
    if kind.depth == 1:
        return None
    if session.account.catalog.find(Kind.APPLICATION_PACKAGE, path[:1]) is not None:
        raise refusals.unsupported("objects in an application package")
    parent = Kind.SCHEMA if kind.depth == 3 else Kind.DATABASE
    return existing(session, parent, path[:-1])


def may_create(session: AccountSession, kind: Kind, path: tuple[str, ...]) -> None:
    """Refuse whose primary role may not create this kind of object here."""
    roles = session.primary_roles()
    container = container_of(session, kind, path)
    privilege = f"CREATE {kind.value}"
    if container is None:
        if not session.account.rights.has_global(roles, privilege):
            raise refusals.insufficient_privileges("account", session.account.info.locator)
    elif not _may_hold(container) or not session.account.rights.has(roles, privilege, container):
        raise denied(container)


def _may_hold(container: Entity) -> bool:
    """Tell whether objects can be made here; nobody makes any in a consumer's database."""
    detail = container.detail
    lent = isinstance(detail, DatabaseDetail) and bool(detail.share)
    return bool(container.owner) and not lent


def start_create(
    session: AccountSession,
    kind: Kind,
    name: tuple[str, ...],
    *,
    or_replace: bool,
    if_not_exists: bool,
    temporary: bool = False,
) -> tuple[tuple[str, ...], Entity | None, bool]:
    """Check a CREATE; return the full name, what it replaces, and whether to go on."""
    if or_replace and if_not_exists:
        raise refusals.invalid_property("options IF NOT EXISTS and OR REPLACE are incompatible.")
    path = session.qualify_as(kind, name)
    standing = session.account.catalog.find(kind, path)
    if standing is not None and if_not_exists:
        container_of(session, kind, path)
        return path, standing, False
    if temporary:
        container_of(session, kind, path)
    else:
        may_create(session, kind, path)
    if standing is not None:
        if not or_replace:
            raise refusals.already_exists(kind.value, path)
        if standing.kind is not kind:
            raise refusals.wrong_kind(standing.kind.value, standing.path, kind.value)
        require_owner(session, standing)
    return path, standing, True


def check_temporary(session: AccountSession, standing: Entity, temporary: int) -> None:
    """Refuse to put a temporary object in the place of a lasting one, or another session's.

    Raises:
        SqlError: the standing object is not of the same kind of life (0A000).
    """
    if getattr(standing.detail, "temporary", 0) != temporary:
        raise refusals.unsupported(f"a temporary {standing.kind.value} beside one of its name")


def finish_create(
    session: AccountSession,
    kind: Kind,
    path: tuple[str, ...],
    detail: Detail,
    comment: str | None = None,
) -> Entity:
    """Put the new object into the catalog, owned by the primary role, with future grants."""
    account = session.account
    now = instant_of(session.moment)
    owner = session.role or "PUBLIC"
    entity = account.catalog.create(kind, path, detail, owner=owner, now=now, comment=comment)
    for grant in account.rights.future_for(entity):
        if grant.privilege == "OWNERSHIP":
            entity = account.catalog.change(entity, owner=grant.grantee)
            continue
        account.catalog.put(
            Grant(
                grant.privilege,
                entity.id,
                grantees.kind_of(grant.grantee),
                grant.grantee,
                grant.grant_option,
                grant.granted_by,
                now,
            )
        )
    return entity


def grants_kept(session: AccountSession, standing: Entity | None) -> list[Grant]:
    """Return the grants that COPY GRANTS carries over, ownership aside."""
    return session.account.catalog.grants_on(standing.id) if standing is not None else []


def give_back(session: AccountSession, entity: Entity, grants: list[Grant]) -> None:
    """Put carried grants on the new object."""
    for grant in grants:
        session.account.catalog.put(replace(grant, object_id=entity.id))
