"""Shared grants: what a share, or a database role that it lends, may be given.

Room: embedded. What is lent of it stands in `shared_contents`.

See https://docs.snowflake.com/en/sql-reference/sql/grant-privilege-share
"""

from __future__ import annotations

from collections.abc import Iterable

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, FutureGrant, Kind
from skills_nb.embedded.catalog.grantees import DATABASE_ROLE, key_of
from skills_nb.embedded.catalog.pipeline_details import RoutineDetail
from skills_nb.embedded.objects.containers.shared_contents import (
    database_of,
    detail_of,
    is_open,
    read_elsewhere,
    unnamed,
)
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

_LENT = {
    Kind.DATABASE: ("USAGE", "REFERENCE_USAGE"),
    Kind.SCHEMA: ("USAGE",),
    Kind.TABLE: ("SELECT",),
    Kind.DYNAMIC_TABLE: ("SELECT",),
    Kind.VIEW: ("SELECT",),
    Kind.TAG: ("READ",),
    Kind.FUNCTION: ("USAGE",),
    Kind.SEMANTIC_VIEW: ("REFERENCES", "SELECT"),
}
"""What a share may hold in Snowflake, by kind."""
_NOT_HERE = (Kind.FUNCTION, Kind.SEMANTIC_VIEW)
"""What no consumer's database shows here, so that a grant would promise what nobody gets."""
_WHOLESALE = (Kind.TABLE, Kind.DYNAMIC_TABLE)


def check_grants(
    session: Context,
    share: Entity,
    found: list[Entity | None],
    statement: ast.GrantPrivileges,
) -> None:
    """Refuse what a share may not hold.

    Raises:
        SqlError: such an object cannot be lent, or not with this privilege (3008), or not here
            (0A000), a view or function is not secure (90838), a view reads a database that the
            share does not name (3101), ALL or GRANT OPTION is written where it cannot be (0A000),
            or the share is somebody else's (3001).
    """
    if statement.with_grant_option:
        raise errors.unsupported("GRANT … TO SHARE … WITH GRANT OPTION")
    access.require_owner(session, share)
    _check_wholesale(share, statement.target)
    for entity in found:
        if entity is None or entity.kind not in _LENT:
            raise errors.wrong_privilege(statement.privileges[0], statement.target.kind)
        for privilege in statement.privileges:
            if privilege not in _LENT[entity.kind]:
                raise errors.wrong_privilege(privilege, entity.kind.value)
        _check_place(session, share, entity, statement.privileges)
        if _is_open_function(entity):
            raise errors.not_secure()
        if entity.kind in _NOT_HERE:
            raise errors.unsupported(f"sharing of a {entity.kind.value}")
        if is_open(entity) and detail_of(share).secure_objects_only:
            raise errors.not_secure()
        for database in sorted(unnamed(session, share, entity)):
            raise errors.reference_missing(entity.name, database)


def _check_wholesale(share: Entity, target: ast.Target) -> None:
    """Refuse ALL but of a schema's tables, and of its views where they need not be secure."""
    if target.scope != "ALL":
        return
    kind = access.kind_of(target.kind)
    is_open_share = not detail_of(share).secure_objects_only
    takes = kind in _WHOLESALE or (kind is Kind.VIEW and is_open_share)
    if target.container == "DATABASE" or not takes:
        where = f"IN {target.container or 'SCHEMA'} TO SHARE"
        why = " of secure objects only" if kind is Kind.VIEW and not is_open_share else ""
        raise errors.unsupported(f"GRANT … ON ALL {kind.value}S {where}{why}")


def _is_open_function(entity: Entity) -> bool:
    return isinstance(entity.detail, RoutineDetail) and not entity.detail.secure


def _check_place(
    session: Context, share: Entity, entity: Entity, privileges: tuple[str, ...]
) -> None:
    database = database_of(session, share)
    if entity.kind is Kind.DATABASE:
        if "USAGE" in privileges and database is not None and database.id != entity.id:
            raise errors.second_database(share.name)
        return
    if database is None:
        raise errors.share_without_database(share.name)
    if entity.path[0] != database.name:
        raise errors.share_without_database(share.name)


def add_role(session: Context, role: Entity, share: Entity) -> None:
    """Check that a share may lend a database role: one of its own database.

    Raises:
        SqlError: the role is not of the share's database, or holds a view that reads another one
            (3101), has future grants (1420), or the share is somebody else's (3001).

    See https://docs.snowflake.com/en/sql-reference/sql/grant-database-role-share
    """
    access.require_owner(session, share)
    database = database_of(session, share)
    if database is None or database.name != role.path[0]:
        raise errors.share_without_database(share.name)
    catalog = session.account.catalog
    if any(grant.grantee == key_of(role) for grant in catalog.all(FutureGrant)):
        raise errors.invalid_property(
            f"Database role '{role.name}' has future grants, and cannot be granted to a share."
        )
    held = (catalog.by_id(g.object_id) for g in catalog.grants_to(DATABASE_ROLE, key_of(role)))
    _refuse_elsewhere(session, held)


def check_role(session: Context, role: Entity, found: Iterable[Entity | None]) -> None:
    """Refuse what a database role may not hold while a share lends it.

    Raises:
        SqlError: a view reads another database (3101).
    """
    granted = session.account.catalog.role_granted(key_of(role))
    if any(held.grantee_kind == "SHARE" for held in granted):
        _refuse_elsewhere(session, found)


def _refuse_elsewhere(session: Context, found: Iterable[Entity | None]) -> None:
    """See https://docs.snowflake.com/en/user-guide/data-sharing-mutiple-db (database roles)."""
    for entity in found:
        read = read_elsewhere(session, entity) if entity is not None else set()
        if entity is not None and read:
            raise errors.reference_by_role(entity.name, min(read))
