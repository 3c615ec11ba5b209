"""DESCRIBE.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/desc
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.objects.object_kind import Row
from skills_nb.embedded.objects.relations.described_columns import COLUMNS
from skills_nb.embedded.objects.relations.table import search_optimization
from skills_nb.embedded.objects.shown_values import y_or_n
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def describe(session: Context, statement: ast.Describe) -> Outcome:
    """Run DESCRIBE.

    Raises:
        SqlError: the kind cannot be described (0A000), or the object is not there or is hidden
            (2003).
    """
    if statement.kind == "RESULT":
        return _result(session, statement.name[-1])
    if statement.kind == "SEARCH OPTIMIZATION":
        return _answer(*search_optimization.describe(session, statement.name))
    kind = access.kind_of(statement.kind)
    if statement.type == "STAGE":
        raise errors.unsupported(f"DESCRIBE {kind.value} … TYPE = STAGE")
    if kind in (Kind.TABLE, Kind.VIEW) and (found := _of_system(session, statement.name)):
        return found
    handler = object_kind.of(kind).describe
    if handler is None:
        raise errors.unsupported(f"DESCRIBE {kind.value}")
    entity = access.find(session, kind, statement.name)
    if entity is None:
        raise access.missing(session, kind, statement.name)
    return _answer(*handler(session, entity))


def _of_system(session: Context, name: tuple[str, ...]) -> Outcome | None:
    """Describe a view of INFORMATION_SCHEMA or ACCOUNT_USAGE; None for other names."""
    if len(name) < 2:
        return None
    env = session.env()
    held = session.system_relation(session.qualify(name, env), env)
    if held is None:
        return None
    rows: list[Row] = [
        (c.name, c.type.sql, "COLUMN", "Y", None, "N", "N", None, None, None, None, None)
        for c in held[0]
    ]
    return _answer(COLUMNS, rows)


def _answer(spec: str, rows: list[Row]) -> Outcome:
    return Outcome(columns_of(spec), tuple(rows), "DESCRIBE", len(rows))


def _result(session: Context, query_id: str) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-result."""
    if query_id.upper() == "LAST_QUERY_ID()":
        query_id = session.query_id_at(-1) or ""
    lower = query_id.lower()
    kept = session.kept_result(lower if lower in session.account.results else query_id)
    rows: list[Row] = [
        (
            c.name,
            c.type.sql,
            "COLUMN",
            y_or_n(c.nullable),
            None,
            "N",
            "N",
            None,
            None,
            None,
            None,
            None,
        )
        for c in kept.columns
    ]
    return _answer(COLUMNS, rows)
