"""What separates two catalogs, object by object.

Room: embedded. Pure: two catalogs in, one value out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import (
    Argument,
    ColumnDef,
    Entity,
    Grant,
    Kind,
    PolicyRef,
    RoleGrant,
    TagRef,
)
from skills_nb.embedded.catalog.grantees import entity_of, full_name_of, is_database_role
from skills_nb.embedded.catalog.pipeline_details import RoutineArgument
from skills_nb.embedded.catalog.table_details import GENERATED, MetricUse, TableConstraint
from skills_nb.embedded.types.data_types import SfType
from skills_nb.ports import CatalogDifference
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.tokens import literal

Key = tuple[str, tuple[str, ...]]
_Facts = dict[str, Any]

_HIDDEN = frozenset(
    {"place", "failures", "last_committed_on", "last_suspended_on", "rsa_key", "rsa_key_2"}
)
"""Details that say where rows are kept, or when an object was last used, not what it is; and whole
keys, whose fingerprints tell as much."""
_SHOWN_AS = {
    "rsa_key_fp": "fingerprint of the public key",
    "rsa_key_2_fp": "fingerprint of the second public key",
}
"""What details are called where their own names are no words."""
RENAMED = "renamed to"
"""What is told of an object that has another name now."""
_PASSING = frozenset({"data_moment"})
"""What a detail inside a detail says of the last time that it was brought up to date."""


def difference_of(before: Catalog, after: Catalog) -> CatalogDifference:
    """Return what was created, modified and dropped, in the order of types and names.

    An object that has another name now is modified, and told by the name that it had.
    """
    old, new = objects_of(before), objects_of(after)
    moved = _moved(old, new)
    came = new.keys() - old.keys() - set(moved.values())
    gone = old.keys() - new.keys() - moved.keys()
    modified: list[Mapping[str, Any]] = []
    old_facts, new_facts = facts_of(before, old), facts_of(after, new)
    for key in sorted((old.keys() & new.keys()) | moved.keys()):
        now = moved.get(key, key)
        facts = new_facts[now] | _other_name(key, now, moved)
        modified.extend(_modified(key, old_facts[key], facts))
    created, dropped = ([_named(*key) for key in sorted(keys)] for keys in (came, gone))
    return CatalogDifference(tuple(created), tuple(modified), tuple(dropped))


def _moved(old: Mapping[Key, Entity], new: Mapping[Key, Entity]) -> dict[Key, Key]:
    """Return under which key an object stands now that stood under another one."""
    here = {entity.id: key for key, entity in new.items() if key not in old}
    return {
        key: here[entity.id]
        for key, entity in old.items()
        if key not in new and entity.id in here and here[entity.id][0] == key[0]
    }


def _other_name(key: Key, now: Key, moved: Mapping[Key, Key]) -> _Facts:
    """Return an object's new name; what only lies in a schema that was renamed kept its own."""
    is_along = any(
        (kind, key[1][:depth]) in moved and moved[kind, key[1][:depth]][1] == now[1][:depth]
        for depth, kind in enumerate(("database", "schema"), 1)
        if depth < len(key[1])
    )
    if key == now or (is_along and key[1][-1] == now[1][-1]):
        return {}
    return {f"\x00{RENAMED}": render_name(now[1])}


def objects_of(catalog: Catalog) -> dict[Key, Entity]:
    """Return what a catalog holds, by type and path."""
    return {
        (_type_of(entity.kind), entity.path): entity
        for entity in catalog.all(Entity)
        if entity.dropped_on is None
    }


def _type_of(kind: Kind) -> str:
    return kind.value.lower().replace(" ", "_")


def _named(kind: str, path: tuple[str, ...]) -> dict[str, Any]:
    return {"type": kind, "name": path[-1], "fqn": render_name(path)}


def _modified(key: Key, old: _Facts, new: _Facts) -> list[Mapping[str, Any]]:
    """Return the object and its columns, each with what changed before and after."""
    kind, path = key
    by_column: dict[str, dict[str, list[Any]]] = defaultdict(dict)
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if before != after:
            column, _, fact = name.rpartition("\x00")
            by_column[column][fact] = [before, after]
    if not by_column:
        return []
    found: list[Mapping[str, Any]] = [{**_named(kind, path), "changes": by_column.pop("", {})}]
    found += [
        {**_named("column", (*path, column)), "changes": changes}
        for column, changes in sorted(by_column.items())
    ]
    return found


