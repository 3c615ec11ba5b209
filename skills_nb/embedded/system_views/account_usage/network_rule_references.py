"""Which network rule is used where.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/account-usage/network_rule_references
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_rules import properties_of
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.system_rows import Rows, laid_out

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


def _uses(session: Context) -> Iterator[_Use]:
    catalog = session.account.catalog
    for kind in (Kind.NETWORK_POLICY, Kind.INTEGRATION):
        for container in catalog.within(kind):
            held = properties_of(container)
            for key, action in _LISTS.items():
                for name in held.get(key) or ():
                    rule = catalog.find(Kind.NETWORK_RULE, names.typed_path(str(name)))
                    if rule is not None:
                        yield rule, container, action


def network_rule_references(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/network_rule_references."""
    return laid_out(_REFERENCES, _uses(session))
