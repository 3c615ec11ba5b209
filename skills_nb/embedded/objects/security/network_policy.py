"""Network policies.

Room: embedded. Nobody is kept out: a policy is what the account or a user names.

See https://docs.snowflake.com/en/sql-reference/sql/create-network-policy
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind, Parameter
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown, property_text
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held, properties_of
from skills_nb.embedded.objects.entries.entry_usage import OWNED, TIMES, said
from skills_nb.embedded.objects.entries.property_checks import listed
from skills_nb.embedded.objects.object_kind import Columns, Row, register
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

_RULES = ("ALLOWED_NETWORK_RULE_LIST", "BLOCKED_NETWORK_RULE_LIST")
LISTS = (*_RULES, "ALLOWED_IP_LIST", "BLOCKED_IP_LIST")
"""The properties, each a list."""
_COUNTED = {
    "entries_in_allowed_ip_list": "ALLOWED_IP_LIST",
    "entries_in_blocked_ip_list": "BLOCKED_IP_LIST",
    "entries_in_allowed_network_rules": "ALLOWED_NETWORK_RULE_LIST",
    "entries_in_blocked_network_rules": "BLOCKED_NETWORK_RULE_LIST",
}


def _refuse_used(session: Context, entity: Entity) -> None:
    """Refuse to drop the network policy that the account or a user names."""
    if any(
        held.name == "NETWORK_POLICY" and held.value == entity.name
        for held in session.account.catalog.all(Parameter)
    ):
        raise errors.policy_attached(entity.name)


def _cells(session: Context, e: Entity, held: Held) -> Held:
    return {column: len(held.get(key, ())) for column, key in _COUNTED.items()}


def _describe(session: Context, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-network-policy."""
    return "name value", [(key, property_text(value)) for key, value in properties_of(e).items()]


def _usage(session: Context) -> Columns:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/network_policies."""
    lists = {key: said(key) for key in LISTS}
    return {"ID:n": lambda e: e.id, "NAME": lambda e: e.name, **OWNED, **lists, **TIMES}


register(
    replace(
        entry_kind(
            Kind.NETWORK_POLICY,
            ast.CreateNetworkPolicy,
            EntryRules(
                properties=dict.fromkeys(LISTS, listed),
                references=dict.fromkeys(_RULES, Kind.NETWORK_RULE),
            ),
            Shown(
                plural="NETWORK POLICIES",
                columns=f"created_on:t name comment {':n '.join(_COUNTED)}:n",
                cells=_cells,
            ),
            privileges=("USAGE",),
            made_after=(Kind.NETWORK_RULE,),
        ),
        describe=_describe,
        refuse_drop=_refuse_used,
        usage=_usage,
    )
)
