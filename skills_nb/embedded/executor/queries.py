"""Queries: from a parsed SELECT to rows.

Room: embedded. Rewrite, dialect passes, DuckDB, and the columns as Snowflake names and types them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlglot import exp

from skills_nb.embedded.binder import lineage
from skills_nb.embedded.executor import prerequisites
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.rewriter import dynamic_pivot, sent, silenced
from skills_nb.embedded.rewriter.query import QueryRewriter
from skills_nb.embedded.rewriter.requirements import COLUMNS_ONLY, Purpose
from skills_nb.embedded.session import warehouse_resume
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage import spooled_rows
from skills_nb.embedded.storage.spooled_rows import SpooledRows
from skills_nb.embedded.translator import dialect, ordering
from skills_nb.embedded.translator.python_functions import moment_functions
from skills_nb.embedded.types import data_types
from skills_nb.embedded.types.scope import Env, OutColumn
from skills_nb.embedded.types.values import Column, Outcome

Rows = Sequence[tuple[Any, ...]]


def governed(
    session: Context,
    tree: exp.Query,
    env: Env | None = None,
    *,
    purpose: Purpose = Purpose.RUN,
    shown: bool = True,
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Rewrite a query for the session's role; return it in DuckDB's terms, with its columns.

    What it needs to have run before runs as far as its purpose allows. A view's query is not
    `shown`: nobody gets to see its rows yet.
    """
    tree = dynamic_pivot.settle(tree, lambda asked: _values(session, asked, purpose))
    held = exp.Paren(this=tree)
    rewriter = QueryRewriter(session)
    with _reading_rows(session, purpose):
        found = rewriter.govern(tree, env or session.env())
    settle = lineage.judged if shown else lineage.unguarded
    settled, found = settle(held.this, found)
    made = finished(session, rewriter, settled, purpose)
    assert isinstance(made, exp.Query)
    return made, found


@contextmanager
def _reading_rows(session: Context, purpose: Purpose) -> Iterator[None]:
    """Let what the account tells of itself come with its rows only where they are read."""
    before, only_columns = session.statement, purpose in COLUMNS_ONLY
    if before.only_columns is only_columns:
        yield
        return
    session.statement = replace(before, only_columns=only_columns)
    try:
        yield
    finally:
        session.statement = replace(session.statement, only_columns=before.only_columns)


def finished(
    session: Context, rewriter: QueryRewriter, tree: exp.Expr, purpose: Purpose = Purpose.RUN
) -> exp.Expr:
    """Note what a rewrite met, run what it asks for, and put its query into DuckDB's terms."""
    _note(session, rewriter)
    if purpose in (Purpose.RUN, Purpose.REFRESH):
        _note_streams(session, rewriter)
    held = exp.Paren(this=tree)
    prerequisites.meet(session, rewriter, held, purpose)
    made: exp.Expr = dialect.translate(held, session.customs).this
    if rewriter.guarded:
        silenced.without_errors(made)
    if rewriter.governed:
        sent.hold(made, rewriter.judged)
    return made


def _values(session: Context, asked: exp.Query, purpose: Purpose) -> Rows:
    """Read the values that a PIVOT is to spread; who only describes it changes nothing by that."""
    if purpose is Purpose.RUN:
        return select(session, asked, describe_only=False).rows
    query, _ = governed(session, asked, purpose=Purpose.CONSTANT)
    cursor = session.cursor.execute(duck_sql.tree(query))
    kinds = [data_types.from_physical(str(d[1])).kind for d in cursor.description]
    return moment_functions.rows_seen(cursor.fetchall(), kinds)


def _note_streams(session: Context, rewriter: QueryRewriter) -> None:
    """Remember what a change would consume; an open transaction goes on from what it read first."""
    if not rewriter.streams:
        return
    untils = {stream: until for stream, (_, until) in rewriter.streams.items()}
    consumed = {**session.statement.consumed, **untils}
    session.statement = replace(session.statement, consumed=consumed)
    if session.in_transaction:
        for stream, (since, _) in rewriter.streams.items():
            session.offsets.setdefault(stream, since)


