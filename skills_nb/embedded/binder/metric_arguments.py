"""Metric arguments: the table that a function about data metrics is asked about.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/system_evaluate_data_quality_expectations
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.catalog.entities import Entity, TableDetail
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import Env

EXPECTED = (
    "METRIC_DATABASE METRIC_SCHEMA METRIC_NAME EXPECTATION_NAME EXPECTATION_ID:n "
    "EXPECTATION_EXPRESSION ARGUMENTS:a VALUE:v EXPECTATION_VIOLATED:b"
)
"""The columns of SYSTEM$EVALUATE_DATA_QUALITY_EXPECTATIONS."""


def expecting(arguments: Arguments) -> Asked:
    """Read the arguments of SYSTEM$EVALUATE_DATA_QUALITY_EXPECTATIONS."""
    return Asked(arguments, ("REF_ENTITY_NAME", "SKIP_SUSPENDED_DMF"))


def measured_table(session: Context, asked: Asked, env: Env) -> Entity:
    """Return the table that is asked about, which must be readable.

    Raises:
        SqlError: REF_ENTITY_NAME is missing (938), it is not there or may not be read (2003, 3001),
            or it is no table (0A000).
    """
    name = asked.text("REF_ENTITY_NAME")
    if name is None:
        raise errors.not_enough_arguments("REF_ENTITY_NAME")
    found = name_resolution.readable(session, session.qualify(names.typed_path(name), env), env)
    if not isinstance(found.detail, TableDetail):
        raise errors.unsupported(f"data metrics of a {found.kind.value}")
    return found
