"""MERGE.

Room: embedded. Three reads and then the writes: which target rows meet which source rows, which
clause each pair falls under, and what it writes, are all found through governed queries first.

See https://docs.snowflake.com/en/sql-reference/sql/merge
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.parameters import effective
from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.executor import dml, queries
from skills_nb.embedded.executor.column_defaults import default_tree, or_default
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.rewriter.protect import ROW_ID
from skills_nb.embedded.rewriter.requirements import Purpose
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import images, writes
from skills_nb.embedded.translator.storing import stored_text, stored_value
from skills_nb.embedded.types import names
from skills_nb.embedded.types.inference import SAID
from skills_nb.embedded.types.values import Outcome


@dataclass(frozen=True, slots=True)
class Clause:
    """One WHEN of a MERGE."""

    number: int
    """Its place among the clauses: a row goes to the first that fits."""
    matched: bool
    """False for NOT MATCHED."""
    condition: exp.Expr | None
    """What stands behind AND; None for nothing."""
    action: str
    """UPDATE, DELETE or INSERT."""
    columns: tuple[ColumnDef, ...]
    """What UPDATE sets or INSERT fills; empty for DELETE."""
    values: tuple[exp.Expr, ...]
    """One for each of `columns`."""


def merge(session: Context, tree: exp.Merge) -> Outcome:
    """Run MERGE."""
    clauses_seen = tree.args["whens"].expressions
    _refuse_unreachable(clauses_seen)
    target = _target(session, tree, clauses_seen)
    by_name = any(_is_by_name(when.args["then"]) for when in clauses_seen)
    for when in clauses_seen:
        _spell_out(target, tree, when.args["then"])
        _require_values(when.args["then"])
    if by_name:
        _check_names(session, target, tree)
    _of_source(tree, target)
    clauses = [_clause(session, target, i, when) for i, when in enumerate(clauses_seen)]
    buffer = _buffer(session, tree, target, clauses)
    _refuse_nondeterminism(session, target, clauses, buffer)
    _keep_one_change(session, buffer)
    writes.note(session, target.detail.place)
    counts = {"INSERT": 0, "UPDATE": 0, "DELETE": 0}
    for clause in clauses:
        counts[clause.action] += _apply(session, target, clause, clauses, buffer)
    dml.drop_buffer(session, buffer)
    present = [a for a in ("INSERT", "UPDATE", "DELETE") if any(c.action == a for c in clauses)]
    listed = tuple(f"number of rows {_WORDS[a]}" for a in present)
    made = dml.counted(listed, tuple(counts[a] for a in present), "MERGE")
    return Outcome(made.columns, made.rows, "MERGE", sum(counts.values()))


_WORDS = {"INSERT": "inserted", "UPDATE": "updated", "DELETE": "deleted"}


def _target(session: Context, tree: exp.Merge, whens: list[exp.Expr]) -> dml.Target:
    found = None
    for privilege in sorted({_action(when) for when in whens}):
        found = dml.target_of(session, tree.this, privilege)
    assert found is not None
    return found


def _refuse_unreachable(whens: list[exp.Expr]) -> None:
    """Refuse a clause behind one of its kind that every row meets.

    Raises:
        SqlError: there is one (1420).
    """
    ended: set[bool] = set()
    for when in whens:
        matched = bool(when.args.get("matched"))
        if matched in ended:
            raise errors.invalid_property(
                f"No row reaches WHEN {'' if matched else 'NOT '}MATCHED behind one without AND."
            )
        if when.args.get("condition") is None:
            ended.add(matched)


def _check_names(session: Context, target: dml.Target, tree: exp.Merge) -> None:
    """Refuse ALL BY NAME unless target and source have the same columns, in whatever order.

    Raises:
        SqlError: they have not (1420).
    """
    every = exp.select("*").from_(tree.args["using"].copy())
    given = sorted(c.name for c in queries.described(session, every, Purpose.DESCRIBE))
    if given != sorted(c.name for c in target.detail.columns):
        raise errors.invalid_property("ALL BY NAME needs a source with the target's columns.")


def _action(when: exp.Expr) -> str:
    then = when.args["then"]
    if isinstance(then, exp.Insert):
        return "INSERT"
    if isinstance(then, exp.Update):
        return "UPDATE"
    return "DELETE"


def _spell_out(target: dml.Target, tree: exp.Merge, then: exp.Expr) -> None:
    """Write out UPDATE ALL BY NAME and INSERT ALL BY NAME: source columns of the same names.

    Raises:
        SqlError: the source has no name that they could be taken from (0A000).
    """
    if not isinstance(then, (exp.Update, exp.Insert)) or not _is_by_name(then):
        return
    name = _source_name(tree)
    if name is None:
        raise errors.unsupported("ALL BY NAME from a query without an alias")
    listed = [names.quoted(column.name) for column in target.detail.columns]
    values = [exp.Column(this=one.copy(), table=name.copy()) for one in listed]
    if isinstance(then, exp.Update):
        pairs = zip(listed, values, strict=True)
        then.set("expressions", [exp.EQ(this=exp.Column(this=c), expression=v) for c, v in pairs])
    else:
        then.set("this", exp.Tuple(expressions=listed))
        then.set("expression", exp.Tuple(expressions=values))


def _require_values(then: exp.Expr) -> None:
    """Refuse an INSERT that does not say what is inserted.

    Raises:
        SqlError: it has no VALUES in parentheses (1003).
    """
    if isinstance(then, exp.Insert) and not isinstance(then.args.get("expression"), exp.Tuple):
        raise errors.syntax("syntax error: INSERT of a MERGE needs VALUES in parentheses.")


def _is_by_name(then: exp.Expr) -> bool:
    if isinstance(then, exp.Insert):
        return isinstance(then.this, exp.Star)
    return isinstance(then, exp.Update) and any(isinstance(e, exp.Star) for e in then.expressions)


def _clause(session: Context, target: dml.Target, number: int, when: exp.When) -> Clause:
    if when.args.get("source"):
        raise errors.unsupported("WHEN NOT MATCHED BY SOURCE")
    action, then = _action(when), when.args["then"]
    columns: tuple[ColumnDef, ...] = ()
    values: tuple[exp.Expr, ...] = ()
    if action == "UPDATE":
        pairs = [(dml.assigned_name(target, p), p.expression) for p in then.expressions]
        columns = _columns(target, tuple(name for name, _ in pairs))
        values = tuple(value for _, value in pairs)
    elif action == "INSERT":
        given = then.this.expressions if then.this is not None else []
        listed = tuple(names.stored(c.this if isinstance(c, exp.Column) else c) for c in given)
        columns = _columns(target, listed) if listed else target.detail.columns
        values = tuple(then.expression.expressions)
    if len(columns) != len(values):
        raise errors.wrong_count("MERGE lists differ in length.")
    values = tuple(
        or_default(session, v, c, target.detail.place) for v, c in zip(values, columns, strict=True)
    )
    return Clause(
        number, bool(when.args.get("matched")), when.args.get("condition"), action, columns, values
    )


def _source_name(tree: exp.Merge) -> exp.Expr | None:
    """Return the name by which the source's columns are qualified; None where it has none."""
    source = tree.args["using"]
    alias = source.args.get("alias")
    if alias is not None:
        name: exp.Expr = alias.this
        return name
    return source.this if isinstance(source.this, exp.Identifier) else None


