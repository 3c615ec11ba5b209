"""Access: what a statement names, what the session may do with it, and the refusal of the rest.

Room: embedded. The roles are the session's active ones where none are given; a view's text, a
policy and a system view's query bring those that they run with. What a role may not see does not
exist for it: `refused` alone chooses between the two answers, and the answer for what is hidden is
the one for what is not there, to the letter.

See https://docs.snowflake.com/en/user-guide/security-access-control-overview
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skills_nb.embedded import errors
from skills_nb.embedded.catalog import rights
from skills_nb.embedded.catalog.entities import DatabaseDetail, Entity, FutureGrant, Grant, Kind
from skills_nb.embedded.session.context import Context

Roles = frozenset[str]
_OF_ACCOUNT = (Kind.DATABASE, Kind.ROLE, Kind.USER, Kind.WAREHOUSE)


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
        raise errors.unsupported(words) from None


# ---- finding


def find(
    session: Context, kind: Kind, path: tuple[str, ...], roles: Roles | None = None
) -> Entity | None:
    """Return the object if it exists and the session may know of it."""
    entity = session.account.catalog.find(kind, session.qualify_as(kind, path))
    if entity is None or (kind.depth == 3 and entity.kind is not kind and kind is Kind.VIEW):
        return None
    return entity if sees(session, entity, roles) else None


def existing(
    session: Context, kind: Kind, path: tuple[str, ...], roles: Roles | None = None
) -> Entity:
    """Return the object.

    Raises:
        SqlError: it does not exist or the session may not know of it (2003).
    """
    entity = find(session, kind, path, roles)
    if entity is None:
        raise missing(session, kind, path, roles)
    return entity


def owned(session: Context, kind: Kind, path: tuple[str, ...]) -> Entity:
    """Return the object, which the session must own.

    Raises:
        SqlError: it is not there (2003) or belongs to somebody else (3001).
    """
    entity = existing(session, kind, path)
    require_owner(session, entity)
    return entity


def container_of(session: Context, kind: Kind, path: tuple[str, ...]) -> Entity | None:
    """Return the schema or database that a new object would live in.

    Raises:
        SqlError: it is not there or is hidden (2003), or is an application package (0A000).
    """
    if kind.depth == 1:
        return None
    if session.account.catalog.find(Kind.APPLICATION_PACKAGE, path[:1]) is not None:
        raise errors.unsupported("objects in an application package")
    parent = Kind.SCHEMA if kind.depth == 3 else Kind.DATABASE
    return existing(session, parent, path[:-1])


def entered(session: Context, kind: Kind, path: tuple[str, ...]) -> Entity:
    """Return the warehouse, database or schema that USE names, on which something must be held.

    Raises:
        SqlError: it is not there, or nothing is held on it (2043).
    """
    entity = find(session, kind, path)
    if entity is None or not holds_any(session, entity):
        raise errors.no_such_operation()
    return entity


# ---- questions


def _roles(session: Context, roles: Roles | None) -> Roles:
    return session.active_roles() if roles is None else roles


def sees(session: Context, entity: Entity, roles: Roles | None = None) -> bool:
    """Tell whether SHOW lists the object; another session's temporary one it never does."""
    if not session.sees(entity):
        return False
    return is_oneself(session, entity) or rights.visible(
        session.account.catalog, _roles(session, roles), entity
    )


def is_hidden(session: Context, entity: Entity) -> bool:
    """Tell whether the session may not know of the object; it does of its own temporary ones."""
    return session.sees(entity) and not sees(session, entity)


def is_oneself(session: Context, entity: Entity) -> bool:
    """Tell whether the object is the user whose session it is, which whatever role may see.

    It is not while the session runs as an owner: code of others asks then.
    """
    own = entity.kind is Kind.USER and entity.id == session.user_id
    return own and not session.frame.borrowed


def visible_ones(
    session: Context, entities: Iterable[Entity], roles: Roles | None = None
) -> Iterator[Entity]:
    """Yield those of the objects that SHOW lists."""
    asked = _roles(session, roles)
    return (entity for entity in entities if sees(session, entity, asked))


def holds_any(session: Context, entity: Entity, roles: Roles | None = None) -> bool:
    """Tell whether anything is held on the object, which is what it takes to enter it."""
    return rights.has_any(session.account.catalog, _roles(session, roles), entity)


