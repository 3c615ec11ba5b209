"""What an account holds, as plain facts that can be compared another day.

Room: embedded. Pure: a catalog in, one value out. What goes to and fro by itself (positions of
streams, counters, times), what only numbers it inside and how a query was spelled is no fact.
Source: ARCHITECTURE, Dry run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.difference import Key, facts_of, objects_of
from skills_nb.embedded.catalog.entities import (
    OWNERSHIP,
    Entity,
    FutureGrant,
    Grant,
    Kind,
    Parameter,
    PolicyRef,
)
from skills_nb.embedded.catalog.grantees import full_name_of, kind_of
from skills_nb.errors import UsageError
from skills_nb.sql.identifiers import render_name, split_name

_RESTLESS_TEXT = (
    "data_moment failures last_committed_on last_suspended_on refreshed state shared expires_at "
    "source_id after finalizes text"
)
_RESTLESS = frozenset(_RESTLESS_TEXT.split())
_RESTLESS_OF = {Kind.WAREHOUSE: frozenset({"suspended"})}
_ROLE = "role "
_Path = tuple[str, ...]


def survey(catalog: Catalog, scope: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return what is in a scope: `type name` to property to value.

    Args:
        catalog: the account's.
        scope: names; each stands for the object and everything inside it, `role NAME` for a role
            alone. The policies that what is in the scope is subject to are told, too.
    """
    scope = tuple(scope)
    places = frozenset(_paths(scope))
    roles = frozenset(name.removeprefix(_ROLE) for name in scope if name.startswith(_ROLE))
    objects = objects_of(catalog)
    wanted = {key: entity for key, entity in objects.items() if _is_told(entity, places, roles)}
    ids = {entity.id for entity in wanted.values()}
    governing = {ref.policy_id for ref in catalog.all(PolicyRef) if ref.object_id in ids}
    wanted |= {key: entity for key, entity in objects.items() if entity.id in governing}
    facts = facts_of(catalog, wanted)
    return {_title(key): _told(wanted[key], facts[key]) for key in sorted(wanted)}


def inventory(catalog: Catalog) -> dict[str, dict[str, Any]]:
    """Return everything that a catalog holds: `kind path` to fact to value, `account` for itself.

    A fact is a column's name (or none), NUL and what is said of it. Objects of single sessions and
    what goes to and fro by itself are left out.
    """
    objects = {
        key: entity
        for key, entity in objects_of(catalog).items()
        if not getattr(entity.detail, "temporary", 0)
    }
    told = {key: _lasting(objects[key], facts) for key, facts in facts_of(catalog, objects).items()}
    found = {f"{kind} {render_name(path)}": told[kind, path] for kind, path in sorted(objects)}
    account: dict[str, Any] = {}
    names = {entity.id: f"{kind} {render_name(path)}" for (kind, path), entity in objects.items()}
    for parameter in catalog.all(Parameter):
        of = found.get(names.get(parameter.object_id, ""), account)
        of[f"\0parameter {parameter.name}"] = parameter.value
    found["account"] = account
    for title, fact in _rights(catalog, names):
        if title in found:
            found[title][f"\0{fact}"] = "granted"
    return found


def _rights(catalog: Catalog, names: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    """Return the rights that no object's own facts tell, each with what it is on.

    A right that may be granted on is two: whoever has it can do more than whoever has only it.
    """
    named = {**names, 0: "account"}
    for grant in catalog.all(Grant):
        holder, title = _holder(catalog, grant), named.get(grant.object_id, "")
        if not grant.object_id:
            yield title, f"{grant.privilege} to {holder}"
        if grant.grant_option and grant.privilege != OWNERSHIP:
            yield title, f"{grant.privilege} with grant option to {holder}"
    for future in catalog.all(FutureGrant):
        grantee = f"{kind_of(future.grantee).lower()} {full_name_of(catalog, future.grantee)}"
        what = f"future {future.privilege} on {future.kind.value}"
        yield named.get(future.scope_id, ""), f"{what} to {grantee}"
        if future.grant_option and future.privilege != OWNERSHIP:
            yield named.get(future.scope_id, ""), f"{what} with grant option to {grantee}"


def _lasting(entity: Entity, facts: Mapping[str, Any]) -> dict[str, Any]:
    restless = _RESTLESS | _RESTLESS_OF.get(entity.kind, frozenset())
    kept = (name for name in facts if name.rpartition("\0")[2] not in restless)
    return {name: _calm(facts[name]) for name in kept}


def _holder(catalog: Catalog, grant: Grant) -> str:
    return f"{grant.grantee_kind.lower()} {full_name_of(catalog, grant.grantee)}"


def _paths(scope: Iterable[str]) -> Iterator[_Path]:
    for name in scope:
        try:
            yield tuple(split_name(name))
        except UsageError:
            # What is no name names nothing in the account.
            continue


def _is_told(entity: Entity, places: frozenset[_Path], roles: frozenset[str]) -> bool:
    if getattr(entity.detail, "temporary", 0):
        return False
    path = entity.path
    is_role = entity.kind is Kind.ROLE and render_name(path) in roles
    return is_role or any(path[:n] in places for n in range(1, len(path) + 1))


def _title(key: Key) -> str:
    kind, path = key
    return f"{kind.replace('_', ' ')} {render_name(path)}"


def _told(entity: Entity, facts: Mapping[str, Any]) -> dict[str, Any]:
    restless = _RESTLESS | _RESTLESS_OF.get(entity.kind, frozenset())
    told: dict[str, Any] = {}
    for name, value in sorted(facts.items()):
        column, _, fact = name.rpartition("\x00")
        calm = _calm(value)
        if fact not in restless and calm not in (None, "", [], {}):
            told[f"{fact} on {column}" if column else fact] = calm
    return told


def _calm(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _calm(fact) for name, fact in value.items() if name not in _RESTLESS}
    return [_calm(one) for one in value] if isinstance(value, list) else value