def _of_source(tree: exp.Merge, target: dml.Target) -> None:
    """Let what is not matched name columns of the source alone: of the target there is no row.

    See https://docs.snowflake.com/en/sql-reference/sql/merge (notMatchedClause)

    Raises:
        SqlError: a column of the target is named (904).
    """
    name = _source_name(tree)
    is_self = name is not None and names.stored(name) == target.alias
    for when in tree.args["whens"].expressions:
        if when.args.get("matched"):
            continue
        values = when.args["then"].args.get("expression")
        for written in (values, when.args.get("condition")):
            for column in _outside_queries(written) if written is not None else ():
                table = column.args.get("table")
                if table is not None and names.stored(table) == target.alias and not is_self:
                    raise errors.invalid_identifier(f"{target.alias}.{names.stored(column.this)}")
                if name is not None and table is None and column.name.upper() != "DEFAULT":
                    column.set("table", name.copy())


def _outside_queries(tree: exp.Expr) -> list[exp.Column]:
    walked = tree.walk(prune=lambda node: isinstance(node, (exp.Query, exp.Subquery)))
    return [node for node in walked if isinstance(node, exp.Column)]


def _columns(target: dml.Target, listed: tuple[str, ...]) -> tuple[ColumnDef, ...]:
    known = {c.name: c for c in target.detail.columns}
    for name in listed:
        if name not in known:
            raise errors.invalid_identifier(name)
    return tuple(known[name] for name in listed)


