"""Queries that only read, as against those that write on the way.

Room: sql. A table function that is not known may be a stored procedure, and a system function that
is not known may do anything: neither counts as reading.
Comments are taken out before anything is read, so that no parser can take for a comment what the
account takes for a query.
Source: Snowflake manual, "System functions", "Selecting from a stored procedure".
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from skills_nb.sql.query_trees import reading_of
from skills_nb.sql.tokens import TokenKind, scan

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
    "SYSTEM$STREAM_BACKLOG SYSTEM$STREAM_GET_TABLE_TIMESTAMP "
    "SYSTEM$STREAM_HAS_DATA SYSTEM$TASK_DEPENDENTS SYSTEM$TASK_RUNTIME_INFO SYSTEM$TYPEOF "
    "SYSTEM$WHITELIST"
)
READING_SYSTEM = frozenset(_READING_SYSTEM_TEXT.split())
_READING_TABLES_TEXT = (
    "FLATTEN GENERATOR GET_OBJECT_REFERENCES INFER_SCHEMA RESULT_SCAN SPLIT_TO_TABLE "
    "STRTOK_SPLIT_TO_TABLE TO_QUERY EXPLODE UNNEST VALIDATE VALUES"
)
READING_TABLES = frozenset(_READING_TABLES_TEXT.split())
_READING_SCHEMAS = frozenset({"ALERT", "CORE", "INFORMATION_SCHEMA"})
"""Schemas of the database SNOWFLAKE whose functions only look."""
_READING_SHARED = frozenset(
    {
        ("SNOWFLAKE", "LOCAL", "DATA_QUALITY_MONITORING_RESULTS"),
        ("SNOWFLAKE", "LOCAL", "GET_AI_OBSERVABILITY_EVENTS"),
    }
)
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
    tree = query_of(sql)
    return tree is not None and not any(_writes(node) for node in tree.walk())


def acts(sql: str) -> bool:
    """Tell whether a statement calls, in FROM, what may be a procedure, as far as text can tell."""
    trees = trees_of(sql)
    nodes = (node for tree in trees or () if tree is not None for node in tree.walk())
    called = (exp.TableFromRows, exp.Table, exp.Lateral)
    return trees is None or any(isinstance(n, called) and _calls_unknown(n) for n in nodes)


def query_of(sql: str) -> exp.Expr | None:
    """Return the tree of a text that is one query, to be looked at; None for anything else."""
    trees = trees_of(sql) or ()
    is_query = len(trees) == 1 and isinstance(trees[0], exp.Query | exp.Values)
    return trees[0] if is_query else None


def trees_of(sql: str) -> tuple[exp.Expr | None, ...] | None:
    """Return the trees of a text, to be looked at; None where it cannot be read."""
    return reading_of(without_comments(sql)).trees


def without_comments(sql: str) -> str:
    """Return the text with a plain blank for each comment and for each blank of another kind."""
    return "".join(_plain(sql))


def _plain(sql: str) -> Iterator[str]:
    for token in scan(sql):
        if token.kind is TokenKind.COMMENT or (
            token.kind is TokenKind.SPACE and not token.text.isascii()
        ):
            yield " "
        else:
            yield token.text


def _writes(node: exp.Expr) -> bool:
    if isinstance(node, exp.Query):
        return False
    if isinstance(node, _WRITING_NODES):
        return True
    if isinstance(node, exp.Anonymous):
        name = name_of(node)
        return name.startswith("SYSTEM$") and name not in READING_SYSTEM
    if isinstance(node, exp.Column):
        return node.name.upper() == "NEXTVAL" and bool(node.table)
    return isinstance(node, exp.TableFromRows | exp.Table | exp.Lateral) and _calls_unknown(node)


def _calls_unknown(node: exp.TableFromRows | exp.Table | exp.Lateral) -> bool:
    """Tell whether FROM calls a table function that might be a procedure."""
    called: exp.Expr | None = node.this
    path: tuple[str, ...] = ()
    if isinstance(node, exp.Table):
        path = tuple(stored_name(part) for part in (node.args.get("catalog"), node.args.get("db")))
    path = tuple(filter(None, path))
    if isinstance(called, exp.Dot):
        path, called = split_qualified_call(called)
    if isinstance(called, exp.ModelAttribute):
        return True
    if isinstance(called, exp.DynamicIdentifier):
        # `IDENTIFIER('t')` names a table, and `TABLE(IDENTIFIER('p')())` calls what it names.
        return isinstance(node, exp.TableFromRows)
    if not isinstance(called, exp.Func):
        return False
    return not is_snowflakes(path, called) if path else name_of(called) not in _READING


_READING = READING_TABLES | READING_SYSTEM


def is_snowflakes(path: tuple[str, ...], called: exp.Func) -> bool:
    """Tell a function that Snowflake itself keeps in a schema, and that only looks."""
    if (*path, name_of(called)) in _READING_SHARED:
        return True
    if len(path) > 1 and path[-2] == "SNOWFLAKE":
        return path[-1] in _READING_SCHEMAS
    return path[-1] == "INFORMATION_SCHEMA"


def split_qualified_call(node: exp.Dot) -> tuple[tuple[str, ...], exp.Expr]:
    """Return the names in front of a qualified call, and the call."""
    path: list[str] = []
    called: exp.Expr = node
    while isinstance(called, exp.Dot):
        path += [stored_name(found) for found in called.this.find_all(exp.Identifier)]
        called = called.expression
    return tuple(path), called


def name_of(called: exp.Func) -> str:
    """Return the stored name of a function that is called."""
    if not isinstance(called, exp.Anonymous):
        return str(called.sql_name())
    named = called.this
    return stored_name(named) if isinstance(named, exp.Identifier) else str(named).upper()


def stored_name(part: exp.Expr | str | None) -> str:
    """Return a name as the account keeps it: what is quoted keeps its letters.

    `D..T` has an empty text for its schema.
    """
    if part is None or isinstance(part, str):
        return ""
    return part.name if part.args.get("quoted") else part.name.upper()