def _note(session: Context, rewriter: QueryRewriter) -> None:
    """Remember what a rewrite met: policies for the error texts, reads for the history."""
    session.account.touched.update(rewriter.reads)
    session.account.read_from.update(rewriter.reads)
    statement = session.statement
    reads = dict(statement.reads)
    for entity_id, columns in rewriter.reads.items():
        reads[entity_id] = reads.get(entity_id, frozenset()) | columns
    governed = statement.governed or rewriter.governed
    session.statement = replace(statement, governed=governed, reads=reads)


def select(session: Context, tree: exp.Query, *, describe_only: bool) -> Outcome:
    """Run a query."""
    if describe_only:
        return Outcome(described(session, tree, Purpose.DESCRIBE, told=True), (), "SELECT", 0)
    computes = needs_warehouse(tree)
    query, found = governed(session, tree)
    if computes:
        warehouse_resume.wake_warehouse(session)
    sent = duck_sql.tree(query)
    if session.statement.columnar and not _is_short(tree):
        held = _spooled(session, found, sent)
        if held is not None:
            return Outcome(held.columns, held, "SELECT", len(held))
    cursor = ordering.execute(session.cursor, sent)
    columns = _told(found, columns_of(found, [str(d[1]) for d in cursor.description]))
    rows = moment_functions.rows_seen(cursor.fetchall(), [c.type.kind for c in columns])
    return Outcome(columns, rows, "SELECT", len(rows))


_SHORT = 1_000
"""Rows that come as such quicker than as Arrow."""


def _is_short(tree: exp.Query) -> bool:
    """Tell whether a query says itself that it has few rows."""
    if tree.find(exp.From) is None:
        return True
    limit = tree.args.get("limit")
    most = limit.expression if isinstance(limit, exp.Limit) else None
    return isinstance(most, exp.Literal) and most.is_int and int(most.this) <= _SHORT


def _spooled(session: Context, found: tuple[OutColumn, ...], query: DuckSql) -> SpooledRows | None:
    """Run a query whose rows stay Arrow; None where a column's type has to be seen as Python's."""
    with ordering.kept(session.cursor, query):
        kinds, batches = session.cursor.batches(query, spooled_rows.PIECE)
        if not all(data_types.is_plain(kind) for kind in kinds):
            return None
        return SpooledRows(_told(found, columns_of(found, kinds)), batches)


def described(
    session: Context,
    tree: exp.Query,
    purpose: Purpose,
    *,
    shown: bool = True,
    told: bool = False,
    env: Env | None = None,
) -> tuple[Column, ...]:
    """Tell the columns that a query has, without running it; `told` to a client."""
    query, found = governed(session, tree, env, purpose=purpose, shown=shown)
    columns = columns_of(found, _physical(session, query))
    return _told(found, columns) if told else columns


def defined(
    session: Context, tree: exp.Query, env: Env, *, shown: bool = True
) -> list[data_types.SfType | None]:
    """Tell the types of a query that a definition has, None for one that is NULL alone."""
    query, found = governed(session, tree, env, purpose=Purpose.DEFINE, shown=shown)
    physical = _physical(session, query)
    columns = columns_of(found, physical)
    return [
        None if kind == '"NULL"' else column.type
        for kind, column in zip(physical, columns, strict=True)
    ]


def _physical(session: Context, query: exp.Query) -> list[str]:
    """Ask DuckDB for the types of a query's columns."""
    rows = session.cursor.execute(duck_sql.of("DESCRIBE {query}", query=query)).fetchall()
    return [str(row[1]) for row in rows]


def _told(found: tuple[OutColumn, ...], columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Tell a client which columns can never be NULL."""
    return tuple(
        replace(column, nullable=False) if out.certain else column
        for out, column in zip(found, columns, strict=True)
    )


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
        Column(out.name, agreed(out.type, data_types.from_physical(kind)), out.nullable)
        for out, kind in zip(found, physical, strict=True)
    )


def agreed(inferred: data_types.SfType | None, physical: data_types.SfType) -> data_types.SfType:
    """Choose between the type that the tree tells and the one that DuckDB returned."""
    if inferred is None:
        return physical
    if _family(inferred.kind) != _family(physical.kind):
        return physical
    if inferred.kind == "FIXED" and (inferred.scale or 0) < (physical.scale or 0):
        return physical
    return inferred


def _family(kind: str) -> str:
    if kind in data_types.SEMI_STRUCTURED:
        return "VARIANT"
    return kind
