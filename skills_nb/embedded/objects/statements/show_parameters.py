"""SHOW PARAMETERS: of the session, the account, a user, or another object.

Room: embedded. The level says where a value was set; it is empty where the default is in force.

See https://docs.snowflake.com/en/sql-reference/sql/show-parameters
"""

from __future__ import annotations

from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, parameters
from skills_nb.embedded.catalog.entities import (
    ACCOUNT_ID,
    Entity,
    Kind,
)
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.objects.show_filters import matches
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.known_parameters import KNOWN, OF_OBJECTS, OF_USERS
from skills_nb.sql.governance import ast

Row = tuple[Any, ...]
_COLUMNS = "key value default level description type"


def answer(session: Context, statement: ast.Show) -> tuple[str, list[Row]]:
    """Show the parameters of what IN or FOR names, of the session without either."""
    scope = statement.scope
    kind = scope.kind if scope is not None else None
    if kind in (None, "SESSION") and (scope is None or not scope.name):
        found = _rows(KNOWN, {name: parameters.placed(session, name) for name in KNOWN})
    elif kind == "ACCOUNT":
        found = _account(session)
    else:
        assert scope is not None
        found = _object(session, access.kind_of(kind or "SESSION"), scope.name)
    return _COLUMNS, [row for row in found if matches(statement, row[0])]


def _rows(known: dict[str, tuple[Any, str]], placed: dict[str, tuple[str, Any]]) -> list[Row]:
    rows: list[Row] = []
    for name, (default, words) in sorted(known.items()):
        level, value = placed[name]
        kind = {bool: "BOOLEAN", int: "NUMBER"}.get(type(default), "STRING")
        rows.append((name, _shown(value), _shown(default), level, words, kind))
    return rows


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _account(session: Context) -> list[Row]:
    """Show what the account says, whatever the session or its user say."""
    held = session.account.catalog.parameters_on(ACCOUNT_ID)
    known = {**{k: v for group in OF_OBJECTS.values() for k, v in group.items()}, **OF_USERS}
    return _rows(
        known,
        {
            name: ("ACCOUNT", held[name]) if name in held else ("", default)
            for name, (default, _) in known.items()
        },
    )


def _object(session: Context, kind: Kind, name: tuple[str, ...]) -> list[Row]:
    entity = access.existing(session, kind, name or _current(session, kind))
    if kind is Kind.USER:
        return _user(session, entity)
    if kind not in OF_OBJECTS:
        raise errors.unsupported(f"SHOW PARAMETERS IN {kind.value}")
    placed = {key: _of_object(session, entity, key) for key in OF_OBJECTS[kind]}
    return _rows(OF_OBJECTS[kind], placed)


def _current(session: Context, kind: Kind) -> tuple[str, ...]:
    """Return the object of a kind that the session works with.

    Raises:
        SqlError: there is none, or it is of a kind of which none is ever current (2043).
    """
    found = {
        Kind.USER: (session.user,),
        Kind.WAREHOUSE: (session.warehouse,),
        Kind.DATABASE: (session.database,),
        Kind.SCHEMA: (session.database, session.schema),
    }.get(kind, (None,))
    path = tuple(part for part in found if part is not None)
    if len(path) != len(found):
        raise errors.no_such_operation()
    return path


def _user(session: Context, user: Entity) -> list[Row]:
    placed = {name: parameters.placed_for(session, user.id, name) for name in KNOWN}
    policy = session.account.catalog.parameters_on(user.id).get("NETWORK_POLICY")
    placed["NETWORK_POLICY"] = ("USER", policy) if policy is not None else ("", "")
    return _rows(OF_USERS, placed)


def _of_object(session: Context, entity: Entity, key: str) -> tuple[str, Any]:
    """Return where an object's parameter was set, and its value: there, above it, or nowhere."""
    default = OF_OBJECTS[entity.kind if entity.kind in OF_OBJECTS else Kind.TABLE][key][0]
    own = _in_detail(entity, key)
    if own is not None:
        return (entity.kind.value if own != default else "", own)
    catalog = session.account.catalog
    parents = [
        catalog.find(Kind.SCHEMA, entity.path[:2]),
        catalog.find(Kind.DATABASE, entity.path[:1]),
    ]
    for holder in [entity, *(p for p in parents if p is not None and entity.kind.depth > 1)]:
        held = catalog.parameters_on(holder.id)
        if key in held:
            return holder.kind.value, held[key]
    held = catalog.parameters_on(ACCOUNT_ID)
    return ("ACCOUNT", held[key]) if key in held else ("", default)


def _in_detail(entity: Entity, key: str) -> Any:
    """Return what the object's own detail holds of a parameter; None where it holds nothing."""
    field = object_kind.of(entity.kind).parameters.get(key)
    return getattr(entity.detail, field) if field is not None else None
