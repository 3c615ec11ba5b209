"""USE, SET and UNSET: what surrounds the statements that follow.

Room: embedded.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, imported_privileges
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.executor import queries
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.session import variable_values
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.outcomes import DONE, status
from skills_nb.embedded.types.snowflake_database_roles import VIEWERS
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast

_MAX_VARIABLE = 256
_TOLD = (("SNOWFLAKE", "ACCOUNT_USAGE"), ("SNOWFLAKE", "LOCAL"))


def use(session: Context, statement: ast.Use) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/use."""
    match statement.kind:
        case "ROLE":
            _use_role(session, statement.name[-1])
        case "WAREHOUSE":
            warehouse = _warehouse(session, statement.name)
            session.frame = replace(session.frame, warehouse=warehouse)
        case "DATABASE":
            _use_database(session, statement.name)
        case "SCHEMA":
            _use_schema(session, statement.name)
    return status(DONE, "USE")


def _use_role(session: Context, role: str) -> None:
    if session.account.catalog.find(Kind.ROLE, (role,)) is None:
        raise errors.no_such_operation()
    if role not in session.available_roles():
        raise errors.role_not_assigned(role)
    session.frame = replace(session.frame, role=role)


def _warehouse(session: Context, name: tuple[str, ...]) -> str | None:
    if not name:
        return None
    return access.entered(session, Kind.WAREHOUSE, name).name


def _use_database(session: Context, name: tuple[str, ...]) -> None:
    found = access.entered(session, Kind.DATABASE, name)
    public = session.account.catalog.find(Kind.SCHEMA, (found.name, "PUBLIC"))
    usable = public and access.holds_any(session, public)
    schema = "PUBLIC" if usable else None
    session.frame = replace(session.frame, database=found.name, schema=schema)


def _use_schema(session: Context, name: tuple[str, ...]) -> None:
    if len(name) == 1 and session.database is None:
        raise errors.no_current_database("USE SCHEMA")
    told = _told_schema(session, name)
    if told is not None:
        session.frame = replace(session.frame, database=told[0], schema=told[1])
        return
    found = access.entered(session, Kind.SCHEMA, name)
    session.frame = replace(session.frame, database=found.path[0], schema=found.path[1])


def _told_schema(session: Context, name: tuple[str, ...]) -> tuple[str, str] | None:
    """Return a schema of the system's views, which is no object of its own; None for others."""
    database, schema = session.qualify_as(Kind.SCHEMA, name)
    of_database = schema == "INFORMATION_SCHEMA" or (database, schema) in _TOLD
    found = session.account.catalog.find(Kind.DATABASE, (database,)) if of_database else None
    if found is None:
        return None
    roles = session.active_roles()
    may_see = access.holds_any(session, found)
    if may_see or (database == "SNOWFLAKE" and imported_privileges.holds(session, roles, *VIEWERS)):
        return database, schema
    return None


def use_secondary_roles(session: Context, statement: ast.UseSecondaryRoles) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/use-secondary-roles.

    Raises:
        SqlError: a role is not granted to the user (3013).
    """
    listed = tuple(name[-1] for name in statement.roles)
    for role in listed:
        if role not in session.available_roles():
            raise errors.role_not_assigned(role)
    session.frame = replace(session.frame, secondary_mode=statement.mode, secondary_list=listed)
    return status(DONE, "USE")


def set_variables(session: Context, statement: ast.SetVariables) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/set.

    Raises:
        SqlError: there are more or fewer values than variables (2020), or a value is too long
            (1420).
    """
    texts = statement.expressions
    listed = texts if len(texts) == len(statement.names) else (texts[0],)
    values: list[exp.Expr] = []
    for text in listed:
        values.extend(_value(session, text))
    if len(values) != len(statement.names):
        raise errors.wrong_count(
            f"Assignment of {len(values)} values to {len(statement.names)} variables."
        )
    for name, value in zip(statement.names, values, strict=True):
        if len(variable_values.text_of(value)) > _MAX_VARIABLE:
            raise errors.invalid_property(
                f"Assignment to '{name}' not done because value exceeds size limit for variables."
            )
        variables = {**session.frame.variables, name: value}
        session.frame = replace(session.frame, variables=variables)
    return status(DONE, "SET")


def _value(session: Context, text: str) -> list[exp.Expr]:
    query = parsing.parse_query(f"SELECT {text}")
    inner = query.expressions[0]
    if isinstance(inner, exp.Subquery) and isinstance(inner.this, exp.Query):
        query = inner.this.copy()
    outcome = queries.select(session, query, describe_only=False)
    if len(outcome.rows) != 1:
        raise errors.invalid_property("A variable takes the value of exactly one row.")
    (row,) = outcome.rows
    return [
        variable_values.constant(value, column.type)
        for value, column in zip(row, outcome.columns, strict=True)
    ]


def unset_variables(session: Context, statement: ast.UnsetVariables) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/unset."""
    standing = session.frame.variables.items()
    kept = {name: value for name, value in standing if name not in statement.names}
    session.frame = replace(session.frame, variables=kept)
    return status(DONE, "UNSET")
