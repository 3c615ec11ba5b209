"""Folding: queries over tables and views with an aggregation policy.

Room: embedded. Each protected source brings a guard: a hidden column that numbers its records, or
its entities. Guards travel with the rows until a query aggregates them; that query then puts groups
with too few records into one remainder group, whose keys are NULL, and shows nothing of a remainder
that is itself too small. A guard that is left at the end means that rows would be shown.

See https://docs.snowflake.com/en/user-guide/aggregation-policies
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import names, refusals
from skills_nb.embedded.rewrite import lineage
from skills_nb.embedded.rewrite.columns import RESTRICTED
from skills_nb.embedded.scope import OutColumn, Source, guards, visible

if TYPE_CHECKING:
    from skills_nb.embedded.rewrite.query import QueryRewriter

_ALLOWED = (exp.Avg, exp.Count, exp.Sum, exp.ApproxDistinct, exp.Hll)
_PREPARING = (
    exp.Column,
    exp.Identifier,
    exp.Literal,
    exp.Star,
    exp.Distinct,
    exp.Paren,
    exp.Neg,
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Div,
    exp.TryCast,
    exp.DataType,
    exp.DataTypeParam,
)
"""What may stand inside of an allowed aggregate: anything with a condition could pick one row."""
_OK, _FULL = "__ok", "__full"


# ---- what a query over protected rows may say


def checked(query: exp.Select) -> bool:
    """Tell whether a query over protected rows aggregates them.

    Raises:
        SqlError: it says what such a query must not say.
    """
    aggregates = list(_own(query, exp.AggFunc))
    _refuse_windows(query)
    if not (aggregates or query.args.get("group") or query.args.get("distinct")):
        return False
    _refuse_groupings(query)
    for aggregate in aggregates:
        _check_aggregate(aggregate)
    for cast in _own(query, exp.Cast):
        if not isinstance(cast, exp.TryCast) and _reads_rows(cast):
            raise refusals.aggregation_violated(_text(cast))
    return True


def _own(query: exp.Select, kind: type[exp.Expr]) -> Iterator[exp.Expr]:
    """List nodes of a kind in the select list and behind FROM and WHERE, none of inner queries."""
    clauses = (query.args.get(c) for c in ("having", "qualify", "order", "group"))
    roots = [*query.expressions, *(held for held in clauses if held is not None)]
    return _below(roots, kind)


def _below(roots: list[exp.Expr], kind: type[exp.Expr]) -> Iterator[exp.Expr]:
    pending = list(roots)
    while pending:
        node = pending.pop()
        if isinstance(node, exp.Query):
            continue
        if isinstance(node, kind):
            yield node
        pending.extend(node.iter_expressions())


def _refuse_windows(query: exp.Select) -> None:
    window = next(_own(query, exp.Window), None)
    if window is not None:
        raise refusals.aggregation_violated(_text(window))
    if query.args.get("qualify"):
        raise refusals.aggregation_violated("QUALIFY")


def _refuse_groupings(query: exp.Select) -> None:
    group = query.args.get("group")
    if group is not None and group.find(exp.Rollup, exp.Cube, exp.GroupingSets) is not None:
        raise refusals.aggregation_violated(_text(group).strip())


def _check_aggregate(aggregate: exp.Expr) -> None:
    if not isinstance(aggregate, _ALLOWED):
        raise refusals.aggregation_violated(_text(aggregate))
    for node in aggregate.walk():
        if node is not aggregate and not isinstance(node, _PREPARING):
            raise refusals.aggregation_violated(_text(aggregate))


def _reads_rows(value: exp.Expr) -> bool:
    """Tell whether an expression reads a column outside of any aggregate."""
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, exp.Column):
            return True
        if not isinstance(node, (exp.AggFunc, exp.Query)):
            pending.extend(node.iter_expressions())
    return False


def _text(node: exp.Expr) -> str:
    return str(node.sql("snowflake")).upper()


def refuse_correlated(outer: tuple[tuple[Source, ...], ...], source: Source) -> None:
    """Refuse a column of an enclosing query where either query reads protected rows."""
    if not outer or source.bound or any(source is own for own in outer[0]):
        return
    if guards(source.columns) or any(guards(own.columns) for own in outer[0]):
        raise refusals.aggregation_violated("CORRELATED SUBQUERY")


# ---- guards on their way


def carried(
    rewriter: QueryRewriter, query: exp.Select, sources: tuple[Source, ...]
) -> tuple[OutColumn, ...]:
    """Let the guards of the sources through a query that does not aggregate; return them."""
    found: list[OutColumn] = []
    for source in sources:
        for guard in guards(source.columns):
            name = rewriter.fresh("guard")
            value = names.column(guard.name, source.alias or None)
            query.append("expressions", exp.alias_(value, name, quoted=True))
            found.append(OutColumn(name, guard.type, least=guard.least))
    return tuple(found)


def united(
    rewriter: QueryRewriter,
    query: exp.SetOperation,
    left: tuple[OutColumn, ...],
    right: tuple[OutColumn, ...],
) -> tuple[OutColumn, ...]:
    """Let the guards of both branches through UNION ALL; return them.

    Each branch gets NULL for the guards of the other, so that a group needs enough of both.
    """
    if not isinstance(query, exp.Union) or query.args.get("distinct"):
        raise refusals.aggregation_violated(type(query).__name__.upper())
    width = len(visible(left))
    found = tuple(
        OutColumn(rewriter.fresh("guard"), least=g.least) for g in (*guards(left), *guards(right))
    )
    ours = range(len(guards(left)))
    for branch, columns, own in (
        ("this", left, {n: width + n for n in ours}),
        ("expression", right, {n + len(ours): width + n for n in range(len(guards(right)))}),
    ):
        shown = [exp.alias_(lineage.place(i), columns[i].name, quoted=True) for i in range(width)]
        for number, guard in enumerate(found):
            value = lineage.place(own[number]) if number in own else exp.null()
            shown.append(exp.alias_(value, guard.name, quoted=True))
        inner = query.args[branch]
        query.set(branch, lineage.enclosed(inner, len(columns), shown))
    return found


# ---- the fold


def fold(query: exp.Select, sources: tuple[Source, ...]) -> None:
    """Rebuild a resolved aggregating query so that no group tells about too few records.

    Four layers: the rows with keys, guards and what aggregates read; whether a row's group is large
    enough; the groups, small ones as one; and the query's own words over them.
    """
    _order_by_results(query)
    _qualify(query, sources)
    layers = _Layers(_keys(query, sources), _thresholds(sources))
    held = [*query.expressions]
    held += [query.args[c] for c in ("having", "order") if query.args.get(c) is not None]
    for node in held:
        layers.replace_in(node, {p.alias for p in query.expressions}, sources)
    rows = exp.select(*layers.row_columns())
    for part in ("from_", "joins", "laterals", "where"):
        if query.args.get(part):
            rows.set(part, query.args[part])
            query.set(part, None)
    grouped = layers.grouped(layers.judged(rows))
    query.set("from_", exp.From(this=_as(grouped, "__groups")))
    having = query.args.get("having")
    if having is not None:
        query.set("where", exp.Where(this=having.this))
    query.set("having", None)
    query.set("group", None)


def _order_by_results(query: exp.Select) -> None:
    """Put results in the place of their names: in ORDER BY, they win over columns."""
    order = query.args.get("order")
    shown = {p.alias: p.this for p in query.expressions}
    for key in order.expressions if order is not None else ():
        if isinstance(key.this, exp.Column) and not key.this.table and key.this.name in shown:
            key.set("this", shown[key.this.name].copy())


def _as(query: exp.Query, alias: str) -> exp.Subquery:
    return exp.Subquery(this=query, alias=exp.TableAlias(this=names.quoted(alias)))


def _thresholds(sources: tuple[Source, ...]) -> list[tuple[exp.Expr, int]]:
    return [
        (names.column(guard.name, source.alias or None), guard.least or 0)
        for source in sources
        for guard in guards(source.columns)
    ]


def _keys(query: exp.Select, sources: tuple[Source, ...]) -> list[exp.Expr]:
    """Return the grouping expressions, positions and aliases looked up."""
    group = query.args.get("group")
    shown = [p.this for p in query.expressions]
    if group is None:
        aggregates = any(True for _ in _own(query, exp.AggFunc)) or query.args.get("having")
        return [] if aggregates else shown
    if group.args.get("all"):
        return [value for value in shown if not any(True for _ in _below([value], exp.AggFunc))]
    by_alias = {p.alias: p.this for p in query.expressions}
    return [_looked_up(key, shown, by_alias, sources) for key in group.expressions]


def _looked_up(
    key: exp.Expr,
    shown: list[exp.Expr],
    by_alias: dict[str, exp.Expr],
    sources: tuple[Source, ...],
) -> exp.Expr:
    if isinstance(key, exp.Literal) and key.is_int and 1 <= int(key.name) <= len(shown):
        return shown[int(key.name) - 1]
    if isinstance(key, exp.Column) and _is_alias(key, by_alias.keys(), sources):
        return by_alias[key.name]
    return key


def _is_alias(column: exp.Column, aliases: Container[str], sources: tuple[Source, ...]) -> bool:
    known = not column.table and column.name in aliases
    return known and all(s.column(column.name) is None for s in sources)


def _qualify(query: exp.Select, sources: tuple[Source, ...]) -> None:
    """Write every column's table, so that two spellings of one column are equal."""
    for column in _own(query, exp.Column):
        if column.args.get("table") is not None:
            continue
        holders = [s for s in sources if s.column(column.name) is not None]
        if len(holders) == 1 and holders[0].alias:
            column.set("table", names.quoted(holders[0].alias))


