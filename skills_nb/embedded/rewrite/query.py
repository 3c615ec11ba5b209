"""Queries: one walk that resolves names, governs tables and finds the columns of the result.

Room: embedded. `govern` changes the tree it is given and returns the columns it yields. After it,
every identifier is a stored one, every table reference is protected, every `*` is spelled out and
every result column has the name that Snowflake gives it.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import names, refusals
from skills_nb.embedded.callables import ai, expanding, models
from skills_nb.embedded.callables import metric_calls as metrics
from skills_nb.embedded.inference import infer
from skills_nb.embedded.rewrite import columns as cols
from skills_nb.embedded.rewrite import context, folding, lineage, semantic_select
from skills_nb.embedded.rewrite.sources import SourceReader
from skills_nb.embedded.scope import Env, OutColumn, Source, guards, rename, stricter, visible
from skills_nb.embedded.versions.numbers import next_value

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

CLAUSES = ("where", "group", "having", "qualify", "order", "limit", "offset", "windows")


class QueryRewriter:
    """Governs the queries of one statement."""

    def __init__(self, session: AccountSession) -> None:
        """Work for this session."""
        self.session = session
        self.sources = SourceReader(self, session)
        self.reads: dict[int, set[str]] = {}
        """Numbers of the tables and views read, with the columns named."""
        self.governed = False
        """True once a policy took part: error texts must then hide values."""
        self.streams: dict[int, int] = {}
        """Streams read, with the instant up to which."""
        self.constraints: dict[tuple[int, str], str] = {}
        """What policies without arguments answered, by policy and invoker."""
        self.restricting = False
        """True once a column was read that may not be projected."""
        self._numbers = itertools.count(1)
        self._alias_marks: dict[str, str] = {}

    def fresh(self, word: str) -> str:
        """Return a name that nothing else in the statement has."""
        return f"__{word}_{next(self._numbers)}"

    def mark_of(self, *values: exp.Expr) -> str:
        """Return what keeps expressions out of results; '' for nearly all statements, at once."""
        return stricter(map(lineage.restriction, values)) if self.restricting else ""

    # ---- whole queries

    def govern(self, query: exp.Expr, env: Env) -> tuple[OutColumn, ...]:
        """Rewrite a query in place and return its columns."""
        env = self._with_clause(query, env)
        if isinstance(query, exp.Select):
            return self._select(query, env)
        if isinstance(query, exp.SetOperation):
            return self._set_operation(query, env)
        if isinstance(query, exp.Subquery):
            return self._wrapped(query, env)
        if isinstance(query, exp.Values):
            return self.sources.values(query, env)
        raise refusals.unsupported(type(query).__name__.upper())

    def _wrapped(self, query: exp.Subquery, env: Env) -> tuple[OutColumn, ...]:
        found = self.govern(query.this, env)
        self._tail(query, env, (Source("", found),), found)
        return found

    def _set_operation(self, query: exp.SetOperation, env: Env) -> tuple[OutColumn, ...]:
        left = self.govern(query.left, env)
        right = self.govern(query.right, env)
        ours, theirs = visible(left), visible(right)
        if len(ours) != len(theirs):
            raise refusals.wrong_count(
                "invalid number of result columns for set operator input "
                f"branches, expected {len(ours)}, got {len(theirs)} in "
                "branch {2}"
            )
        found = tuple(
            OutColumn(
                a.name,
                a.type if a.type == b.type else None,
                a.nullable or a.type != b.type,
                restricted=stricter((a.restricted, b.restricted)),
            )
            for a, b in zip(ours, theirs, strict=True)
        )
        if guards(left) or guards(right):
            found += folding.united(self, query, left, right)
        self._tail(query, env, (Source("", found),), found)
        return found

    def _tail(
        self,
        query: exp.Expr,
        env: Env,
        sources: tuple[Source, ...],
        found: tuple[OutColumn, ...],
    ) -> None:
        aliases = frozenset(c.name for c in found)
        for clause in ("order", "limit", "offset"):
            if node := query.args.get(clause):
                self.expression(node, replace(env, outer=(sources, *env.outer)), aliases)

    def _with_clause(self, query: exp.Expr, env: Env) -> Env:
        clause = query.args.get("with_")
        if not isinstance(clause, exp.With):
            return env
        for cte in clause.expressions:
            env = self._cte(cte, clause, env)
        return env

    def _cte(self, cte: exp.CTE, clause: exp.With, env: Env) -> Env:
        alias = cte.args["alias"]
        name = names.stored(alias.this)
        listed = tuple(names.stored(c) for c in alias.args.get("columns") or ())
        recursive = _is_recursive(cte, name)
        if recursive:
            clause.set("recursive", True)
            found = self._recursive(cte.this, name, listed, env)
        else:
            found = self.govern(cte.this, env)
        found = rename(found, listed)
        alias.set("this", names.quoted(name))
        alias.set("columns", [names.quoted(c.name) for c in found])
        return env.with_cte(name, found)

    def _recursive(
        self, query: exp.SetOperation, name: str, listed: tuple[str, ...], env: Env
    ) -> tuple[OutColumn, ...]:
        anchor = rename(self.govern(query.left, env), listed)
        again = self.govern(query.right, env.with_cte(name, anchor))
        if guards((*anchor, *again)):
            raise refusals.aggregation_violated("RECURSIVE COMMON TABLE EXPRESSION")
        # A value may move from column to column with each round.
        restricted = stricter(c.restricted for c in (*anchor, *again))
        return tuple(OutColumn(c.name, c.type, restricted=restricted) for c in anchor)

    # ---- SELECT

    def _select(self, query: exp.Select, env: Env) -> tuple[OutColumn, ...]:
        semantic_select.written_out(self, query, env)
        sources = self.sources.read_from(query, env)
        inner = env.inside(sources)
        guarded = any(guards(s.columns) for s in sources)
        aggregates = guarded and folding.checked(query)
        outer, self._alias_marks = self._alias_marks, {}
        self._projections(query, sources, inner)
        found = tuple(self._out(p) for p in query.expressions)
        self._clauses(query, inner, frozenset(c.name for c in found))
        self._alias_marks = outer
        if aggregates:
            folding.fold(query, sources)
        elif guarded:
            found += folding.carried(self, query, sources)
        return found

    def _clauses(self, query: exp.Select, inner: Env, aliases: frozenset[str]) -> None:
        for clause in CLAUSES:
            node = query.args.get(clause)
            for part in node if isinstance(node, list) else [node] if node else []:
                self.expression(part, inner, aliases)
        distinct = query.args.get("distinct")
        if distinct is not None and distinct.args.get("on") is not None:
            raise refusals.unsupported("DISTINCT ON")

    def _projections(self, query: exp.Select, sources: tuple[Source, ...], env: Env) -> None:
        made: list[exp.Expr] = []
        known: set[str] = set()
        for projection in query.expressions:
            if _is_star(projection):
                if not sources:
                    raise refusals.syntax("syntax error line 1 at position 7 unexpected '*'.")
                self._star_options(projection, env)
                made.extend(cols.expand_star(projection, sources))
                continue
            name = cols.output_name(projection)
            value = projection.this if isinstance(projection, exp.Alias) else projection
            held = exp.Paren(this=value.copy())
            self.expression(held, env, frozenset(known))
            made.append(exp.Alias(this=held.this, alias=names.quoted(name)))
            known.add(name)
            self._alias_marks[name] = self.mark_of(held.this)
        if not made:
            raise refusals.syntax("SELECT with no columns")
        query.set("expressions", made)
        for projection in made:
            self._note_star(projection.this, sources)

    def _star_options(self, star: exp.Expr, env: Env) -> None:
        options = star.this if isinstance(star, exp.Column) else star
        for replaced in options.args.get("replace") or ():
            self.expression(replaced, env, frozenset())

    def _note_star(self, value: exp.Expr, sources: tuple[Source, ...]) -> None:
        if isinstance(value, exp.Column) and value.table:
            for source in sources:
                if source.alias == value.table:
                    self.note_read(source, value.name)

    def note_read(self, source: Source, column: str) -> None:
        """Remember for the access history that a column of a table or view was read."""
        if source.path:
            entity = self.session.relation(source.path)
            if entity is not None:
                self.reads.setdefault(entity.id, set()).add(column)

    def _out(self, projection: exp.Expr) -> OutColumn:
        restricted = self.mark_of(projection.this)
        return OutColumn(
            projection.args["alias"].name, infer(projection.this), restricted=restricted
        )

    # ---- expressions

    def expression(self, root: exp.Expr, env: Env, aliases: frozenset[str]) -> None:
        """Resolve names and govern subqueries below `root`, which itself stays in place."""
        for node, call in list(self._shallow(root, env)):
            if call is not None:
                node.replace(expanding.scalar(self, *call, env, aliases))
            elif isinstance(node, exp.Query):
                self._inner(node, env)
            elif isinstance(node, exp.Column):
                self._column(node, env, aliases)
            elif isinstance(node, exp.Parameter):
                self._parameter(node, env)
            elif isinstance(node, exp.StarMap):
                self._star_map(node, env)
            elif (asked := ai.asked(self.session, node) or ai.prompt(node)) is not None:
                node.replace(asked)
            elif (predicted := models.asked(self.session, node, env)) is not None:
                node.replace(predicted)
            elif (constant := context.answer(node, self.session, env)) is not None:
                node.replace(constant)

    def _inner(self, node: exp.Query, env: Env) -> None:
        """Govern a query that stands in an expression."""
        found = self.govern(node, env)
        if guards(found):
            raise refusals.aggregation_required()
        node.set(cols.RESTRICTED, stricter(c.restricted for c in found))

    def _shallow(self, root: exp.Expr, env: Env) -> list[tuple[exp.Expr, expanding.Call | None]]:
        """List nodes below root, parents first, without looking into queries, columns and calls."""
        found: list[tuple[exp.Expr, expanding.Call | None]] = []
        pending = list(root.iter_expressions(reverse=True))
        while pending:
            node = pending.pop()
            made = metrics.written_out(self.session, node, env)
            if made is not node:
                node.replace(made)
                node = made
            call = expanding.called(self.session, node, env)
            found.append((node, call))
            if call is None and not isinstance(node, (exp.Query, exp.Column)):
                pending.extend(node.iter_expressions(reverse=True))
        return found

    def _column(self, node: exp.Column, env: Env, aliases: frozenset[str]) -> None:
        if isinstance(node.this, exp.Parameter):
            table = names.stored(node.args.get("table")) or None
            node.replace(cols.positional(node.this, table, env.outer[0]))
            return
        if isinstance(node.this, exp.Star) and isinstance(node.parent, exp.Count):
            node.replace(cols.counted_rows(node, env.outer[0] if env.outer else ()))
            return
        found = cols.find(node, env.outer)
        if found is not None:
            self.note_read(found[0], found[1].name)
            folding.refuse_correlated(env.outer, found[0])
            if found[1].restricted and env.trail:
                raise refusals.column_in_two_policies(found[1].name)
            cols.resolve(node, *found)
            return
        name = names.stored(node.this)
        if not node.args.get("table"):
            if name in aliases:
                node.set("this", names.quoted(name))
                cols.mark(node, self._alias_marks.get(name, ""))
                return
            if (constant := context.bare(name, self.session, env)) is not None:
                node.replace(constant)
                return
        if name == "NEXTVAL" and node.args.get("table"):
            node.replace(next_value(self.session, names.column_path(node)[:-1], env))
            return
        raise refusals.invalid_identifier(_as_written(node))

    def _star_map(self, node: exp.StarMap, env: Env) -> None:
        """Spell out OBJECT_CONSTRUCT(*)."""
        pairs = [
            exp.PropertyEQ(this=exp.Literal.string(found.alias), expression=found.this)
            for found in cols.expand_star(exp.Star(), env.outer[0] if env.outer else ())
        ]
        node.replace(exp.Struct(expressions=pairs))

    def _parameter(self, node: exp.Parameter, env: Env) -> None:
        if isinstance(node.this, exp.Literal) and env.outer:
            node.replace(cols.positional(node, None, env.outer[0]))
        else:
            node.replace(self.session.variable_tree(node.name.upper()))


def _is_star(projection: exp.Expr) -> bool:
    return isinstance(projection, exp.Star) or (
        isinstance(projection, exp.Column) and isinstance(projection.this, exp.Star)
    )


def _is_recursive(cte: exp.CTE, name: str) -> bool:
    """Tell whether the CTE is a union whose second branch reads the CTE itself."""
    if not isinstance(cte.this, exp.Union):
        return False
    tables = cte.this.right.find_all(exp.Table)
    return any(names.table_path(table) == (name,) for table in tables if _is_named(table))


def _is_named(table: exp.Table) -> bool:
    return isinstance(table.this, exp.Identifier)


def _as_written(node: exp.Column) -> str:
    return ".".join(
        part.sql("snowflake").upper() if not part.args.get("quoted") else part.sql("snowflake")
        for part in node.parts
    )
