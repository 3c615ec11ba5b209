"""Expanding: a call of a metric on a query, as the query that it stands for.

Room: embedded. What is made is governed like any subquery: a metric sees what its caller sees.

See https://docs.snowflake.com/en/user-guide/data-quality-working (call a DMF manually)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import imported_privileges, name_resolution
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import MetricDetail
from skills_nb.embedded.parser.parsing import parse_query
from skills_nb.embedded.rewriter import system_metrics as system
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.snowflake_database_roles import METRIC_USER

if TYPE_CHECKING:
    from skills_nb.embedded.types.scope import Env


def written_out(session: Context, node: exp.Expr, env: Env) -> exp.Expr:
    """Return the subquery that a metric's call stands for; any other node as it is.

    Raises:
        SqlError: the metric takes other arguments (2140).
    """
    call = node.expression if isinstance(node, exp.Dot) else node
    if not isinstance(call, exp.Func):
        return node
    given: list[exp.Expr] = list(call.iter_expressions())
    if not given or not isinstance(given[0], exp.Query):
        return node
    path = _path(node, call)
    if len(path) == 3 and system.is_system(path):
        if not imported_privileges.holds(session, env.roles, METRIC_USER):
            raise errors.unknown_function(".".join(path))
        return exp.Subquery(this=_of_system(path[2], given))
    metric = _found(session, path, env)
    return exp.Subquery(this=_of_user(metric, given)) if metric is not None else node


def _path(node: exp.Expr, call: exp.Func) -> tuple[str, ...]:
    name = call.this if isinstance(call, exp.Anonymous) else call.sql_name()
    last = names.stored(name) if isinstance(name, exp.Identifier) else str(name).upper()
    before = node.this.find_all(exp.Identifier) if isinstance(node, exp.Dot) else ()
    return (*(names.stored(part) for part in before), last)


def _found(session: Context, path: tuple[str, ...], env: Env) -> Entity | None:
    if (len(path) < 3 and env.database is None) or (len(path) < 2 and env.schema is None):
        return None
    full = session.qualify(path, env)
    found = session.account.catalog.find(Kind.DATA_METRIC_FUNCTION, full)
    if found is None or not name_resolution.is_usable(session, found, "USAGE", env.roles):
        return None
    return found


def _of_system(name: str, given: list[exp.Expr]) -> exp.Query:
    if len(given) != 1 or name not in system.BODIES:
        raise errors.invalid_argument(f"invalid arguments for function [{name}]")
    columns = () if name == "ROW_COUNT" else ("ARG_C",)
    return _over(
        parse_query(f"SELECT {system.BODIES[name]} FROM ARG_T"), [("ARG_T", columns)], given
    )


def _of_user(metric: Entity, given: list[exp.Expr]) -> exp.Query:
    detail = metric.detail
    assert isinstance(detail, MetricDetail)
    if len(given) != len(detail.arguments):
        raise errors.wrong_routine(metric.name, f"{len(given)} table arguments")
    tables = [(a.name, tuple(c.name for c in a.columns)) for a in detail.arguments]
    return _over(parse_query(detail.body), tables, given)


def _over(
    body: exp.Query, tables: list[tuple[str, tuple[str, ...]]], given: list[exp.Expr]
) -> exp.Query:
    """Put the arguments under their names in front of the body."""
    ctes = []
    for (name, columns), query in zip(tables, given, strict=True):
        listed = [names.quoted(column) for column in columns]
        alias = exp.TableAlias(this=names.quoted(name), columns=listed or None)
        inner = query.this if isinstance(query, exp.Subquery) else query
        ctes.append(exp.CTE(this=inner.copy(), alias=alias))
    standing = body.args.get("with_")
    body.set("with_", exp.With(expressions=[*ctes, *(standing.expressions if standing else ())]))
    return body
