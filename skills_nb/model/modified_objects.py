"""What several statements or steps did to the rows of each table, together.

Room: model. It is added up alike in a dry run, in a step and on a card.
"""

from __future__ import annotations

from collections.abc import Iterable

from skills_nb.model.events import ModifiedObject
from skills_nb.model.events.values import RowsAre


def merge_objects(found: Iterable[ModifiedObject]) -> list[ModifiedObject]:
    """Return every object once, with what happened to it together."""
    by_name: dict[str, ModifiedObject] = {}
    for one in found:
        known = by_name.get(one.fqn)
        by_name[one.fqn] = one if known is None else _together(known, one)
    return list(by_name.values())


def _together(first: ModifiedObject, then: ModifiedObject) -> ModifiedObject:
    ways = (*first.how, *then.how)
    how = {way: first.how.get(way, 0) + then.how.get(way, 0) for way in dict.fromkeys(ways)}
    if first.rows is None or then.rows is None:
        return first.model_copy(update={"rows": None, "rows_are": "unknown", "how": how})
    kinds: set[RowsAre] = {first.rows_are, then.rows_are}
    rows_are = "at_most" if "at_most" in kinds else "exact"
    rows = first.rows + then.rows
    return first.model_copy(update={"rows": rows, "rows_are": rows_are, "how": how})
