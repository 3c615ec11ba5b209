"""What the account tells about itself to queries: INFORMATION_SCHEMA and ACCOUNT_USAGE.

Room: embedded. Views and table functions give typed rows, which a query then reads like a table's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.embedded import imported, refusals
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.system_rows import Table, made
from skills_nb.embedded.viewers import RESULT_VIEWERS, VIEWERS

if TYPE_CHECKING:
    from sqlglot import exp

    from skills_nb.embedded.lookups import Lookups
    from skills_nb.embedded.scope import Env

__all__ = ["Table", "function", "view"]


def view(session: Lookups, path: tuple[str, ...], env: Env) -> Table | None:
    """Return the rows of a system view; None for any other name."""
    if path[0] == "SNOWFLAKE" and path[1] == "ACCOUNT_USAGE":
        return _account_usage(session, path, env)
    if path[:2] == ("SNOWFLAKE", "LOCAL"):
        from skills_nb.embedded.metrics.measuring import VIEWS as LOCAL

        told = LOCAL.get(path[2])
        if told is not None and not imported.holds(session, env.roles, *RESULT_VIEWERS):
            raise refusals.not_found("Object", path)
        return made(*told(session)) if told is not None else None
    if path[1] != "INFORMATION_SCHEMA":
        return None
    from skills_nb.embedded.system.schema_views import VIEWS

    database = session.account.catalog.find(Kind.DATABASE, path[:1])
    if database is None or not session.account.rights.has_any(env.roles, database):
        raise refusals.not_found("Database", path[:1])
    read = VIEWS.get(path[2])
    if read is None:
        raise refusals.unknown_view(path)
    return made(*read(session, env.roles, path[0]))


def _account_usage(session: Lookups, path: tuple[str, ...], env: Env) -> Table:
    from skills_nb.embedded.system.account_usage import VIEWS

    everything = imported.has_everything(session, env.roles)
    seen = _seen(session, env)
    if not everything and not seen:
        raise refusals.not_found("Database", path[:1])
    read = VIEWS.get(path[2])
    if not (everything or path[2] in seen):
        raise refusals.not_found("Object", path)
    if read is None:
        if any(path[2] in views for views in VIEWERS.values()):
            raise refusals.unsupported(".".join(path))
        raise refusals.unknown_view(path)
    return made(*read(session))


def _seen(session: Lookups, env: Env) -> frozenset[str]:
    """Return the views that the database roles of SNOWFLAKE among the roles show."""
    held = (views for name, views in VIEWERS.items() if imported.holds(session, env.roles, name))
    return frozenset[str]().union(*held)


def function(
    session: Lookups, path: tuple[str, ...], arguments: dict[str, exp.Expr], env: Env
) -> Table | None:
    """Return the rows of a system table function; None for any other name."""
    from skills_nb.embedded.system.table_functions import FUNCTIONS

    if len(path) == 1 and env.schema == "INFORMATION_SCHEMA" and path[0] in FUNCTIONS:
        path = (env.schema, *path)
    if len(path) == 1 or path[-2] != "INFORMATION_SCHEMA":
        return _of_snowflake(session, path, arguments, env)
    database = path[0] if len(path) == 3 else session.database
    if database is None:
        raise refusals.no_current_database("SELECT")
    read = FUNCTIONS.get(path[-1])
    if read is None:
        raise refusals.unknown_table_function(".".join(path))
    return made(*read(session, env.roles, database, arguments))


def _of_snowflake(
    session: Lookups, path: tuple[str, ...], arguments: dict[str, exp.Expr], env: Env
) -> Table | None:
    """Return the rows of a table function of the database SNOWFLAKE."""
    from skills_nb.embedded.metrics.evaluating import FUNCTIONS as EVALUATING
    from skills_nb.embedded.system.usage_governance import FUNCTIONS
    from skills_nb.embedded.system.usage_meters import object_references

    if len(path) == 1 and path[0] in EVALUATING:
        return EVALUATING[path[0]](session, arguments)
    if path == ("GET_OBJECT_REFERENCES",):
        return object_references(session, arguments)
    here = (session.database or "", session.schema or "")
    full = (*here[: 3 - len(path)], *path)
    read = FUNCTIONS.get(full)
    if read is None:
        return None
    needed = RESULT_VIEWERS if full[1] == "LOCAL" else ("GOVERNANCE_VIEWER",)
    if not imported.holds(session, env.roles, *needed):
        raise refusals.unknown_table_function(".".join(full))
    return made(*read(session, env.roles, arguments))
