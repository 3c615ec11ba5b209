"""Keys of USING and NATURAL: columns that two sides of a join have in common.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/constructs/join
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import Source, differs_by_case


def check(merged: Iterable[str], left: list[Source], right: list[Source]) -> None:
    """Refuse keys that a side lacks, or that DuckDB would take for another column.

    Raises:
        SqlError: a side has no such column (904), or one in another case, too (0A000).
    """
    known = [column.name for source in (*left, *right) for column in source.columns]
    for name in merged:
        for side in (left, right):
            holder(side, name)
        if differs_by_case(name, known):
            raise errors.unsupported(f"USING ({name}) beside a column in another case")


def is_by_instant(join: exp.Join, merged: Iterable[str], sources: Iterable[Source]) -> bool:
    """Tell whether a key is a moment with its own offset, which does not count in comparisons.

    Raises:
        SqlError: the join keeps all rows of its right side, too (0A000).
    """
    columns = [source.column(name) for source in sources for name in merged]
    kinds = {one.type.kind for one in columns if one is not None and one.type is not None}
    if "TIMESTAMP_TZ" not in kinds:
        return False
    if join.side.upper() in ("RIGHT", "FULL"):
        raise errors.unsupported(f"{join.side.upper()} JOIN USING a TIMESTAMP_TZ")
    return True


def merged_into(source: Source, merged: tuple[str, ...], side: str) -> Source:
    """Note on a source of a join what it has in common with those before it."""
    keys = tuple(name for name in merged if source.column(name) is not None)
    return replace(source, hidden=source.hidden | {*merged}, keys=keys, side=side.upper())


def spelled_out(
    join: exp.Join, merged: tuple[str, ...], left: list[Source], right: list[Source]
) -> tuple[list[Source], list[Source]]:
    """Write USING of an ASOF JOIN as equalities, which DuckDB takes beside any inequality."""
    pairs = [(holder(left, name), holder(right, name)) for name in merged]
    equal = [
        exp.EQ(this=names.column(name, ours), expression=names.column(name, theirs))
        for name, (ours, theirs) in zip(merged, pairs, strict=True)
    ]
    join.set("using", None)
    join.set("on", exp.and_(*equal))
    return (
        [replace(s, qualified=frozenset(c.name for c in s.columns)) for s in left],
        [replace(s, qualified=frozenset(c.name for c in s.columns)) for s in right],
    )


def holder(sources: list[Source], name: str) -> str:
    """Return the alias of the source that has a column.

    Raises:
        SqlError: none has it (904).
    """
    for source in sources:
        if source.column(name) is not None:
            return source.alias
    raise errors.invalid_identifier(name)
