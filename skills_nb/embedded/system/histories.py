"""Histories: statements and what they read.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/account-usage/query_history and
https://docs.snowflake.com/en/sql-reference/account-usage/access_history
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded.catalog.entities import TableDetail
from skills_nb.embedded.history import HISTORY_COLUMNS
from skills_nb.embedded.names import table_path
from skills_nb.embedded.parsing import parse_statement
from skills_nb.embedded.system_rows import Row, Rows
from skills_nb.errors import SqlError
from skills_nb.sql.tokens import TokenKind, tokenize

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups

ACCESS_COLUMNS = (
    "QUERY_ID QUERY_START_TIME:t USER_NAME DIRECT_OBJECTS_ACCESSED:a BASE_OBJECTS_ACCESSED:a "
    "OBJECTS_MODIFIED:a OBJECT_MODIFIED_BY_DDL:o POLICIES_REFERENCED:a PARENT_QUERY_ID "
    "ROOT_QUERY_ID"
)
_LATEST = 10_000


def stored(
    session: Any, where: str = "TRUE", values: list[Any] | None = None, limit: int | None = None
) -> list[dict[str, Any]]:
    """Read history rows, latest first."""
    names = list(HISTORY_COLUMNS)
    rest = f"WHERE {where} ORDER BY start_time DESC, query_id"
    rows = session.account.store.history(
        session.cursor, ", ".join(names), rest + (f" LIMIT {limit}" if limit else ""), values or []
    )
    return [dict(zip(names, row, strict=True)) for row in rows]


@lru_cache(maxsize=16_384)
def hashes(text: str) -> tuple[str, str]:
    """Return the hash of a statement, and that of it with any constants in place of its own.

    Blanks and comments do not count, so that a statement which is sent again is known again.

    See https://docs.snowflake.com/en/user-guide/query-hash
    """
    tokens = tokenize(text)
    constants = (TokenKind.STRING, TokenKind.NUMBER, TokenKind.DOLLAR)
    plain = " ".join(token.text for token in tokens)
    open_ = " ".join("?" if token.kind in constants else token.text for token in tokens)
    return _digest(plain), _digest(open_)


def _digest(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def all_accesses(session: Lookups) -> Rows:
    """Return what statements that succeeded read."""
    rows = stored(session, "reads IS NOT NULL AND execution_status = 'SUCCESS'")
    return ACCESS_COLUMNS, [_access_row(session, found) for found in rows]


def _access_row(session: Lookups, found: dict[str, Any]) -> Row:
    listed: list[dict[str, Any]] = []
    tables: set[int] = set()
    policies = []
    for key, columns in json.loads(found["reads"]).items():
        entity = session.account.catalog.by_id(int(key))
        if entity is None:
            continue
        name = ".".join(entity.path)
        domain = entity.kind.value.capitalize()
        listed.append(
            {
                "columns": [{"columnName": c} for c in columns],
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
                        "policyName": ".".join(policy.path),
                        "policyKind": policy.kind.value.replace(" ", "_"),
                    }
                )
    named = _named(found)
    direct = [item for item in listed if named is None or item["objectName"] in named]
    base = [item for item in listed if item["objectId"] in tables]
    return (
        found["query_id"],
        found["start_time"],
        found["user_name"],
        json.dumps(direct),
        json.dumps(base),
        "[]",
        None,
        json.dumps(policies),
        None,
        None,
    )


def _named(found: dict[str, Any]) -> set[str] | None:
    """Return the objects that a statement's own text names; None where it is no plain query."""
    try:
        tree = parse_statement(found["query_text"])
    except SqlError:
        return None
    within = (found["database_name"] or "", found["schema_name"] or "")
    paths = [table_path(t) for t in tree.find_all(exp.Table) if isinstance(t.this, exp.Identifier)]
    return {".".join((*within[: 3 - len(path)], *path)) for path in paths}
