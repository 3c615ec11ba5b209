"""INFORMATION_SCHEMA's table functions.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/info-schema
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, references
from skills_nb.embedded.catalog.entities import LOGIN_POLICY_KINDS, POLICY_KINDS, Entity, Kind
from skills_nb.embedded.objects.pipelines import alert
from skills_nb.embedded.objects.pipelines.task import task_functions
from skills_nb.embedded.objects.relations.dynamic_table import dynamic_functions, refresh_history
from skills_nb.embedded.objects.routines.data_metric_function import metric_uses
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import EVERY, DuckSql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import (
    Arguments,
    Asked,
    instant_in,
    limit_of,
)
from skills_nb.embedded.system_views import always_empty, statement_history
from skills_nb.embedded.system_views.account_usage import login_history as logins
from skills_nb.embedded.system_views.account_usage import query_history as queries
from skills_nb.embedded.system_views.account_usage import storage_usage as stored
from skills_nb.embedded.system_views.account_usage import task_history as tasks
from skills_nb.embedded.system_views.account_usage import warehouse_history as warehouses
from skills_nb.embedded.system_views.information_schema.load_history import (
    copies,
    pipe_usage_function,
)
from skills_nb.embedded.types import names
from skills_nb.embedded.types.system_rows import Row, Rows

Roles = frozenset[str]
_DEFAULT_LIMIT = 100


def _text(session: Context, arguments: Arguments, name: str) -> str | None:
    node = arguments.get(name)
    if isinstance(node, exp.Parameter):
        node = session.variable_tree(node.name.upper())
        node = node.this if isinstance(node, exp.Cast) else node
    if node is None or isinstance(node, exp.Null):
        return None
    if not isinstance(node, exp.Literal):
        raise errors.invalid_argument(f"Argument {name} must be a constant")
    return str(node.name)


def target(session: Context, roles: Roles, name: str, domain: str) -> tuple[Entity, str]:
    """Find what a reference function is asked about: an object, and a column of it or ''.

    Raises:
        SqlError: the domain is none (1014), or the object is not there or is hidden (2003).
    """
    words = str(domain).upper().replace("_", " ")
    column = ""
    if words == "COLUMN":
        path = names.typed_path(name)
        column, path, words = path[-1], path[:-1], "TABLE"
    else:
        path = names.typed_path(name)
    try:
        kind = Kind(words)
    except ValueError:
        raise errors.invalid_argument(f"Invalid domain '{domain}'") from None
    return access.existing(session, kind, path, roles), column


def _policy_references(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/policy_references."""
    policy = _text(session, arguments, "POLICY_NAME")
    if policy is not None:
        return references.POLICY_COLUMNS, list(_uses(session, roles, policy))
    name = _text(session, arguments, "REF_ENTITY_NAME")
    domain = _text(session, arguments, "REF_ENTITY_DOMAIN")
    if name is None or domain is None:
        raise errors.invalid_argument(
            "POLICY_REFERENCES needs POLICY_NAME, or REF_ENTITY_NAME and REF_ENTITY_DOMAIN"
        )
    if domain.upper() == "ACCOUNT":
        return references.POLICY_COLUMNS, list(references.login_rows(session, None))
    entity, _ = target(session, roles, name, domain)
    if entity.kind is Kind.TAG:
        refs = session.account.catalog.policies_on(entity.id)
        return references.POLICY_COLUMNS, [references.policy_row(session, r, entity) for r in refs]
    return references.POLICY_COLUMNS, list(references.policy_rows(session, entity))


def _uses(session: Context, roles: Roles, policy: str) -> list[Row]:
    path = session.qualify(names.typed_path(policy))
    catalog = session.account.catalog
    for kind in LOGIN_POLICY_KINDS:
        entity = catalog.find(kind, path)
        if entity is not None and access.sees(session, entity, roles):
            uses = catalog.uses_of_policy(entity.id)
            return [references.login_row(session, r, catalog.by_id(r.object_id)) for r in uses]
    for kind in POLICY_KINDS:
        entity = catalog.find(kind, path)
        if entity is not None and access.sees(session, entity, roles):
            found = [
                (ref, catalog.by_id(ref.object_id)) for ref in catalog.uses_of_policy(entity.id)
            ]
            return [references.policy_row(session, r, t) for r, t in found if t is not None]
    raise access.missing(session, Kind.MASKING_POLICY, path, roles, title="Policy")