def owns(session: Context, entity: Entity, roles: Roles | None = None) -> bool:
    """Tell whether the object belongs to one of the roles."""
    return rights.owns(session.account.catalog, _roles(session, roles), entity)


def reads_text(session: Context, entity: Entity, roles: Roles | None = None) -> bool:
    """Tell whether the role reads what the object is made of: that of a secure one is its owner's.

    See https://docs.snowflake.com/en/user-guide/views-secure,
    https://docs.snowflake.com/en/developer-guide/secure-udf-procedure and
    https://docs.snowflake.com/en/user-guide/dynamic-tables-privileges
    """
    if entity.kind is Kind.DYNAMIC_TABLE:
        return may(session, "MONITOR", entity, roles)
    return not getattr(entity.detail, "secure", False) or owns(session, entity, roles)


def may(session: Context, privilege: str, entity: Entity, roles: Roles | None = None) -> bool:
    """Tell whether the privilege is held on the object; its owner holds every one."""
    return rights.has(session.account.catalog, _roles(session, roles), privilege, entity)


def may_globally(session: Context, privilege: str, roles: Roles | None = None) -> bool:
    """Tell whether the privilege is held on the account."""
    return rights.has_global(session.account.catalog, _roles(session, roles), privilege)


def manages(session: Context, entity: Entity) -> bool:
    """Tell whether the session may grant any privilege on the object."""
    return rights.may_manage(session.account.catalog, session.active_roles(), entity)


def role_manages(session: Context, role: str, entity: Entity) -> bool:
    """Tell whether a role, with all that it inherits, may grant any privilege on the object."""
    catalog = session.account.catalog
    return rights.may_manage(catalog, rights.closure(catalog, role), entity)


def may_grant(session: Context, entity: Entity, privileges: Iterable[str]) -> bool:
    """Tell whether the session may grant these privileges, each held with its grant option."""
    wanted = set(privileges)
    optional = {g.privilege for g in grant_options(session, entity)}
    return manages(session, entity) or (bool(wanted) and wanted <= optional)


def grant_options(session: Context, entity: Entity) -> list[Grant]:
    """List what the roles hold with its grant option, what the primary role holds first.

    In a schema with managed access a grant option counts for nothing.

    See https://docs.snowflake.com/en/release-notes/bcr-bundles/2023_08/bcr-1397
    """
    catalog, roles = session.account.catalog, session.active_roles()
    if rights.managing_schema(catalog, entity) is not None:
        return []
    held = [g for g in catalog.grants_on(entity.id) if g.grant_option and g.grantee in roles]
    return sorted(held, key=lambda g: (g.grantee != session.role, g.grantee))


def may_grant_future(session: Context, scope: Entity) -> bool:
    """Tell whether the session may grant privileges on what a schema or database will hold.

    See https://docs.snowflake.com/en/sql-reference/sql/grant-privilege (future grants)
    """
    return may_globally(session, "MANAGE GRANTS") or (
        scope.kind is Kind.SCHEMA and owns(session, scope)
    )


def administers(session: Context, roles: Roles | None = None) -> bool:
    """Tell whether ACCOUNTADMIN is among the roles, which no privilege stands for."""
    return "ACCOUNTADMIN" in _roles(session, roles)


def owner_may_globally(session: Context, entity: Entity, privilege: str) -> bool:
    """Tell whether the object's owner holds the privilege on the account."""
    catalog = session.account.catalog
    return rights.has_global(catalog, rights.closure(catalog, entity.owner), privilege)


def may_apply(session: Context, entity: Entity, target: Entity) -> bool:
    """Tell whether a policy or tag may be put on the target, and taken off.

    See https://docs.snowflake.com/en/user-guide/security-column-ddm-use (privileges) and
    https://docs.snowflake.com/en/user-guide/object-tagging/work (privileges)
    """
    return may_globally(session, f"APPLY {entity.kind.value}") or (
        owns(session, target) and may(session, "APPLY", entity)
    )


def privileges_on(session: Context, entity: Entity) -> list[Grant]:
    """List an object's privileges, its ownership first."""
    return rights.all_on(session.account.catalog, entity)


def future_grants_for(session: Context, entity: Entity) -> list[FutureGrant]:
    """Return future grants that a new object meets; those of its schema win."""
    return rights.future_for(session.account.catalog, entity)


# ---- requirements


