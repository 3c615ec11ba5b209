"""The clauses of a query that are its own, none of the queries inside.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from sqlglot import exp

from skills_nb.embedded.types.scope import Source


def own_nodes(query: exp.Select, kind: type[exp.Expr]) -> Iterator[exp.Expr]:
    """List nodes of a kind in the select list and behind FROM and WHERE, none of inner queries."""
    clauses = (query.args.get(c) for c in ("having", "qualify", "order", "group"))
    roots = [*query.expressions, *(held for held in clauses if held is not None)]
    return nodes_below(roots, kind)


def nodes_below(roots: list[exp.Expr], kind: type[exp.Expr]) -> Iterator[exp.Expr]:
    """List nodes of a kind below some others, none of inner queries."""
    pending = list(roots)
    while pending:
        node = pending.pop()
        if isinstance(node, exp.Query):
            continue
        if isinstance(node, kind):
            yield node
        pending.extend(node.iter_expressions())


def text_of(node: exp.Expr) -> str:
    """Write a node as a refusal shows it."""
    return str(node.sql("snowflake")).upper()


def is_alias(column: exp.Column, aliases: Container[str], sources: tuple[Source, ...]) -> bool:
    """Tell whether a bare name is that of a result and of no column."""
    known = not column.table and column.name in aliases
    return known and all(s.column(column.name) is None for s in sources)
