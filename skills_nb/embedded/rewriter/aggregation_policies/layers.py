"""The layers of a folded query: rows, judged rows, groups.

Room: embedded.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder import lineage
from skills_nb.embedded.binder.columns import RESTRICTED
from skills_nb.embedded.rewriter import picking, silenced
from skills_nb.embedded.rewriter.aggregation_policies.own_clauses import is_alias, text_of
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import Source

_OK, _FULL = "__ok", "__full"


def aliased(query: exp.Query, alias: str) -> exp.Subquery:
    """Let a query stand in FROM under a name."""
    return exp.Subquery(this=query, alias=exp.TableAlias(this=names.quoted(alias)))


class Layers:
    """The layers of one folded query, and the names that its parts have in them."""

    def __init__(self, keys: list[exp.Expr], thresholds: list[tuple[exp.Expr, int]]) -> None:
        self.keys = {f"__k{i}": key for i, key in enumerate(keys)}
        self.thresholds = {f"__g{i}": held for i, held in enumerate(thresholds)}
        self.columns: dict[str, exp.Expr] = {}
        self.aggregates: dict[str, exp.Expr] = {}

    # ---- the query's own words over the groups

    def replace_in(self, node: exp.Expr, aliases: set[str], sources: tuple[Source, ...]) -> None:
        """Put the groups' columns in the place of keys and aggregates, below the node itself.

        Raises:
            SqlError: a column is read outside of both (3652).
        """
        for child in list(node.iter_expressions()):
            made = self._made(child)
            if made is not None:
                child.replace(made)
            elif isinstance(child, exp.Query):
                continue
            elif isinstance(child, exp.Column):
                if not is_alias(child, aliases, sources):
                    raise errors.aggregation_violated(text_of(child))
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
            raise errors.projection_restricted([text_of(node)])
        picking.check(node)
        made = exp.Paren(this=node.copy())
        silenced.silence_aggregate(made.this)
        for column in list(made.find_all(exp.Column)):
            column.replace(_typed(names.column(self._named(column)), column))
        return _known(self.aggregates, "__v", made.this)

    def _named(self, column: exp.Column) -> str:
        return _known(self.columns, "__c", column.copy())

    # ---- the layers

    def row_columns(self) -> list[exp.Expr]:
        """Return what the first layer selects."""
        keys = {name: silenced.silenced(key.copy()) for name, key in self.keys.items()}
        held = {**keys, **self.columns, **{n: v for n, (v, _) in self.thresholds.items()}}
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
        return exp.select(*listed, ok).from_(aliased(rows, "__rows"))

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
        query = exp.select(*shown).from_(aliased(judged, "__judged"))
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
