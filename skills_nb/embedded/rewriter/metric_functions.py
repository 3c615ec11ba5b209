"""Table functions about data metrics: a table's expectations, and the rows that a metric counts.

Room: embedded. The rows are a query like any other; measuring is asked for, since each metric is a
statement of its own.

See https://docs.snowflake.com/en/sql-reference/functions/system_evaluate_data_quality_expectations
and https://docs.snowflake.com/en/sql-reference/functions/system_data_metric_scan
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder.metric_arguments import EXPECTED, expecting, measured_table
from skills_nb.embedded.catalog.entities import TableDetail
from skills_nb.embedded.parser.parsing import parse_query
from skills_nb.embedded.rewriter import system_metrics as system
from skills_nb.embedded.rewriter.requirements import Expectations, refuse_within
from skills_nb.embedded.rewriter.rewriter import Rewriter
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.types import names
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.scope import Env, OutColumn
from skills_nb.sql.identifiers import quote, render_name

Made = tuple[exp.Query, tuple[OutColumn, ...]]


def _expectations(rewriter: Rewriter, arguments: Arguments, env: Env) -> Made:
    """Ask for what is expected of a table, measured now."""
    measured_table(rewriter.session, expecting(arguments), env)
    columns = columns_of(EXPECTED)
    wanted = Expectations(tuple(arguments.items()), columns)
    refuse_within(env, wanted)
    return rewriter.awaited_rows(wanted, columns)


def _faulty(rewriter: Rewriter, arguments: Arguments, env: Env) -> Made:
    """Return the rows that a system metric of one column counts.

    Raises:
        SqlError: an argument is missing (938), the column is not there (904), or the metric is not
            one that counts rows (0A000).
    """
    asked = Asked(arguments, ("REF_ENTITY_NAME", "METRIC_NAME", "ARGUMENT_NAME"))
    entity = measured_table(rewriter.session, asked, env)
    metric, column = asked.text("METRIC_NAME"), asked.text("ARGUMENT_NAME")
    if metric is None or column is None:
        raise errors.not_enough_arguments("SYSTEM$DATA_METRIC_SCAN")
    path = names.typed_path(metric)
    if path[:2] != system.SCHEMA or path[-1] not in system.FAULTY:
        raise errors.unsupported(f"SYSTEM$DATA_METRIC_SCAN of {metric}")
    name = names.typed_path(column)[-1]
    assert isinstance(entity.detail, TableDetail)
    if all(known.name != name for known in entity.detail.columns):
        raise errors.no_column(name)
    condition = system.FAULTY[path[-1]].format(quote(name))
    clause = "QUALIFY" if "OVER" in condition else "WHERE"
    query = parse_query(f"SELECT * FROM {render_name(entity.path)} {clause} {condition}")
    return query, rewriter.govern(query, replace(env, ctes={}, outer=()))


FUNCTIONS: dict[str, Callable[[Rewriter, Arguments, Env], Made]] = {
    "SYSTEM$DATA_METRIC_SCAN": _faulty,
    "SYSTEM$EVALUATE_DATA_QUALITY_EXPECTATIONS": _expectations,
}
"""Table functions, by name."""
