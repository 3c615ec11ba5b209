"""Written: entries, and the statements that bring one to the state it is in.

Room: embedded. Values that are not kept (secrets) are not written either.
"""

from __future__ import annotations

from typing import Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import EntryDetail
from skills_nb.embedded.objects.checks import is_own, properties_of
from skills_nb.embedded.objects.entries import ENTRIES
from skills_nb.embedded.writing.values import comment, value
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.tokens import literal

_BARE = ("IN COMPUTE POOL", "FOR APPLICATION", "ON", "SHARE", "APPLICATION PACKAGE")
"""Clauses that name one object or column."""
_SPOKEN = ("FROM SPECIFICATION", "FROM SPECIFICATION_TEMPLATE", "FROM")
"""Clauses that give a text."""
_GROUPS = (Kind.REPLICATION_GROUP, Kind.FAILOVER_GROUP)
_UNREPLACED = (
    Kind.COMPUTE_POOL,
    Kind.SERVICE,
    Kind.LISTING,
    Kind.REPLICATION_GROUP,
    Kind.FAILOVER_GROUP,
    Kind.APPLICATION_PACKAGE,
)
"""Kinds whose CREATE has no OR REPLACE."""


def entry(entity: Entity, name: str) -> str:
    """Write an entry."""
    held = {key: given for key, given in properties_of(entity).items() if not is_own(key)}
    replace = "" if entity.kind in _UNREPLACED else "or replace "
    head = f"create {replace}{_kind(entity)} {name}"
    if entity.kind is Kind.MODEL:
        first = properties_of(entity)["_VERSIONS"][0]
        version = f"with version {quote(first['NAME'])} from {_origin(first['FROM'])}"
        return f"{head} {version}{comment(entity)}"
    last = held.pop("AS", None)
    words = [head, *(_clause(entity.kind, key, given) for key, given in held.items())]
    if entity.comment:
        words.append(comment(entity, ""))
    if last is not None:
        words.append(f"as {literal(last) if entity.kind is Kind.LISTING else last}")
    return "\n\t".join(words)


def _kind(entity: Entity) -> str:
    if entity.kind is Kind.INTEGRATION:
        assert isinstance(entity.detail, EntryDetail)
        return f"{entity.detail.subtype.lower()} integration"
    return "external listing" if entity.kind is Kind.LISTING else entity.kind.value.lower()


def _clause(kind: Kind, key: str, given: Any) -> str:
    if key in _BARE:
        return f"{key.lower()} {given}"
    if key in _SPOKEN:
        return f"{key.lower()} {literal(given)}"
    if key == "USING":
        return f"using {value(given)}"
    if key == "IGNORE EDITION CHECK":
        return key.lower()
    if key == "PRIMARY KEY":
        return f"primary key ({', '.join(given)})"
    if key == "ATTRIBUTES":
        return f"attributes {', '.join(given)}"
    if kind in _GROUPS and isinstance(given, list):
        return f"{key.lower()} = {', '.join(given)}"
    return f"{key.lower()} = {value(given)}"


def _origin(source: Any) -> str:
    if isinstance(source, dict):
        version = f" version {quote(source['VERSION'])}" if source["VERSION"] else ""
        return f"model {source['MODEL']}{version}"
    return literal(str(source))


def afterwards(entity: Entity) -> list[str]:
    """Return the ALTER statements that bring a new entry to the state of this one."""
    held = properties_of(entity)
    alter = f"alter {_kind_altered(entity)} {render_name(entity.path)}"
    if entity.kind is Kind.MODEL:
        return [f"{alter} {words}" for words in _of_versions(held)]
    known = ENTRIES.get(entity.kind)
    born = known.born if known is not None else {}
    found = [f"{alter} resume"] if _was_resumed(entity.kind, held) else []
    for key, given in held.items():
        if is_own(key) and born.get(key) != given:
            found += [f"{alter} {words}" for words in _changes(entity.kind, key, given, held)]
    return found


def _kind_altered(entity: Entity) -> str:
    return "listing" if entity.kind is Kind.LISTING else entity.kind.value.lower()


def _was_resumed(kind: Kind, held: dict[str, Any]) -> bool:
    """Tell whether a pool that was made suspended runs now."""
    return bool(held.get("INITIALLY_SUSPENDED")) and held["_STATE"] != "SUSPENDED"


def _changes(kind: Kind, key: str, given: Any, held: dict[str, Any]) -> list[str]:
    match key, given:
        case "_STATE", "SUSPENDED" if not held.get("INITIALLY_SUSPENDED"):
            return ["suspend"]
        case "_STATE", "PUBLISHED" if not held["PUBLISH"]:
            return ["publish"]
        case "_STATE", "UNPUBLISHED":
            return ["unpublish"]
        case "_LIVE", _:
            return ["add live version from last"]
        case "_INDEXING" | "_SERVING", _:
            return [f"suspend {key[1:].lower()}"]
        case "_VERSIONS", int():
            return [f"add version from {literal(held['FROM'])}"] * (given - 1)
        case _:
            return []


def _of_versions(held: dict[str, Any]) -> list[str]:
    versions = held["_VERSIONS"]
    found = [f"add version {quote(v['NAME'])} from {_origin(v['FROM'])}" for v in versions[1:]]
    for v in versions:
        if v["ALIAS"]:
            found.append(f"version {quote(v['NAME'])} set alias = {quote(v['ALIAS'])}")
        if v["COMMENT"]:
            found.append(f"modify version {quote(v['NAME'])} set comment = {literal(v['COMMENT'])}")
    if held["DEFAULT_VERSION"] != versions[0]["NAME"]:
        found.append(f"set default_version = {quote(held['DEFAULT_VERSION'])}")
    return found
