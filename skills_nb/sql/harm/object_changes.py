"""What a statement does to an object that it names.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from skills_nb.errors import SqlError
from skills_nb.sql import governance
from skills_nb.sql.governance import ast
from skills_nb.sql.harm import alter_statements
from skills_nb.sql.harm.harm_value import Harm, Weight
from skills_nb.sql.objects import Change, ObjectRef
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.tokens import Token

_SYSTEM_ROLES = frozenset(
    {"ACCOUNTADMIN", "GLOBALORGADMIN", "ORGADMIN", "SECURITYADMIN", "SYSADMIN", "USERADMIN"}
)
_WRITES = {
    "DELETE": "delete rows of",
    "TRUNCATE": "empty",
    "UPDATE": "overwrite values in",
    "MERGE": "overwrite rows of",
    "INSERT": "overwrite",
}
_ACCOUNT_WIDE = frozenset({"ALL", "ALL PRIVILEGES", "MANAGE GRANTS", "OVERRIDE SHARE RESTRICTIONS"})
"""Privileges on the account that open all the rest."""


def of_change(change: Change, tokens: tuple[Token, ...]) -> Harm | None:
    """Return what a change does that a person decides on, or None."""
    words = [token.word for token in tokens]
    head = words[0]
    target, fqn, detail = change.target, change.target.fqn, change.detail or {}
    match change.action:
        case "write":
            return Harm(f"{_WRITES[head]} {fqn}", target) if _overwrites(head, words) else None
        case "drop":
            return Harm(f"drop {target.kind.lower()} {alter_statements.plain(fqn)}", target)
        case "create":
            return _of_create(change, head)
        case "alter":
            return alter_statements.of_alter(target, detail, tokens)
        case "grant" | "revoke":
            return _of_rights(change.action, target, detail)


def of_swap(sql: str, database: str | None, schema: str | None) -> Iterator[Harm]:
    """Yield what becomes of the other side of a swap, which is as much changed as the first."""
    if "SWAP" not in sql.upper():
        return
    try:
        statement = governance.parse(sql)
    except (SqlError, RecursionError):
        return
    if isinstance(statement, ast.Alter):
        swaps = (one for one in statement.actions if isinstance(one, ast.SwapWith))
        for swap in swaps:
            other = Place(database, schema).ref(statement.kind, swap.name)
            yield Harm(f"swap {other.kind.lower()} {other.fqn}", other)


def _overwrites(head: str, words: list[str]) -> bool:
    if head == "INSERT":
        return "OVERWRITE" in words[1:4]
    if head == "MERGE":
        return "UPDATE" in words or "DELETE" in words
    return head in _WRITES


def _of_create(change: Change, head: str) -> Harm | None:
    target = change.target
    named = f"{target.kind.lower()} {target.fqn}"
    if head == "UNDROP":
        return Harm(f"bring {named} back over what is there", target, if_there=True)
    if change.replaces:
        return Harm(f"replace {named}", target, if_there=True)
    return None


def _of_rights(verb: str, target: ObjectRef, told: Mapping[str, str]) -> Harm:
    privileges, grantee = str(told.get("privileges", "")), str(told.get("grantee", ""))
    named = f"{target.kind.lower()} {alter_statements.plain(target.fqn)}"
    if privileges == "OWNERSHIP":
        return Harm(f"hand the ownership of {named} to {grantee}", target)
    toward = "to" if verb == "grant" else "from"
    what = named if privileges == "ROLE" else f"{privileges} on {named}"
    is_system = target.name[-1] in _SYSTEM_ROLES and target.type == "role"
    is_everybodys = verb == "grant" and grantee in ("ROLE PUBLIC", 'ROLE "PUBLIC"')
    is_wide = target.type == "account" and not _ACCOUNT_WIDE.isdisjoint(privileges.split(", "))
    weight: Weight = "critical" if is_system or is_everybodys or is_wide else "watched"
    return Harm(f"{verb} {what} {toward} {grantee}".rstrip(), target, weight)
