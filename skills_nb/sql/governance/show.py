"""SHOW and DESCRIBE.

Room: sql. SHOW takes any kind: whether the account knows it is the account's to say.
"""

from __future__ import annotations

from typing import Literal

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import accept_argument_types
from skills_nb.sql.governance.grants import accept_kind
from skills_nb.sql.governance.object_kinds import KINDS, ROLE_KINDS, WITH_ARGUMENTS
from skills_nb.sql.governance.reader import Reader, UnsupportedSqlError

_CLAUSES = ("LIKE", "IN", "FOR", "ON", "STARTS WITH", "LIMIT", "HISTORY", "ROOT ONLY", "WITH")
_UNSUPPORTED = ("TRANSACTION", "AVAILABLE LISTING")
_NAMELESS_SCOPES = ("ACCOUNT", "SESSION")
_SCOPE_KINDS = KINDS
_GRANT_OBJECTS = ("ACCOUNT", *KINDS)
_GRANT_HOLDERS = (*ROLE_KINDS, "APPLICATION", "SHARE", "USER")


def read_show(r: Reader) -> ast.GovernanceStatement:
    """Read one SHOW statement."""
    r.expect("SHOW")
    if r.at("GRANTS", "FUTURE GRANTS"):
        return _read_show_grants(r)
    terse = r.accept("TERSE")
    words = [r.word()]
    while (r.token.word and not r.at(*_CLAUSES)) or r.at("."):
        if r.accept("."):  # SHOW database.schema.class lists the class's instances
            words[-1] += "." + r.word()
        else:
            words.append(r.word())
    if "." in words[0] and words[1:] == ["INSTANCES"]:
        words.pop()
    return _read_clauses(r, " ".join(words), terse)


def _read_clauses(r: Reader, kind: str, terse: bool) -> ast.Show:
    """Read the clauses, each at most once, in the order that Snowflake asks for."""
    options: list[str] = []
    history = r.accept("HISTORY")
    like = r.text() if r.accept("LIKE") else None
    scope = _read_scope(r) if r.accept("IN") or r.accept("FOR") or r.accept("ON") else None
    options += ["ROOT ONLY"] if r.accept("ROOT ONLY") else []
    if r.accept("FOR METRIC"):
        options.append("FOR METRIC " + ".".join(r.name(2)))
    starts_with = r.text() if r.accept("STARTS WITH") else None
    options += ["ROOT ONLY"] if not options and r.accept("ROOT ONLY") else []
    limit = r.integer() if r.accept("LIMIT") else None
    limit_from = r.text() if limit is not None and r.accept("FROM") else None
    if r.accept("WITH PRIVILEGES"):
        options.append("WITH PRIVILEGES " + " ".join(r.rest().upper().split()))
    return ast.Show(
        kind, terse, history, like, scope, starts_with, limit, limit_from, tuple(options)
    )


def _read_scope(r: Reader) -> ast.Scope:
    if kind := r.accept_one(_NAMELESS_SCOPES):
        return ast.Scope(kind)
    kind = r.accept_one(_SCOPE_KINDS)
    if kind in ("DATABASE", "SCHEMA") and (r.is_done or r.at(*_CLAUSES)):
        return ast.Scope(kind)
    if kind is None and r.token.text == "@":
        return ast.Scope("STAGE", (r.until("STARTS WITH", "LIMIT"),))
    name = r.schema_name(3, *_CLAUSES) if kind in ("SCHEMA", None) else r.name()
    if kind in WITH_ARGUMENTS:
        accept_argument_types(r)
    return ast.Scope(kind, name)


def _read_show_grants(r: Reader) -> ast.ShowGrants:
    future = r.accept("FUTURE")
    r.expect("GRANTS")
    like = r.text() if r.accept("LIKE") else None
    relation = _accept_relation(r, future)
    kind, name, arguments = _read_grant_subject(r, relation) if relation else (None, (), None)
    like = r.text() if like is None and r.accept("LIKE") else like
    limit = r.integer() if r.accept("LIMIT") else None
    return ast.ShowGrants(relation, kind, name, future, like, limit, arguments)


def _accept_relation(r: Reader, future: bool) -> Literal["ON", "TO", "OF", "IN"] | None:
    relations: tuple[Literal["IN", "TO", "ON", "OF"], ...] = ("IN", "TO")
    found = next((w for w in (relations if future else ("ON", "TO", "OF")) if r.accept(w)), None)
    if future and found is None:
        r.fail()
    return found


def _read_grant_subject(r: Reader, relation: str) -> tuple[str, ast.Name, tuple[str, ...] | None]:
    phrases = {"ON": _GRANT_OBJECTS, "IN": ("DATABASE", "SCHEMA")}.get(relation, _GRANT_HOLDERS)
    if relation == "ON" and not r.at("ACCOUNT"):
        kind = accept_kind(r, phrases)
    else:
        kind = r.expect_one(phrases)
    if kind == "ACCOUNT":
        return kind, (), None
    name = r.name()
    return kind, name, accept_argument_types(r) if kind in WITH_ARGUMENTS else None


def read_describe(r: Reader) -> ast.Describe:
    """Read one DESCRIBE statement; a bare name is a table.

    Raises:
        UnsupportedSqlError: the kind cannot be described here, or a listing's revision is asked
            for.
        SqlSyntaxError: what follows is no name, or `TYPE` is neither `COLUMNS` nor `STAGE`.
    """
    r.index += 1
    if r.accept("RESULT"):
        return ast.Describe("RESULT", (r.text() if r.is_text else r.rest(),))
    if r.accept("SEARCH OPTIMIZATION ON"):
        return ast.Describe("SEARCH OPTIMIZATION", r.name())
    if r.ahead(1).word and (found := r.accept_one(_UNSUPPORTED)) is not None:
        raise UnsupportedSqlError(f"DESCRIBE {found}")
    kind = r.accept_one(KINDS) if r.ahead(1).text not in (".", "") else None
    name = r.name()
    arguments = accept_argument_types(r) if kind in WITH_ARGUMENTS else None
    type_ = None
    if kind == "LISTING" and r.at("REVISION ="):
        raise UnsupportedSqlError("DESCRIBE LISTING REVISION")
    if r.accept("TYPE"):
        r.expect("=")
        type_ = r.expect_one(("COLUMNS", "STAGE"))
    return ast.Describe(kind or "TABLE", name, arguments, type_)
