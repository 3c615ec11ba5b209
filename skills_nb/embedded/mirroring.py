"""A twin without rows of any account that answers SQL: what a dry run rehearses on.

Room: embedded. It is made of what the session's role may see: roles and warehouses by SHOW, the
databases of the scope by GET_DDL, rights by SHOW GRANTS. Definitions that the embedded account
refuses are left out and named, never guessed.
Source: ARCHITECTURE, Dry run; the manual's GET_DDL, SHOW ROLES, SHOW GRANTS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skills_nb.embedded.account import Account
from skills_nb.embedded.session import AccountSession
from skills_nb.errors import SqlError
from skills_nb.model.events.core import AccountContext
from skills_nb.ports import SqlReader
from skills_nb.sql.identifiers import quote
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import literal

_LOCATED = frozenset({"ACCOUNT", "ROLE", "DATABASE_ROLE"})
_INSIDE = frozenset({"SNOWFLAKE", "SNOWFLAKE_SAMPLE_DATA"})
"""Databases that every account has, or that nobody changes."""


@dataclass(slots=True)
class Mirrored:
    """The twin, and what could not be taken into it."""

    account: Account
    left_out: list[str] = field(default_factory=list)
    """First line of each definition that was refused, and why."""


def mirrored(reader: SqlReader, context: AccountContext, scope: Sequence[str]) -> Mirrored:
    """Return a twin of the account behind a session.

    Args:
        reader: the session.
        context: where and as whom it works.
        scope: databases whose objects matter; where empty, the current one; the others are there
            by name.

    Raises:
        SqlError: the account cannot be asked at all.
    """
    made = Mirrored(Account.open(None))
    twin = made.account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", None, None)
    try:
        for sql in _definitions(reader, context, scope):
            _take(made, twin, sql)
    except BaseException:
        made.account.close()
        raise
    finally:
        twin.close()
    return made


def _take(made: Mirrored, twin: AccountSession, sql: str) -> None:
    try:
        twin.execute(sql)
    except SqlError as problem:
        made.left_out.append(f"{sql.splitlines()[0][:80]}: {problem.message.splitlines()[0]}")


def _definitions(reader: SqlReader, context: AccountContext, scope: Sequence[str]) -> Iterator[str]:
    roles = [str(row["name"]) for row in _shown(reader, "SHOW ROLES")]
    roles = sorted({*roles, *context.available_roles})
    yield from (f"CREATE ROLE IF NOT EXISTS {quote(role)}" for role in roles)
    for row in _shown(reader, "SHOW WAREHOUSES"):
        yield f"CREATE WAREHOUSE IF NOT EXISTS {quote(str(row['name']))}"
    yield from _people(reader, context)
    yield from _databases(reader, context, scope)
    for role in roles:
        for grant in _shown(reader, f"SHOW GRANTS TO ROLE {quote(role)}"):
            yield from _granted(grant, role)


def _people(reader: SqlReader, context: AccountContext) -> Iterator[str]:
    users = {str(row["name"]) for row in _shown(reader, "SHOW USERS")}
    yield from (
        f"CREATE USER IF NOT EXISTS {quote(user)}"
        for user in sorted({*users, context.current_user})
    )
    for role in context.available_roles:
        yield f"GRANT ROLE {quote(role)} TO USER {quote(context.current_user)}"


def _databases(reader: SqlReader, context: AccountContext, scope: Sequence[str]) -> Iterator[str]:
    visible = [str(row["name"]) for row in _shown(reader, "SHOW DATABASES")]
    wanted = {*scope} or {context.current_database or ""}
    for name in visible:
        if name in _INSIDE:
            continue
        yield f"CREATE DATABASE IF NOT EXISTS {quote(name)}"
        if name in wanted:
            yield from _whole(reader, name)


def _whole(reader: SqlReader, database: str) -> Iterator[str]:
    asked = f"SELECT GET_DDL('DATABASE', {literal(quote(database))}, TRUE) AS DDL"
    for row in _shown(reader, asked):
        yield from (statement.text for statement in split(str(row["DDL"])))


def _granted(grant: Mapping[str, Any], role: str) -> Iterator[str]:
    """Yield the statement that gives a right again, where one can."""
    privilege, kind = str(grant["privilege"]), str(grant["granted_on"])
    if kind in ("ROLE", "DATABASE_ROLE") and privilege == "USAGE":
        yield f"GRANT ROLE {quote(str(grant['name']))} TO ROLE {quote(role)}"
        return
    on = "ACCOUNT" if kind == "ACCOUNT" else f"{kind.replace('_', ' ')} {grant['name']}"
    if privilege == "OWNERSHIP":
        if kind not in _LOCATED:
            yield f"GRANT OWNERSHIP ON {on} TO ROLE {quote(role)} COPY CURRENT GRANTS"
        return
    option = " WITH GRANT OPTION" if str(grant["grant_option"]).lower() == "true" else ""
    yield f"GRANT {privilege} ON {on} TO ROLE {quote(role)}{option}"


def _shown(reader: SqlReader, sql: str) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of what the role may see; nothing where it may not look."""
    try:
        found = reader.query(sql)
    except SqlError as problem:
        if problem.sqlstate is None:
            # Not the account's refusal, but the way to it.
            raise
        return
    for row in found.rows:
        yield dict(zip(found.columns, row, strict=True))
