"""Queries: from a parsed SELECT to rows.

Room: embedded. Rewrite, dialect passes, DuckDB, and the columns as Snowflake names and types them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import dialect, ordering, powering, spreading, types
from skills_nb.embedded.natives import moments
from skills_nb.embedded.rewrite import lineage
from skills_nb.embedded.rewrite.query import QueryRewriter
from skills_nb.embedded.scope import OutColumn
from skills_nb.embedded.values import Column, Outcome

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def governed(
    session: AccountSession, tree: exp.Query, env: Any = None, *, shown: bool = True
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Rewrite a query for the session's role; return it in DuckDB's terms, with its columns.

    A view's query is not `shown`: nobody gets to see its rows yet.
    """
    tree = spreading.settle(tree, lambda asked: select(session, asked, describe_only=False).rows)
    held = exp.Paren(this=tree)
    rewriter = QueryRewriter(session)
    found = rewriter.govern(tree, env or session.env())
    note(session, rewriter)
    settle = lineage.judged if shown else lineage.unguarded
    settled, found = settle(held.this, found)
    made = dialect.translate(exp.Paren(this=settled), session.customs).this
    return made, found


def note(session: AccountSession, rewriter: QueryRewriter) -> None:
    """Remember what a rewrite met: policies for the error texts, reads for the history."""
    session.governed = session.governed or rewriter.governed
    session.consumed.update(rewriter.streams)
    for entity_id, columns in rewriter.reads.items():
        session.read_objects.setdefault(entity_id, set()).update(columns)


def select(session: AccountSession, tree: exp.Query, *, describe_only: bool) -> Outcome:
    """Run a query."""
    computes = needs_warehouse(tree)
    query, found = governed(session, tree)
    if computes:
        powering.wake_warehouse(session)
    sql = dialect.to_sql(query)
    if describe_only:
        described = session.cursor.execute(f"DESCRIBE {sql}").fetchall()
        columns = columns_of(found, [str(row[1]) for row in described])
        return Outcome(columns, (), "SELECT", 0)
    cursor = ordering.execute(session.cursor, sql)
    columns = columns_of(found, [str(d[1]) for d in cursor.description or ()])
    rows = moments.rows_seen(cursor.fetchall(), [c.type.kind for c in columns])
    return Outcome(columns, rows, "SELECT", len(rows))


def needs_warehouse(tree: exp.Expr) -> bool:
    """Tell whether the query reads a table or view; constants and SHOW need no warehouse."""
    return any(
        isinstance(t.this, (exp.Identifier, exp.DynamicIdentifier))
        for t in tree.find_all(exp.Table)
        if not any(names_system(p) for p in t.parts)
    )


def names_system(part: exp.Expr) -> bool:
    """Tell whether a name's part is INFORMATION_SCHEMA, which computes without a warehouse."""
    return part.name.upper() == "INFORMATION_SCHEMA"


def columns_of(found: tuple[OutColumn, ...], physical: list[str]) -> tuple[Column, ...]:
    """Type the columns: as the tree says where DuckDB agrees on the kind, else as DuckDB says."""
    return tuple(
        Column(out.name, agreed(out.type, types.from_physical(kind)), out.nullable)
        for out, kind in zip(found, physical, strict=True)
    )


def agreed(inferred: types.SfType | None, physical: types.SfType) -> types.SfType:
    """Choose between the type that the tree tells and the one that DuckDB returned."""
    if inferred is None:
        return physical
    if _family(inferred.kind) != _family(physical.kind):
        return physical
    if inferred.kind == "FIXED" and (inferred.scale or 0) < (physical.scale or 0):
        return physical
    return inferred


def _family(kind: str) -> str:
    if kind in types.SEMI_STRUCTURED:
        return "VARIANT"
    return kind
