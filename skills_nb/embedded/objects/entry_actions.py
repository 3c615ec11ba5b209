"""Entry actions: what only one kind of entry knows, and who may do it.

Room: embedded. An action changes what is kept; nothing is started, fetched or refreshed. What would
need to run something is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.names import typed_path
from skills_nb.embedded.objects.checks import properties_of
from skills_nb.embedded.statements import access
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import resolve

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Held = dict[str, Any]
_OPERATED = (Kind.COMPUTE_POOL, Kind.SERVICE, Kind.CORTEX_SEARCH_SERVICE)
_STATES = {
    Kind.COMPUTE_POOL: ("SUSPENDED", "IDLE"),
    Kind.SERVICE: ("SUSPENDED", "PENDING"),
    Kind.REPLICATION_GROUP: ("SUSPENDED", "STARTED"),
    Kind.FAILOVER_GROUP: ("SUSPENDED", "STARTED"),
}
"""What SUSPEND and RESUME lead to."""


def require(session: AccountSession, entity: Entity, action: ast.Action) -> None:
    """Refuse who may not carry the action out: OPERATE starts and stops, the rest is the owner's.

    See https://docs.snowflake.com/en/user-guide/security-access-control-privileges
    """
    if entity.kind in _OPERATED and isinstance(action, (ast.Suspend, ast.Resume)):
        access.require(session, entity, "OPERATE")
    elif entity.kind is Kind.COMPUTE_POOL and isinstance(action, ast.SetProperties):
        access.require(session, entity, "MODIFY")
    else:
        access.require_owner(session, entity)


def check_new(session: AccountSession, kind: Kind, kept: Held) -> None:
    """Check what a new entry says as a whole, and fill in what follows from it."""
    if kind is Kind.COMPUTE_POOL:
        if kept["MIN_NODES"] > kept["MAX_NODES"]:
            raise refusals.invalid_property("MAX_NODES must not be less than MIN_NODES.")
        if kept.get("INITIALLY_SUSPENDED"):
            kept["_STATE"] = "SUSPENDED"
    elif kind is Kind.SERVICE and kept["MIN_INSTANCES"] > kept["MAX_INSTANCES"]:
        kept["MAX_INSTANCES"] = kept["MIN_INSTANCES"]
    elif kind is Kind.MODEL:
        first = kept.pop("WITH VERSION", "VERSION_1")
        kept["_VERSIONS"] = [_version(session, first, kept["FROM"])]
        kept.setdefault("DEFAULT_VERSION", first)
    elif kind is Kind.LISTING:
        kept["_STATE"] = "PUBLISHED" if kept["PUBLISH"] else "DRAFT"


def act(session: AccountSession, entity: Entity, action: ast.Action, held: Held) -> Held:
    """Return what an entry keeps after the action.

    Raises:
        SqlError: the kind knows no such action (0A000), or it cannot be done now.
    """
    match action:
        case ast.Suspend() | ast.Resume():
            return _power(entity, held, resumes=isinstance(action, ast.Resume))
        case ast.EntryAction(verb=verb, properties=given):
            found = _VERBS.get((entity.kind, verb))
            if found is not None:
                return found(session, entity, dict(given), held)
            raise refusals.unsupported(f"ALTER {entity.kind.value} {verb}")
        case _:
            raise refusals.unsupported(f"ALTER {entity.kind.value} {type(action).__name__.upper()}")


def _power(entity: Entity, held: Held, *, resumes: bool) -> Held:
    if entity.kind is Kind.CORTEX_SEARCH_SERVICE:
        state = "ACTIVE" if resumes else "SUSPENDED"
        return {**held, "_INDEXING": state, "_SERVING": state}
    if entity.kind not in _STATES:
        raise refusals.unsupported(f"SUSPEND or RESUME of a {entity.kind.value}")
    return {**held, "_STATE": _STATES[entity.kind][resumes]}


# ---- models: versions are names with an origin


def _version(session: AccountSession, name: str, source: Any) -> Held:
    """Make a version of a model of another one; its files are never read."""
    if isinstance(source, Mapping):
        path = typed_path(str(source["MODEL"]))
        other = access.existing(session, Kind.MODEL, path)
        held = properties_of(other)
        _known(other, held, str(source["VERSION"] or held["DEFAULT_VERSION"]))
    return {"NAME": name, "ALIAS": None, "COMMENT": None, "FROM": source}


def _known(entity: Entity, held: Held, name: str) -> Held:
    """Return a version by its name, alias, or DEFAULT, FIRST and LAST."""
    versions: list[Held] = held["_VERSIONS"]
    places = {"FIRST": 0, "LAST": -1}
    if name in places:
        return versions[places[name]]
    wanted = held["DEFAULT_VERSION"] if name == "DEFAULT" else name
    for version in versions:
        if wanted in (version["NAME"], version["ALIAS"]):
            return version
    raise refusals.not_found("Version", (*entity.path, name))


def _add_version(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
    name = given["VERSION"] or f"VERSION_{len(held['_VERSIONS']) + 1}"
    if any(version["NAME"] == name for version in held["_VERSIONS"]):
        raise refusals.already_exists("VERSION", (*entity.path, name))
    source = given["FROM"]
    plain = {k: getattr(v, "text", v) for k, v in source.items()} if _named(source) else source
    return {**held, "_VERSIONS": [*held["_VERSIONS"], _version(session, name, plain)]}


def _named(source: Any) -> bool:
    return isinstance(source, Mapping)


def _drop_version(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
    gone = _known(entity, held, given["VERSION"])
    if gone["NAME"] == held["DEFAULT_VERSION"]:
        raise refusals.invalid_property(
            f"Version {gone['NAME']} is the default version of {entity.name} and stays."
        )
    return {**held, "_VERSIONS": [v for v in held["_VERSIONS"] if v is not gone]}


def _set_version(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
    changed = _known(entity, held, given.pop("VERSION"))
    for key, value in given.items():
        if key not in ("ALIAS", "COMMENT"):
            raise refusals.invalid_property(f"invalid property '{key}'")
        changed[key] = None if value is None else _alias(value) if key == "ALIAS" else str(value)
    return held


def _alias(value: Any) -> str:
    return value.parts[-1] if isinstance(value, ast.Ref) else resolve(str(value))


# ---- the other kinds


def _stop_all(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
    """Drop the services of a compute pool, as Snowflake does.

    See https://docs.snowflake.com/en/sql-reference/sql/alter-compute-pool
    """
    for service in services_of(session, entity):
        session.account.catalog.forget(service)
    return held


def services_of(session: AccountSession, pool: Entity) -> list[Entity]:
    """List the services of a compute pool."""
    return [
        service
        for service in session.account.catalog.within(Kind.SERVICE)
        if typed_path(properties_of(service)["IN COMPUTE POOL"]) == pool.path
    ]


def _specification(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
    without = {k: v for k, v in held.items() if k not in _SPECIFICATIONS}
    return {**without, **{k: getattr(v, "text", v) for k, v in given.items()}}


_SPECIFICATIONS = (
    "FROM SPECIFICATION",
    "FROM SPECIFICATION_TEMPLATE",
    "FROM",
    "SPECIFICATION_FILE",
    "SPECIFICATION_TEMPLATE_FILE",
    "USING",
)


def _live(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
    """Keep that a version is live: where one can edit it."""
    return {**held, "_LIVE": True}


def _agent_specification(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-agent."""
    if set(given) != {"SPECIFICATION"}:
        raise refusals.invalid_property(f"invalid property '{next(iter(given), '')}'")
    return {**held, "FROM SPECIFICATION": str(given["SPECIFICATION"])}


