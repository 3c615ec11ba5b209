"""Columns: which source a name means, what `*` stands for, and what a result column is called.

Room: embedded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from skills_nb.embedded import names, refusals
from skills_nb.embedded.inference import data_type
from skills_nb.embedded.scope import OutColumn, Source, visible
from skills_nb.embedded.spelling import TEXT
from skills_nb.embedded.sugar.selects import GENERATED

RESTRICTED = "restricted"
"""Marks values that a projection policy keeps out of results; no text parses to it."""


def find(
    reference: exp.Column, scopes: tuple[tuple[Source, ...], ...]
) -> tuple[Source, OutColumn] | None:
    """Return the source and column a reference means, innermost scope first."""
    name = names.stored(reference.this)
    table = _table_parts(reference)
    for sources in scopes:
        candidates = [s for s in sources if _matches(s, table)] if table else list(sources)
        if table and not candidates:
            continue
        if found := _within(name, candidates, qualified=bool(table)):
            return found
    return None


def _table_parts(reference: exp.Column) -> tuple[str, ...]:
    parts = (reference.args.get(k) for k in ("catalog", "db", "table"))
    return tuple(names.stored(p) for p in parts if p is not None)


def _matches(source: Source, table: tuple[str, ...]) -> bool:
    if len(table) == 1:
        return source.alias == table[0]
    return source.path[-len(table) :] == table


def _within(
    name: str, candidates: list[Source], *, qualified: bool
) -> tuple[Source, OutColumn] | None:
    found = [(s, c) for s in candidates if (c := s.column(name)) is not None]
    visible = [(s, c) for s, c in found if qualified or name not in s.hidden]
    if len(visible) > 1 and not qualified:
        raise refusals.ambiguous(name)
    return visible[0] if visible else None


def resolve(reference: exp.Column, source: Source, found: OutColumn) -> None:
    """Make the reference name the stored column, quoted, and carry its type."""
    table = names.quoted(source.alias) if reference.args.get("table") is not None else None
    name = found.name
    if source.bound:
        alias, name = source.bound[found.name]
        table = names.quoted(alias)
    reference.set("this", names.quoted(name))
    reference.set("table", table)
    reference.set("db", None)
    reference.set("catalog", None)
    if found.type is not None:
        reference.type = data_type(found.type)
    mark(reference, found.restricted)


def mark(node: exp.Expr, restricted: str) -> None:
    """Note on a value that a projection policy keeps it out of results."""
    if restricted:
        node.set(RESTRICTED, restricted)


def positional(node: exp.Parameter, table: str | None, sources: tuple[Source, ...]) -> exp.Column:
    """Turn `$2` or `t.$2` into the column at that position."""
    position = int(node.name)
    chosen = [s for s in sources if table is None or s.alias == table]
    columns = [(s, c) for s in chosen for c in visible(s.columns)]
    if not 1 <= position <= len(columns):
        raise refusals.invalid_identifier(f"${position}")
    source, found = columns[position - 1]
    return _reference(source, found)


def expand_star(star: exp.Expr, sources: tuple[Source, ...]) -> Iterator[exp.Expr]:
    """Yield the columns that `*` or `t.*` stands for, with EXCLUDE, REPLACE, RENAME and ILIKE."""
    options = star.this if isinstance(star, exp.Column) else star
    chosen = sources
    if isinstance(star, exp.Column):
        table = _table_parts(star)
        chosen = tuple(s for s in sources if _matches(s, table))
        if not chosen:
            raise refusals.invalid_identifier(star.sql("snowflake").upper())
    excluded = {names.stored(_ident(c)) for c in options.args.get("except_") or ()}
    replaced = {names.stored(a.args["alias"]): a.this for a in options.args.get("replace") or ()}
    renamed = {
        names.stored(_ident(a.this)): names.stored(a.args["alias"])
        for a in options.args.get("rename") or ()
    }
    pattern = options.args.get("ilike")
    known = {column.name for source in chosen for column in source.columns}
    for name in (*excluded, *replaced, *renamed):
        if name not in known:
            raise refusals.invalid_identifier(name)
    for source in chosen:
        for column in visible(source.columns):
            hidden = column.name in source.hidden and not isinstance(star, exp.Column)
            hidden = hidden or column.name in source.unlisted or column.name == GENERATED
            if hidden or column.name in excluded or not _like(column.name, pattern):
                continue
            value = replaced.get(column.name) or _reference(source, column)
            yield exp.alias_(value.copy(), renamed.get(column.name, column.name), quoted=True)


def counted_rows(star: exp.Column, sources: tuple[Source, ...]) -> exp.Case:
    """Return what COUNT(t.*) counts: rows without a NULL in any column.

    See https://docs.snowflake.com/en/sql-reference/functions/count
    """
    values = [exp.Is(this=one.this, expression=exp.null()) for one in expand_star(star, sources)]
    return exp.Case(
        ifs=[exp.If(this=exp.or_(*values), true=exp.null())], default=exp.Literal.number(1)
    )


def _reference(source: Source, column: OutColumn) -> exp.Column:
    made = names.column(column.name, source.alias)
    if column.type is not None:
        made.type = data_type(column.type)
    mark(made, column.restricted)
    return made


def _ident(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, exp.Column) else node


def _like(name: str, pattern: exp.Expr | None) -> bool:
    if pattern is None:
        return True
    parts = (re.escape(p) for p in re.split(r"([%_])", pattern.name))
    wild = "".join({"%": ".*", "_": "."}.get(p, p) for p in parts)
    return re.fullmatch(wild, name, re.I | re.S) is not None


def output_name(projection: exp.Expr) -> str:
    """Return the name that Snowflake gives to a result column."""
    if isinstance(projection, exp.Alias):
        return names.stored(projection.args["alias"])
    if isinstance(projection, exp.Column) and not isinstance(projection.this, exp.Parameter):
        return names.stored(projection.this)
    written: str = projection.meta.get(TEXT) or projection.sql("snowflake")
    return written.upper()
