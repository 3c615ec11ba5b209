"""Names that differ only by case, which DuckDB takes for one.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/identifiers-syntax
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import OutColumn, Source, differs_by_case


def beside(source: Source, sources: list[Source]) -> Source:
    """Note which columns another source has in another case, which DuckDB does not tell apart."""
    theirs = [c.name for s in sources if s is not source for c in s.columns]
    same = {c.name for c in source.columns if differs_by_case(c.name, theirs)}
    return replace(source, qualified=source.qualified | same) if same and source.alias else source


def say_outer(
    node: exp.Column, source: Source, column: OutColumn, scopes: tuple[tuple[Source, ...], ...]
) -> None:
    """Name the table of an outer query's column, for which DuckDB may find a nearer one.

    It takes what the inner query lists by that name for the column that is meant.

    Raises:
        SqlError: the outer source has no name (0A000).
    """
    nearest = scopes[0] if scopes else ()
    if source in nearest:
        return
    nearer = [one.name for other in nearest for one in other.columns]
    if differs_by_case(column.name, nearer):
        if not source.alias:
            raise errors.unsupported("an outer column beside one in another case")
        node.set("table", names.quoted(source.alias))
    elif _means_one(source, column.name, scopes):
        node.set("table", names.quoted(source.alias))


def _means_one(source: Source, name: str, scopes: tuple[tuple[Source, ...], ...]) -> bool:
    """Tell whether a column with its source's name is still the one that the bare name means."""
    scope = next(sources for sources in scopes if source in sources)
    nearer = scopes[: scopes.index(scope)]
    hides = any(other.alias == source.alias for sources in nearer for other in sources)
    merged = any(name in other.hidden or name in other.keys for other in scope)
    return bool(source.alias) and not hides and not merged


def is_taken(alias: str, aliases: Iterable[str], nearest: tuple[Source, ...]) -> bool:
    """Tell whether DuckDB takes the alias of a result for another name."""
    held = (column.name for source in nearest for column in source.columns)
    return differs_by_case(alias, (*aliases, *held))


def refuse_doubles(sources: list[Source]) -> None:
    """Refuse two sources of one name.

    Raises:
        SqlError: the names are the same (2028), or differ only by case (0A000).
    """
    seen: set[str] = set()
    for source in sources:
        if source.alias and source.alias in seen:
            raise errors.duplicate_alias(source.alias)
        if differs_by_case(source.alias, seen):
            raise errors.unsupported("aliases of one query that differ only by case")
        seen.add(source.alias)


def by_position(query: exp.Expr, found: tuple[OutColumn, ...]) -> None:
    """Order by the places of columns that DuckDB does not tell apart by their names."""
    order = query.args.get("order")
    listed = [column.name for column in found]
    for one in order.expressions if order is not None else ():
        if isinstance(one.this, exp.Column) and not one.this.table:
            name = names.stored(one.this.this)
            if name in listed:
                one.this.replace(exp.Literal.number(listed.index(name) + 1))
