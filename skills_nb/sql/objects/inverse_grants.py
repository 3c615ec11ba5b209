"""Inverses of GRANT and REVOKE.

Room: sql. A privilege is taken away only if it was not there before, and given back only if it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.object_kinds import PLURALS
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.changes import grantee_text, role_ref, target_ref
from skills_nb.sql.objects.object_refs import ObjectRef, Place, signature_of
from skills_nb.sql.objects.prior_state import Before, Prior, cell_of


def inverse_of_grant(statement: ast.GovernanceStatement, place: Place, prior: Prior) -> list[str]:
    """Return the inverse of a GRANT or REVOKE; nothing for other statements."""
    match statement:
        case ast.GrantRole() | ast.RevokeRole():
            return _of_role(statement, place, prior)
        case ast.GrantPrivileges():
            return _of_grant(statement, place, prior)
        case ast.RevokePrivileges():
            return _of_revoke(statement, place, prior)
        case ast.GrantOwnership():
            return _of_ownership(statement, place, prior)
        case _:
            return []


def _of_role(statement: ast.GrantRole | ast.RevokeRole, place: Place, prior: Prior) -> list[str]:
    ref = role_ref(statement, place)
    before = prior.of(ref)
    held = any(_is_holder(row, statement.grantee, place) for row in before.rows)
    what, grantee = f"{statement.kind} {render_name(ref.name)}", grantee_text(statement.grantee)
    if isinstance(statement, ast.GrantRole):
        return [] if held or before.is_unknown else [f"REVOKE {what} FROM {grantee}"]
    return [f"GRANT {what} TO {grantee}"] if held else []


def _is_holder(row: Mapping[str, Any], grantee: ast.Grantee, place: Place) -> bool:
    name = cell_of(row, "grantee_name")
    kind = (cell_of(row, "granted_to") or "").replace("_", " ")
    if kind == grantee.kind == "SHARE" and name is not None:
        # SHOW GRANTS puts the account before the name of its share.
        return name.endswith((f".{grantee.name[-1]}", f".{render_name(grantee.name)}"))
    qualified = place.qualified(grantee.kind, grantee.name)
    spellings = {grantee.name[-1], render_name(grantee.name), ".".join(qualified)}
    return kind == grantee.kind and name in spellings


def _of_grant(statement: ast.GrantPrivileges, place: Place, prior: Prior) -> list[str]:
    """Revoke what was not there before; of ALL, only if nothing was."""
    if statement.target.scope == "ALL":
        return []  # what each of the objects had before is not known
    ref = target_ref(statement.target, place)
    before = prior.of(ref)
    if before.is_unknown:
        return []
    held = _held(before, statement.grantee, statement.target, place)
    new = tuple(p for p in statement.privileges if p not in held)
    if held and new == ("ALL",):
        return []
    if not new:
        return []
    where = _on(statement.target, ref)
    return [f"REVOKE {', '.join(new)} ON {where} FROM {grantee_text(statement.grantee)}"]


def _of_revoke(statement: ast.RevokePrivileges, place: Place, prior: Prior) -> list[str]:
    """Grant back what was there before, with its grant option."""
    if statement.target.scope == "ALL":
        return []
    ref = target_ref(statement.target, place)
    held = _held(prior.of(ref), statement.grantee, statement.target, place)
    wanted = tuple(held) if statement.privileges == ("ALL",) else statement.privileges
    where, grantee = _on(statement.target, ref), grantee_text(statement.grantee)
    return [
        f"GRANT {privilege} ON {where} TO {grantee}"
        + (" WITH GRANT OPTION" if held[privilege] else "")
        for privilege in wanted
        if privilege in held and privilege != "OWNERSHIP"
    ]


def _of_ownership(statement: ast.GrantOwnership, place: Place, prior: Prior) -> list[str]:
    """Give ownership back to the role that had it, and to others what was revoked with it."""
    if statement.target.scope != "OBJECT":
        return []
    ref = target_ref(statement.target, place)
    for row in prior.of(ref).rows:
        owner = cell_of(row, "grantee_name")
        if cell_of(row, "privilege") == "OWNERSHIP" and owner:
            where = _on(statement.target, ref)
            to = f"ROLE {render_name((owner,))}"
            revoked = prior.of(ref).rows if statement.current_grants == "REVOKE" else ()
            return [
                f"GRANT OWNERSHIP ON {where} TO {to} COPY CURRENT GRANTS",
                *(text for row in revoked for text in regrant(ref, row)),
            ]
    return []


_GRANTEES = frozenset({"ROLE", "DATABASE ROLE", "USER", "APPLICATION ROLE", "SHARE"})


def regrant(ref: ObjectRef, row: Mapping[str, Any]) -> Iterator[str]:
    """Yield the GRANT that a row of SHOW GRANTS tells; ownership is another matter."""
    privilege, grantee = cell_of(row, "privilege"), cell_of(row, "grantee_name")
    to = (cell_of(row, "granted_to") or "ROLE").replace("_", " ")
    if privilege is None or grantee is None or privilege == "OWNERSHIP" or to not in _GRANTEES:
        return
    name = (*ref.name[:1], grantee) if to == "DATABASE ROLE" and "." not in grantee else (grantee,)
    if to == "SHARE":
        name = (grantee.rpartition(".")[2],)
    option = " WITH GRANT OPTION" if (cell_of(row, "grant_option") or "").lower() == "true" else ""
    yield (
        f"GRANT {privilege} ON {ref.kind} {render_name(ref.name)}{ref.signature} "
        f"TO {to} {render_name(name)}{option}"
    )


def _held(
    before: Before, grantee: ast.Grantee, target: ast.Target, place: Place
) -> dict[str, bool]:
    """Return the privileges that the grantee had, each with whether it came with grant option."""
    held: dict[str, bool] = {}
    for row in before.rows:
        privilege = cell_of(row, "privilege")
        kind = cell_of(row, "grant_on") or target.kind
        same_kind = target.scope == "OBJECT" or kind.replace("_", " ") == target.kind
        if privilege and same_kind and _is_grantee(row, grantee, place):
            held[privilege] = (cell_of(row, "grant_option") or "").lower() == "true"
    return held


def _is_grantee(row: Mapping[str, Any], grantee: ast.Grantee, place: Place) -> bool:
    """SHOW FUTURE GRANTS says `grant_to`, SHOW GRANTS `granted_to`."""
    to = cell_of(row, "grant_to")
    return _is_holder({**row, "granted_to": to} if to else row, grantee, place)


def _on(target: ast.Target, ref: ObjectRef) -> str:
    """Write what a privilege is on, fully qualified."""
    if target.kind == "ACCOUNT":
        return "ACCOUNT"
    name = render_name(ref.name)
    if target.scope == "OBJECT":
        return f"{target.kind} {name}{signature_of(target.arguments)}"
    return f"{target.scope} {PLURALS[target.kind]} IN {target.container} {name}"
