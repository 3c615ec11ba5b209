"""Evaluating: what is expected of a table held against it now, and the rows that a metric counts.

Room: embedded. Both are read as the caller, without anything being kept.

See https://docs.snowflake.com/en/sql-reference/functions/system_evaluate_data_quality_expectations
and https://docs.snowflake.com/en/sql-reference/functions/system_data_metric_scan
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from skills_nb.embedded import names, refusals
from skills_nb.embedded.asked import Arguments, Asked
from skills_nb.embedded.callables import system_metrics as system
from skills_nb.embedded.catalog.entities import Entity, TableDetail
from skills_nb.embedded.metrics import measuring
from skills_nb.embedded.statements.permitted import column_of
from skills_nb.embedded.system_rows import Row, Table, made
from skills_nb.sql.identifiers import quote, render_name

_EXPECTED = (
    "METRIC_DATABASE METRIC_SCHEMA METRIC_NAME EXPECTATION_NAME EXPECTATION_ID:n "
    "EXPECTATION_EXPRESSION ARGUMENTS:a VALUE:v EXPECTATION_VIOLATED:b"
)


def expectations(session: Any, arguments: Arguments) -> Table:
    """Measure a table and tell which expectations it does not meet."""
    asked = Asked(arguments, ("REF_ENTITY_NAME", "SKIP_SUSPENDED_DMF"))
    entity = _table(session, asked)
    skips = not asked.given("SKIP_SUSPENDED_DMF") or asked.flag("SKIP_SUSPENDED_DMF")
    rows: list[Row] = []
    assert isinstance(entity.detail, TableDetail)
    for place, use in enumerate(entity.detail.metrics):
        if use.expectations and not (skips and use.suspended):
            value = session.nested(measuring.query_of(entity, use)).rows[0][0]
            for number, (name, text) in enumerate(use.expectations):
                met = measuring.is_met(session, text, value)
                told = (name, place * 100 + number + 1, text, json.dumps(use.columns))
                violated = None if met is None else not met
                rows.append((*use.metric.split("."), *told, str(value), violated))
    return made(_EXPECTED, rows)


def faulty(session: Any, arguments: Arguments) -> Table:
    """Return the rows that a system metric of one column counts.

    Raises:
        SqlError: the metric is not one that counts rows (0A000).
    """
    asked = Asked(arguments, ("REF_ENTITY_NAME", "METRIC_NAME", "ARGUMENT_NAME"))
    entity = _table(session, asked)
    metric, column = asked.text("METRIC_NAME"), asked.text("ARGUMENT_NAME")
    if metric is None or column is None:
        raise refusals.not_enough_arguments("SYSTEM$DATA_METRIC_SCAN")
    path = names.typed_path(metric)
    if path[:2] != system.SCHEMA or path[-1] not in system.FAULTY:
        raise refusals.unsupported(f"SYSTEM$DATA_METRIC_SCAN of {metric}")
    name = names.typed_path(column)[-1]
    column_of(entity, name)
    condition = system.FAULTY[path[-1]].format(quote(name))
    clause = "QUALIFY" if "OVER" in condition else "WHERE"
    found = session.nested(f"SELECT * FROM {render_name(entity.path)} {clause} {condition}")
    return found.columns, found.rows


def _table(session: Any, asked: Asked) -> Entity:
    name = asked.text("REF_ENTITY_NAME")
    if name is None:
        raise refusals.not_enough_arguments("REF_ENTITY_NAME")
    found: Entity = session.readable(session.qualify(names.typed_path(name)), session.env())
    if not isinstance(found.detail, TableDetail):
        raise refusals.unsupported(f"data metrics of a {found.kind.value}")
    return found


FUNCTIONS: dict[str, Callable[[Any, Arguments], Table]] = {
    "SYSTEM$DATA_METRIC_SCAN": faulty,
    "SYSTEM$EVALUATE_DATA_QUALITY_EXPECTATIONS": expectations,
}
"""Table functions, by name."""
