"""Queries that only read, as against those that write on the way.

Room: sql. A table function that is not known may be a stored procedure, and a system function that
is not known may do anything: neither counts as reading.
Source: Snowflake manual, "System functions", "Selecting from a stored procedure".
"""

from __future__ import annotations

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

_READING_SYSTEM_TEXT = (
    "SYSTEM$ALLOWLIST SYSTEM$BEHAVIOR_CHANGE_BUNDLE_STATUS SYSTEM$CLUSTERING_DEPTH "
    "SYSTEM$CLUSTERING_INFORMATION SYSTEM$CURRENT_USER_TASK_NAME SYSTEM$DATA_METRIC_SCAN "
    "SYSTEM$ESTIMATE_QUERY_ACCELERATION SYSTEM$ESTIMATE_SEARCH_OPTIMIZATION_COSTS "
    "SYSTEM$EXPLAIN_JSON_TO_TEXT SYSTEM$EXPLAIN_PLAN_JSON SYSTEM$GET_ALL_REFERENCES "
    "SYSTEM$GET_CLASSIFICATION_RESULT SYSTEM$GET_PREDECESSOR_RETURN_VALUE "
    "SYSTEM$GET_PRIVILEGES_ON_OBJECT SYSTEM$GET_TAG SYSTEM$GET_TAG_ALLOWED_VALUES "
    "SYSTEM$GET_TAG_ON_CURRENT_COLUMN SYSTEM$GET_TAG_ON_CURRENT_TABLE "
    "SYSTEM$GET_TASK_GRAPH_CONFIG SYSTEM$LAST_CHANGE_COMMIT_TIME SYSTEM$PIPE_STATUS "
    "SYSTEM$SHOW_ACTIVE_BEHAVIOR_CHANGE_BUNDLES SYSTEM$SHOW_BUDGETS_IN_ACCOUNT "
    "SYSTEM$SHOW_OAUTH_CLIENT_SECRETS SYSTEM$STREAM_BACKLOG SYSTEM$STREAM_GET_TABLE_TIMESTAMP "
    "SYSTEM$STREAM_HAS_DATA SYSTEM$TASK_DEPENDENTS SYSTEM$TASK_RUNTIME_INFO SYSTEM$TYPEOF "
    "SYSTEM$WHITELIST"
)
_READING_SYSTEM = frozenset(_READING_SYSTEM_TEXT.split())
_READING_TABLES_TEXT = (
    "FLATTEN GENERATOR GET_OBJECT_REFERENCES INFER_SCHEMA RESULT_SCAN SPLIT_TO_TABLE "
    "STRTOK_SPLIT_TO_TABLE TO_QUERY EXPLODE UNNEST VALUES"
)
_READING_TABLES = frozenset(_READING_TABLES_TEXT.split())
_WRITING_NODES = (
    exp.Alter,
    exp.Command,
    exp.Copy,
    exp.Create,
    exp.DDL,
    exp.DML,
    exp.Drop,
    exp.Into,
    exp.Lock,
    exp.NextValueFor,
    exp.TruncateTable,
)


def only_reads(sql: str) -> bool:
    """Tell whether a statement is one query that writes nothing, as far as text can tell."""
    try:
        trees = sqlglot.parse(sql, dialect="snowflake")
    except (SqlglotError, RecursionError):
        return False
    if len(trees) != 1 or not isinstance(trees[0], exp.Query | exp.Values):
        return False
    return not any(_writes(node) for node in trees[0].walk())


def _writes(node: exp.Expr) -> bool:
    if isinstance(node, exp.Query):
        return False
    if isinstance(node, _WRITING_NODES):
        return True
    if isinstance(node, exp.Anonymous):
        name = node.name.upper()
        return name.startswith("SYSTEM$") and name not in _READING_SYSTEM
    if isinstance(node, exp.Column):
        return node.name.upper() == "NEXTVAL" and bool(node.table)
    return isinstance(node, exp.TableFromRows | exp.Table | exp.Lateral) and _calls_unknown(node)


def _calls_unknown(node: exp.TableFromRows | exp.Table | exp.Lateral) -> bool:
    """Tell whether FROM calls a table function that might be a procedure."""
    called, path = node.this, []
    if isinstance(node, exp.Table):
        path = [part.upper() for part in (node.catalog, node.db) if part]
    while isinstance(called, exp.Dot):
        path += [found.name.upper() for found in called.this.find_all(exp.Identifier)]
        called = called.expression
    if not isinstance(called, exp.Func) or isinstance(called, exp.DynamicIdentifier):
        return False
    if path and (path[0] == "SNOWFLAKE" or "INFORMATION_SCHEMA" in path):
        return False
    name = called.name.upper() if isinstance(called, exp.Anonymous) else called.sql_name()
    return name not in _READING_TABLES | _READING_SYSTEM
