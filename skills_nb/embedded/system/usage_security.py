"""Who may come in and from where: network rules, policies of logins, secrets.

Room: embedded. What was dropped is not kept, so DELETED is always NULL.

See https://docs.snowflake.com/en/sql-reference/account-usage/network_policies and the pages beside
it
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import names
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.checks import properties_of
from skills_nb.embedded.objects.entries import ENTRIES
from skills_nb.embedded.system.usage_keys import id_of_place
from skills_nb.embedded.system_rows import Rows, laid_out

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups

_Columns = dict[str, Callable[[Entity], Any]]
_OWNED: _Columns = {"OWNER": lambda e: e.owner, "OWNER_ROLE_TYPE": lambda _: "ROLE"}
_TIMES: _Columns = {
    "COMMENT": lambda e: e.comment or None,
    "CREATED:t": lambda e: e.created_on,
    "LAST_ALTERED:t": lambda e: e.altered_on or e.created_on,
    "DELETED:t": lambda e: e.dropped_on,
}


def _place(session: Lookups, schema: str, database: str) -> _Columns:
    """Return the columns about where an object is, named as the view names them."""
    catalog = session.account.catalog
    return {
        "SCHEMA_ID:n": lambda e: id_of_place(catalog, e.path[:2]),
        schema: lambda e: e.path[1],
        "DATABASE_ID:n": lambda e: id_of_place(catalog, e.path[:1]),
        database: lambda e: e.path[0],
    }


def _said(key: str) -> Callable[[Entity], Any]:
    """Read a property, or what it is where nobody said."""

    def read(entity: Entity) -> Any:
        known = ENTRIES.get(entity.kind)
        defaults = (known.defaults or {}) if known is not None else {}
        value = properties_of(entity).get(key, defaults.get(key))
        return ",".join(map(str, value)) if isinstance(value, list) else value

    return read


def _view(kind: Kind, columns: Callable[[Lookups], _Columns]) -> Callable[[Lookups], Rows]:
    return lambda session: laid_out(columns(session), session.account.catalog.within(kind))


def _named(session: Lookups) -> _Columns:
    return {
        "NAME": lambda e: e.name,
        "ID:n": lambda e: e.id,
        **_place(session, "SCHEMA", "DATABASE"),
        **_OWNED,
    }


def _passwords(session: Lookups) -> _Columns:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/password_policies."""
    rules = {f"{key}:n": _said(key) for key in ENTRIES[Kind.PASSWORD_POLICY].properties}
    return {**_named(session), **rules, **_TIMES}


def _sessions(session: Lookups) -> _Columns:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/session_policies."""
    limits = ("SESSION_IDLE_TIMEOUT_MINS", "SESSION_UI_IDLE_TIMEOUT_MINS")
    return {
        **_named(session),
        **{f"{key}:n": _said(key) for key in limits},
        "ALLOWED_SECONDARY_ROLES": _said("ALLOWED_SECONDARY_ROLES"),
        "BLOCKED_SECONDARY_ROLES": _said("BLOCKED_SECONDARY_ROLES"),
        **_TIMES,
    }


def _network_policies(session: Lookups) -> _Columns:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/network_policies."""
    lists = {key: _said(key) for key in ENTRIES[Kind.NETWORK_POLICY].properties}
    return {"ID:n": lambda e: e.id, "NAME": lambda e: e.name, **_OWNED, **lists, **_TIMES}


def _network_rules(session: Lookups) -> _Columns:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/network_rules."""
    return {
        "ID:n": lambda e: e.id,
        "NAME": lambda e: e.name,
        **_place(session, "SCHEMA_NAME", "DATABASE_NAME"),
        **_OWNED,
        **_TIMES,
        "MODE": _said("MODE"),
        "TYPE": _said("TYPE"),
        "VALUE_LIST": _said("VALUE_LIST"),
    }


def _secrets(session: Lookups) -> _Columns:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/secrets."""
    return {
        "ID:n": lambda e: e.id,
        "NAME": lambda e: e.name,
        **_place(session, "SCHEMA", "DATABASE"),
        **_OWNED,
        "SECRET_TYPE": _said("TYPE"),
        "OAUTH_ACCESS_TOKEN_EXPIRY_TIMESTAMP:t": lambda _: None,
        "OAUTH_REFRESH_TOKEN_EXPIRY_TIMESTAMP": _said("OAUTH_REFRESH_TOKEN_EXPIRY_TIME"),
        "OAUTH_SCOPES": _said("OAUTH_SCOPES"),
        "API_AUTHENTICATION_INTEGRATION_NAME": _said("API_AUTHENTICATION"),
        "COMMENT": _TIMES["COMMENT"],
        "CREATED_ON:t": _TIMES["CREATED:t"],
        "LAST_ALTERED_ON:t": _TIMES["LAST_ALTERED:t"],
        "DELETED_ON:t": _TIMES["DELETED:t"],
        "ALGORITHM": _said("ALGORITHM"),
    }


# ---- which rule is used where

_Use = tuple[Entity, Entity, str]
"""A rule, what names it, and whether it lets in or keeps out."""
_LISTS = {
    "ALLOWED_NETWORK_RULE_LIST": "ALLOW",
    "BLOCKED_NETWORK_RULE_LIST": "BLOCK",
    "ALLOWED_NETWORK_RULES": "ALLOW",
}
_REFERENCES: dict[str, Callable[[_Use], Any]] = {
    "NETWORK_RULE_DB": lambda u: u[0].path[0],
    "NETWORK_RULE_SCHEMA": lambda u: u[0].path[1],
    "NETWORK_RULE_ID:n": lambda u: u[0].id,
    "NETWORK_RULE_NAME": lambda u: u[0].name,
    "NETWORK_RULE_MODE": lambda u: properties_of(u[0]).get("MODE"),
    "NETWORK_RULE_TYPE": lambda u: properties_of(u[0]).get("TYPE"),
    "CONTAINER_ID:n": lambda u: u[1].id,
    "CONTAINER_NAME": lambda u: u[1].name,
    "CONTAINER_TYPE": lambda u: u[1].kind.value.replace(" ", "_"),
    "ACTION_TYPE": lambda u: u[2],
}


def _uses(session: Lookups) -> Iterator[_Use]:
    catalog = session.account.catalog
    for kind in (Kind.NETWORK_POLICY, Kind.INTEGRATION):
        for container in catalog.within(kind):
            held = properties_of(container)
            for key, action in _LISTS.items():
                for name in held.get(key) or ():
                    rule = catalog.find(Kind.NETWORK_RULE, names.typed_path(str(name)))
                    if rule is not None:
                        yield rule, container, action


def network_rule_references(session: Lookups) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/network_rule_references."""
    return laid_out(_REFERENCES, _uses(session))


VIEWS: dict[str, Callable[[Lookups], Rows]] = {
    "NETWORK_POLICIES": _view(Kind.NETWORK_POLICY, _network_policies),
    "NETWORK_RULES": _view(Kind.NETWORK_RULE, _network_rules),
    "NETWORK_RULE_REFERENCES": network_rule_references,
    "PASSWORD_POLICIES": _view(Kind.PASSWORD_POLICY, _passwords),
    "SECRETS": _view(Kind.SECRET, _secrets),
    "SESSION_POLICIES": _view(Kind.SESSION_POLICY, _sessions),
}