class _Layers:
    """The layers of one folded query, and the names that its parts have in them."""

    def __init__(self, keys: list[exp.Expr], thresholds: list[tuple[exp.Expr, int]]) -> None:
        self.keys = {f"__k{i}": key for i, key in enumerate(keys)}
        self.thresholds = {f"__g{i}": held for i, held in enumerate(thresholds)}
        self.columns: dict[str, exp.Expr] = {}
        self.aggregates: dict[str, exp.Expr] = {}

    # ---- the query's own words over the groups

    def replace_in(self, node: exp.Expr, aliases: set[str], sources: tuple[Source, ...]) -> None:
        """Put the groups' columns in the place of keys and aggregates, below the node itself."""
        for child in list(node.iter_expressions()):
            made = self._made(child)
            if made is not None:
                child.replace(made)
            elif isinstance(child, exp.Query):
                continue
            elif isinstance(child, exp.Column):
                if not _is_alias(child, aliases, sources):
                    raise refusals.aggregation_violated(_text(child))
            else:
                self.replace_in(child, aliases, sources)

    def _made(self, node: exp.Expr) -> exp.Expr | None:
        for name, key in self.keys.items():
            if key == node and not isinstance(node, exp.Literal):
                return _typed(names.column(name), node)
        if isinstance(node, exp.AggFunc):
            return _typed(names.column(self._aggregate(node)), node)
        return None

    def _aggregate(self, node: exp.Expr) -> str:
        if isinstance(node, exp.Count) and _counts_restricted(node):
            raise refusals.projection_restricted([_text(node)])
        made = exp.Paren(this=node.copy())
        for column in list(made.find_all(exp.Column)):
            column.replace(_typed(names.column(self._named(column)), column))
        return _known(self.aggregates, "__v", made.this)

    def _named(self, column: exp.Column) -> str:
        return _known(self.columns, "__c", column.copy())

    # ---- the layers

    def row_columns(self) -> list[exp.Expr]:
        """Return what the first layer selects."""
        held = {**self.keys, **self.columns, **{n: v for n, (v, _) in self.thresholds.items()}}
        return [exp.alias_(value.copy(), name, quoted=True) for name, value in held.items()]

    def judged(self, rows: exp.Select) -> exp.Select:
        """Return the second layer: the rows, and whether their group is large enough."""
        listed = [names.column(n) for n in (*self.keys, *self.columns, *self.thresholds)]
        partition = [names.column(name) for name in self.keys]
        tests = [
            exp.GTE(
                this=exp.Window(this=_distinct(name), partition_by=partition),
                expression=exp.Literal.number(least),
            )
            for name, (_, least) in self.thresholds.items()
        ]
        ok = exp.alias_(exp.and_(*tests), _OK, quoted=True)
        return exp.select(*listed, ok).from_(_as(rows, "__rows"))

    def grouped(self, judged: exp.Select) -> exp.Select:
        """Return the third layer: the groups, those that are too small as one."""
        full = exp.and_(
            *(
                exp.GTE(this=_distinct(name), expression=exp.Literal.number(least))
                for name, (_, least) in self.thresholds.items()
            )
        )
        keys = [(name, _when(names.column(_OK), names.column(name))) for name in self.keys]
        shown = [exp.alias_(value.copy(), name, quoted=True) for name, value in keys]
        shown += [
            exp.alias_(_when(full.copy(), value.copy()), name, quoted=True)
            for name, value in self.aggregates.items()
        ]
        shown = shown or [exp.alias_(full, _FULL, quoted=True)]
        query = exp.select(*shown).from_(_as(judged, "__judged"))
        if keys:
            query = query.group_by(*(value for _, value in keys), names.column(_OK))
        return query


def _known(held: dict[str, exp.Expr], word: str, value: exp.Expr) -> str:
    """Return the name under which a value is held, which it gets if it has none."""
    for name, other in held.items():
        if other == value:
            return name
    name = f"{word}{len(held)}"
    held[name] = value
    return name


def _distinct(name: str) -> exp.Expr:
    return exp.Count(this=exp.Distinct(expressions=[names.column(name)]))


def _when(test: exp.Expr, value: exp.Expr) -> exp.Expr:
    return exp.Case(ifs=[exp.If(this=test, true=value)])


def _typed(made: exp.Column, original: exp.Expr) -> exp.Column:
    """Keep the type and the mark of what a column stands for."""
    made.type = original.type
    restricted = lineage.restriction(original)
    if restricted:
        made.set(RESTRICTED, restricted)
    return made


def _counts_restricted(node: exp.Expr) -> bool:
    return any(c.args.get(RESTRICTED) for c in node.find_all(exp.Column))