def require(session: Context, entity: Entity, privilege: str, roles: Roles | None = None) -> None:
    """Refuse who lacks the privilege on the object.

    Raises:
        SqlError: it is hidden (2003), or the privilege is missing (3001).
    """
    if not may(session, privilege, entity, roles):
        raise refused(session, entity, roles)


def require_owner(session: Context, entity: Entity, roles: Roles | None = None) -> None:
    """Refuse who does not own the object.

    Raises:
        SqlError: it is hidden (2003), or belongs to somebody else (3001).
    """
    if not owns(session, entity, roles):
        raise refused(session, entity, roles)


def require_manager(session: Context, entity: Entity) -> None:
    """Refuse who may not grant every privilege on the object.

    Raises:
        SqlError: it is hidden (2003), or belongs to somebody else (3001).
    """
    if not manages(session, entity):
        raise refused(session, entity)


def require_global(session: Context, privilege: str) -> None:
    """Refuse whose role lacks the privilege on the account.

    Raises:
        SqlError: it does (3001).
    """
    if not may_globally(session, privilege):
        raise refused_by_account(session)


def require_administrator(session: Context, roles: Roles | None = None) -> None:
    """Refuse who is no account administrator.

    Raises:
        SqlError: ACCOUNTADMIN is not among the roles (3001).
    """
    if not administers(session, roles):
        raise refused_by_account(session)


def require_free(session: Context, kind: Kind, path: tuple[str, ...]) -> None:
    """Refuse a new name that something has.

    Raises:
        SqlError: the container is missing or hidden (2003), or the name is taken (2002, 3041).
    """
    container_of(session, kind, path)
    standing = session.account.catalog.find(kind, path)
    if standing is not None:
        raise taken(session, standing, kind)


def require_create(session: Context, kind: Kind, path: tuple[str, ...]) -> None:
    """Refuse whose primary role may not create this kind of object here.

    Raises:
        SqlError: the container is missing or hidden (2003), or the privilege is missing (3001).
    """
    container = container_of(session, kind, path)
    require_create_in(session, container, kind.value)


def require_create_in(session: Context, container: Entity | None, words: str) -> None:
    """Refuse whose primary role may not create what is called so in a container, or the account.

    Raises:
        SqlError: the role lacks the privilege, or nobody makes anything there (3001).
    """
    roles, privilege = session.primary_roles(), f"CREATE {words}"
    if container is None:
        if not may_globally(session, privilege, roles):
            raise refused_by_account(session)
    elif not _may_hold(container) or not may(session, privilege, container, roles):
        raise refused(session, container)


def _may_hold(container: Entity) -> bool:
    """Tell whether objects can be made here; nobody makes any in a consumer's database."""
    detail = container.detail
    lent = isinstance(detail, DatabaseDetail) and bool(detail.share)
    return bool(container.owner) and not lent


# ---- refusals


def refused(
    session: Context, entity: Entity, roles: Roles | None = None, *, called: str = ""
) -> Exception:
    """Return the error for who may not do this: hidden is not there, seen is denied.

    `called` is what the message calls the object in place of its kind.
    """
    if not sees(session, entity, roles):
        return missing(session, entity.kind, entity.path, roles)
    return errors.insufficient_privileges(called or entity.kind.value, entity.name)


def refused_by_account(session: Context) -> Exception:
    """Return the error for a privilege that is missing on the account, which nobody hides."""
    return errors.insufficient_privileges("account", session.account.info.locator)


def refused_class(name: str) -> Exception:
    """Return the error for who may not make instances of a class, which nobody hides."""
    return errors.insufficient_privileges("class", name)


def taken(session: Context, standing: Entity, kind: Kind) -> Exception:
    """Return the error for a name that something has: all that is told of what is hidden."""
    if is_hidden(session, standing):
        return errors.taken_by_hidden(standing.kind.title, standing.name)
    return errors.already_exists(kind.value, standing.path)


def missing(
    session: Context,
    kind: Kind,
    path: tuple[str, ...],
    roles: Roles | None = None,
    *,
    title: str = "",
) -> Exception:
    """Return the error for an object that is not there, or its container."""
    full = session.qualify_as(kind, path)
    for container, depth in ((Kind.DATABASE, 1), (Kind.SCHEMA, 2)):
        if len(full) > depth:
            parent = session.account.catalog.find(container, full[:depth])
            if parent is None or not sees(session, parent, roles):
                return errors.not_found(container.title, full[:depth])
    return errors.not_found(title or kind.title, full[-1:] if kind in _OF_ACCOUNT else full)