def facts_of(catalog: Catalog, objects: Mapping[Key, Entity]) -> dict[Key, _Facts]:
    """Return what is known of objects: a column's name (or none), NUL and a fact, to its value."""
    known = {key: _own_facts(entity) for key, entity in objects.items()}
    keys = {entity.id: key for key, entity in objects.items()}
    for policy in catalog.all(PolicyRef):
        _note(known, keys, policy.object_id, policy.column, *_policy_fact(catalog, policy))
    for tag in catalog.all(TagRef):
        name = _name_of(catalog, tag.tag_id)
        _note(known, keys, tag.object_id, tag.column, f"tag {name}", tag.value)
    for grant in catalog.all(Grant):
        holder = f"{grant.grantee_kind.lower()} {full_name_of(catalog, grant.grantee)}"
        fact = f"{grant.privilege} to {holder}"
        _note(known, keys, grant.object_id, "", fact, "granted")
    for role in catalog.all(RoleGrant):
        fact = f"granted to {role.grantee_kind.lower()} {full_name_of(catalog, role.grantee)}"
        known.get(_role_key(catalog, role.role), {})[f"\x00{fact}"] = "granted"
    return known


def _role_key(catalog: Catalog, role: str) -> Key:
    """Return under which key a role's facts stand; a database role stands in its database."""
    entity = entity_of(catalog, role) if is_database_role(role) else None
    return ("role", (role,)) if entity is None else (_type_of(entity.kind), entity.path)


def _policy_fact(catalog: Catalog, policy: PolicyRef) -> tuple[str, str]:
    return _type_of(policy.policy_kind), _name_of(catalog, policy.policy_id)


def _name_of(catalog: Catalog, entity_id: int) -> str:
    entity = catalog.by_id(entity_id)
    return render_name(entity.path) if entity is not None else f"object {entity_id}"


def _note(
    known: dict[Key, _Facts],
    keys: Mapping[int, Key],
    object_id: int,
    column: str,
    fact: str,
    value: Any,
) -> None:
    key = keys.get(object_id)
    if key is not None:
        known[key][f"{column}\x00{fact}"] = value


def _own_facts(entity: Entity) -> _Facts:
    facts: _Facts = {"\x00owner": entity.owner, "\x00comment": entity.comment}
    if is_dataclass(entity.detail):
        for field in fields(entity.detail):
            if field.name not in _HIDDEN:
                told = _SHOWN_AS.get(field.name, field.name)
                facts[f"\x00{told}"] = _plain(getattr(entity.detail, field.name))
    return facts


def _column(column: ColumnDef) -> str:
    """Return a column as a statement would say it."""
    told = f"{column.name} {column.type.sql}"
    told += "" if column.nullable else " NOT NULL"
    told += "" if column.default is None else f" DEFAULT {column.default}"
    return told if column.comment is None else f"{told} COMMENT {literal(column.comment)}"


def _constraint(constraint: TableConstraint) -> str:
    """Return a constraint as a statement would say it, by its name if it was given one."""
    told = f"{constraint.kind} ({_names(constraint.columns)})"
    if constraint.referenced:
        told += f" REFERENCES {render_name(constraint.referenced)}"
        told += f" ({_names(constraint.referenced_columns)})"
    if not constraint.name.startswith(GENERATED):
        told = f"CONSTRAINT {render_name((constraint.name,))} {told}"
    return told if constraint.comment is None else f"{told} COMMENT {literal(constraint.comment)}"


def _names(columns: tuple[str, ...]) -> str:
    return ", ".join(render_name((column,)) for column in columns)


def _metric(use: MetricUse) -> str:
    """Return a check in words: `SNOWFLAKE.CORE.NULL_COUNT of ID (NONE_MISSING: VALUE = 0)`."""
    of = f" of {_names(use.columns)}" if use.columns else ""
    expected = "; ".join(f"{name}: {condition}" for name, condition in use.expectations)
    parts = (expected, use.condition and f"where {use.condition}", use.suspended and "suspended")
    told = "; ".join(part for part in parts if part)
    return f"{use.metric}{of} ({told})" if told else f"{use.metric}{of}"


def _plain(value: Any) -> Any:
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, ColumnDef):
        return _column(value)
    if isinstance(value, MetricUse):
        return _metric(value)
    if isinstance(value, TableConstraint):
        return _constraint(value)
    if isinstance(value, Argument | RoutineArgument):
        return f"{value.name} {value.type.sql}"
    if isinstance(value, SfType):
        return value.sql
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if is_dataclass(value):
        told = {
            field.name: _plain(getattr(value, field.name))
            for field in fields(value)
            if field.name not in _PASSING
        }
        return {name: fact for name, fact in told.items() if fact not in (None, "", [], {})}
    return str(value)
