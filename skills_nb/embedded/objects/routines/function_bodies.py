"""Functions in SQL: compiling a body before anybody calls it.

Room: embedded.

See https://docs.snowflake.com/en/developer-guide/udf/sql/udf-sql-introduction
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.pipeline_details import RoutineDetail
from skills_nb.embedded.executor import queries
from skills_nb.embedded.objects import returned_types
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.inference import data_type


def check(session: Context, detail: RoutineDetail, path: tuple[str, ...]) -> None:
    """Compile a function's body over a row of NULLs.

    Raises:
        SqlError: it names what is not there, or returns another type than declared (90207).
    """
    if detail.returns is None:
        _check_rows(session, detail, path)
        return
    found = _types(session, _answer(detail), path)
    returned_types.refuse_other(detail.returns, found)


def _answer(detail: RoutineDetail) -> exp.Query:
    """Make the query whose columns are what a body gives: one, or more than a function has."""
    body = parsing.parse_expression(f"({detail.body})")
    inner = body.unnest()
    if isinstance(inner, exp.Query) and (inner.is_star or len(inner.selects) > 1):
        return _beside_arguments(inner, detail)
    listed = inner.expressions if isinstance(inner, exp.Tuple) else [body]
    values = [exp.alias_(exp.Paren(this=value), f"R{index}") for index, value in enumerate(listed)]
    return _over_arguments(exp.select(*values), detail)


def _check_rows(session: Context, detail: RoutineDetail, path: tuple[str, ...]) -> None:
    body = parsing.parse_query(detail.body)
    found = _types(session, _beside_arguments(body, detail), path)
    if len(found) != len(detail.columns):
        raise errors.wrong_count(
            f"Declared return columns ({len(detail.columns)}) and those of the body "
            f"({len(found)}) differ in number."
        )
    for declared, kind in zip(detail.columns, found, strict=True):
        returned_types.refuse_other(declared.type, (kind,), f" for column '{declared.name}'")


def _types(session: Context, query: exp.Query, path: tuple[str, ...]) -> list[SfType | None]:
    env = replace(session.env(), database=path[0], schema=path[1])
    return queries.defined(session, query, env, shown=False)


def _over_arguments(query: exp.Select, detail: RoutineDetail) -> exp.Select:
    """Let a query read the row of its arguments, all of them NULL."""
    nulls = [
        exp.alias_(exp.Cast(this=exp.null(), to=data_type(a.type).copy()), a.name, quoted=True)
        for a in detail.arguments
    ]
    if not nulls:
        return query
    return query.from_(exp.select(*nulls).subquery(names.quoted("arguments")))


def _beside_arguments(body: exp.Query, detail: RoutineDetail) -> exp.Query:
    """Put a body beside the row of its arguments, and keep its own columns alone."""
    if not detail.arguments:
        return body
    rows = names.quoted("rows")
    query = exp.select(exp.Column(this=exp.Star(), table=rows.copy()))
    lateral = exp.Lateral(this=exp.Subquery(this=body), alias=exp.TableAlias(this=rows))
    return _over_arguments(query, detail).join(lateral)
