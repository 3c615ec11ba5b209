"""What ALTER does to an object: what it takes off, overwrites, opens, or stops.

Room: sql. An action that stands in no table here counts as grave.
"""

from __future__ import annotations

from collections.abc import Mapping

from skills_nb.sql.harm.harm_value import Harm
from skills_nb.sql.harm.unparsed_statements import is_calm
from skills_nb.sql.objects import ObjectRef
from skills_nb.sql.tokens import Token

_CRITICAL = {
    "SwapWith": "swap {}",
    "rename": "rename {}",
    "specification": "replace what {} runs",
    "unset masking policy": "take the masking policy off {}",
    "unset projection policy": "take the projection policy off {}",
    "unset tag": "take a tag off {}",
    "UnsetTagMaskingPolicies": "take masking policies off {}",
    "AbortAllQueries": "end all queries of {}",
    "DropAllowedValues": "drop allowed values of {}",
    "DropDataMetricFunctions": "drop data metric functions of {}",
    "DropSearchOptimization": "drop the search optimization of {}",
    "ModifyBody": "overwrite the code of {}",
    "ModifyCondition": "overwrite the condition of {}",
    "SetAccounts": "change which accounts see {}",
    "AddAccounts": "change which accounts see {}",
    "RemoveAccounts": "change which accounts see {}",
    "SetBody": "overwrite the body of {}",
    "SetExecuteAs": "change with whose rights {} runs",
    "SetManagedAccess": "change who may grant on what is in {}",
}
_POLICY_ACTIONS = {
    "drop": "take the {facet} off {named}",
    "drop all": "take every {facet} off {named}",
    "unset": "take the {facet} off {named}",
}
_WATCHED = {
    "Suspend": "suspend {}",
    "RemoveAfter": "take a predecessor from {}",
    "ModifyDataMetricFunctions": "change data metric functions of {}",
    "ModifyExpectation": "change what is expected of {}",
    "UnsetProperties": "reset settings of {}",
}
_CALM = frozenset(
    {
        "AddAfter",
        "AddAllowedValues",
        "AddDataMetricFunctions",
        "AddSearchOptimization",
        "ClusterBy",
        "Refresh",
        "Resume",
        "SetFlag",
        "SetTagMaskingPolicies",
        "add",
        "comment",
        "drop default",
        "drop not null",
        "set",
        "set data type",
        "set default",
        "set masking policy",
        "set not null",
        "set projection policy",
        "set tag",
        "unset comment",
    }
)
_GUARDS = frozenset(
    {
        "api_integration",
        "application",
        "authentication_policy",
        "connection",
        "external_volume",
        "failover_group",
        "feature_policy",
        "integration",
        "network_policy",
        "network_rule",
        "organization_account",
        "packages_policy",
        "password_policy",
        "privacy_policy",
        "replication_group",
        "secret",
        "session_policy",
        "user",
    }
)
"""Kinds whose settings say who gets in and what gets out."""
_OF_NO_CONSEQUENCE = frozenset(
    {
        "COMMENT",
        "DEFAULT_NAMESPACE",
        "DEFAULT_WAREHOUSE",
        "DISPLAY_NAME",
        "EMAIL",
        "FIRST_NAME",
        "LAST_NAME",
        "MIDDLE_NAME",
    }
)
_RETENTION = "DATA_RETENTION_TIME_IN_DAYS"


def of_alter(
    target: ObjectRef, detail: Mapping[str, str], tokens: tuple[Token, ...]
) -> Harm | None:
    """Return what one aspect of an ALTER does that a person decides on, or None."""
    action = detail.get("action", "")
    named = f"{target.kind.lower()} {plain(target.fqn)}"
    if target.type == "account":
        return Harm("change the account's own settings", target)
    if action in _POLICY_ACTIONS and target.facet:
        return Harm(_POLICY_ACTIONS[action].format(facet=target.facet, named=named), target)
    if action in _CRITICAL:
        return Harm(_CRITICAL[action].format(named), target)
    if target.type in _GUARDS and not _is_of_no_consequence(action, detail):
        return Harm(f"change how {named} guards the account", target)
    if (lost := _of_words(named, [token.word or token.text for token in tokens])) is not None:
        return Harm(lost, target)
    if action in _WATCHED:
        return Harm(_WATCHED[action].format(named), target, "watched")
    if action in _CALM or (not action and is_calm([token.word for token in tokens])):
        return None
    if "verb" in detail:
        return Harm(f"change {named}: {detail['verb']}", target)
    return Harm(f"change {named} in a way that is not known here", target)


def _is_of_no_consequence(action: str, detail: Mapping[str, str]) -> bool:
    if action == "set":
        return _OF_NO_CONSEQUENCE.issuperset(detail.get("properties", "").split(", "))
    return action in ("comment", "set tag")


def _of_words(named: str, words: list[str]) -> str | None:
    """Return what the words of a statement take away, wherever its action is told."""
    if _RETENTION in words:
        at = words.index(_RETENTION)
        if "UNSET" in words[:at] or words[at + 2 : at + 3] == [] or not _is_some(words[at + 2]):
            return f"give up that {named} can be brought back"
    if "FORCE" in words and "POLICY" in words:
        return f"replace a policy of {named}"
    if "SECURE" in words and "UNSET" in words[: words.index("SECURE")]:
        return f"show everybody how {named} is made"
    return None


def _is_some(number: str) -> bool:
    return number.isdigit() and int(number) > 0


def plain(fqn: str) -> str:
    """Return a full name without its facet."""
    return fqn.partition(" (")[0]
