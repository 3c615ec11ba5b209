"""What happens to the rows of a table, in words: before it is done, and after.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from skills_nb.views.sheets.phrasing import plural

if TYPE_CHECKING:
    from skills_nb.model.events import ModifiedObject

_UNKNOWN = "how many rows is not known"
_WORDS = {"lost": "lost with the table", "exchanged": "exchanged"}


def rows_in_words(
    rows: int | None, rows_are: str, of: int | None = None, how: Mapping[str, int] | None = None
) -> str:
    """Return `2,800 of 2,801 rows deleted`, `at most 12 rows changed`, ….

    Args:
        rows: how many rows.
        rows_are: `exact`, `at_most` or `unknown`.
        of: how many the table held before, where that is known.
        how: what happens to how many of them, where that is known.
    """
    if rows is None:
        return _UNKNOWN
    bound = "at most " if rows_are == "at_most" else ""
    # `at most 12 of 12` says less than `at most 12`.
    of = None if bound else of
    ways = {way: count for way, count in (how or {}).items() if count}
    if len(ways) == 1:
        ((way, count),) = ways.items()
        return bound + _one_way(way, count, of)
    if not ways:
        word = next(iter(how), "changed") if how else "changed"
        # What is inserted adds to the rows that were there, and is no part of them.
        of = None if word == "inserted" else of
        return f"{bound}{_counted(rows, of)} {_WORDS.get(word, word)}"
    (first, count), *others = ways.items()
    told = [f"{_counted(count, None)} {first}", *(f"{n:,} {way}" for way, n in others)]
    return bound + ", ".join(told)


def _one_way(way: str, count: int, of: int | None) -> str:
    if way == "cut":
        return f"{_counted(count, None)} each lose what is in a column"
    if way == "inserted":
        # It adds to those that were there, and is no part of them.
        return f"{_counted(count, None)} inserted"
    return f"{_counted(count, of)} {_WORDS.get(way, way)}"


def _counted(count: int, of: int | None) -> str:
    if of is None or count > of:
        return plural_number(count)
    if count == of and count > 1:
        return f"all {count:,} rows"
    return f"{count:,} of {plural_number(of)}"


def plural_number(count: int) -> str:
    """Return `1 row`, `2,801 rows`."""
    return plural(count, "row").replace(str(count), f"{count:,}", 1)


def changed_line(one: ModifiedObject) -> str:
    """Return `DB.S.ORDERS: 2,800 of 2,801 rows deleted`."""
    said = f"{one.fqn}: {rows_in_words(one.rows, one.rows_are, one.of, one.how)}"
    days = (one.restore_point or {}).get("retention_days")
    return f"{said}; those from before are kept for {plural(days, 'day')}" if days else said


def rows_of_entry(found: Mapping[str, Any]) -> str:
    """Return the same of an object that a dry run lists; empty where no rows are concerned."""
    if "rows_are" not in found:
        return ""
    return rows_in_words(
        found.get("rows"), str(found["rows_are"]), found.get("of"), found.get("how")
    )
