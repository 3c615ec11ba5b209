"""Calling: CREATE of an instance, its methods by CALL and in a query, and grants of its roles.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/snowflake-db-classes
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import imported, parsing, refusals, types
from skills_nb.embedded.catalog.entities import Entity, Grant, Kind
from skills_nb.embedded.catalog.object_details import InstanceDetail
from skills_nb.embedded.constants import constant
from skills_nb.embedded.grantees import key_of
from skills_nb.embedded.instances import budgets, classifiers, profiles
from skills_nb.embedded.instances.methods import InstanceClass, Method, State, bound, state_of
from skills_nb.embedded.result_columns import columns_of
from skills_nb.embedded.statements import access, grants, objects, properties
from skills_nb.embedded.values import Column, Outcome
from skills_nb.embedded.viewers import MAKERS
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

CLASSES: dict[Kind, InstanceClass] = {
    Kind.BUDGET: budgets.CLASS,
    Kind.CLASSIFICATION_PROFILE: profiles.CLASS,
    Kind.CUSTOM_CLASSIFIER: classifiers.CLASS,
}
_SWITCHES = {"ACTIVATE": True, "DEACTIVATE": False}
"""Methods of the account's own budget alone."""


def create(session: AccountSession, statement: ast.CreateInstance) -> Outcome:
    """Make an instance with the arguments of its constructor.

    See https://docs.snowflake.com/en/sql-reference/snowflake-db-classes
    """
    kind = Kind(statement.instance_of)
    if not imported.holds(session, session.active_roles(), MAKERS[kind.value]):
        raise refusals.insufficient_privileges("class", kind.value)
    if statement.modifiers:
        raise refusals.unsupported(f"CREATE {statement.modifiers[0]} {kind.value}")
    properties.none(statement.properties)
    positional, keywords = _arguments(session, statement.arguments)
    if keywords:
        raise refusals.invalid_argument("the constructor's arguments have no names")
    state = CLASSES[kind].construct(session, tuple(positional))
    made = InstanceDetail(json.dumps(state))
    return objects.create(session, statement, kind, lambda: made)


def call(session: AccountSession, statement: ast.Call) -> Outcome:
    """Call a method of an instance.

    See https://docs.snowflake.com/en/sql-reference/sql/call
    """
    name = (statement.method or "").upper()
    if statement.into is not None:
        raise refusals.unsupported("CALL … INTO outside of a block")
    if name in _SWITCHES and session.qualify(statement.name) == budgets.ROOT:
        return _one(name, _switch(session, active=_SWITCHES[name]))
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


def _typed(value: Any) -> tuple[Any, types.SfType]:
    """Return a method's value as the result holds it, with its type."""
    match value:
        case bool():
            return value, types.BOOLEAN
        case float() | int():
            return value, types.REAL
        case dict() | list():
            return json.dumps(value), types.VARIANT
        case _:
            return value, types.TEXT


def scalar(session: AccountSession, node: exp.Anonymous) -> exp.Expr:
    """Return the constant that stands for a method in a query; one that changes is for CALL."""
    return _literal(value_of(session, node))


def _literal(value: Any) -> exp.Expr:
    if isinstance(value, (dict, list)):
        made = exp.Literal.string(json.dumps(value))
        return exp.Cast(this=made, to=exp.DataType.build("json", dialect="duckdb"))
    return exp.convert(value)


def value_of(session: AccountSession, node: exp.Anonymous) -> Any:
    """Evaluate a method inside a query or an argument.

    Raises:
        SqlError: there is no such instance or method for the session (2003, 2140).
    """
    path, name, *given = node.expressions
    entity = instance(session, tuple(part.name for part in path.expressions))
    method = _method(session, entity, name.name)
    if method.changes or method.columns:
        raise refusals.unknown_function(f"{entity.name}!{name.name}")
    positional, keywords = _values(session, given)
    return method.run(
        session, state_of(entity), bound(name.name, method.takes, positional, keywords)
    )


