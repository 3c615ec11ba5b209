"""GRANT and REVOKE.

Room: sql. Source: Snowflake manual, "GRANT <privileges> … TO ROLE", "GRANT OWNERSHIP",
"GRANT ROLE" and their REVOKE pages.
"""

from __future__ import annotations

from typing import Literal

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import accept_argument_types
from skills_nb.sql.governance.instances import accept_role
from skills_nb.sql.governance.object_kinds import (
    KINDS,
    PLURALS,
    ROLE_KINDS,
    SINGULARS,
    WITH_ARGUMENTS,
)
from skills_nb.sql.governance.reader import Reader, UnsupportedSqlError

_PLURALS = tuple(sorted(PLURALS.values(), key=len, reverse=True))
_GRANTEES = ("DATABASE ROLE", "APPLICATION ROLE", "APPLICATION", "ROLE", "USER", "SHARE")
_BEHAVIOURS: tuple[Literal["CASCADE"], Literal["RESTRICT"]] = ("CASCADE", "RESTRICT")


def read_grant(r: Reader) -> ast.GovernanceStatement:
    """Read one GRANT statement."""
    r.expect("GRANT")
    if (owned := accept_role(r)) is not None:
        r.expect("TO")
        return ast.GrantInstanceRole(*owned, _read_grantee(r))
    _refuse_service_role(r)
    if kind := r.accept_one(ROLE_KINDS):
        role = r.name(2)
        r.expect("TO")
        return ast.GrantRole(kind, role, _read_grantee(r))
    privileges = _read_privileges(r)
    target = _read_target(r)
    r.expect("TO")
    grantee = _read_grantee(r)
    if privileges == ("OWNERSHIP",):
        return ast.GrantOwnership(target, grantee, _accept_current_grants(r))
    return ast.GrantPrivileges(privileges, target, grantee, r.accept("WITH GRANT OPTION"))


def read_revoke(r: Reader) -> ast.GovernanceStatement:
    """Read one REVOKE statement."""
    r.expect("REVOKE")
    if (owned := accept_role(r)) is not None:
        r.expect("FROM")
        return ast.RevokeInstanceRole(*owned, _read_grantee(r))
    _refuse_service_role(r)
    if kind := r.accept_one(ROLE_KINDS):
        role = r.name(2)
        r.expect("FROM")
        return ast.RevokeRole(kind, role, _read_grantee(r))
    option_only = r.accept("GRANT OPTION FOR")
    privileges = _read_privileges(r)
    target = _read_target(r)
    r.expect("FROM")
    grantee = _read_grantee(r)
    behaviour = next((b for b in _BEHAVIOURS if r.accept(b)), None)
    return ast.RevokePrivileges(privileges, target, grantee, option_only, behaviour)


def _refuse_service_role(r: Reader) -> None:
    """Refuse `SERVICE ROLE service!role`, which leads to endpoints that nothing serves here."""
    if r.at("SERVICE ROLE"):
        raise UnsupportedSqlError("SERVICE ROLE")


def _accept_current_grants(r: Reader) -> Literal["COPY", "REVOKE"] | None:
    if r.accept("COPY CURRENT GRANTS"):
        return "COPY"
    return "REVOKE" if r.accept("REVOKE CURRENT GRANTS") else None


def _read_privileges(r: Reader) -> tuple[str, ...]:
    """Read `p, q ON`; each upper-cased, its words one space apart."""
    found = [_read_privilege(r)]
    while r.accept(","):
        found.append(_read_privilege(r))
    r.expect("ON")
    return tuple(found)


def _read_privilege(r: Reader) -> str:
    words = [r.word()]
    while not r.at(",", "ON"):
        if r.at("TO", "FROM"):
            r.fail()
        if r.accept("."):
            words[-1] += "." + r.word()
        else:
            words.append(r.word())
    return "ALL" if words == ["ALL", "PRIVILEGES"] else " ".join(words)


def _read_target(r: Reader) -> ast.Target:
    if r.accept("ACCOUNT"):
        return ast.Target("ACCOUNT")
    if r.accept("ALL"):
        return _read_many(r, "ALL")
    if r.accept("FUTURE"):
        return _read_many(r, "FUTURE")
    kind = accept_kind(r, KINDS)
    name = r.name()
    arguments = accept_argument_types(r) if kind in WITH_ARGUMENTS else None
    return ast.Target(kind, name, arguments=arguments)


def accept_kind(r: Reader, kinds: tuple[str, ...]) -> str:
    """Read the kind of an object before its name; a bare name is a table or view."""
    is_bare = r.ahead(1).text.upper() in _AFTER_NAME
    return (None if is_bare else r.accept_one(kinds)) or "TABLE"


_AFTER_NAME = frozenset({".", "", ";", "TO", "FROM", "LIKE", "LIMIT"})


def _read_many(r: Reader, scope: Literal["ALL", "FUTURE"]) -> ast.Target:
    """Read `TABLES IN DATABASE | SCHEMA name`."""
    kind = SINGULARS[r.expect_one(_PLURALS)]
    r.expect("IN")
    container = r.expect_one(("DATABASE", "SCHEMA"))
    return ast.Target(kind, r.schema_name(2, "TO", "FROM"), scope, container)


def _read_grantee(r: Reader) -> ast.Grantee:
    """Read who; a bare name is a role."""
    kind = r.accept_one(_GRANTEES) if _names_kind(r) else None
    return ast.Grantee(kind or "ROLE", r.name(2))


def _names_kind(r: Reader) -> bool:
    """Tell `ROLE r` from a role that is itself called ROLE."""
    following = r.ahead(1)
    return bool(following.word or following.text.startswith('"'))
