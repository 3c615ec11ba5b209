"""What is sent: the columns that a query reads in DuckDB's terms, held to those that were judged.

Room: embedded. Pure. It looks at the tree that goes to DuckDB and knows nothing of how the rewrite
came to it, so that a hole in a rule refuses a statement instead of showing what a policy protects:
a table stands nowhere but inside of what protects it, nothing reads of that a column which the
rewrite has not looked at, and no star is left for DuckDB to expand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.rewriter.protect import PROTECTS
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import GUARD, NUMBERED

Path = tuple[str, ...]
Reads = dict[Path, set[str]]
"""Names of the columns that are read, by the full name of the table, view or stream."""


@dataclass(frozen=True, slots=True)
class _Item:
    """What stands in FROM under a name."""

    columns: frozenset[str]
    """Names of its columns, as far as the tree tells."""
    path: Path | None
    """What it protects; None for a query over others."""


_NUMBERS = (GUARD, f"__{NUMBERED}_")
"""How columns begin that number records and tell nothing that they hold."""
_Scope = Mapping[str, _Item]
_Scopes = tuple[_Scope, ...]


@dataclass(slots=True)
class _Found:
    """What the walk met."""

    reads: Reads = field(default_factory=dict)
    pending: list[tuple[exp.Expr, _Scopes, bool]] = field(default_factory=list)
    """Nodes to look at, the queries around them, and whether something protects them."""

    def note(self, item: _Item, column: str) -> None:
        """Note a column that is read."""
        if item.path is not None and not column.startswith(_NUMBERS):
            self.reads.setdefault(item.path, set()).add(column)


def hold(tree: exp.Expr, judged: Mapping[Path, set[str]]) -> None:
    """Refuse a query that reads what the rewrite has not judged.

    Raises:
        SqlError: it reads another column or table, or has a star left (0A000).
    """
    for path, columns in reads(tree).items():
        for column in sorted(columns - judged.get(path, set())):
            raise errors.unjudged(column)


def reads(tree: exp.Expr) -> Reads:
    """Return what a query reads of what is protected.

    Raises:
        SqlError: a table stands outside of what protects it, or a star is left (0A000).
    """
    found = _Found()
    found.pending.append((tree, (), False))
    while found.pending:
        node, scopes, inside = found.pending.pop()
        if isinstance(node, exp.Select):
            _enter(found, node, scopes, inside)
            continue
        if isinstance(node, exp.Column):
            _column(found, node, scopes)
        elif isinstance(node, exp.Star):
            _star(node, scopes)
        elif isinstance(node, exp.Table):
            _table(node, inside)
        elif isinstance(node, exp.Join):
            _using(found, node, scopes)
        if not isinstance(node, exp.Identifier):
            found.pending.extend((child, scopes, inside) for child in node.iter_expressions())
    return found.reads


def _enter(found: _Found, query: exp.Select, scopes: _Scopes, inside: bool) -> None:
    """Look into a query with what its FROM offers."""
    scope = {alias: item for alias, item in _items(query) if item is not None}
    within = (scope, *scopes)
    inside = inside or query.args.get(PROTECTS) is not None
    found.pending.extend((child, within, inside) for child in query.iter_expressions())


def _items(query: exp.Select) -> Iterator[tuple[str, _Item | None]]:
    first = query.args.get("from_")
    listed = [first.this] if first is not None else []
    joined = [join.this for join in query.args.get("joins") or ()]
    for item in [*listed, *joined, *(query.args.get("laterals") or ())]:
        yield item.alias_or_name, _item(item)
        for join in item.args.get("joins") or ():
            yield join.this.alias_or_name, _item(join.this)


def _item(node: exp.Expr) -> _Item | None:
    query = node if isinstance(node, exp.Table) else node.this
    while isinstance(query, (exp.Subquery, exp.SetOperation)):
        query = query.this
    if isinstance(query, exp.Table) and isinstance(query.this, exp.Identifier):
        return _Item(frozenset(), None)
    if not isinstance(query, exp.Select):
        return None
    alias = node.args.get("alias")
    renamed = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
    shown = renamed or query.expressions
    protects = query.args.get(PROTECTS) if query is node.this or query is node.this.this else None
    return _Item(frozenset(one.alias_or_name for one in shown), protects)


def _star(star: exp.Star, scopes: _Scopes) -> None:
    """Let a star stand that counts rows, is the account's own, or is one of values at hand."""
    counts = isinstance(star.parent, exp.Count)
    if not (counts or star.args.get(names.GOVERNED)) and scopes and scopes[0]:
        raise errors.unjudged("*")


def _column(found: _Found, node: exp.Column, scopes: _Scopes) -> None:
    name, table = node.name, node.table
    if isinstance(node.this, exp.Star):
        raise errors.unjudged("*")
    for scope in scopes:
        if table:
            if table in scope:
                found.note(scope[table], name)
                return
            continue
        holders = [item for item in scope.values() if name in item.columns]
        for item in holders:
            found.note(item, name)
        if holders:
            return


def _using(found: _Found, join: exp.Join, scopes: _Scopes) -> None:
    """Note the columns by which USING joins."""
    for column in join.args.get("using") or ():
        for item in scopes[0].values() if scopes else ():
            if column.name in item.columns:
                found.note(item, column.name)


def _table(node: exp.Table, inside: bool) -> None:
    schema = node.args.get("db")
    if not inside and schema is not None and "." in schema.name:
        raise errors.ungoverned(node.name)
