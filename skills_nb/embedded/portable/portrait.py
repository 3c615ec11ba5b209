"""The portrait of a catalog: what it says, without numbers, times and grantors.

Room: embedded. Pure. Two accounts with equal portraits do the same for everybody.
"""

from __future__ import annotations

import json
from typing import Any

from skills_nb.embedded.catalog import codec
from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import Entity, Record, Shelved, TableDetail

_OWN = frozenset({"id", "created_on", "altered_on", "dropped_on", "granted_by"})
_IDS = ("object_id", "policy_id", "tag_id", "scope_id")
_DETAIL = frozenset({"place", "text", "has_password"})
"""Where rows are kept; how a view was typed, whose query is in the portrait; what is not kept."""


def of(catalog: Catalog) -> frozenset[str]:
    """Return the facts of a catalog."""
    return frozenset(
        json.dumps(_facts(catalog, record), sort_keys=True, ensure_ascii=False)
        for record in catalog.records()
        if not _is_left_out(catalog, record)
    )


def is_lasting(entity: Entity | None) -> bool:
    """Return whether an object is there, and for everybody."""
    if entity is None or entity.dropped_on is not None:
        return False
    return not (isinstance(entity.detail, TableDetail) and entity.detail.temporary)


def _is_left_out(catalog: Catalog, record: Record) -> bool:
    if isinstance(record, Shelved):
        return True
    if isinstance(record, Entity):
        return not is_lasting(record)
    ids = [getattr(record, name) for name in _IDS if hasattr(record, name)]
    return any(number and not is_lasting(catalog.by_id(number)) for number in ids)


def _facts(catalog: Catalog, record: Record) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(codec.dump(record))
    facts = {name: value for name, value in plain.items() if name not in _OWN}
    for name in _IDS:
        if name in facts:
            entity = catalog.by_id(facts.pop(name))
            facts[name.removesuffix("_id")] = [entity.kind, *entity.path] if entity else None
    detail = facts.get("detail")
    if detail is not None:
        facts["detail"] = {k: v for k, v in detail.items() if k not in _DETAIL}
    return facts
