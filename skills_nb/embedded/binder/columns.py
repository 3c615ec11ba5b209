"""Columns: which source a name means, what `*` stands for, and what a result column is called.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder import certainty
from skills_nb.embedded.parser.desugar.column_titles import TEXT
from skills_nb.embedded.parser.desugar.selects import GENERATED
from skills_nb.embedded.types import names
from skills_nb.embedded.types.inference import data_type, infer
from skills_nb.embedded.types.scope import OutColumn, Source, visible
from skills_nb.embedded.types.tree_copies import copied
from skills_nb.sql.conditions.like_pattern import matches

WORKED = "worked"
"""Says of a column how its values under an aggregation policy were made; no text parses to it."""
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
        raise errors.ambiguous(name)
    return visible[0] if visible else None


def resolve(reference: exp.Column, source: Source, found: OutColumn) -> None:
    """Make the reference name the stored column, quoted, and carry its type."""
    is_qualified = found.name in source.qualified or reference.args.get("table") is not None
    table = names.quoted(source.alias) if is_qualified else None
    name = source.sent_as.get(found.name, found.name)
    if source.bound:
        alias, name = source.bound[found.name]
        table = names.quoted(alias)
    reference.set("this", names.quoted(name))
    reference.set("table", table)
    reference.set("db", None)
    reference.set("catalog", None)
    if found.type is not None:
        reference.type = data_type(found.type)
    _note(reference, found)


def _note(reference: exp.Column, found: OutColumn) -> None:
    mark(reference, found.restricted)
    certainty.note(reference, found)
    if found.worked:
        reference.set(WORKED, found.worked)


def mark_alias(node: exp.Expr, restricted: str, value: exp.Expr | None) -> None:
    """Carry the mark of what an alias names, and its type where that is known."""
    mark(node, restricted)
    if (found := infer(value)) is not None:
        node.type = data_type(found)


def mark(node: exp.Expr, restricted: str) -> None:
    """Note on a value that a projection policy keeps it out of results."""
    if restricted:
        node.set(RESTRICTED, restricted)


def positional(
    node: exp.Parameter, table: str | None, sources: tuple[Source, ...]
) -> tuple[Source, OutColumn]:
    """Return the source and column that `$2` or `t.$2` means.

    Raises:
        SqlError: there are not so many columns (904).
    """
    position = int(node.name) if node.name.isdecimal() else 0
    chosen = [s for s in sources if table is None or s.alias == table]
    columns = [(s, c) for s in chosen for c in visible(s.columns)]
    if not 1 <= position <= len(columns):
        raise errors.invalid_identifier(f"${node.name}")
    return columns[position - 1]


def expand_star(star: exp.Expr, sources: tuple[Source, ...]) -> Iterator[exp.Expr]:
    """Yield the columns that `*` or `t.*` stands for, with EXCLUDE, REPLACE, RENAME and ILIKE.

    Raises:
        SqlError: no source has the alias, an option names a column that none has (904), or gives
            one no name (1003).
    """
    options = star.this if isinstance(star, exp.Column) else star
    chosen = sources
    if isinstance(star, exp.Column):
        table = _table_parts(star)
        chosen = tuple(s for s in sources if _matches(s, table))
        if not chosen:
            raise errors.invalid_identifier(star.sql("snowflake").upper())
    excluded = {names.stored(_ident(c)) for c in options.args.get("except_") or ()}
    replaced = {_given_name(a): a.this for a in options.args.get("replace") or ()}
    renamed = {
        names.stored(_ident(a.this)): _given_name(a) for a in options.args.get("rename") or ()
    }
    pattern = options.args.get("ilike")
    known = {column.name for source in chosen for column in source.columns}
    for name in (*excluded, *replaced, *renamed):
        if name not in known:
            raise errors.invalid_identifier(name)
    listed = _listed(chosen) if isinstance(star, exp.Column) else _joined(chosen)
    for name, value in listed:
        if name not in excluded and _like(name, pattern):
            shown = replaced.get(name) or value
            yield exp.alias_(copied(shown), renamed.get(name, name), quoted=True)


_Listed = list[tuple[str, exp.Expr]]
"""Columns of `*`: name and value."""


def _listed(sources: Iterable[Source]) -> _Listed:
    return [
        (column.name, reference(source, column))
        for source in sources
        for column in visible(source.columns)
        if column.name not in source.unlisted and column.name != GENERATED
    ]


def _joined(sources: Iterable[Source]) -> _Listed:
    """List the columns of joins: what USING merged stands once, and first.

    See https://docs.snowflake.com/en/sql-reference/constructs/join
    """
    found: _Listed = []
    for source in sources:
        ours = _listed([source])
        mine, before = dict(ours), dict(reversed(found))
        merged = [(k, _key(source.side, before[k], mine[k])) for k in source.keys if k in before]
        left = [one for one in found if one[0] not in source.keys]
        found = [*merged, *left, *(one for one in ours if one[0] not in source.hidden)]
    return found


def _key(side: str, left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """Return the value of a merged column: of the side whose rows are all kept."""
    if side == "RIGHT":
        return right
    return exp.Coalesce(this=left, expressions=[right]) if side == "FULL" else left


def counted_rows(columns: Iterable[exp.Expr]) -> exp.Case:
    """Return what COUNT(t.*) counts: rows without a NULL in any column.

    See https://docs.snowflake.com/en/sql-reference/functions/count
    """
    values = [exp.Is(this=column, expression=exp.null()) for column in columns]
    return exp.Case(
        ifs=[exp.If(this=exp.or_(*values), true=exp.null())], default=exp.Literal.number(1)
    )


def reference(source: Source, column: OutColumn) -> exp.Column:
    """Make a reference to a column of a source."""
    made = names.column(source.sent_as.get(column.name, column.name), source.alias)
    if column.type is not None:
        made.type = data_type(column.type)
    _note(made, column)
    return made


def _given_name(option: exp.Expr) -> str:
    alias = option.args.get("alias")
    if not alias:
        raise errors.syntax(f"syntax error: '{option.sql('snowflake')}' lacks its AS name.")
    return names.stored(alias)


def _ident(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, exp.Column) else node


def _like(name: str, pattern: exp.Expr | None) -> bool:
    if pattern is None:
        return True
    return matches(name.lower(), pattern.name.lower())


def output_name(projection: exp.Expr) -> str:
    """Return the name that Snowflake gives to a result column."""
    if isinstance(projection, exp.Alias):
        return names.stored(projection.args["alias"])
    if isinstance(projection, exp.Column) and not isinstance(projection.this, exp.Parameter):
        return names.stored(projection.this)
    written: str = projection.meta.get(TEXT) or projection.sql("snowflake")
    return written.upper()
