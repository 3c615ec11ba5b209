"""Evaluating: what is expected of a table held against it now.

Room: embedded. It is read as the caller, without anything being kept.

See https://docs.snowflake.com/en/sql-reference/functions/system_evaluate_data_quality_expectations
"""

from __future__ import annotations

import json

from skills_nb.embedded.binder.metric_arguments import EXPECTED, expecting, measured_table
from skills_nb.embedded.catalog.entities import TableDetail
from skills_nb.embedded.objects.routines.data_metric_function import measuring
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments
from skills_nb.embedded.types.system_rows import Row, Table, made


def expectations(session: Context, arguments: Arguments) -> Table:
    """Measure a table and tell which expectations it does not meet."""
    asked = expecting(arguments)
    entity = measured_table(session, asked, session.env())
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
    return made(EXPECTED, rows)