def _tag_references(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/tag_references."""
    name, domain = _pair(session, arguments)
    entity, column = target(session, roles, name, domain)
    return references.TAG_COLUMNS, list(references.tag_rows_in_force(session, entity, column))


def _tag_references_all_columns(
    session: Context, roles: Roles, database: str, arguments: Arguments
) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/tag_references_all_columns."""
    name, domain = _pair(session, arguments)
    entity, _ = target(session, roles, name, domain)
    return references.TAG_COLUMNS, list(references.all_column_tags(session, entity))


def _pair(session: Context, arguments: Arguments) -> tuple[str, str]:
    name = _text(session, arguments, "OBJECT_NAME") or _text(session, arguments, "ARG0")
    domain = _text(session, arguments, "OBJECT_DOMAIN") or _text(session, arguments, "ARG1")
    if name is None or domain is None:
        raise errors.invalid_argument("a name and a domain are needed")
    return name, domain


def _query_history(by: str | None) -> Callable[[Any, Roles, str, Arguments], Rows]:
    """See https://docs.snowflake.com/en/sql-reference/functions/query_history."""

    def read(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
        statement_history.refuse_routines(session, f"QUERY_HISTORY_BY_{by}" if by else _HISTORY)
        where, values = _own_or_all(session, roles)
        if by is not None:
            column, argument, current = _BY[by]
            given = _text(session, arguments, argument) or _text(session, arguments, "ARG0")
            where = duck_sql.of("{w} AND {c} = ?", w=where, c=duck_sql.name(column))
            values.append(given if given is not None else current(session))
        for name, condition in _BETWEEN:
            instant = instant_in(session, arguments, name)
            if instant is not None:
                where = duck_sql.of("{w} AND {c}", w=where, c=condition)
                values.append(instant)
        limit = limit_of(_text(session, arguments, "RESULT_LIMIT"), _DEFAULT_LIMIT)
        found = statement_history.stored(session, where, values, limit)
        return queries.shown(session, found)

    return read


_HISTORY = "QUERY_HISTORY"
_BY: dict[str, tuple[str, str, Callable[[Any], Any]]] = {
    "SESSION": ("session_id", "SESSION_ID", lambda s: s.id),
    "USER": ("user_name", "USER_NAME", lambda s: s.user),
    "WAREHOUSE": ("warehouse_name", "WAREHOUSE_NAME", lambda s: s.warehouse),
}


_BETWEEN = (
    ("END_TIME_RANGE_START", duck_sql.of("end_time >= ?")),
    ("END_TIME_RANGE_END", duck_sql.of("end_time <= ?")),
)


def _own_or_all(session: Context, roles: Roles) -> tuple[DuckSql, list[Any]]:
    """Everybody sees the own statements; who may monitor the account sees all.

    What runs as its owner, a task or refresh, has no statements of its own to see.
    """
    if access.may_globally(session, "MONITOR EXECUTION", roles):
        return EVERY, []
    if session.frame.borrowed:
        return duck_sql.of("FALSE"), []
    return duck_sql.of("user_name = ?"), [session.user]


def _copy_history(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/copy_history."""
    name = _text(session, arguments, "TABLE_NAME")
    start = instant_in(session, arguments, "START_TIME")
    if name is None or start is None:
        raise errors.invalid_argument("COPY_HISTORY needs TABLE_NAME and START_TIME")
    end = instant_in(session, arguments, "END_TIME") or session.account.clock()
    columns, rows = copies(session, roles, name)
    return columns, [row for row in rows if start <= row[2] <= end]


def _metric_references(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/data_metric_function_references."""
    return metric_uses.COLUMNS, _of_metrics(session, roles, arguments, metric_uses.rows)


def _expectations(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/data_metric_function_expectations."""
    return metric_uses.EXPECTED, _of_metrics(session, roles, arguments, metric_uses.expectations)


def _of_metrics(
    session: Context,
    roles: Roles,
    arguments: Arguments,
    read: Callable[[Context, Entity], Iterator[tuple[Any, ...]]],
) -> list[tuple[Any, ...]]:
    """Read the uses of a metric, or of all metrics on one object."""
    metric = _text(session, arguments, "METRIC_NAME")
    if metric is not None:
        path = session.qualify(names.typed_path(metric))
        found = list(metric_uses.used(session, ".".join(path)))
    else:
        name = _text(session, arguments, "REF_ENTITY_NAME")
        domain = _text(session, arguments, "REF_ENTITY_DOMAIN")
        if name is None or domain is None:
            raise errors.not_enough_arguments("DATA_METRIC_FUNCTION_REFERENCES")
        found, path = [target(session, roles, name, domain)[0]], ()
    return [
        row
        for entity in found
        if access.sees(session, entity, roles)
        for row in read(session, entity)
        if not path or row[:3] == path
    ]


def _empty(columns: str, about: str) -> Callable[[Any, Roles, str, Arguments], Rows]:
    """Return the reader of a history of what never happens here; its arguments are checked."""
    known = ("DATE_RANGE_START", "DATE_RANGE_END", *((about,) if about else ()))

    def read(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
        asked = Asked(arguments, known)
        for name in known[:2]:
            asked.instant(session, name)
        return columns, []

    return read


FUNCTIONS: dict[str, Callable[[Any, Roles, str, Arguments], Rows]] = {
    **alert.TABLE_FUNCTIONS,
    **dynamic_functions.TABLE_FUNCTIONS,
    **refresh_history.TABLE_FUNCTIONS,
    **task_functions.TABLE_FUNCTIONS,
    "POLICY_REFERENCES": _policy_references,
    "COPY_HISTORY": _copy_history,
    "DATA_METRIC_FUNCTION_REFERENCES": _metric_references,
    "DATA_METRIC_FUNCTION_EXPECTATIONS": _expectations,
    "TAG_REFERENCES": _tag_references,
    "TAG_REFERENCES_ALL_COLUMNS": _tag_references_all_columns,
    _HISTORY: _query_history(None),
    "QUERY_HISTORY_BY_SESSION": _query_history("SESSION"),
    "QUERY_HISTORY_BY_USER": _query_history("USER"),
    "QUERY_HISTORY_BY_WAREHOUSE": _query_history("WAREHOUSE"),
    "DATABASE_STORAGE_USAGE_HISTORY": stored.databases_function,
    "LOGIN_HISTORY": logins.function(None),
    "LOGIN_HISTORY_BY_USER": logins.function("USER_NAME"),
    "PIPE_USAGE_HISTORY": pipe_usage_function,
    "STAGE_STORAGE_USAGE_HISTORY": stored.stages_function,
    "WAREHOUSE_LOAD_HISTORY": warehouses.load_function,
    "WAREHOUSE_METERING_HISTORY": warehouses.metering_function,
    **tasks.FUNCTIONS,
    **{name: _empty(*told) for name, told in always_empty.FUNCTIONS.items()},
}
