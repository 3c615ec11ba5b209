"""ACCESS_HISTORY: what statements read, and what they changed.

Room: embedded. Names of objects stand as SQL writes them, in quotes where they need them; names
of columns stand bare.

See https://docs.snowflake.com/en/sql-reference/account-usage/access_history
"""

from __future__ import annotations

import json
from typing import Any

from sqlglot import exp

from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.parser.parsing import parse_statement
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.rewriter.protect import ROW_ID
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.system_views.statement_history import stored
from skills_nb.embedded.types.names import stored as stored_name
from skills_nb.embedded.types.names import table_path
from skills_nb.embedded.types.system_rows import Row, Rows
from skills_nb.errors import SqlError
from skills_nb.sql.governance import SqlSyntaxError, UnsupportedSqlError, ast, parse
from skills_nb.sql.identifiers import render_name

ACCESS_COLUMNS = (
    "QUERY_ID QUERY_START_TIME:t USER_NAME DIRECT_OBJECTS_ACCESSED:a BASE_OBJECTS_ACCESSED:a "
    "OBJECTS_MODIFIED:a OBJECT_MODIFIED_BY_DDL:o POLICIES_REFERENCED:a PARENT_QUERY_ID "
    "ROOT_QUERY_ID"
)
_CHANGING = ("INSERT", "UPDATE", "DELETE", "MERGE", "CREATE_TABLE_AS_SELECT")
_OPERATIONS = ("CREATE", "ALTER", "DROP", "UNDROP")


def all_accesses(session: Context) -> Rows:
    """Return what statements that succeeded read and changed.

    Which columns a changed column came from is not known here.
    """
    touched = duck_sql.of(
        "(reads IS NOT NULL OR query_type IN ({changing}) OR "
        "regexp_matches(query_type, '^(CREATE|ALTER|DROP|UNDROP)')) "
        "AND execution_status = 'SUCCESS'",
        changing=duck_sql.listed(map(duck_sql.text, _CHANGING)),
    )
    rows = stored(session, touched)
    return ACCESS_COLUMNS, [_access_row(session, found) for found in rows]


def _access_row(session: Context, found: dict[str, Any]) -> Row:
    listed: list[dict[str, Any]] = []
    tables: set[int] = set()
    policies = []
    for key, columns in json.loads(found["reads"] or "{}").items():
        entity = session.account.catalog.by_id(int(key))
        if entity is None:
            continue
        name = render_name(entity.path)
        domain = entity.kind.value.capitalize()
        listed.append(
            {
                "columns": [{"columnName": c} for c in columns if c != ROW_ID],
                "objectDomain": domain,
                "objectId": entity.id,
                "objectName": name,
            }
        )
        if isinstance(entity.detail, TableDetail):
            tables.add(entity.id)
        for ref in session.account.catalog.policies_on(entity.id):
            policy = session.account.catalog.by_id(ref.policy_id)
            if policy is not None and (not ref.column or ref.column in columns):
                policies.append(
                    {
                        "objectName": name,
                        "columnName": ref.column or None,
                        "policyName": render_name(policy.path),
                        "policyKind": policy.kind.value.replace(" ", "_"),
                    }
                )
    tree = _tree(found)
    named = _named(found, tree)
    direct = [item for item in listed if named is None or item["objectName"] in named]
    base = [item for item in listed if item["objectId"] in tables]
    return (
        found["query_id"],
        found["start_time"],
        found["user_name"],
        json.dumps(direct),
        json.dumps(base),
        json.dumps(_modified(session, found, tree)),
        _defined(session, found, tree),
        json.dumps(policies),
        None,
        None,
    )


def _tree(found: dict[str, Any]) -> exp.Expr | None:
    try:
        return parse_statement(found["query_text"])
    except SqlError:
        return None


def _named(found: dict[str, Any], tree: exp.Expr | None) -> set[str] | None:
    """Return the objects that a statement's own text names; None where it is no plain query."""
    if tree is None:
        return None
    tables = (t for t in tree.find_all(exp.Table) if isinstance(t.this, exp.Identifier))
    paths = (_full(found, table_path(table)) for table in tables)
    return {render_name(path) for path in paths if all(path)}  # a CTE's name is nobody's path


def _full(found: dict[str, Any], path: tuple[str, ...]) -> tuple[str, ...]:
    within = (found["database_name"] or "", found["schema_name"] or "")
    return (*within[: 3 - len(path)], *path)


# ---- what was changed


def _modified(
    session: Context, found: dict[str, Any], tree: exp.Expr | None
) -> list[dict[str, Any]]:
    """Return the table whose rows a statement changed, with the columns that it wrote."""
    if found["query_type"] not in _CHANGING or tree is None:
        return []
    target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
    if not isinstance(target, exp.Table):
        return []
    entity = session.account.catalog.find(Kind.TABLE, _full(found, table_path(target)))
    if entity is None or not isinstance(entity.detail, TableDetail):
        return []
    wanted = _written(tree, [c.name for c in entity.detail.columns])
    columns = [{"columnName": name} for name in wanted]
    return [{**_about(entity), "columns": columns}]


def _written(tree: exp.Expr, every: list[str]) -> list[str]:
    if isinstance(tree, exp.Delete):
        return []
    if isinstance(tree, exp.Insert) and isinstance(tree.this, exp.Schema):
        return [stored_name(column) for column in tree.this.expressions]
    if isinstance(tree, exp.Update):
        return [stored_name(one.this.this) for one in tree.expressions]
    return every


def _about(entity: Entity) -> dict[str, Any]:
    return {
        "objectDomain": entity.kind.value.capitalize(),
        "objectId": entity.id,
        "objectName": render_name(entity.path),
    }


def _defined(session: Context, found: dict[str, Any], tree: exp.Expr | None) -> str | None:
    """Return the object that a statement made, changed or dropped."""
    operation = next((w for w in _OPERATIONS if found["query_type"].startswith(w)), None)
    if operation is None or found["query_type"] in ("ALTER_SESSION", "CREATE_TABLE_AS_SELECT"):
        return None
    kind, path = _object_of(found, tree)
    if kind is None:
        return None
    entity = session.account.catalog.find(kind, path)
    known = _about(entity) if entity is not None else {}
    told = {
        "objectDomain": kind.value.capitalize(),
        "objectName": render_name(filter(None, path)),
        **known,
    }
    return json.dumps({**told, "operationType": operation, "properties": {}})


def _object_of(found: dict[str, Any], tree: exp.Expr | None) -> tuple[Kind | None, tuple[str, ...]]:
    """Read kind and full name from a statement's text."""
    try:
        statement = parse(found["query_text"])
    except (SqlSyntaxError, UnsupportedSqlError):
        return None, ()  # its names came from variables
    match statement:
        case ast.Create(name=name) | ast.Alter(name=name) | ast.Drop(name=name):
            word = statement.kind
        case _ if isinstance(tree, (exp.Create, exp.Drop)):
            target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
            if not isinstance(target, exp.Table):
                return None, ()
            word, name = str(tree.args.get("kind") or "").upper(), table_path(target)
        case _:
            return None, ()
    kind = next((k for k in Kind if k.value == word), None)
    if kind is None or not name:
        return None, ()
    return kind, _full(found, name) if kind.depth == 3 else name[-kind.depth :]
