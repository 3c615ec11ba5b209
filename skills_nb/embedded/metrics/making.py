"""CREATE, SHOW, DESCRIBE and DROP of data metric functions.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-data-metric-function
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.callables import signatures
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import (
    MetricArgument,
    MetricDetail,
    RoutineArgument,
)
from skills_nb.embedded.parsing import parse_query
from skills_nb.embedded.statements import objects, properties
from skills_nb.embedded.types import INTEGER
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.governance.values import read_arguments

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

COLUMNS = (
    "created_on:t name schema_name is_builtin is_aggregate is_ansi min_num_arguments:n "
    "max_num_arguments:n arguments description catalog_name is_table_function valid_for_clustering "
    "is_secure secrets external_access_integrations is_external_function language is_memoizable "
    "is_data_metric"
)


def create(session: AccountSession, statement: ast.CreateDataMetricFunction) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-data-metric-function."""
    if statement.language.upper() != "SQL" or statement.body is None:
        raise refusals.unsupported("DATA METRIC FUNCTION in another language than SQL")
    comment = statement.properties.get("COMMENT", statement.comment)
    properties.none({k: v for k, v in statement.properties.items() if k != "COMMENT"})
    for option in statement.options:
        if option != "NOT NULL":
            raise refusals.unsupported(f"{option} of a DATA METRIC FUNCTION")
    if signatures.typed(statement.returns.upper().replace("NOT NULL", "")).kind != INTEGER.kind:
        raise refusals.invalid_property("A data metric function returns NUMBER.")
    made = MetricDetail(
        tuple(_argument(a) for a in statement.args),
        statement.body.strip().rstrip(";"),
        "SECURE" in statement.modifiers,
    )
    if not made.arguments:
        raise refusals.invalid_property("A data metric function needs a TABLE argument.")
    parse_query(made.body)
    named = replace(statement, comment=str(comment) if comment else None, properties={})
    return objects.create(session, named, Kind.DATA_METRIC_FUNCTION, lambda: made)


def _argument(argument: ast.Argument) -> MetricArgument:
    r = Reader(argument.type)
    if not r.accept("TABLE"):
        raise refusals.invalid_property("A data metric function takes TABLE arguments.")
    listed = tuple(RoutineArgument(c.name, signatures.typed(c.type)) for c in read_arguments(r))
    r.finish()
    return MetricArgument(argument.name, listed)


def named(statement: Any) -> Any:
    """Read a statement about a FUNCTION of tables as one about a data metric function."""
    if isinstance(statement, (ast.GrantPrivileges, ast.RevokePrivileges, ast.GrantOwnership)):
        target = statement.target
        if target.kind == "FUNCTION" and _of_tables(target.arguments):
            made = replace(target, kind=Kind.DATA_METRIC_FUNCTION.value, arguments=None)
            return replace(statement, target=made)
        return statement
    if isinstance(statement, (ast.Alter, ast.Drop, ast.Describe, ast.Comment)) and (
        statement.kind == "FUNCTION" and _of_tables(statement.arguments)
    ):
        return replace(statement, kind=Kind.DATA_METRIC_FUNCTION.value, arguments=None)
    return statement


def _of_tables(arguments: tuple[str, ...] | None) -> bool:
    return bool(arguments) and all(a.strip().upper().startswith("TABLE") for a in arguments or ())


def signature(detail: MetricDetail) -> str:
    """Spell the arguments: `TABLE(NUMBER), TABLE(VARCHAR)`."""
    return ", ".join(
        f"TABLE({', '.join(signatures.bare(c.type) for c in a.columns)})" for a in detail.arguments
    )


def row(session: AccountSession, e: Entity) -> tuple[Any, ...]:
    """Return a metric's row of SHOW DATA METRIC FUNCTIONS."""
    detail = detail_of(e)
    count = len(detail.arguments)
    return (
        e.created_on,
        e.name,
        e.path[1],
        *("N",) * 3,
        count,
        count,
        f"{e.name}({signature(detail)}) RETURN NUMBER",
        e.comment or "user-defined function",
        e.path[0],
        "N",
        "N",
        "Y" if detail.secure else "N",
        None,
        None,
        "N",
        "SQL",
        "N",
        "Y",
    )


def describe(session: AccountSession, entity: Entity) -> tuple[str, list[tuple[Any, ...]]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-function-dmf."""
    detail = detail_of(entity)
    arguments = ", ".join(
        f"{a.name} TABLE({', '.join(f'{c.name} {signatures.bare(c.type)}' for c in a.columns)})"
        for a in detail.arguments
    )
    return "property value", [
        ("signature", f"({arguments})"),
        ("returns", "NUMBER(38,0)"),
        ("language", "SQL"),
        ("body", detail.body),
    ]


def detail_of(metric: Entity) -> MetricDetail:
    """Return a metric's detail."""
    assert isinstance(metric.detail, MetricDetail)
    return metric.detail
