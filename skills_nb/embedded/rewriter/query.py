"""Queries: one walk that resolves names, governs tables and finds the columns of the result.

Room: embedded. `govern` changes the tree it is given and returns the columns it yields. After it,
every identifier is a stored one, every table reference is protected, every `*` is spelled out and
every result column has the name that Snowflake gives it.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder import alike_names, certainty, lineage, recursion, set_operations
from skills_nb.embedded.binder import columns as cols
from skills_nb.embedded.rewriter import (
    aggregation_policies,
    ai,
    context,
    expanding,
    models,
    semantic_select,
    stars,
)
from skills_nb.embedded.rewriter import metric_calls as metrics
from skills_nb.embedded.rewriter.requirements import (
    AWAITED,
    Placeholder,
    Requirement,
    StoredRows,
    without_rows,
)
from skills_nb.embedded.rewriter.sources import SourceReader
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel.sequences import next_value
from skills_nb.embedded.translator import rows
from skills_nb.embedded.types import names
from skills_nb.embedded.types.inference import infer
from skills_nb.embedded.types.scope import (
    PICKED,
    Env,
    OutColumn,
    Source,
    guards,
    rename,
    stricter,
    told_apart,
    visible,
)
from skills_nb.embedded.types.system_rows import Table
from skills_nb.embedded.types.tree_copies import copied
from skills_nb.embedded.types.values import Column

CLAUSES = ("where", "group", "having", "qualify", "order", "limit", "offset", "windows")


class QueryRewriter:
    """Governs the queries of one statement."""

    def __init__(self, session: Context) -> None:
        """Work for this session."""
        self.session = session
        self.sources = SourceReader(self, session)
        self.reads: dict[int, set[str]] = {}
        """Numbers of the tables and views read, with the columns named."""
        self.judged: dict[tuple[str, ...], set[str]] = {}
        """Columns that were named and judged, by the full name of the table, view or stream."""
        self.guarded = False
        """True once records were read that must be aggregated."""
        self.governed = False
        """True once a policy took part: error texts must then hide values."""
        self.streams: dict[int, tuple[int, int]] = {}
        """Streams read, with the instants from which and up to which."""
        self.constraints: dict[tuple[int, str], str] = {}
        """What policies without arguments answered, by policy and invoker."""
        self.requirements: list[Requirement] = []
        """What must run before the query, by the number that its placeholders have."""
        self.draws = False
        """True once a sequence is to give a number: reading the query changes it."""
        self.restricting = False
        """True once a column was read that may not be projected."""
        self._numbers = itertools.count(1)
        self._alias_marks: dict[str, str] = {}
        self._alias_values: dict[str, exp.Expr] = {}

    def fresh(self, word: str) -> str:
        """Return a name that nothing else in the statement has."""
        return f"__{word}_{next(self._numbers)}"

    def rows_of(self, table: Table) -> tuple[exp.Query, tuple[OutColumn, ...]]:
        """Return a query over rows that are at hand, and its columns."""
        written = rows.written_out(*table)
        if written is not None:
            return written, rows.out_columns(table[0])
        return self.awaited_rows(StoredRows(*table), table[0])

    def awaited_rows(
        self, requirement: Requirement, columns: tuple[Column, ...]
    ) -> tuple[exp.Query, tuple[OutColumn, ...]]:
        """Return what stands for rows that must be asked for, and their columns."""
        return self.awaited(requirement, without_rows(columns)), rows.out_columns(columns)

    def awaited(self, requirement: Requirement, placeholder: Placeholder) -> Placeholder:
        """Note what must run first, and mark what stands for its answer until then."""
        placeholder.set(AWAITED, len(self.requirements))
        self.requirements.append(requirement)
        return placeholder

    def next_value(self, sequence: tuple[str, ...], env: Env) -> exp.Expr:
        """Return what stands for the next number of a sequence."""
        self.draws = True
        return next_value(self.session, sequence, env)

    def mark_of(self, *values: exp.Expr) -> str:
        """Return what keeps expressions out of results; '' for nearly all statements, at once."""
        return stricter(map(lineage.restriction, values)) if self.restricting else ""

    # ---- whole queries

    def govern(self, query: exp.Expr, env: Env) -> tuple[OutColumn, ...]:
        """Rewrite a query in place and return its columns.

        Raises:
            SqlError: the tree is no query (0A000).
        """
        env = self._with_clause(query, env)
        if isinstance(query, exp.Select):
            return self._select(query, env)
        if isinstance(query, exp.SetOperation):
            return self._set_operation(query, env)
        if isinstance(query, exp.Subquery):
            return self._wrapped(query, env)
        if isinstance(query, exp.Values):
            return self.sources.values(query, env)
        raise errors.unsupported(type(query).__name__.upper())

    def _wrapped(self, query: exp.Subquery, env: Env) -> tuple[OutColumn, ...]:
        found = self.govern(query.this, env)
        self._tail(query, env, (Source("", found),), found)
        return found

    def _set_operation(self, query: exp.SetOperation, env: Env) -> tuple[OutColumn, ...]:
        left = self.govern(query.left, env)
        right = self.govern(query.right, env)
        found = set_operations.united(query, visible(left), visible(right))
        if guards(left) or guards(right):
            found += aggregation_policies.united(self, query, left, right)
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
        if told_apart(found):
            alike_names.by_position(query, found)
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
        recursive = names.is_recursive(cte, name)
        if recursive:
            clause.set("recursive", True)
            found = self._recursive(cte.this, name, listed, env)
        else:
            found = self.govern(cte.this, env)
        found = rename(found, listed)
        alias.set("this", names.quoted(name))
        other = told_apart(found)
        alias.set("columns", [names.quoted(other.get(c.name, c.name)) for c in found])
        return env.with_cte(name, found)

    def _recursive(
        self, query: exp.SetOperation, name: str, listed: tuple[str, ...], env: Env
    ) -> tuple[OutColumn, ...]:
        recursion.check(query)
        anchor = rename(self.govern(query.left, env), listed)
        again = self.govern(query.right, env.with_cte(name, anchor))
        recursion.check_types(anchor, again)
        if guards((*anchor, *again)):
            raise errors.aggregation_violated("RECURSIVE COMMON TABLE EXPRESSION")
        # A value may move from column to column with each round.
        restricted = stricter(c.restricted for c in (*anchor, *again))
        return tuple(OutColumn(c.name, c.type, restricted=restricted) for c in anchor)

    # ---- SELECT

    def _select(self, query: exp.Select, env: Env) -> tuple[OutColumn, ...]:
        semantic_select.written_out(self, query, env)
        sources = self.sources.read_from(query, env)
        inner = env.inside(sources)
        guarded = any(guards(s.columns) for s in sources)
        self.guarded = self.guarded or guarded
        aggregates = guarded and aggregation_policies.checked(query)
        outer, self._alias_marks = self._alias_marks, {}
        beyond, self._alias_values = self._alias_values, {}
        self._projections(query, sources, inner)
        found = tuple(self._out(p) for p in query.expressions)
        self._clauses(query, inner, frozenset(c.name for c in found))
        self._alias_marks, self._alias_values = outer, beyond
        if aggregates:
            aggregation_policies.fold(query, sources)
        elif guarded:
            found = aggregation_policies.carried(self, query, sources, found)
        return found

    def _clauses(self, query: exp.Select, inner: Env, aliases: frozenset[str]) -> None:
        for clause in CLAUSES:
            node = query.args.get(clause)
            for part in node if isinstance(node, list) else [node] if node else []:
                self.expression(part, inner, aliases)
        distinct = query.args.get("distinct")
        if distinct is not None and distinct.args.get("on") is not None:
            raise errors.unsupported("DISTINCT ON")

    def _projections(self, query: exp.Select, sources: tuple[Source, ...], env: Env) -> None:
        made: list[exp.Expr] = []
        known: set[str] = set()
        for projection in query.expressions:
            star = stars.listed(projection)
            if star is not None:
                if not sources:
                    raise errors.syntax("syntax error line 1 at position 7 unexpected '*'.")
                self._star_options(star, env)
                made.extend(cols.expand_star(star, sources))
                continue
            name = cols.output_name(projection)
            value = projection.this if isinstance(projection, exp.Alias) else projection
            held = exp.Paren(this=copied(value))
            self.expression(held, env, frozenset(known))
            made.append(exp.Alias(this=held.this, alias=names.quoted(name)))
            known.add(name)
            self._alias_marks[name] = self.mark_of(held.this)
            self._alias_values[name] = held.this
        if not made:
            raise errors.syntax("SELECT with no columns")
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
                self.judged.setdefault(source.path, set()).add(column)
                self.reads.setdefault(entity.id, set()).add(column)

    def _out(self, projection: exp.Expr) -> OutColumn:
        name, restricted = projection.args["alias"].name, self.mark_of(projection.this)
        certain = certainty.of(projection)
        return OutColumn(name, infer(projection.this), certain=certain, restricted=restricted)

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
            elif (asked := ai.asked(self.session, node, env.roles) or ai.prompt(node)) is not None:
                node.replace(asked)
            elif (predicted := models.asked(self.session, node, env)) is not None:
                node.replace(predicted)
            elif (constant := context.answer(node, self, env)) is not None:
                node.replace(constant)

    def _inner(self, node: exp.Query, env: Env) -> None:
        """Govern a query that stands in an expression."""
        found = self.govern(node, env)
        if guards(found):
            raise errors.aggregation_required()
        node.set(cols.RESTRICTED, stricter(c.restricted for c in found))

    def _shallow(self, root: exp.Expr, env: Env) -> list[tuple[exp.Expr, expanding.Call | None]]:
        """List nodes below root, parents first, without looking into queries, columns and calls."""
        found: list[tuple[exp.Expr, expanding.Call | None]] = []
        pending = list(root.iter_expressions(reverse=True))
        while pending:
            node = pending.pop()
            if stars.is_star(node):
                if not stars.is_of_rows(node):
                    pending.extend(reversed(stars.spread(node, env.nearest)))
                continue
            made = metrics.written_out(self.session, node, env)
            if isinstance(made, exp.StarMap):
                made = stars.written_out(made, env.nearest)
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
            self._at_position(node, node.this, table, env)
            return
        found = cols.find(node, env.outer)
        if found is not None:
            self.note_read(found[0], found[1].name)
            aggregation_policies.refuse_correlated(env.outer, found[0])
            if found[1].restricted and env.trail:
                raise errors.column_in_two_policies(found[1].name)
            alike_names.say_outer(node, *found, env.outer)
            cols.resolve(node, *found)
            return
        name = names.stored(node.this)
        if not node.args.get("table"):
            if name in aliases:
                if alike_names.is_taken(name, aliases, env.nearest):
                    node.replace(self._meant(name))
                    return
                node.set("this", names.quoted(name))
                node.set(cols.WORKED, PICKED)
                cols.mark_alias(node, self._alias_marks.get(name, ""), self._alias_values.get(name))
                return
            if (constant := context.bare(name, self.session, env)) is not None:
                node.replace(constant)
                return
        if name == "NEXTVAL" and node.args.get("table"):
            node.replace(self.next_value(names.column_path(node)[:-1], env))
            return
        raise errors.invalid_identifier(names.as_written(node))

    def _meant(self, alias: str) -> exp.Expr:
        """Return what an alias stands for, where DuckDB would take it for another name."""
        value = self._alias_values.get(alias)
        if value is None:
            raise errors.unsupported("an alias that differs from another only by case")
        return exp.Paren(this=copied(value))

    def _at_position(
        self, node: exp.Expr, position: exp.Parameter, table: str | None, env: Env
    ) -> None:
        source, column = cols.positional(position, table, env.outer[0])
        self.note_read(source, column.name)
        node.replace(cols.reference(source, column))

    def _parameter(self, node: exp.Parameter, env: Env) -> None:
        if isinstance(node.this, exp.Literal) and env.outer:
            self._at_position(node, node, None, env)
        elif env.share is not None:  # a consumer's variables are nothing to what a provider lends
            raise errors.missing_variable(node.name.upper())
        else:
            node.replace(self.session.variable_tree(node.name.upper()))
