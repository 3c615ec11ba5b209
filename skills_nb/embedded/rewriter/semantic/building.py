"""Building: the query that `SEMANTIC_VIEW(…)` stands for.

Room: embedded. Metrics of one granularity are computed together, in one block; blocks are put side
by side by their dimensions. WHERE filters rows in every block, before anything is aggregated.

See https://docs.snowflake.com/en/sql-reference/constructs/semantic_view
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.errors.semantic import unrelated_dimension
from skills_nb.embedded.rewriter.semantic.graph import Graph
from skills_nb.embedded.rewriter.semantic.semantic_expansion import (
    Expander,
    Parse,
    has_aggregate,
    join,
    source,
)
from skills_nb.embedded.types import names
from skills_nb.sql.governance.ast.create_semantic_view import SemanticMember


@dataclass(frozen=True, slots=True)
class Item:
    """One requested column."""

    name: str
    """Title of the column in the answer."""
    value: exp.Expr
    """Over the logical tables' columns."""


@dataclass(frozen=True, slots=True)
class Request:
    """What `SEMANTIC_VIEW(…)` asks for; columns in the order of its clauses."""

    asked: Mapping[str, tuple[Item, ...]]
    """By clause, `metrics`, `dimensions` and `facts`, as they stand in the text."""
    where: exp.Expr | None = None
    """Which rows count, before anything is aggregated."""

    @property
    def dimensions(self) -> tuple[Item, ...]:
        """Return the requested dimensions."""
        return self.asked.get("dimensions", ())

    @property
    def facts(self) -> tuple[Item, ...]:
        """Return the requested facts."""
        return self.asked.get("facts", ())

    @property
    def metrics(self) -> tuple[Item, ...]:
        """Return the requested metrics."""
        return self.asked.get("metrics", ())


def request_of(node: exp.SemanticView, graph: Graph) -> Request:
    """Read the clauses.

    Raises:
        SqlError: facts and metrics are asked for together, or nothing at all (1420).
    """
    order = tuple(k for k in node.args if k in ("metrics", "dimensions", "facts") and node.args[k])
    if "metrics" in order and "facts" in order:
        raise errors.invalid_property("FACTS and METRICS cannot be queried together.")
    if not order:
        raise errors.invalid_property("A semantic view needs METRICS, DIMENSIONS or FACTS.")
    asked = {
        clause: tuple(i for given in node.args[clause] for i in _items(given, clause, graph))
        for clause in order
    }
    return Request(asked, node.args.get("where"))


def _items(given: exp.Expr, clause: str, graph: Graph) -> list[Item]:
    """Read one item; `t.*` is every public member of a table."""
    if isinstance(given, exp.Column) and isinstance(given.this, exp.Star):
        table, kind = names.stored(given.args.get("table")), clause[:-1].upper()
        if table not in graph.tables:
            raise errors.invalid_identifier(f"{table}.*")
        return [
            Item(m.name, names.column(m.name, table))
            for m in graph.members
            if (m.table, m.kind, m.private) == (table, kind, False)
        ]
    value = given.this if isinstance(given, exp.Alias) else given
    return [Item(_name(given), value)]


def _name(given: exp.Expr) -> str:
    if isinstance(given, exp.Alias):
        return names.stored(given.args["alias"])
    if isinstance(given, exp.Column):
        return names.stored(given.this)
    return given.sql("snowflake").upper()


