"""Calling: CREATE of an instance, its methods by CALL and in a query, and grants of its roles.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/snowflake-db-classes
"""

from __future__ import annotations

import json
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, imported_privileges
from skills_nb.embedded.binder.constants import constant
from skills_nb.embedded.catalog.entities import Entity, Grant, Kind
from skills_nb.embedded.catalog.grantees import key_of
from skills_nb.embedded.catalog.object_details import InstanceDetail
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.instances import budget
from skills_nb.embedded.objects.instances.instance_kind import CLASSES
from skills_nb.embedded.objects.instances.instance_methods import (
    Method,
    State,
    bound,
    state_of,
)
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.objects.statements import grants
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import data_types
from skills_nb.embedded.types.outcomes import DONE, status
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.snowflake_database_roles import MAKERS
from skills_nb.embedded.types.values import Column, Outcome
from skills_nb.sql.governance import ast


def create(session: Context, statement: ast.CreateInstance) -> Outcome:
    """Make an instance with the arguments of its constructor.

    Raises:
        SqlError: the role may not make instances of the class (3001), a modifier is written
            (0A000), or the arguments do not fit (1014).

    See https://docs.snowflake.com/en/sql-reference/snowflake-db-classes
    """
    kind = Kind(statement.instance_of)
    if not imported_privileges.holds(session, session.active_roles(), MAKERS[kind.value]):
        raise access.refused_class(kind.value)
    if statement.modifiers:
        raise errors.unsupported(f"CREATE {statement.modifiers[0]} {kind.value}")
    properties.none(statement.properties)
    positional, keywords = _arguments(session, statement.arguments)
    if keywords:
        raise errors.invalid_argument("the constructor's arguments have no names")
    state = CLASSES[kind].construct(session, tuple(positional))
    made = InstanceDetail(json.dumps(state))
    return creation.create(session, statement, kind, lambda: made)


def call(session: Context, statement: ast.Call) -> Outcome:
    """Call a method of an instance.

    Raises:
        SqlError: INTO is written (0A000), there is no such instance or method (2003, 2140), or the
            arguments do not fit.

    See https://docs.snowflake.com/en/sql-reference/sql/call
    """
    name = (statement.method or "").upper()
    if statement.into is not None:
        raise errors.unsupported("CALL … INTO outside of a block")
    if name in budget.SWITCHES and session.qualify(statement.name) == budget.ROOT:
        return _one(name, budget.switch(session, active=budget.SWITCHES[name]))
    entity = instance(session, statement.name)
    method = _method(session, entity, name)
    positional, keywords = _arguments(session, statement.arguments)
    state = state_of(entity)
    answer = method.run(session, state, bound(name, method.takes, positional, keywords))
    if method.changes:
        _keep(session, entity, state)
    if method.columns:
        return Outcome(columns_of(method.columns), tuple(answer), "CALL", len(answer))
    return _one(name, answer)


def _one(name: str, value: Any) -> Outcome:
    made, kind = _typed(value)
    return Outcome((Column(name, kind),), ((made,),), "CALL", 1)


def _typed(value: Any) -> tuple[Any, data_types.SfType]:
    """Return a method's value as the result holds it, with its type."""
    match value:
        case bool():
            return value, data_types.BOOLEAN
        case float() | int():
            return value, data_types.REAL
        case dict() | list():
            return json.dumps(value), data_types.VARIANT
        case _:
            return value, data_types.TEXT


def scalar(session: Context, node: exp.Anonymous) -> exp.Expr:
    """Return the constant that stands for a method in a query; one that changes is for CALL."""
    return _literal(value_of(session, node))


def _literal(value: Any) -> exp.Expr:
    if isinstance(value, (dict, list)):
        made = exp.Literal.string(json.dumps(value))
        return exp.Cast(this=made, to=exp.DataType.build("json", dialect="duckdb"))
    return exp.convert(value)


def value_of(session: Context, node: exp.Anonymous) -> Any:
    """Evaluate a method inside a query or an argument.

    Raises:
        SqlError: there is no such instance or method for the session (2003, 2140).
    """
    path, name, *given = node.expressions
    entity = instance(session, tuple(part.name for part in path.expressions))
    method = _method(session, entity, name.name)
    if method.changes or method.columns:
        raise errors.unknown_function(f"{entity.name}!{name.name}")
    positional, keywords = _values(session, given)
    return method.run(
        session, state_of(entity), bound(name.name, method.takes, positional, keywords)
    )


def instance(session: Context, name: tuple[str, ...]) -> Entity:
    """Return the instance of a name, of whatever class.

    Raises:
        SqlError: there is none that the session may know of (2003).
    """
    path = session.qualify(name)
    for kind in CLASSES:
        found = session.account.catalog.find(kind, path)
        if found is not None and (path == budget.ROOT or access.sees(session, found)):
            return found
    raise errors.not_found("Object", path)


def _method(session: Context, entity: Entity, name: str) -> Method:
    method = CLASSES[entity.kind].methods.get(name)
    if method is None:
        raise errors.unknown_function(f"{entity.name}!{name}")
    if not access.owns(session, entity) and not any(
        access.may(session, role, entity) for role in method.roles
    ):
        raise access.refused(session, entity, called="instance")
    return method


def _keep(session: Context, entity: Entity, state: State) -> None:
    detail = InstanceDetail(json.dumps(state))
    session.account.catalog.change(entity, detail=detail, altered_on=session.account.clock())


# ---- arguments


def _arguments(session: Context, texts: tuple[str, ...]) -> tuple[list[Any], dict[str, Any]]:
    """Evaluate the arguments of a constructor or of CALL."""
    if not texts:
        return [], {}
    read = parsing.parse_expression(f"ARGUMENTS({', '.join(texts)})")
    return _values(session, read.expressions)


def _values(session: Context, given: list[exp.Expr]) -> tuple[list[Any], dict[str, Any]]:
    positional = [constant(session, one) for one in given if not isinstance(one, exp.Kwarg)]
    keywords = {
        one.this.name.upper(): constant(session, one.expression)
        for one in given
        if isinstance(one, exp.Kwarg)
    }
    return positional, keywords


# ---- roles


def grant_role(session: Context, statement: ast.GrantInstanceRole) -> Outcome:
    """Give a role an instance role.

    See https://docs.snowflake.com/en/sql-reference/sql/grant-role-to-instance
    """
    entity, key, holder = _parties(session, statement)
    now, by = session.account.clock(), session.role or ""
    made = Grant(statement.role, entity.id, holder, key, False, by, now)
    session.account.catalog.put(made)
    return status(DONE, "GRANT")


def revoke_role(session: Context, statement: ast.RevokeInstanceRole) -> Outcome:
    """Take an instance role from a role."""
    entity, key, holder = _parties(session, statement)
    held = session.account.catalog.get(Grant, (entity.id, statement.role, holder, key))
    if held is not None:
        session.account.catalog.remove(held)
    return status(DONE, "REVOKE")


def _parties(
    session: Context, statement: ast.GrantInstanceRole | ast.RevokeInstanceRole
) -> tuple[Entity, str, str]:
    kind = Kind(statement.instance_of)
    entity = access.existing(session, kind, statement.name)
    if statement.role not in CLASSES[kind].roles:
        raise errors.not_found("Role", (f"{entity.name}!{statement.role}",))
    access.require_manager(session, entity)
    grantee = grants.grantee_of(session, statement.grantee)
    return entity, key_of(grantee), grantee.kind.value.replace(" ", "_")
