"""Expanding: a member's expression, in terms of columns of logical tables.

Room: embedded. A name is a member first, unless it stands in that member's own definition, where it
is the column. An aggregate inside a fact, or a metric inside an aggregate, is computed for each row
of the table that asks, by a query of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.rewriter.semantic.graph import Graph
from skills_nb.embedded.types import names
from skills_nb.sql.governance.ast.create_semantic_view import SemanticMember, SemanticRelationship

Parse = Callable[[str], exp.Expr]
_DEEPEST = 50


class Expander:
    """Expands the expressions of one query block and remembers which tables they need."""

    def __init__(self, graph: Graph, parse: Parse) -> None:
        """Work on this view."""
        self.graph = graph
        self.parse = parse
        self.tables: set[str] = set()

    def member(self, member: SemanticMember, trail: tuple[SemanticMember, ...] = ()) -> exp.Expr:
        """Return a member as an expression over tables.

        Raises:
            SqlError: its expression refers to itself (1420).
        """
        if member in trail or len(trail) > _DEEPEST:
            raise errors.invalid_property(f"The expression of '{member.name}' refers to itself.")
        held = exp.Paren(this=self.parse(member.expression))
        if member.table:
            self.tables.add(member.table)
        inner = Expander(self.graph, self.parse)
        inner.expand(held, member.table, (*trail, member))
        if member.kind != "METRIC" and has_aggregate(held):
            return self._of_each_row(held, member.table, inner.tables)
        self.tables |= inner.tables
        return held

    def expand(self, held: exp.Expr, home: str, trail: tuple[SemanticMember, ...] = ()) -> None:
        """Put columns of tables in the place of names, below the node."""
        for column in list(held.find_all(exp.Column)):
            if not isinstance(column.this, exp.Star):
                column.replace(self._resolved(column, home, trail))

    def _resolved(
        self, column: exp.Column, home: str, trail: tuple[SemanticMember, ...]
    ) -> exp.Expr:
        table, member = self.found(column, home, trail)
        if member is None:
            self.tables.add(table)
            return names.column(names.stored(column.this), table)
        if member.kind == "METRIC" and home and _is_aggregated(column):
            inner = Expander(self.graph, self.parse)
            return self._of_each_row(inner.member(member, trail), home, inner.tables)
        return self.member(member, trail)

    def found(
        self, column: exp.Column, home: str, trail: tuple[SemanticMember, ...]
    ) -> tuple[str, SemanticMember | None]:
        """Return the table and, unless it is one of the table's columns, the member of a name.

        Raises:
            SqlError: the view has no such table or member (904).
        """
        path = names.column_path(column)
        name, table = path[-1], path[-2] if len(path) > 1 else home
        if not table:
            member = self.graph.unique(name)
            return member.table, member
        if table not in self.graph.tables:
            raise errors.invalid_identifier(".".join(path))
        member_there = self.graph.member(table, name)
        if member_there is None and table == home and len(path) == 1:
            member_there = self.graph.member("", name)
        return table, None if member_there in trail else member_there

    def _of_each_row(self, value: exp.Expr, home: str, needed: set[str]) -> exp.Expr:
        """Compute an aggregate over finer tables for each row of a table."""
        root = self.graph.finest({*needed, home})
        steps = self.graph.steps(root, home) if root is not None else None
        if root is None or not steps:
            raise errors.invalid_property(
                f"An expression of '{home}' must aggregate rows of a table of finer granularity."
            )
        query = exp.select(exp.alias_(value, "value", quoted=True)).from_(source(self.graph, root))
        join(self.graph, query, root, needed - {root, home})
        for step in steps[:-1]:
            if step.referenced not in needed:
                join(self.graph, query, root, {step.referenced})
        query.set("where", exp.Where(this=matching(steps[-1])))
        self.tables.add(home)
        return exp.Paren(this=exp.Subquery(this=query))


def has_aggregate(node: exp.Expr) -> bool:
    """Tell whether the node aggregates rows itself, not in a query inside."""
    return any(
        not any(isinstance(a, exp.Query) for a in _above(found, node))
        for found in node.find_all(exp.AggFunc)
    )


def _above(node: exp.Expr, top: exp.Expr) -> list[exp.Expr]:
    found: list[exp.Expr] = []
    while node is not top and node.parent is not None:
        node = node.parent
        found.append(node)
    return found


def _is_aggregated(column: exp.Column) -> bool:
    return column.find_ancestor(exp.AggFunc) is not None


def source(graph: Graph, alias: str) -> exp.Table:
    """Return the table behind a logical table, under the logical name."""
    database, schema, name = graph.tables[alias].name
    return exp.Table(
        this=names.quoted(name),
        db=names.quoted(schema),
        catalog=names.quoted(database),
        alias=exp.TableAlias(this=names.quoted(alias)),
    )


def matching(step: SemanticRelationship) -> exp.Expr:
    """Return the condition of a relationship."""
    pairs = zip(step.columns, step.referenced_columns, strict=True)
    return exp.and_(
        *(
            exp.EQ(this=names.column(a, step.table), expression=names.column(b, step.referenced))
            for a, b in pairs
        )
    )


def join(graph: Graph, query: exp.Select, root: str, needed: set[str]) -> None:
    """Join tables to the root along their relationships, each once; nothing of the root is lost."""
    present = {root} | {
        names.stored(j.this.args["alias"].this) for j in query.args.get("joins", ())
    }
    for table in sorted(needed):
        for step in graph.steps(root, table) or ():
            if step.referenced in present:
                continue
            present.add(step.referenced)
            made = exp.Join(this=source(graph, step.referenced), side="LEFT", on=matching(step))
            query.append("joins", made)