def _add_project_version(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
    return {**held, "FROM": str(given["FROM"]), "_VERSIONS": held["_VERSIONS"] + 1}


def _turned(key: str, state: str) -> Callable[..., Held]:
    """Make what only changes a state."""

    def set_state(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
        return {**held, key: state}

    return set_state


def _manifest(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
    return {**held, **given}


def _add_members(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
    for key, items in given.items():
        _group_list(key)
        listed = held.get(key, [])
        held = {**held, key: [*listed, *(i.upper() for i in items if i.upper() not in listed)]}
    return held


def _remove_members(session: AccountSession, entity: Entity, given: Held, held: Held) -> Held:
    for key, items in given.items():
        _group_list(key)
        gone = {item.upper() for item in items}
        held = {**held, key: [item for item in held.get(key, []) if item not in gone]}
    return held


def _group_list(key: str) -> None:
    if not key.startswith("ALLOWED_"):
        raise refusals.invalid_property(f"invalid property '{key}'")


_GROUPS = (Kind.REPLICATION_GROUP, Kind.FAILOVER_GROUP)
_Verb = Callable[["AccountSession", Entity, Held, Held], Held]
_VERBS: dict[tuple[Kind, str], _Verb] = {
    (Kind.COMPUTE_POOL, "STOP ALL"): _stop_all,
    (Kind.SERVICE, "SPECIFICATION"): _specification,
    (Kind.NOTEBOOK, "ADD LIVE VERSION"): _live,
    (Kind.STREAMLIT, "ADD LIVE VERSION"): _live,
    (Kind.AGENT, "MODIFY LIVE VERSION"): _agent_specification,
    (Kind.MODEL, "ADD VERSION"): _add_version,
    (Kind.MODEL, "DROP VERSION"): _drop_version,
    (Kind.MODEL, "VERSION"): _set_version,
    (Kind.DBT_PROJECT, "ADD VERSION"): _add_project_version,
    **{
        (Kind.CORTEX_SEARCH_SERVICE, f"{verb} {part}"): _turned(f"_{part}", state)
        for verb, state in (("SUSPEND", "SUSPENDED"), ("RESUME", "ACTIVE"))
        for part in ("INDEXING", "SERVING")
    },
    (Kind.LISTING, "PUBLISH"): _turned("_STATE", "PUBLISHED"),
    (Kind.LISTING, "UNPUBLISH"): _turned("_STATE", "UNPUBLISHED"),
    (Kind.LISTING, "AS"): _manifest,
    **{(kind, "ADD"): _add_members for kind in _GROUPS},
    **{(kind, "REMOVE"): _remove_members for kind in _GROUPS},
}
