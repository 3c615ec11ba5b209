"""System functions with one value: tags, DDL, classification.

Room: embedded. Arguments are constants.

See https://docs.snowflake.com/en/sql-reference/functions-system
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, references
from skills_nb.embedded.binder.constants import constant
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.objects.instances import budget, instance_calls
from skills_nb.embedded.objects.pipelines import stream_functions
from skills_nb.embedded.objects.pipelines.task import task_functions
from skills_nb.embedded.objects.statements import get_ddl
from skills_nb.embedded.parser.desugar.elements import METHOD
from skills_nb.embedded.session import bound_values
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files.records import status as pipe_status
from skills_nb.embedded.system_views import (
    clustering_information,
    last_change,
    table_functions,
)
from skills_nb.embedded.system_views.information_schema import python_packages
from skills_nb.embedded.types import default_clock, names
from skills_nb.embedded.types.system_calls import CHANGING, NUMBERS, VARIANTS


def _get_tag(session: Context, tag: str, name: str, domain: str) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_get_tag."""
    found = access.existing(session, Kind.TAG, names.typed_path(tag))
    target, column = table_functions.target(session, session.active_roles(), name, domain)
    held = references.effective_tags(session, target, column).get(found.id)
    return held[0].value if held is not None else None


def _get_ddl(session: Context, kind: object, name: str, qualified: bool = False) -> str:
    return get_ddl.get_ddl(session, _text("GET_DDL", kind), name, qualified=qualified)


def _text(function: str, given: object) -> str:
    """Read an argument as a text.

    Raises:
        SqlError: it is none (1014).
    """
    if not isinstance(given, str):
        shown = json.dumps(given, default=str)
        raise errors.invalid_argument(f"Invalid argument for {function}: {shown} is no text")
    return given


def _cancel(session: Context, query_id: object) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_cancel_query.

    It was done before this statement began, which waited for the other one to end
    (`engine.cancellation`).
    """
    query_id = _text("SYSTEM$CANCEL_QUERY", query_id)
    if query_id in session.account.cancelled:
        return f"query [{query_id}] terminated."
    return "Identified SQL statement is not currently executing."


def _cancel_all(session: Context, session_id: object) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_cancel_all_queries."""
    cancelled = session.account.cancelled
    ended = [query for query, owner in cancelled.items() if owner == int(_number(session_id))]
    for query in ended:
        del cancelled[query]
    return f"{len(ended)} cancelled."


_UNITS = {"MILLISECONDS": 0.001, "SECONDS": 1.0, "MINUTES": 60.0, "HOURS": 3600.0, "DAYS": 86_400.0}
_LOOK_S = 0.05


def _wait(session: Context, amount: object, unit: object = "SECONDS") -> str:
    """See https://docs.snowflake.com/en/sql-reference/stored-procedures/system_wait."""
    unit = str(unit)
    if unit.upper() not in _UNITS:
        raise errors.invalid_value(unit, "time_unit")
    left = 0.0 if session.account.is_rehearsal else _number(amount) * _UNITS[unit.upper()]
    watch = session.account.working.get(session.statement.query_id)
    while left > 0:
        if watch is not None and watch.reason is not None:
            raise watch.reason
        default_clock.pause(min(left, _LOOK_S))
        left -= _LOOK_S
    return f"waited {_number(amount):g} {unit.lower()}"


def _number(value: object) -> float:
    """Read an argument as a number that time can be measured in.

    Raises:
        SqlError: it is none.
    """
    found = float(bound_values.read("REAL", str(value)))
    if not math.isfinite(found):
        raise errors.unrecognized("Numeric value", str(value))
    return found


def _allowed_values(session: Context, tag: str) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_get_tag_allowed_values."""
    found = access.existing(session, Kind.TAG, names.typed_path(tag))
    values = list(getattr(found.detail, "allowed_values", ()))
    return json.dumps(values) if values else None


def _lazily(name: str) -> Callable[..., str]:
    """Classification is loaded when somebody classifies."""

    def run(session: Context, *arguments: Any) -> str:
        from skills_nb.embedded.system_views import classification_functions

        made: str = getattr(classification_functions, name)(session, *arguments)
        return made

    return run


def _reference(
    session: Context, kind: str, name: str, scope: str = "CALL", *privileges: str
) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_reference."""
    entity, _ = table_functions.target(session, session.active_roles(), name, kind)
    if str(scope).upper() not in ("CALL", "SESSION", "PERSISTENT"):
        raise errors.invalid_argument(f"Invalid scope '{scope}'")
    for privilege in privileges:
        access.require(session, entity, privilege.upper())
    return budget.reference_to(entity)


SCALARS: dict[str, Callable[..., str | None]] = {
    "GET_DDL": _get_ddl,
    "SYSTEM$GET_TAG": _get_tag,
    "SYSTEM$GET_TAG_ALLOWED_VALUES": _allowed_values,
    "SYSTEM$CANCEL_QUERY": _cancel,
    "SYSTEM$CANCEL_ALL_QUERIES": _cancel_all,
    "SYSTEM$PIPE_STATUS": pipe_status,
    "SYSTEM$REFERENCE": _reference,
    "SYSTEM$CLUSTERING_DEPTH": clustering_information.depth,
    "SYSTEM$CLUSTERING_INFORMATION": clustering_information.information,
    "SYSTEM$LAST_CHANGE_COMMIT_TIME": last_change.commit_time,
    "SYSTEM$WAIT": _wait,
    "SYSTEM$GET_DEFAULT_PYTHON_ARTIFACT_REPOSITORY": python_packages.repository,
    **stream_functions.SCALARS,
    **task_functions.SCALARS,
    "SYSTEM$CLASSIFY": _lazily("classify"),
    "SYSTEM$CLASSIFY_SCHEMA": _lazily("classify_schema"),
    "EXTRACT_SEMANTIC_CATEGORIES": _lazily("extract"),
    "ASSOCIATE_SEMANTIC_CATEGORY_TAGS": _lazily("associate"),
    "SYSTEM$GET_CLASSIFICATION_RESULT": _lazily("last_result"),
}


def evaluate(session: Context, name: str, arguments: list[exp.Expr]) -> str | None:
    """Run a system function.

    Raises:
        SqlError: it is called with too few or too many arguments (938).
    """
    given = [constant(session, argument) for argument in arguments]
    if name in CHANGING:
        session.commit_before_ddl()
    try:
        return SCALARS[name](session, *given)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        raise errors.not_enough_arguments(name) from error


def answer(session: Context, node: exp.Anonymous) -> exp.Expr | None:
    """Return the constant that stands for a system function in a query; None for others."""
    name = str(node.this).upper()
    if name == METHOD:
        return instance_calls.scalar(session, node)
    if name not in SCALARS:
        return None
    value = evaluate(session, name, node.expressions)
    if value is None:
        return exp.cast(exp.null(), "text")
    if name in NUMBERS:
        return exp.Literal.number(value)
    made = exp.Literal.string(value)
    if name in VARIANTS:
        return exp.Cast(this=made, to=exp.DataType.build("json", dialect="duckdb"))
    return made
