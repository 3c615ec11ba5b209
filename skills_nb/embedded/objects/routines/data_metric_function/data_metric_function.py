"""Data metric functions.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-data-metric-function
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.binder import signatures
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import (
    MetricArgument,
    MetricDetail,
    RoutineArgument,
)
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.objects.object_kind import (
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    register,
)
from skills_nb.embedded.parser.parsing import parse_query
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.data_types import INTEGER
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import read_arguments
from skills_nb.sql.governance.reader import Reader

_COLUMNS = (
    "created_on:t name schema_name is_builtin is_aggregate is_ansi min_num_arguments:n "
    "max_num_arguments:n arguments description catalog_name is_table_function valid_for_clustering "
    "is_secure secrets external_access_integrations is_external_function language is_memoizable "
    "is_data_metric"
)


def create(session: Context, statement: ast.CreateDataMetricFunction) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-data-metric-function.

    Raises:
        SqlError: the account does not support what it says (0A000), or it does not return a number
            of tables (1420).
    """
    if statement.language.upper() != "SQL" or statement.body is None:
        raise errors.unsupported("DATA METRIC FUNCTION in another language than SQL")
    comment = statement.properties.get("COMMENT", statement.comment)
    properties.none({k: v for k, v in statement.properties.items() if k != "COMMENT"})
    for option in statement.options:
        if option != "NOT NULL":
            raise errors.unsupported(f"{option} of a DATA METRIC FUNCTION")
    if signatures.typed(statement.returns.upper().replace("NOT NULL", "")).kind != INTEGER.kind:
        raise errors.invalid_property("A data metric function returns NUMBER.")
    made = MetricDetail(
        tuple(_argument(a) for a in statement.args),
        statement.body.strip().rstrip(";"),
        "SECURE" in statement.modifiers,
    )
    if not made.arguments:
        raise errors.invalid_property("A data metric function needs a TABLE argument.")
    parse_query(made.body)
    named = replace(statement, comment=str(comment) if comment else None, properties={})
    return creation.create(session, named, Kind.DATA_METRIC_FUNCTION, lambda: made)


def _argument(argument: ast.Argument) -> MetricArgument:
    r = Reader(argument.type)
    if not r.accept("TABLE"):
        raise errors.invalid_property("A data metric function takes TABLE arguments.")
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


def _row(session: Context, e: Entity) -> tuple[Any, ...]:
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


def _describe(session: Context, entity: Entity) -> tuple[str, list[tuple[Any, ...]]]:
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
        ("body", detail.body if access.reads_text(session, entity) else None),
    ]


def detail_of(metric: Entity) -> MetricDetail:
    """Return a metric's detail."""
    assert isinstance(metric.detail, MetricDetail)
    return metric.detail


register(
    ObjectKind(
        kind=Kind.DATA_METRIC_FUNCTION,
        plurals=("DATA METRIC FUNCTIONS",),
        create={ast.CreateDataMetricFunction: create},
        listing=Listing(_COLUMNS, _row),
        describe=_describe,
        privileges=("USAGE",),
        export=Exporting(Phase.OWN),
    )
)
