"""The portrait of a catalog: what it says, without numbers, times and grantors.

Room: embedded. Pure. Two accounts with equal portraits do the same for everybody.
"""

from __future__ import annotations

import json
from typing import Any

from skills_nb.embedded.catalog import codec
from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import Entity, Record, Shelved
from skills_nb.embedded.catalog.grantees import full_name_of, is_database_role
from skills_nb.embedded.catalog.table_details import GENERATED

_OWN = frozenset({"id", "created_on", "altered_on", "dropped_on", "granted_by"})
_IDS = ("object_id", "policy_id", "tag_id", "scope_id")
_HOLDERS = ("role", "grantee")
_DETAIL = frozenset(
    {"place", "text", "has_password", "data_moment", "refreshed", "expires_at", "clone_group"}
)
"""Where rows are kept; how a view was typed, whose query is in the portrait; what is not kept."""
_PASSING = {
    "SequenceDetail": ("start",),
    "TaskDetail": ("failures", "last_committed_on", "last_suspended_on"),
}
"""By the class of a detail, what changes while it is used."""
_NUMBERS = ("source_id", "after", "finalizes")
"""Fields of details that name objects by their numbers."""
_PACKED = ("properties", "options", "file_format", "copy_options", "instructions")
"""Fields of details that hold JSON, whose order says nothing."""


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
    return not getattr(entity.detail, "temporary", 0)


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
    for name in _HOLDERS:
        if name in facts and is_database_role(facts[name]):
            facts[name] = full_name_of(catalog, facts[name])
    detail = facts.get("detail")
    if detail is not None:
        facts["detail"] = _detail(catalog, detail)
    return facts


def _detail(catalog: Catalog, plain: dict[str, Any]) -> dict[str, Any]:
    left_out = {*_DETAIL, *_PASSING.get(plain.get("_", ""), ())}
    return {
        name: _fact(catalog, name, value) for name, value in plain.items() if name not in left_out
    }


def _fact(catalog: Catalog, name: str, value: Any) -> Any:
    if name in _NUMBERS and isinstance(value, list):
        return sorted(_path(catalog, number) for number in value)
    if name in _NUMBERS and isinstance(value, int):
        return _path(catalog, value)
    if name in _PACKED and isinstance(value, str):
        return json.loads(value)
    if name == "constraints":
        return [{**one, "name": _given(one["name"])} for one in value]
    return _detail(catalog, value) if isinstance(value, dict) else value


def _given(name: str) -> str:
    """Return a constraint's name; one that nobody gave is another in each account."""
    return GENERATED if name.startswith(GENERATED) else name


def _path(catalog: Catalog, number: int) -> list[str]:
    entity = catalog.by_id(number)
    return [entity.kind, *entity.path] if is_lasting(entity) and entity is not None else []
