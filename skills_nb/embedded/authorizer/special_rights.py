"""Special rights: what others than its owner may do with an object.

Room: embedded. ALTER is the owner's, apart from what the table below says. The first line that is
about the kind and the action counts.

See https://docs.snowflake.com/en/user-guide/security-access-control-privileges
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.known_parameters import KNOWN
from skills_nb.sql.governance import ast


@dataclass(frozen=True, slots=True)
class SpecialRight:
    """Who besides its owner may alter an object."""

    kinds: tuple[Kind, ...]
    """The kinds of objects that it is about."""
    actions: tuple[type, ...]
    """Kinds of actions; none are all of them."""
    privilege: str
    """What is enough where it is held on the object."""
    on_account: str = ""
    """What is enough where it is held on the account; empty where nothing is."""


_RUNNING = (ast.Suspend, ast.Resume)
SPECIAL_RIGHTS = (
    SpecialRight(
        (Kind.WAREHOUSE,), (*_RUNNING, ast.AbortAllQueries), "OPERATE", "MANAGE WAREHOUSES"
    ),
    SpecialRight((Kind.WAREHOUSE,), (), "MODIFY", "MANAGE WAREHOUSES"),
    SpecialRight((Kind.DATABASE, Kind.SCHEMA), (), "MODIFY"),
    SpecialRight((Kind.TASK, Kind.ALERT, Kind.DYNAMIC_TABLE), (*_RUNNING, ast.Refresh), "OPERATE"),
    SpecialRight((Kind.PIPE,), (ast.Refresh, ast.SetProperties), "OPERATE"),
    SpecialRight(
        (Kind.COMPUTE_POOL, Kind.SERVICE, Kind.CORTEX_SEARCH_SERVICE), _RUNNING, "OPERATE"
    ),
    SpecialRight((Kind.COMPUTE_POOL,), (ast.SetProperties,), "MODIFY"),
    SpecialRight((Kind.RESOURCE_MONITOR,), (), "MODIFY"),
)


OF_ONESELF = frozenset(KNOWN) | {"DEFAULT_NAMESPACE", "DEFAULT_ROLE", "DEFAULT_WAREHOUSE"}
"""What users set for themselves: where their sessions begin, and the parameters of those.

See https://docs.snowflake.com/en/sql-reference/ddl-user-security
"""


def may_alter(session: Context, entity: Entity, action: ast.Action | None = None) -> bool:
    """Tell whether the session may carry the action out; None stands for COMMENT."""
    if access.owns(session, entity):
        return True
    if access.is_oneself(session, entity) and _is_about_sessions(action):
        return True
    right = _right(entity.kind, action)
    return right is not None and (
        access.may(session, right.privilege, entity)
        or (right.on_account != "" and access.may_globally(session, right.on_account))
    )


def require_alter(session: Context, entity: Entity, action: ast.Action | None = None) -> None:
    """Refuse who may not carry the action out.

    Raises:
        SqlError: the session neither owns the object nor has a special right (3001).
    """
    if not may_alter(session, entity, action):
        raise access.refused(session, entity)


def _right(kind: Kind, action: ast.Action | None) -> SpecialRight | None:
    return next(
        (
            right
            for right in SPECIAL_RIGHTS
            if kind in right.kinds and (not right.actions or isinstance(action, right.actions))
        ),
        None,
    )


def _is_about_sessions(action: ast.Action | None) -> bool:
    """Tell whether the action only changes what users set for themselves."""
    match action:
        case ast.SetProperties(properties=given):
            return OF_ONESELF.issuperset(given)
        case ast.UnsetProperties(names=names):
            return OF_ONESELF.issuperset(names)
        case _:
            return False