def _buffer(
    session: Context, tree: exp.Merge, target: dml.Target, clauses: list[Clause]
) -> DuckSql:
    """Join the source to the governed target; note for each pair its clause and its values."""
    query = exp.select(exp.alias_(_choice(target, clauses), "act", quoted=True))
    for clause in clauses:
        for i, value in enumerate(clause.values):
            shown = exp.alias_(_only(target, clause, value), f"c{clause.number}_{i}", quoted=True)
            query.append("expressions", shown)
    query.set("from_", exp.From(this=tree.args["using"].copy()))
    query.append(
        "joins",
        exp.Join(this=dml.placeholder(target.alias), side="LEFT", on=tree.args["on"].copy()),
    )
    made = dml.with_row_ids(session, query, target, "SELECT")
    session.temporary += 1
    buffer = duck_sql.temporary(f"__merge_{session.temporary}")
    session.run(
        duck_sql.of(
            "CREATE TEMP TABLE {buffer} AS SELECT * FROM ({made}) WHERE act IS NOT NULL",
            buffer=buffer,
            made=made,
        )
    )
    return buffer


def _matched(target: dml.Target) -> exp.Expr:
    return exp.Is(this=names.column(ROW_ID, target.alias), expression=exp.null()).not_()


def _test(target: dml.Target, clause: Clause) -> exp.Expr:
    met = _matched(target) if clause.matched else exp.Not(this=exp.Paren(this=_matched(target)))
    if clause.condition is None:
        return met
    return exp.and_(met, exp.Paren(this=clause.condition.copy()))


def _choice(target: dml.Target, clauses: list[Clause]) -> exp.Expr:
    return exp.Case(
        ifs=[exp.If(this=_test(target, c), true=exp.Literal.number(c.number)) for c in clauses]
    )


def _only(target: dml.Target, clause: Clause, value: exp.Expr) -> exp.Expr:
    """Evaluate a clause's value only where the clause applies."""
    made = exp.Case(ifs=[exp.If(this=_test(target, clause), true=value.copy())])
    made.meta[SAID] = value.copy()
    return made


_NO_CLAUSE = -1


def _refuse_nondeterminism(
    session: Context, target: dml.Target, clauses: list[Clause], buffer: DuckSql
) -> None:
    """Refuse a row that several changes meet; that it is deleted twice is no conflict."""
    deletes = [clause.number for clause in clauses if clause.action == "DELETE"]
    asked = duck_sql.of(
        "SELECT rid FROM {buffer} WHERE rid IS NOT NULL "
        "GROUP BY rid HAVING count(*) > 1 AND NOT bool_and(act IN ({deletes})) "
        "ORDER BY rid LIMIT 1",
        buffer=buffer,
        deletes=duck_sql.listed(deletes or [_NO_CLAUSE]),
    )
    row = session.cursor.execute(asked).fetchone()
    if row and effective(session, "ERROR_ON_NONDETERMINISTIC_MERGE"):
        raise dml.refusal(session, target, row[0])


def _keep_one_change(session: Context, buffer: DuckSql) -> None:
    """Let each row of the target change once: what is left changes it alike, or whichever way."""
    session.run(
        duck_sql.of(
            "DELETE FROM {buffer} WHERE rid IS NOT NULL AND rowid NOT IN "
            "(SELECT min(rowid) FROM {buffer} WHERE rid IS NOT NULL GROUP BY rid)",
            buffer=buffer,
        )
    )


def _apply(
    session: Context,
    target: dml.Target,
    clause: Clause,
    clauses: list[Clause],
    buffer: DuckSql,
) -> int:
    mine = duck_sql.of("{buffer} WHERE act = {number}", buffer=buffer, number=clause.number)
    touched = duck_sql.of("rowid IN (SELECT rid FROM {mine})", mine=mine)
    if clause.action == "INSERT":
        session.run(
            duck_sql.of(
                "INSERT INTO {table} ({columns}) SELECT {values} FROM {mine}",
                table=target.physical,
                columns=target.columns,
                values=_inserted(session, target, clause),
                mine=mine,
            )
        )
    elif clause.action == "DELETE":
        images.keep(session, target.detail.place, touched)
        session.run(dml.deleting(target, touched))
    else:
        sets = [
            dml.assigned(c.name, stored_text(f"c{clause.number}_{i}", "b", c, session.customs))
            for i, c in enumerate(clause.columns)
        ]
        images.keep(session, target.detail.place, touched)
        session.run(dml.updating(session, target, sets, duck_sql.of("(SELECT * FROM {m})", m=mine)))
    row = session.cursor.execute(duck_sql.of("SELECT count(*) FROM {mine}", mine=mine)).fetchone()
    return int(row[0]) if row else 0


def _inserted(session: Context, target: dml.Target, clause: Clause) -> DuckSql:
    given = {c.name: f"c{clause.number}_{i}" for i, c in enumerate(clause.columns)}
    values = []
    for column in target.detail.columns:
        value: exp.Expr
        if column.name in given:
            value = names.column(given[column.name])
        else:
            value = default_tree(session, column, target.detail.place)
        values.append(stored_value(value, column, session.customs))
    return duck_sql.listed(values)
