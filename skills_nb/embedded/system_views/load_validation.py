"""VALIDATE: the rows that a past COPY INTO has left out.

Room: embedded. The files are read once more, as the load has read them.

See https://docs.snowflake.com/en/sql-reference/functions/validate
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.executor import loading
from skills_nb.embedded.parser import file_statements
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments
from skills_nb.embedded.storage.files import records
from skills_nb.embedded.system_views import statement_history
from skills_nb.embedded.types import names
from skills_nb.embedded.types.system_rows import Rows

if TYPE_CHECKING:
    from skills_nb.embedded.types.scope import Env

_LAST = "_last"
_IS_LAST = duck_sql.of("session_id = ? AND query_type = 'COPY' AND execution_status = 'SUCCESS'")
_IS_ASKED = duck_sql.of("query_id = ?")


def validated(session: Context, arguments: Arguments, env: Env) -> Rows:
    """Return the errors of a past load into a table.

    Raises:
        SqlError: an argument is missing or wrong (1014), the table is not there or is hidden
            (2003), or its files are gone (100181).
    """
    path, job = _table(session, arguments, env), _job(arguments)
    table = access.existing(session, Kind.TABLE, path, env.roles)
    if session.statement.only_columns:
        return loading.ERRORS, []
    found = _load(session, env, job)
    if found is None:
        raise errors.invalid_argument(f"Invalid argument [{job}] for JOB_ID: it is no load here.")
    asked, statement = found
    if job == _LAST:
        path = _path_of(session, statement, asked, env)
        table = access.existing(session, Kind.TABLE, path, env.roles)
    listed = records.all_of(session, duck_sql.of("table_id = ?"), [table.id])
    loaded = frozenset(
        (one.file_name, one.digest)
        for one in listed
        if asked["start_time"] <= one.loaded_at <= asked["end_time"]
    )
    place = replace(env, database=asked["database_name"], schema=asked["schema_name"])
    named = replace(statement, table=path)
    return loading.ERRORS, list(loading.rejected(session, named, loaded, place)) if loaded else []


def _table(session: Context, arguments: Arguments, env: Env) -> tuple[str, ...]:
    node = arguments.get("ARG0")
    if isinstance(node, exp.Column):
        return session.qualify(names.column_path(node), env)
    if isinstance(node, exp.Literal) and node.is_string:
        return session.qualify(names.typed_path(str(node.name)), env)
    raise errors.not_enough_arguments("VALIDATE")


def _job(arguments: Arguments) -> str:
    node = arguments.get("JOB_ID")
    if not (isinstance(node, exp.Literal) and node.is_string):
        raise errors.invalid_argument("VALIDATE needs the constant argument JOB_ID")
    return str(node.name)


def _load(
    session: Context, env: Env, job: str
) -> tuple[dict[str, Any], file_statements.Load] | None:
    """Return what the history tells of a load, and its statement; None where it is none."""
    if job == _LAST:
        listed = statement_history.stored(session, _IS_LAST, [session.id])
    else:
        listed = statement_history.stored(session, _IS_ASKED, [job])
    may_all = access.may_globally(session, "MONITOR EXECUTION", env.roles)
    for asked in listed:
        statement = file_statements.read(asked["query_text"], {})
        is_seen = may_all or asked["user_name"] == session.user
        if isinstance(statement, file_statements.Load) and is_seen:
            return asked, statement
    return None


def _path_of(
    session: Context, statement: file_statements.Load, asked: dict[str, Any], env: Env
) -> tuple[str, ...]:
    place = replace(env, database=asked["database_name"], schema=asked["schema_name"])
    return session.qualify(statement.table, place)