def instance(session: AccountSession, name: tuple[str, ...]) -> Entity:
    """Return the instance of a name, of whatever class.

    Raises:
        SqlError: there is none that the session may know of (2003).
    """
    path = session.qualify(name)
    roles = session.active_roles()
    for kind in CLASSES:
        found = session.account.catalog.find(kind, path)
        if found is not None and (
            path == budgets.ROOT or session.account.rights.visible(roles, found)
        ):
            return found
    raise refusals.not_found("Object", path)


def _method(session: AccountSession, entity: Entity, name: str) -> Method:
    method = CLASSES[entity.kind].methods.get(name)
    if method is None:
        raise refusals.unknown_function(f"{entity.name}!{name}")
    rights, roles = session.account.rights, session.active_roles()
    if not rights.owns(roles, entity) and not any(
        rights.has(roles, role, entity) for role in method.roles
    ):
        raise refusals.insufficient_privileges("instance", entity.name)
    return method


def _keep(session: AccountSession, entity: Entity, state: State) -> None:
    detail = InstanceDetail(json.dumps(state))
    session.account.catalog.change(entity, detail=detail, altered_on=session.account.clock())


def _switch(session: AccountSession, *, active: bool) -> str:
    """Make or drop the account's own budget, which is there once it was activated.

    See https://docs.snowflake.com/en/sql-reference/classes/budget/methods/activate
    """
    if "ACCOUNTADMIN" not in session.active_roles():
        raise refusals.insufficient_privileges("account", session.account.info.locator)
    catalog = session.account.catalog
    standing = catalog.find(Kind.BUDGET, budgets.ROOT)
    if active and standing is None:
        detail = InstanceDetail(json.dumps({"active": True}))
        now = session.account.clock()
        catalog.create(Kind.BUDGET, budgets.ROOT, detail, owner="ACCOUNTADMIN", now=now)
    if not active and standing is not None:
        catalog.forget(standing)
    return f"The account budget has been {'activated' if active else 'deactivated'}."


# ---- arguments


def _arguments(session: AccountSession, texts: tuple[str, ...]) -> tuple[list[Any], dict[str, Any]]:
    """Evaluate the arguments of a constructor or of CALL."""
    if not texts:
        return [], {}
    read = parsing.parse_expression(f"ARGUMENTS({', '.join(texts)})")
    return _values(session, read.expressions)


def _values(session: AccountSession, given: list[exp.Expr]) -> tuple[list[Any], dict[str, Any]]:
    positional = [constant(session, one) for one in given if not isinstance(one, exp.Kwarg)]
    keywords = {
        one.this.name.upper(): constant(session, one.expression)
        for one in given
        if isinstance(one, exp.Kwarg)
    }
    return positional, keywords


# ---- roles


def grant_role(session: AccountSession, statement: ast.GrantInstanceRole) -> Outcome:
    """Give a role an instance role.

    See https://docs.snowflake.com/en/sql-reference/sql/grant-role-to-instance
    """
    entity, key, holder = _parties(session, statement)
    now, by = session.account.clock(), session.role or ""
    made = Grant(statement.role, entity.id, holder, key, False, by, now)
    session.account.catalog.put(made)
    return access.status(access.DONE, "GRANT")


def revoke_role(session: AccountSession, statement: ast.RevokeInstanceRole) -> Outcome:
    """Take an instance role from a role."""
    entity, key, holder = _parties(session, statement)
    held = session.account.catalog.get(Grant, (entity.id, statement.role, holder, key))
    if held is not None:
        session.account.catalog.remove(held)
    return access.status(access.DONE, "REVOKE")


def _parties(
    session: AccountSession, statement: ast.GrantInstanceRole | ast.RevokeInstanceRole
) -> tuple[Entity, str, str]:
    kind = Kind(statement.instance_of)
    entity = access.existing(session, kind, statement.name)
    if statement.role not in CLASSES[kind].roles:
        raise refusals.not_found("Role", (f"{entity.name}!{statement.role}",))
    if not session.account.rights.may_manage(session.active_roles(), entity):
        raise access.denied(entity)
    grantee = grants.grantee_of(session, statement.grantee)
    return entity, key_of(grantee), grantee.kind.value.replace(" ", "_")
