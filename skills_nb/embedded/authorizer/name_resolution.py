"""Name resolution: what a query names, for the roles that the query runs as.

Room: embedded. A view's text and an owner's procedure run as their owner, so that the roles come
with the environment and not from the session. A name leads somewhere only for roles that hold
something on each part of it; where they do not, it is as if nothing had the name.

See https://docs.snowflake.com/en/user-guide/security-access-control-privileges
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog import rights
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.scope import Env

_RELATION = "Object"
"""What messages call a table or view before it is known which of them it is."""


def reaches(session: Context, entity: Entity, roles: frozenset[str]) -> bool:
    """Tell whether the roles hold something on the object, and on all that it is in."""
    catalog = session.account.catalog
    return (
        session.sees(entity)
        and rights.reachable(catalog, roles, entity)
        and rights.has_any(catalog, roles, entity)
    )


def is_usable(session: Context, entity: Entity, privilege: str, roles: frozenset[str]) -> bool:
    """Tell whether a name leads the roles to the object, and they hold the privilege on it."""
    return reaches(session, entity, roles) and access.may(session, privilege, entity, roles)


def usable(
    session: Context,
    kind: Kind,
    path: tuple[str, ...],
    privilege: str,
    roles: frozenset[str],
) -> Entity:
    """Return the object of that full name, which the roles may use.

    Raises:
        SqlError: it is not there or the roles hold nothing on it (2003), or they hold something
            else (3001).
    """
    entity = session.account.catalog.find(kind, path)
    if entity is None or not reaches(session, entity, roles):
        raise access.missing(session, kind, path, roles)
    access.require(session, entity, privilege, roles)
    return entity


def readable(
    session: Context, path: tuple[str, ...], env: Env, privilege: str = "SELECT"
) -> Entity:
    """Return a table or view that the roles may read (or write, as the privilege says).

    Raises:
        SqlError: it is not there or the roles hold nothing on it (2003), or they hold something
            else (3001).
    """
    entity = session.relation(path, in_body=env.depth > 0)
    if entity is None or not reaches(session, entity, env.roles):
        raise missing_relation(session, path, env.roles)
    access.require(session, entity, privilege, env.roles)
    session.account.touched.add(entity.id)
    return entity


def readable_here(session: Context, name: tuple[str, ...]) -> Entity:
    """Return a table or view that the session may read, by the name that its user wrote.

    Raises:
        SqlError: it is not there or the session holds nothing on it (2003), or it holds something
            else (3001).
    """
    return readable(session, session.qualify(name), session.env())


def missing_relation(session: Context, path: tuple[str, ...], roles: frozenset[str]) -> Exception:
    """Return the error for a table or view that is not there, naming the part that is missing."""
    semantic = session.account.catalog.find(Kind.SEMANTIC_VIEW, path)
    if semantic is not None and reaches(session, semantic, roles):
        return errors.unsupported("a semantic view in FROM without SEMANTIC_VIEW")
    return access.missing(session, Kind.TABLE, path, roles, title=_RELATION)


def semantic_view(session: Context, path: tuple[str, ...], roles: frozenset[str]) -> Entity:
    """Return the semantic view of that full name, which the roles may read.

    Raises:
        SqlError: it is not there or the roles hold nothing on it (2003), or they hold something
            else (3001).
    """
    entity = session.account.catalog.find(Kind.SEMANTIC_VIEW, path)
    if entity is None or not reaches(session, entity, roles):
        raise access.missing(session, Kind.SEMANTIC_VIEW, path, roles, title=_RELATION)
    access.require(session, entity, "SELECT", roles)
    return entity
