"""INSERT ALL and INSERT FIRST: one query's rows into several tables.

Room: embedded. The query runs once, with what each clause asks and writes beside its rows; then
each clause is an ordinary INSERT of the rows it takes.

See https://docs.snowflake.com/en/sql-reference/sql/insert-multi-table
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.executor import dml, queries
from skills_nb.embedded.executor.column_defaults import or_default
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import HeldRows, OutColumn
from skills_nb.embedded.types.values import Outcome


@dataclass(frozen=True, slots=True)
class Clause:
    """One INTO with the condition under which a row goes there."""

    into: exp.Insert
    """The INTO as a statement of its own, without a source."""
    number: int | None
    """Which WHEN it belongs to; None for no condition."""
    otherwise: bool
    """Whether it takes the rows that no WHEN takes."""


def insert(session: Context, tree: exp.MultitableInserts) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/insert-multi-table.

    Raises:
        SqlError: INSERT FIRST has no WHEN (1003).
    """
    conditions, clauses = _clauses(tree)
    first_only = str(tree.args.get("kind")).upper() == "FIRST"
    if first_only and not conditions:
        raise errors.syntax("syntax error: INSERT FIRST needs a WHEN clause.")
    buffer, found = _buffer(session, tree.args["source"], conditions, clauses)
    counts: dict[str, int] = {}
    for place, clause in enumerate(clauses):
        rule = _rule(clause, len(conditions), first_only=first_only)
        table = _table(clause.into)
        made = exp.Insert(
            this=clause.into.this.copy(),
            expression=_taken(buffer, found, place, rule),
            overwrite=bool(tree.args.get("overwrite")) and names.stored(table.this) not in counts,
        )
        title = names.table_path(table)[-1]
        counts[title] = counts.get(title, 0) + dml.insert(session, made).row_count
    dml.drop_buffer(session, duck_sql.temporary(buffer))
    listed = tuple(f"number of rows inserted into {title}" for title in counts)
    columns, total = dml.count_columns(listed), sum(counts.values())
    return Outcome(columns, (tuple(counts.values()),), "MULTI_TABLE_INSERT", total)


def _clauses(tree: exp.MultitableInserts) -> tuple[list[exp.Expr], list[Clause]]:
    conditions: list[exp.Expr] = []
    clauses: list[Clause] = []
    for one in tree.expressions:
        if one.expression:
            conditions.append(one.expression)
        otherwise = bool(one.args.get("else_"))
        number = len(conditions) - 1 if conditions and not otherwise else None
        clauses.append(Clause(one.this, number, otherwise))
    return conditions, clauses


def _table(into: exp.Insert) -> exp.Table:
    table = into.this.this if isinstance(into.this, exp.Schema) else into.this
    if not isinstance(table, exp.Table):
        raise errors.syntax(f"syntax error: unexpected '{into.sql('snowflake')}'.")
    return table


def _buffer(
    session: Context,
    source: exp.Expr,
    conditions: list[exp.Expr],
    clauses: list[Clause],
) -> tuple[str, tuple[OutColumn, ...]]:
    """Read the rows into a temporary table: `w0` for each condition, `v0_1` for each value."""
    asked = [exp.alias_(c.copy(), f"w{i}", quoted=True) for i, c in enumerate(conditions)]
    written = [
        exp.alias_(value, f"v{place}_{i}", quoted=True)
        for place, clause in enumerate(clauses)
        for i, value in enumerate(_values(session, clause.into))
    ]
    held = exp.Subquery(this=source.copy(), alias=exp.TableAlias(this=names.quoted("SOURCE")))
    query, found = queries.governed(session, exp.select(*asked, *written).from_(held))
    session.temporary += 1
    buffer = f"__several_{session.temporary}"
    dml.fill_buffer(session, duck_sql.temporary(buffer), query)
    return buffer, found


def _values(session: Context, into: exp.Insert) -> Iterator[exp.Expr]:
    """Yield what a clause writes: what VALUES lists, else the columns of the query in order."""
    target = dml.target_of(session, _table(into), "INSERT")
    given = into.this.expressions if isinstance(into.this, exp.Schema) else []
    columns = dml.listed_columns(target, tuple(names.stored(c) for c in given))
    if not isinstance(into.expression, exp.Values):
        for place in range(1, len(columns) + 1):
            yield exp.Parameter(this=exp.Literal.number(place))
        return
    listed = into.expression.expressions[0].expressions
    if len(listed) != len(columns):
        raise errors.wrong_count(
            f"Insert value list does not match column list expecting {len(columns)} "
            f"but got {len(listed)}"
        )
    for value, column in zip(listed, columns, strict=True):
        yield or_default(session, value.copy(), column, target.detail.place)


def _rule(clause: Clause, conditions: int, *, first_only: bool) -> exp.Expr:
    """Tell which buffered rows a clause takes."""
    if clause.otherwise:
        return _none(range(conditions))
    if clause.number is None:
        return exp.true()
    mine = names.column(f"w{clause.number}")
    return exp.and_(mine, _none(range(clause.number))) if first_only else mine


def _none(places: range) -> exp.Expr:
    if not places:
        return exp.true()
    holds = [exp.Is(this=names.column(f"w{place}"), expression=exp.true()) for place in places]
    return exp.Not(this=exp.Paren(this=exp.or_(*holds)))


def _taken(buffer: str, found: tuple[OutColumn, ...], place: int, rule: exp.Expr) -> exp.Select:
    table = exp.Table(
        this=names.quoted(buffer), db=names.quoted("main"), catalog=names.quoted("temp")
    )
    rows = exp.select("*").from_(names.own(table)).where(rule)
    alias = exp.TableAlias(this=names.quoted("TAKEN"))
    mine = [c.name for c in found if c.name.startswith(f"v{place}_")]
    made = exp.select(*(names.column(name, "TAKEN") for name in mine))
    made.set("from_", exp.From(this=HeldRows(this=rows, alias=alias, found=found)))
    return made
