"""A SELECT from a semantic view by its name, as the `SEMANTIC_VIEW(…)` that it stands for.

Room: embedded. What the query groups by becomes the dimensions, what it wraps in AGG, MIN, MAX or
ANY_VALUE the metrics, and WHERE filters before anything is aggregated. So the construct gives one
row a group, and what is left of the query only arranges rows.

See https://docs.snowflake.com/en/user-guide/views-semantic/querying (standard SQL)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.binder.columns import output_name
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.catalog.semantic_details import SemanticDetail
from skills_nb.embedded.rewriter.rewriter import Rewriter
from skills_nb.embedded.rewriter.semantic.graph import Graph
from skills_nb.embedded.types import names
from skills_nb.sql.governance.ast.create_semantic_view import SemanticMember

if TYPE_CHECKING:
    from skills_nb.embedded.types.scope import Env

_WRAPPERS = (exp.Agg, exp.Min, exp.Max, exp.AnyValue)
_ARRANGED = ("expressions", "having", "order", "qualify")
_REFUSED = ("windows", "laterals")


def written_out(rewriter: Rewriter, query: exp.Select, env: Env) -> None:
    """Rewrite a query whose source is a semantic view; leave every other one alone.

    Raises:
        SqlError: it asks for rows that are not grouped, or for what the construct cannot say.
    """
    first = query.args.get("from_")
    table = first.this if first is not None else None
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        return
    detail = _view(rewriter, table, env)
    if detail is not None:
        _Select(query, table, Graph(detail)).write()


def _view(rewriter: Rewriter, table: exp.Table, env: Env) -> SemanticDetail | None:
    path = names.table_path(table)
    if path[0] in env.ctes and len(path) == 1:
        return None
    known = env.schema is not None or len(path) == 3 or (len(path) == 2 and env.database)
    if not known:
        return None
    session = rewriter.session
    found = session.account.catalog.find(Kind.SEMANTIC_VIEW, session.qualify(path, env))
    if found is None or not name_resolution.reaches(session, found, env.roles):
        return None
    return found.detail if isinstance(found.detail, SemanticDetail) else None


class _Select:
    """One query and the view that it reads."""

    def __init__(self, query: exp.Select, table: exp.Table, graph: Graph) -> None:
        alias = table.args.get("alias")
        self.query = query
        self.table = table
        self.graph = graph
        self.alias = names.stored(alias.this if alias else table.this)
        self.metrics: list[exp.Expr] = []
        self.dimensions: list[exp.Expr] = []

    def write(self) -> None:
        """Rewrite the query in place."""
        if self.query.args.get("joins") or any(self.query.args.get(k) for k in _REFUSED):
            raise errors.unsupported("a semantic view beside other sources")
        self._name_projections()
        grouped = self._groups()
        self._take_metrics()
        for item in grouped:
            self._take_group(item)
        where = self.query.args.get("where")
        condition = self._bare(where.this.copy()) if where is not None else None
        self._refuse_rest()
        made = exp.SemanticView(
            this=exp.Table(**{k: self.table.args.get(k) for k in ("this", "db", "catalog")}),
            metrics=self.metrics or None,
            dimensions=self.dimensions or None,
            where=condition,
        )
        alias = exp.TableAlias(this=names.quoted(self.alias))
        self.table.replace(exp.Table(this=made, alias=alias))
        having = self.query.args.get("having")
        self.query.set("where", exp.Where(this=having.this) if having is not None else None)
        self.query.set("having", None)  # there is a row for each group
        self.query.set("group", None)

    def _name_projections(self) -> None:
        """Keep the names of result columns, whatever becomes of their expressions."""
        listed = self.query.expressions
        if any(isinstance(one, exp.Star) or one.find(exp.Star) for one in listed):
            raise errors.unsupported("* of a semantic view")
        for one in listed:
            if not isinstance(one, exp.Alias):
                name = output_name(one)
                one.replace(exp.alias_(one.copy(), name, quoted=True))

    def _groups(self) -> list[exp.Expr]:
        """Return what is grouped by; DISTINCT groups by everything."""
        group = self.query.args.get("group")
        shown = [one.this for one in self.query.expressions]
        rows = [value for value in shown if not self._wraps(value)]
        if group is None:
            if rows and not self.query.args.get("distinct"):
                if len(rows) < len(shown):
                    raise errors.invalid_property("A dimension must be grouped by.")
                raise errors.unsupported("rows of a semantic view without GROUP BY")
            return [value.copy() for value in rows]
        if group.args.get("all"):
            return [value.copy() for value in rows]
        if any(group.args.get(k) for k in ("cube", "rollup", "grouping_sets")):
            raise errors.unsupported("GROUP BY CUBE or ROLLUP of a semantic view")
        return [self._grouped(item, shown) for item in group.expressions]

    def _grouped(self, item: exp.Expr, shown: list[exp.Expr]) -> exp.Expr:
        """Return what an item of GROUP BY stands for: a place, an alias or itself."""
        if isinstance(item, exp.Literal) and item.is_int and 0 < int(item.name) <= len(shown):
            return shown[int(item.name) - 1].copy()
        if isinstance(item, exp.Column) and len(names.column_path(item)) == 1:
            name = names.stored(item.this)
            aliased: dict[str, exp.Expr] = {o.alias: o.this for o in self.query.expressions}
            if name in aliased and self._member(item) is None:
                return aliased[name].copy()
        return item.copy()

    def _wraps(self, value: exp.Expr) -> bool:
        return any(self._metric(found) is not None for found in value.find_all(*_WRAPPERS))

    def _metric(self, node: exp.Expr) -> SemanticMember | None:
        if not isinstance(node, _WRAPPERS) or not isinstance(node.this, exp.Column):
            return None
        member = self._member(node.this)
        return member if member is not None and member.kind == "METRIC" else None

    def _member(self, column: exp.Column) -> SemanticMember | None:
        path = names.column_path(column)
        if len(path) > 1 and path[-2] != self.alias:
            return None
        found = [m for m in self.graph.members if m.name == path[-1]]
        if len(found) > 1:
            raise errors.ambiguous(path[-1])
        return found[0] if found else None

    # ---- what becomes of the parts

    def _parts(self) -> list[exp.Expr]:
        listed = [self.query.args.get(part) for part in _ARRANGED]
        return [
            one for part in listed for one in (part if isinstance(part, list) else [part]) if one
        ]

    def _take_metrics(self) -> None:
        for part in self._parts():
            for node in list(part.find_all(*_WRAPPERS)):
                member = self._metric(node)
                if member is not None:
                    node.replace(self._held(self.metrics, "metric", _named(member)))

    def _take_group(self, item: exp.Expr) -> None:
        held = self._held(self.dimensions, "dimension", self._bare(item.copy()))
        wanted = self._bare(item.copy())
        for part in self._parts():
            for node in list(part.find_all(type(item))):
                if self._bare(node.copy()) == wanted:
                    node.replace(held.copy())

    def _held(self, kept: list[exp.Expr], word: str, value: exp.Expr) -> exp.Column:
        """Ask for a value of the view; return the column that it is in."""
        for one in kept:
            if one.this == value:
                return names.column(one.alias, self.alias)
        name = f"__{word}_{len(kept)}"
        kept.append(exp.alias_(value, name, quoted=True))
        return names.column(name, self.alias)

    def _bare(self, value: exp.Expr) -> exp.Expr:
        """Return an expression in terms of the view's members."""
        held = exp.Paren(this=value)
        for column in list(held.find_all(exp.Column)):
            member = self._member(column)
            if member is not None:
                column.replace(_named(member))
        made: exp.Expr = held.this
        return made

    def _refuse_rest(self) -> None:
        """Refuse what would be read without being grouped by."""
        for part in self._parts():
            for column in part.find_all(exp.Column):
                member = None if column.name.startswith("__") else self._member(column)
                if member is not None:
                    raise errors.invalid_property(
                        f"'{member.name}' is a {member.kind.lower()}: "
                        "group by dimensions, and wrap metrics in AGG."
                    )


def _named(member: SemanticMember) -> exp.Column:
    return names.column(member.name, member.table or None)
