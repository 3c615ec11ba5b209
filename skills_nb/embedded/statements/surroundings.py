"""USE, SET and UNSET: what surrounds the statements that follow.

Room: embedded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import imported, parsing, queries, refusals
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.statements import access
from skills_nb.embedded.values import Outcome
from skills_nb.embedded.viewers import VIEWERS
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_MAX_VARIABLE = 256
_TOLD = (("SNOWFLAKE", "ACCOUNT_USAGE"), ("SNOWFLAKE", "LOCAL"))


def use(session: AccountSession, statement: ast.Use) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/use."""
    match statement.kind:
        case "ROLE":
            _use_role(session, statement.name[-1])
        case "WAREHOUSE":
            session.warehouse = _warehouse(session, statement.name)
        case "DATABASE":
            _use_database(session, statement.name)
        case "SCHEMA":
            _use_schema(session, statement.name)
    return access.status(access.DONE, "USE")


def _use_role(session: AccountSession, role: str) -> None:
    if session.account.catalog.find(Kind.ROLE, (role,)) is None:
        raise refusals.no_such_operation()
    if role not in session.available_roles():
        raise refusals.role_not_assigned(role)
    session.role = role


def _warehouse(session: AccountSession, name: tuple[str, ...]) -> str | None:
    if not name:
        return None
    found = access.find(session, Kind.WAREHOUSE, name)
    if found is None:
        raise refusals.no_such_operation()
    return found.name


def _use_database(session: AccountSession, name: tuple[str, ...]) -> None:
    found = access.find(session, Kind.DATABASE, name)
    if found is None or not session.account.rights.has_any(session.active_roles(), found):
        raise refusals.no_such_operation()
    session.database = found.name
    public = session.account.catalog.find(Kind.SCHEMA, (found.name, "PUBLIC"))
    usable = public and session.account.rights.has_any(session.active_roles(), public)
    session.schema = "PUBLIC" if usable else None


def _use_schema(session: AccountSession, name: tuple[str, ...]) -> None:
    if len(name) == 1 and session.database is None:
        raise refusals.no_current_database("USE SCHEMA")
    told = _told_schema(session, name)
    if told is not None:
        session.database, session.schema = told
        return
    found = access.find(session, Kind.SCHEMA, name)
    if found is None or not session.account.rights.has_any(session.active_roles(), found):
        raise refusals.no_such_operation()
    session.database, session.schema = found.path


def _told_schema(session: AccountSession, name: tuple[str, ...]) -> tuple[str, str] | None:
    """Return a schema of the system's views, which is no object of its own; None for others."""
    database, schema = session.qualify_as(Kind.SCHEMA, name)
    of_database = schema == "INFORMATION_SCHEMA" or (database, schema) in _TOLD
    found = session.account.catalog.find(Kind.DATABASE, (database,)) if of_database else None
    if found is None:
        return None
    roles = session.active_roles()
    may_see = session.account.rights.has_any(roles, found)
    if may_see or (database == "SNOWFLAKE" and imported.holds(session, roles, *VIEWERS)):
        return database, schema
    return None


def use_secondary_roles(session: AccountSession, statement: ast.UseSecondaryRoles) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/use-secondary-roles."""
    listed = tuple(name[-1] for name in statement.roles)
    for role in listed:
        if role not in session.available_roles():
            raise refusals.role_not_assigned(role)
    session.secondary_mode, session.secondary_list = statement.mode, listed
    return access.status(access.DONE, "USE")


def set_variables(session: AccountSession, statement: ast.SetVariables) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/set."""
    texts = statement.expressions
    listed = texts if len(texts) == len(statement.names) else (texts[0],)
    values: list[exp.Expr] = []
    for text in listed:
        values.extend(_value(session, text))
    if len(values) != len(statement.names):
        raise refusals.wrong_count(
            f"Assignment of {len(values)} values to {len(statement.names)} variables."
        )
    for name, value in zip(statement.names, values, strict=True):
        if len(value.name) > _MAX_VARIABLE:
            raise refusals.invalid_property(
                f"Assignment to '{name}' not done because value exceeds size limit for variables."
            )
        session.variables[name] = value
    return access.status(access.DONE, "SET")


def _value(session: AccountSession, text: str) -> list[exp.Expr]:
    query = parsing.parse_query(f"SELECT {text}")
    inner = query.expressions[0]
    if isinstance(inner, exp.Subquery) and isinstance(inner.this, exp.Query):
        query = inner.this.copy()
    outcome = queries.select(session, query, describe_only=False)
    if len(outcome.rows) != 1:
        raise refusals.invalid_property("A variable takes the value of exactly one row.")
    return [_constant(value) for value in outcome.rows[0]]


def _constant(value: object) -> exp.Expr:
    if isinstance(value, (str, bool, int, float, type(None))):
        return exp.convert(value)
    return exp.convert(value) if not hasattr(value, "isoformat") else exp.Literal.string(str(value))


def unset_variables(session: AccountSession, statement: ast.UnsetVariables) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/unset."""
    for name in statement.names:
        session.variables.pop(name, None)
    return access.status(access.DONE, "UNSET")
