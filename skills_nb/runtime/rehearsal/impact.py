"""The impact of a plan: what separates two catalogs, and what happens to rows.

Room: work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from skills_nb.model.events import ModifiedObject
from skills_nb.model.modified_objects import merge_objects
from skills_nb.ports import CatalogDifference
from skills_nb.sql.identifiers import split_name

Surveyed = Callable[[Sequence[str]], Mapping[str, Mapping[str, Any]]]
_ROWS = ("rows", "rows_are", "of", "how")


def with_rows(
    difference: CatalogDifference, modified: Iterable[ModifiedObject], stood: Surveyed
) -> CatalogDifference:
    """Return a difference with the rows that change, at the objects that they are of.

    A table that is only written to is modified; of one that is made or dropped, too, its entry
    tells the rows. One that is made and dropped again is not told of.

    Args:
        difference: what separates the two catalogs.
        modified: what happens to rows.
        stood: returns what the account held of some names before, by type and name.
    """
    found = {one.fqn: one for one in merge_objects(modified) if one.rows != 0}
    lost = {fqn: _lost(one) for fqn, one in found.items()}
    known = {str(one["fqn"]) for one in (*difference.created, *difference.dropped)}
    known |= {str(one["fqn"]) for one in difference.modified}
    others = [one for fqn, one in found.items() if fqn not in known]
    before = {title.partition(" ")[2] for title in stood([one.fqn for one in others])}
    more = [_entry(one) for one in others if one.fqn in before]
    changed = [_told(one, found) for one in difference.modified]
    return CatalogDifference(
        tuple(_told(one, found) for one in difference.created),
        tuple(sorted([*changed, *more], key=_order)),
        tuple(_told(one, lost) for one in difference.dropped),
    )


def _lost(one: ModifiedObject) -> ModifiedObject:
    """Return what is lost with a table, whatever would be done to it before."""
    how = {} if one.of is None else {"lost": one.of}
    kind = "unknown" if one.of is None else "exact"
    return one.model_copy(update={"rows": one.of, "rows_are": kind, "how": how})


def _told(one: Mapping[str, Any], found: Mapping[str, ModifiedObject]) -> Mapping[str, Any]:
    rows = found.get(str(one["fqn"]))
    return one if rows is None else {**one, **rows.model_dump(include=set(_ROWS))}


def _entry(one: ModifiedObject) -> dict[str, Any]:
    name = split_name(one.fqn)[-1]
    told = one.model_dump(include=set(_ROWS))
    return {"type": one.type, "name": name, "fqn": one.fqn, "changes": {}, **told}


def _order(one: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    return str(one["type"]), tuple(split_name(str(one["fqn"])))