class Builder:
    """Builds the query of one request."""

    def __init__(self, graph: Graph, parse: Parse, request: Request) -> None:
        """Work on this view for this request."""
        self.graph = graph
        self.parse = parse
        self.request = request
        self.leaves: list[tuple[exp.Expr, str]] = []
        """Aggregates, each with the table whose rows it aggregates."""
        self._numbers: dict[SemanticMember, int] = {}
        self._needed: list[set[str]] = []
        """Of each leaf, the tables that its block must join."""

    def build(self) -> exp.Select:
        """Return the query."""
        outer = {i.name: self._outer(i.value.copy()) for i in self.request.metrics}
        if self.request.metrics:
            inner: exp.Query = self._aggregated()
        else:
            inner = self._rows()
        shown: list[exp.Expr] = []
        for clause, items in self.request.asked.items():
            for place, item in enumerate(items):
                value = outer[item.name] if clause == "metrics" else _cell(clause, place)
                shown.append(exp.alias_(value, item.name, quoted=True))
        alias = exp.TableAlias(this=names.quoted(_INNER))
        return exp.select(*shown).from_(exp.Subquery(this=inner, alias=alias))

    # ---- without metrics

    def _rows(self) -> exp.Select:
        """Return distinct dimensions, or the rows of facts."""
        expander = Expander(self.graph, self.parse)
        values = [
            exp.alias_(self._row_value(expander, item.value), _label(clause, place), quoted=True)
            for clause in ("dimensions", "facts")
            for place, item in enumerate(self.request.asked.get(clause, ()))
        ]
        where = self._where(expander)
        if not expander.tables:
            raise errors.invalid_property("A semantic view needs METRICS, DIMENSIONS or FACTS.")
        root = self.graph.finest(expander.tables)
        if root is None:
            listed = sorted(expander.tables, key=list(self.graph.tables).index)
            raise unrelated_dimension(listed[-1], listed[0])
        query = self._block(values, root, expander.tables, where)
        return query if self.request.facts else query.distinct()

    def _row_value(self, expander: Expander, given: exp.Expr) -> exp.Expr:
        held = exp.Paren(this=given.copy())
        for column in held.find_all(exp.Column):
            _, member = expander.found(column, "", ())
            _refuse(member, column, row=True)
        expander.expand(held, "")
        return held

    def _where(self, expander: Expander) -> exp.Expr | None:
        where = self.request.where
        return None if where is None else self._row_value(expander, where)

    def _block(
        self, values: list[exp.Expr], root: str, tables: set[str], where: exp.Expr | None
    ) -> exp.Select:
        query = exp.select(*values).from_(source(self.graph, root))
        join(self.graph, query, root, tables - {root})
        if where is not None:
            query.set("where", exp.Where(this=where))
        return query

    # ---- with metrics

    def _outer(self, value: exp.Expr) -> exp.Expr:
        """Return a metric in terms of aggregates that blocks compute."""
        held = exp.Paren(this=value)
        if has_aggregate(held):
            return self._leaf(None, held)
        for column in list(held.find_all(exp.Column)):
            _, member = Expander(self.graph, self.parse).found(column, "", ())
            _refuse(member, column, row=False)
            assert member is not None
            expression = exp.Paren(this=self.parse(member.expression))
            made = has_aggregate(expression)
            column.replace(self._leaf(member, None) if made else self._outer(expression))
        return held

    def _leaf(self, member: SemanticMember | None, value: exp.Expr | None) -> exp.Expr:
        if member is not None and member in self._numbers:
            return _cell("metrics", self._numbers[member])
        expander = Expander(self.graph, self.parse)
        if member is not None:
            made = expander.member(member)
        else:
            assert value is not None
            made = value
            expander.expand(made, "")
        root = self.graph.finest(expander.tables)
        if root is None:
            raise errors.invalid_property("A metric must aggregate rows of related tables.")
        self.leaves.append((made, root))
        number = len(self.leaves) - 1
        if member is not None:
            self._numbers[member] = number
        self._needed.append(expander.tables)
        return _cell("metrics", number)

    def _aggregated(self) -> exp.Query:
        roots = list(dict.fromkeys(root for _, root in self.leaves))
        blocks = [self._aggregating(root) for root in roots]
        if not blocks:
            raise errors.invalid_property("A metric must aggregate rows of related tables.")
        if len(blocks) == 1:
            return blocks[0]
        union: exp.Query = blocks[0]
        for block in blocks[1:]:
            union = exp.Union(this=union, expression=block, distinct=False)
        dimensions = [_cell("dimensions", i) for i in range(len(self.request.dimensions))]
        metrics = [
            exp.alias_(exp.AnyValue(this=_cell("metrics", i)), _label("metrics", i), quoted=True)
            for i in range(len(self.leaves))
        ]
        alias = exp.TableAlias(this=names.quoted(_INNER))
        query = exp.select(*dimensions, *metrics).from_(exp.Subquery(this=union, alias=alias))
        return _grouped(query, [d.copy() for d in dimensions])

    def _aggregating(self, root: str) -> exp.Select:
        """Return one block: every metric of a granularity, the others as NULL."""
        expander = Expander(self.graph, self.parse)
        dimensions = [self._row_value(expander, i.value) for i in self.request.dimensions]
        where = self._where(expander)
        for table in sorted(expander.tables):
            if self.graph.steps(root, table) is None:
                raise unrelated_dimension(table, root)
        tables = set(expander.tables)
        values = [
            exp.alias_(d.copy(), _label("dimensions", i), quoted=True)
            for i, d in enumerate(dimensions)
        ]
        for number, (made, at) in enumerate(self.leaves):
            if at == root:
                tables |= self._needed[number]
            value = made.copy() if at == root else exp.null()
            values.append(exp.alias_(value, _label("metrics", number), quoted=True))
        return _grouped(self._block(values, root, tables, where), dimensions)


_INNER = "__semantic"


def _label(clause: str, place: int) -> str:
    return f"__{clause}_{place}"


def _cell(clause: str, place: int) -> exp.Column:
    return names.column(_label(clause, place), _INNER)


def _grouped(query: exp.Select, by: list[exp.Expr]) -> exp.Select:
    if by:
        query.set("group", exp.Group(expressions=by))
    return query


def _refuse(member: SemanticMember | None, column: exp.Column, *, row: bool) -> None:
    """Refuse what is private, and a metric where rows are asked for (or the other way round)."""
    written = ".".join(names.column_path(column))
    if member is None or member.private or (member.kind == "METRIC") is row:
        raise errors.invalid_identifier(written)
