"""Sources: what stands in FROM, turned into protected subqueries with known columns.

Room: embedded. Tables, views, CTEs, subqueries, VALUES, LATERAL and table functions; a kind that is
not known here is refused, since what is not protected must not be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder import alike_names, certainty, merged_keys, set_operations
from skills_nb.embedded.binder.asked_columns import asked_of
from skills_nb.embedded.parser import bulk_values
from skills_nb.embedded.rewriter import picking, silenced
from skills_nb.embedded.rewriter.lateral.input_numbers import number_of
from skills_nb.embedded.rewriter.lateral.rows_first import rows_first
from skills_nb.embedded.rewriter.protect import protected
from skills_nb.embedded.rewriter.rewriter import Rewriter
from skills_nb.embedded.rewriter.semantic_queries import semantic_query
from skills_nb.embedded.rewriter.tablefunctions import table_function
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files import directories, reading
from skills_nb.embedded.storage.time_travel import travel
from skills_nb.embedded.types import names
from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.inference import infer, shared_number
from skills_nb.embedded.types.scope import (
    ChangedTable,
    Env,
    HeldRows,
    OutColumn,
    Source,
    guards,
    rename,
    told_apart,
)


class SourceReader:
    """Reads FROM clauses for a `Rewriter`."""

    def __init__(self, rewriter: Rewriter, session: Context) -> None:
        """Work for this rewriter."""
        self.rewriter = rewriter
        self.session = session
        self.target: Callable[[ChangedTable], Source] | None = None
        """Fills in the table that a statement changes."""

    def read_from(self, query: exp.Expr, env: Env) -> tuple[Source, ...]:
        """Rewrite FROM and its joins in place; return the sources in order."""
        sources: list[Source] = []
        first = query.args.get("from_")
        if first is not None:
            sources.extend(self.item(first.this, env, ()))
        for lateral in list(query.args.get("laterals") or ()):
            sources.extend(self.item(lateral, env, tuple(sources)))
        for join in list(query.args.get("joins") or ()):
            sources = self.join(join, env, sources)
        alike_names.refuse_doubles(sources)
        return tuple(alike_names.beside(source, sources) for source in sources)

    def join(self, join: exp.Join, env: Env, left: list[Source]) -> list[Source]:
        """Rewrite one join; return the sources so far."""
        right = list(self.item(join.this, env, tuple(left)))
        merged = self._merged(join, left, right)
        if merged:
            merged_keys.check(merged, left, right)
            self._note_merged(merged, (*left, *right))
            by_instant = merged_keys.is_by_instant(join, merged, (*left, *right))
            if join.method == "ASOF" or by_instant:
                left, right = merged_keys.spelled_out(join, merged, left, right)
            else:
                join.set("using", [names.quoted(n) for n in merged])
            right = [merged_keys.merged_into(s, merged, join.side) for s in right]
            join.set("method", None if join.method == "NATURAL" else join.args.get("method"))
        left = certainty.padded(left) if join.side in ("RIGHT", "FULL") else left
        right = certainty.padded(right) if join.side in ("LEFT", "FULL") else right
        sources = [*left, *right]
        for part in ("on", "match_condition"):
            if (condition := join.args.get(part)) is not None:
                held = exp.Paren(this=condition.copy())
                within = tuple(alike_names.beside(source, sources) for source in sources)
                self.rewriter.expression(held, env.inside(within), frozenset())
                join.set(part, held.this)
        return sources

    def _note_merged(self, merged: tuple[str, ...], sources: tuple[Source, ...]) -> None:
        if any(guards(source.columns) for source in sources):
            picking.check_merged(merged, sources)
        for source in sources:
            for name in merged:
                if source.column(name) is not None:
                    self.rewriter.note_read(source, name)

    def _merged(self, join: exp.Join, left: list[Source], right: list[Source]) -> tuple[str, ...]:
        """Return the columns that are equal, in the order in which `*` lists them."""
        if using := join.args.get("using"):
            return tuple(dict.fromkeys(names.stored(_bare(u)) for u in using))
        if join.method == "NATURAL":
            theirs = {c.name for s in right for c in s.columns}
            ours = (c.name for s in left for c in s.columns if c.name not in s.hidden)
            return tuple(dict.fromkeys(name for name in ours if name in theirs))
        return ()

    def item(self, node: exp.Expr, env: Env, before: tuple[Source, ...]) -> Iterator[Source]:
        """Rewrite one item of FROM in place; yield its sources (a parenthesised join has many).

        Raises:
            SqlError: it is a PIVOT that nothing wrote out, or of a kind that is not supported
                (0A000).
        """
        if node.args.get("pivots"):
            raise errors.unsupported("PIVOT")
        nested = [*(node.args.get("joins") or ())]
        if isinstance(node, (HeldRows, ChangedTable)):
            yield self._own(node)
            return
        if isinstance(node, exp.Table):
            sources = [self._table(node, env, before)]
        elif isinstance(node, exp.Subquery):
            sources = list(self._subquery(node, env, before))
        elif isinstance(node, exp.Values):
            sources = [self._values(node, env)]
        elif isinstance(node, (exp.Lateral, exp.TableFromRows)):
            sources = [self._function(node, env, before)]
        else:
            raise errors.unsupported(f"{type(node).__name__.upper()} in FROM")
        for join in nested:
            sources = self.join(join, env, sources)
        yield from sources

    # ---- tables, views, CTEs

    def _staged(self, node: exp.Table, written: str, env: Env) -> Source:
        """Read `@stage/path`."""
        query, found = self.rewriter.rows_of(reading.staged(self.session, node, written, env))
        alias = _alias(node) or "T"
        node.replace(exp.Subquery(this=query, alias=exp.TableAlias(this=names.quoted(alias))))
        return Source(alias, found, unlisted=reading.HIDDEN)

    def _directory(self, node: exp.Table, asked: exp.DirectoryStage, env: Env) -> Source:
        """Read `DIRECTORY(@stage)`."""
        query, found = self.rewriter.rows_of(directories.directory(self.session, asked, env))
        alias = _alias(node) or "DIRECTORY"
        found = _listed(node, found)
        node.replace(exp.Subquery(this=query, alias=_table_alias(alias, node, found)))
        return Source(alias, found)

    def _table(self, node: exp.Table, env: Env, before: tuple[Source, ...]) -> Source:
        if (written := reading.location_in(node)) is not None:
            return self._staged(node, written, env)
        for option in ("version", "sample", "pattern", "format"):
            if option != "sample" and node.args.get(option) is not None:
                raise errors.unsupported(_OPTIONS.get(option, option.upper()))
        if isinstance(node.this, exp.Parameter):
            return self._piped(node)
        if isinstance(node.this, exp.DirectoryStage):
            return self._directory(node, node.this, env)
        if isinstance(node.this, exp.SemanticView):
            return self._semantic(node, node.this, env)
        if isinstance(node.this, exp.Func) and not isinstance(node.this, exp.DynamicIdentifier):
            return self._function(node, env, before)
        path = names.table_path(node)
        if len(path) == 1 and path[0] in env.ctes and isinstance(node.this, exp.Identifier):
            return self._cte(node, path[0], env)
        return self._relation(node, path, env)

    def _semantic(self, node: exp.Table, asked: exp.SemanticView, env: Env) -> Source:
        """Read `SEMANTIC_VIEW(…)`."""
        query, found = semantic_query(self.rewriter, asked, env)
        found = _listed(node, found)
        alias = _alias(node) or names.table_path(asked.this)[-1]
        node.replace(exp.Subquery(this=query, alias=_table_alias(alias, node, found)))
        return Source(alias, found)

    def _piped(self, node: exp.Table) -> Source:
        """Read `$1`, the result of the step before, in a chain of statements."""
        position = node.this.name
        piped = self.session.statement.piped
        if not position.isdigit() or not 1 <= int(position) <= len(piped):
            raise errors.invalid_identifier(f"${position}")
        outcome = piped[int(position) - 1]
        query, found = self.rewriter.rows_of((outcome.columns, outcome.rows))
        alias = _alias(node) or "T"
        node.replace(exp.Subquery(this=query, alias=exp.TableAlias(this=names.quoted(alias))))
        return Source(alias, found)

    def _cte(self, node: exp.Table, name: str, env: Env) -> Source:
        alias = _alias(node) or name
        found = _listed(node, env.ctes[name])
        node.set("this", names.quoted(name))
        other = told_apart(found)
        node.set("alias", _table_alias(alias, node, found, other))
        node.set(names.GOVERNED, True)
        return Source(alias, found, sent_as=other)

    def _relation(self, node: exp.Table, path: tuple[str, ...], env: Env) -> Source:
        full = self.session.qualify(path, env)
        alias = _alias(node) or full[-1]
        env = self._when(node, env)
        if full[1:2] == ("INFORMATION_SCHEMA",):
            env = replace(env, asked=asked_of(node, alias))
        query, found = protected(self.rewriter, full, env)
        found = _listed(node, found)
        wrapped = exp.Subquery(this=query, alias=_table_alias(alias, node, found))
        for part in ("sample", "joins"):
            if node.args.get(part):
                wrapped.set(part, node.args[part])
        node.replace(wrapped)
        return Source(alias, found, path=full)

    def _when(self, node: exp.Table, env: Env) -> Env:
        """Read `AT | BEFORE (…)` and `CHANGES (…)`."""
        if (changes := node.args.get("changes")) is not None:
            return replace(env, changes=travel.span_of(self.session, changes, env))
        if (when := node.args.get("when")) is not None:
            return replace(env, moment=travel.of_tree(self.session, when, env))
        return env

    # ---- what the account itself put there

    def _own(self, node: HeldRows | ChangedTable) -> Source:
        if isinstance(node, HeldRows):
            source = Source(_alias(node) or "", node.args["found"])
        else:
            assert self.target is not None
            source = self.target(node)
        node.replace(exp.Subquery(this=node.this, alias=node.args.get("alias")))
        return source

    # ---- subqueries and VALUES

    def _subquery(
        self, node: exp.Subquery, env: Env, before: tuple[Source, ...]
    ) -> Iterator[Source]:
        inner = node.this
        if isinstance(inner, (exp.Table, exp.Subquery, exp.TableFromRows)):
            if _alias(node) is None:
                yield from self.item(inner, env, before)
                return
            node.set("this", exp.Select(expressions=[exp.Star()], from_=exp.From(this=inner)))
            inner = node.this
        found = _listed(node, self.rewriter.govern(inner, env))
        alias, other = _alias(node), told_apart(found)
        if alias is not None or other:
            called = alias or self.rewriter.fresh("cases")
            node.set("alias", _table_alias(called, node, found, other))
        yield Source(alias or "", found, sent_as=other)

    def _values(self, node: exp.Values, env: Env) -> Source:
        found = _listed(node, self.values(node, env))
        alias = _alias(node) or "VALUES"
        listed = [names.quoted(c.name) for c in found]
        node.set("alias", exp.TableAlias(this=names.quoted(alias), columns=listed))
        query = bulk_values.unnested(node)
        if query is not None:
            node.replace(exp.Subquery(this=query, alias=node.args["alias"]))
        else:
            bulk_values.spell_out(node)
        return Source(alias, found)

    def values(self, node: exp.Values, env: Env) -> tuple[OutColumn, ...]:
        """Rewrite VALUES in place; its columns are called COLUMN1, COLUMN2, ….

        Raises:
            SqlError: its rows differ in their number of columns (2020).
        """
        self.rewriter.expression(node, env, frozenset())
        widths = [bulk_values.width_of(row) for row in node.expressions]
        rows = [
            row.expressions if isinstance(row, exp.Tuple) else [row]
            for row, width in zip(node.expressions, widths, strict=True)
            if width is None
        ]
        if len({*map(len, rows), *widths} - {None}) > 1:
            raise errors.wrong_count("Invalid VALUES: rows differ in their number of columns")
        is_read = len(rows) == len(widths)
        found: list[OutColumn] = []
        for i, listed in enumerate(zip(*rows, strict=True), start=1):
            values = set_operations.read_as_moments(listed)
            kinds = {infer(value) for value in values}
            kind = kinds.pop() if is_read and len(kinds) == 1 else _number(node, values, i - 1)
            found.append(OutColumn(f"COLUMN{i}", kind, restricted=self.rewriter.mark_of(*values)))
        return tuple(found)

    # ---- table functions

    def _function(self, node: exp.Expr, env: Env, before: tuple[Source, ...]) -> Source:
        call = node.this
        if isinstance(call, exp.Subquery):
            return self._lateral_query(node, call, env, before)
        if isinstance(call, (exp.Literal, exp.Parameter, exp.DynamicIdentifier)):
            return self._named_table(node, call, env)
        alias = _alias(node)
        written, guarded = call.copy() if before else call, any(guards(s.columns) for s in before)
        if guarded:
            silenced.silence_arguments(call)
        query, found = table_function(self.rewriter, call, env, before)
        found = picking.made_by(written, found) if guarded else found
        found = _listed(node, found)
        called = _table_alias(alias or "F", node, found)
        made: exp.Expr = exp.Subquery(this=query, alias=called)
        if guarded:
            silenced.silence_rows(query)
        if before:
            number = number_of(node, self.rewriter.fresh)
            rows_first(node, query, self.rewriter.fresh("rows"), number)
            made = exp.Lateral(this=exp.Subquery(this=query), alias=called)
        node.replace(made)
        return Source(alias or "F", found)

    def _lateral_query(
        self, node: exp.Expr, call: exp.Subquery, env: Env, before: tuple[Source, ...]
    ) -> Source:
        found = _listed(node, self.rewriter.govern(call.this, env.inside(before)))
        alias = _alias(node) or "L"
        node.set("alias", _table_alias(alias, node, found))
        return Source(alias, found)

    def _named_table(self, node: exp.Expr, call: exp.Expr, env: Env) -> Source:
        """Read `TABLE('name')` and `TABLE($variable)`."""
        if isinstance(call, exp.Parameter):
            call = self.session.variable_tree(call.name.upper())
        literal = call.this if isinstance(call, exp.DynamicIdentifier) else call
        path = names.typed_path(literal.name)
        table = exp.Table(this=names.quoted(path[-1]), alias=node.args.get("alias"))
        node.replace(table)
        return self._relation(table, path, env)


_OPTIONS = {"pattern": "PATTERN", "format": "FORMAT"}


def _alias(node: exp.Expr) -> str | None:
    alias = node.args.get("alias")
    inner = alias.this if isinstance(alias, exp.TableAlias) else alias
    return names.stored(inner) if inner is not None else None


def _number(node: exp.Values, values: tuple[exp.Expr, ...], place: int) -> SfType | None:
    """Return the type that the numbers of a column of VALUES share, beside NULL."""
    kinds = [infer(value) for value in values if not isinstance(value, exp.Null)]
    runs = (bulk_values.number_at(row, place) for row in node.expressions)
    return shared_number([*kinds, *(one for one in runs if one is not bulk_values.NOTHING)])


def _listed(node: exp.Expr, found: tuple[OutColumn, ...]) -> tuple[OutColumn, ...]:
    alias = node.args.get("alias")
    listed = alias.args.get("columns") or () if isinstance(alias, exp.TableAlias) else ()
    return rename(found, tuple(names.stored(_bare(c)) for c in listed))


def _table_alias(
    alias: str,
    node: exp.Expr,
    found: tuple[OutColumn, ...],
    other: Mapping[str, str] = MappingProxyType({}),
) -> exp.TableAlias:
    """Name a source, and its columns where they are listed or have other names for DuckDB."""
    given = node.args.get("alias")
    has_list = isinstance(given, exp.TableAlias) and bool(given.args.get("columns"))
    listed = [names.quoted(other.get(c.name, c.name)) for c in found] if has_list or other else []
    return exp.TableAlias(this=names.quoted(alias), columns=listed)


def _bare(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, (exp.Column, exp.ColumnDef)) else node
