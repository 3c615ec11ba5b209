"""System functions with one value: tags, DDL, classification.

Room: embedded. Arguments are constants.

See https://docs.snowflake.com/en/sql-reference/functions-system
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from skills_nb.embedded import edge, names, refusals
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.constants import constant
from skills_nb.embedded.files.records import status as pipe_status
from skills_nb.embedded.instances import budgets, calling
from skills_nb.embedded.pipelines import functions as moving
from skills_nb.embedded.sugar.elements import METHOD
from skills_nb.embedded.system import clustering, ddl, packages, references, table_functions


def _get_tag(session: Any, tag: str, name: str, domain: str) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_get_tag."""
    path = session.qualify(names.typed_path(tag))
    found = session.account.catalog.find(Kind.TAG, path)
    if found is None or not session.account.rights.visible(session.active_roles(), found):
        raise refusals.not_found("Tag", path)
    target, column = table_functions.target(session, session.active_roles(), name, domain)
    held = references.effective_tags(session, target, column).get(found.id)
    return held[0].value if held is not None else None


def _get_ddl(session: Any, kind: str, name: str, qualified: bool = False) -> str:
    return ddl.get_ddl(session, kind, name, qualified=qualified)


def _cancel(session: Any, query_id: str) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_cancel_query.

    It was done before this statement began, which waited for the other one to end (`watching`).
    """
    if query_id in session.account.cancelled:
        return f"query [{query_id}] terminated."
    return "Identified SQL statement is not currently executing."


def _cancel_all(session: Any, session_id: object) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_cancel_all_queries."""
    cancelled = session.account.cancelled
    ended = [query for query, owner in cancelled.items() if owner == int(float(str(session_id)))]
    for query in ended:
        del cancelled[query]
    return f"{len(ended)} cancelled."


_UNITS = {"MILLISECONDS": 0.001, "SECONDS": 1.0, "MINUTES": 60.0, "HOURS": 3600.0, "DAYS": 86_400.0}
_LOOK_S = 0.05


def _wait(session: Any, amount: float, unit: str = "SECONDS") -> str:
    """See https://docs.snowflake.com/en/sql-reference/stored-procedures/system_wait."""
    if unit.upper() not in _UNITS:
        raise refusals.invalid_value(unit, "time_unit")
    left = float(amount) * _UNITS[unit.upper()]
    watch = session.account.working.get(session.query_id)
    while left > 0:
        if watch is not None and watch.reason is not None:
            raise watch.reason
        edge.pause(min(left, _LOOK_S))
        left -= _LOOK_S
    return f"waited {amount:g} {unit.lower()}"


def _allowed_values(session: Any, tag: str) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_get_tag_allowed_values."""
    path = session.qualify(names.typed_path(tag))
    found = session.account.catalog.find(Kind.TAG, path)
    if found is None or not session.account.rights.visible(session.active_roles(), found):
        raise refusals.not_found("Tag", path)
    values = list(getattr(found.detail, "allowed_values", ()))
    return json.dumps(values) if values else None


def _lazily(name: str) -> Callable[..., str]:
    """Classification is loaded when somebody classifies."""

    def run(session: Any, *arguments: Any) -> str:
        from skills_nb.embedded.system import classifying

        made: str = getattr(classifying, name)(session, *arguments)
        return made

    return run


def _reference(session: Any, kind: str, name: str, scope: str = "CALL", *privileges: str) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_reference."""
    entity, _ = table_functions.target(session, session.active_roles(), name, kind)
    if scope.upper() not in ("CALL", "SESSION", "PERSISTENT"):
        raise refusals.invalid_argument(f"Invalid scope '{scope}'")
    for privilege in privileges:
        if not session.account.rights.has(session.active_roles(), privilege.upper(), entity):
            raise refusals.insufficient_privileges(entity.kind.value, entity.name)
    return budgets.reference_to(entity)


SCALARS: dict[str, Callable[..., str | None]] = {
    "GET_DDL": _get_ddl,
    "SYSTEM$GET_TAG": _get_tag,
    "SYSTEM$GET_TAG_ALLOWED_VALUES": _allowed_values,
    "SYSTEM$CANCEL_QUERY": _cancel,
    "SYSTEM$CANCEL_ALL_QUERIES": _cancel_all,
    "SYSTEM$PIPE_STATUS": pipe_status,
    "SYSTEM$REFERENCE": _reference,
    "SYSTEM$CLUSTERING_DEPTH": clustering.depth,
    "SYSTEM$CLUSTERING_INFORMATION": clustering.information,
    "SYSTEM$WAIT": _wait,
    "SYSTEM$GET_DEFAULT_PYTHON_ARTIFACT_REPOSITORY": packages.repository,
    **moving.SCALARS,
    "SYSTEM$CLASSIFY": _lazily("classify"),
    "SYSTEM$CLASSIFY_SCHEMA": _lazily("classify_schema"),
    "EXTRACT_SEMANTIC_CATEGORIES": _lazily("extract"),
    "ASSOCIATE_SEMANTIC_CATEGORY_TAGS": _lazily("associate"),
    "SYSTEM$GET_CLASSIFICATION_RESULT": _lazily("last_result"),
}
VARIANTS = frozenset(
    {
        "SYSTEM$CLASSIFY",
        "SYSTEM$CLASSIFY_SCHEMA",
        "SYSTEM$GET_CLASSIFICATION_RESULT",
        "EXTRACT_SEMANTIC_CATEGORIES",
    }
)
CHANGING = moving.CHANGING | {
    "SYSTEM$CLASSIFY",
    "SYSTEM$CLASSIFY_SCHEMA",
    "ASSOCIATE_SEMANTIC_CATEGORY_TAGS",
}
"""Functions that keep their result and may set tags: CALL only, or a SELECT that runs."""


def evaluate(session: Any, name: str, arguments: list[exp.Expr]) -> str | None:
    """Run a system function."""
    given = [constant(session, argument) for argument in arguments]
    if name in CHANGING:
        session.commit_before_ddl()
    try:
        return SCALARS[name](session, *given)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        raise refusals.not_enough_arguments(name) from error


def answer(session: Any, node: exp.Anonymous) -> exp.Expr | None:
    """Return the constant that stands for a system function in a query; None for others."""
    name = str(node.this).upper()
    if name == METHOD:
        return calling.scalar(session, node)
    if name not in SCALARS:
        return None
    value = evaluate(session, name, node.expressions)
    if value is None:
        return exp.cast(exp.null(), "text")
    made = exp.Literal.string(value)
    if name in VARIANTS:
        return exp.Cast(this=made, to=exp.DataType.build("json", dialect="duckdb"))
    return made
