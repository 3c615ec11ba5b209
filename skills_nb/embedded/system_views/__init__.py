"""What the account tells about itself to queries: INFORMATION_SCHEMA and ACCOUNT_USAGE.

Room: embedded. Views and table functions give typed rows, which a query then reads like a table's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, imported_privileges
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.asked import left_out
from skills_nb.embedded.types.snowflake_database_roles import RESULT_VIEWERS, VIEWERS
from skills_nb.embedded.types.system_rows import Table, made

if TYPE_CHECKING:
    from sqlglot import exp

    from skills_nb.embedded.types.scope import Env

__all__ = ["Table", "function", "view"]


def view(session: Context, path: tuple[str, ...], env: Env) -> Table | None:
    """Return the rows of a system view; None for any other name.

    Raises:
        SqlError: the database has no such view, or is not there or hidden itself (2003).
    """
    if path[0] == "SNOWFLAKE" and path[1] == "ACCOUNT_USAGE":
        return _account_usage(session, path, env)
    if path[:2] == ("SNOWFLAKE", "LOCAL"):
        from skills_nb.embedded.objects.routines.data_metric_function.measuring import (
            VIEWS as LOCAL,
        )

        told = LOCAL.get(path[2])
        if told is not None and not imported_privileges.holds(session, env.roles, *RESULT_VIEWERS):
            raise errors.not_found("Object", path)
        return made(*told(session)) if told is not None else None
    if path[1] != "INFORMATION_SCHEMA":
        return None
    from skills_nb.embedded.system_views.information_schema.information_schema_views import (
        PARTS,
        VIEWS,
    )

    database = session.account.catalog.find(Kind.DATABASE, path[:1])
    if database is None or not access.holds_any(session, database, env.roles):
        raise access.missing(session, Kind.DATABASE, path[:1], env.roles)
    part = PARTS.get(path[2])
    if part is not None:
        return left_out(made(*part(session, env.roles, path[0], env.asked)), env.asked)
    read = VIEWS.get(path[2])
    if read is None:
        raise errors.unknown_view(path)
    return made(*read(session, env.roles, path[0]))


def _account_usage(session: Context, path: tuple[str, ...], env: Env) -> Table:
    from skills_nb.embedded.system_views.account_usage.account_usage_views import VIEWS

    everything = imported_privileges.has_everything(session, env.roles)
    seen = _seen(session, env)
    if not everything and not seen:
        raise access.missing(session, Kind.DATABASE, path[:1], env.roles)
    read = VIEWS.get(path[2])
    if not (everything or path[2] in seen):
        raise errors.not_found("Object", path)
    if read is None:
        if any(path[2] in views for views in VIEWERS.values()):
            raise errors.unsupported(".".join(path))
        raise errors.unknown_view(path)
    return made(*read(session))


def _seen(session: Context, env: Env) -> frozenset[str]:
    """Return the views that the database roles of SNOWFLAKE among the roles show."""
    held = (
        views
        for name, views in VIEWERS.items()
        if imported_privileges.holds(session, env.roles, name)
    )
    return frozenset[str]().union(*held)


def function(
    session: Context, path: tuple[str, ...], arguments: dict[str, exp.Expr], env: Env
) -> Table | None:
    """Return the rows of a system table function; None for any other name.

    Raises:
        SqlError: there is no such function (2141), or no current database (90105).
    """
    from skills_nb.embedded.system_views.table_functions import FUNCTIONS

    if len(path) == 1 and env.schema == "INFORMATION_SCHEMA" and path[0] in FUNCTIONS:
        path = (env.schema, *path)
    if len(path) == 1 or path[-2] != "INFORMATION_SCHEMA":
        return _of_snowflake(session, path, arguments, env)
    database = path[0] if len(path) == 3 else session.database
    if database is None:
        raise errors.no_current_database("SELECT")
    read = FUNCTIONS.get(path[-1])
    if read is None:
        raise errors.unknown_table_function(".".join(path))
    return made(*read(session, env.roles, database, arguments))


def _of_snowflake(
    session: Context, path: tuple[str, ...], arguments: dict[str, exp.Expr], env: Env
) -> Table | None:
    """Return the rows of a table function of the database SNOWFLAKE."""
    from skills_nb.embedded.system_views import load_validation
    from skills_nb.embedded.system_views.account_usage.governance_usage import FUNCTIONS
    from skills_nb.embedded.system_views.account_usage.object_dependencies import object_references

    if path == ("GET_OBJECT_REFERENCES",):
        return object_references(session, arguments)
    if path == ("VALIDATE",):
        return made(*load_validation.validated(session, arguments, env))
    here = (session.database or "", session.schema or "")
    full = (*here[: 3 - len(path)], *path)
    read = FUNCTIONS.get(full)
    if read is None:
        return None
    needed = RESULT_VIEWERS if full[1] == "LOCAL" else ("GOVERNANCE_VIEWER",)
    if not imported_privileges.holds(session, env.roles, *needed):
        raise errors.unknown_table_function(".".join(full))
    return made(*read(session, env.roles, arguments))
