"""USE, SET, UNSET, COMMENT, DROP, UNDROP, EXECUTE, CALL.

Room: sql.
"""

from __future__ import annotations

from typing import Literal

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import accept_argument_types, read_names, read_properties
from skills_nb.sql.governance.instances import accept_class
from skills_nb.sql.governance.object_kinds import KINDS, WITH_ARGUMENTS
from skills_nb.sql.governance.reader import Reader, UnsupportedSqlError
from skills_nb.sql.tokens import TokenKind

_Context = Literal["ROLE", "DATABASE", "SCHEMA", "WAREHOUSE"]
_CONTEXTS: tuple[_Context, ...] = ("ROLE", "DATABASE", "SCHEMA", "WAREHOUSE")
_JOBS = ("NOTEBOOK PROJECT", "NOTEBOOK", "DBT PROJECT", "JOB SERVICE", "SERVICE")
"""Entries are kept and never run."""
_BEHAVIOURS: tuple[Literal["CASCADE"], Literal["RESTRICT"]] = ("CASCADE", "RESTRICT")


def read_use(r: Reader) -> ast.GovernanceStatement:
    """Read one USE statement; a bare name is a database, a dotted one a schema.

    Raises:
        UnsupportedSqlError: `USE CATALOG`.
        SqlSyntaxError: what follows is no name, or too long a one.
    """
    r.expect("USE")
    if r.accept("SECONDARY ROLES"):
        return _read_secondary(r)
    if r.at("CATALOG") and _follows_name(r):
        raise UnsupportedSqlError("USE CATALOG")
    kind = next((k for k in _CONTEXTS if _follows_name(r) and r.accept(k)), None)
    if kind == "WAREHOUSE" and r.accept("NONE"):
        return ast.Use(kind, ())
    name = r.schema_name(2)
    if kind in ("ROLE", "DATABASE", "WAREHOUSE") and len(name) > 1:
        r.fail()
    return ast.Use(kind or ("SCHEMA" if len(name) == 2 else "DATABASE"), name)


def _follows_name(r: Reader) -> bool:
    following = r.ahead(1)
    return bool(following.word) or following.kind is TokenKind.QUOTED


def _read_secondary(r: Reader) -> ast.UseSecondaryRoles:
    if r.accept("ALL"):
        return ast.UseSecondaryRoles("ALL")
    if r.accept("NONE"):
        return ast.UseSecondaryRoles("NONE")
    return ast.UseSecondaryRoles("LIST", read_names(r, 1))


def read_set(r: Reader) -> ast.SetVariables:
    """Read `SET v = e` or `SET (a, b) = (e, f)`."""
    r.expect("SET")
    if not r.at("("):
        name = r.identifier()
        r.expect("=")
        return ast.SetVariables((name,), (r.until(","),))
    names = r.columns()
    r.expect("=")
    if r.at("( SELECT", "( WITH"):
        return ast.SetVariables(names, (r.bracket(),))
    start = r.index
    expressions = r.listed()
    if len(expressions) != len(names):
        r.fail(r.tokens[start])
    return ast.SetVariables(names, expressions)


def read_unset(r: Reader) -> ast.UnsetVariables:
    """Read `UNSET v` or `UNSET (a, b)`."""
    r.expect("UNSET")
    return ast.UnsetVariables(r.columns() if r.at("(") else (r.identifier(),))


def read_comment(r: Reader) -> ast.Comment:
    """Read one COMMENT statement."""
    r.expect("COMMENT")
    if_exists = r.accept("IF EXISTS")
    r.expect("ON")
    kind = r.expect_one(KINDS)
    name = r.name(4 if kind == "COLUMN" else 3)
    arguments = accept_argument_types(r) if kind in WITH_ARGUMENTS else None
    r.expect("IS")
    return ast.Comment(kind, name, r.text(), if_exists, arguments)


def read_drop(r: Reader) -> ast.Drop:
    """Read one DROP statement."""
    r.expect("DROP")
    kind = accept_class(r) or r.expect_one(KINDS)
    if_exists = r.accept("IF EXISTS")
    name = r.name()
    arguments = accept_argument_types(r) if kind in WITH_ARGUMENTS else None
    behaviour = next((b for b in _BEHAVIOURS if r.accept(b)), None)
    return ast.Drop(kind, name, if_exists, behaviour, arguments)


def read_undrop(r: Reader) -> ast.Undrop:
    """Read one UNDROP statement."""
    r.expect("UNDROP")
    return ast.Undrop(r.expect_one(KINDS), r.name())


def read_execute(r: Reader) -> ast.GovernanceStatement | None:
    """Read EXECUTE TASK, ALERT and IMMEDIATE; other EXECUTE statements are not ours.

    Raises:
        UnsupportedSqlError: it executes what the account has not, such as a job service.
    """
    r.expect("EXECUTE")
    if r.accept("TASK"):
        return _read_execute_task(r)
    if r.accept("ALERT"):
        return ast.ExecuteAlert(r.name())
    if (job := r.accept_one(_JOBS)) is not None:
        raise UnsupportedSqlError(f"EXECUTE {job}")
    return _read_immediate(r) if r.accept("IMMEDIATE") else None


def _read_execute_task(r: Reader) -> ast.ExecuteTask:
    name = r.name()
    if r.accept("RETRY LAST"):
        return ast.ExecuteTask(name, retry_last=True)
    return ast.ExecuteTask(name, properties=read_properties(r) if r.accept("USING") else {})


def _read_immediate(r: Reader) -> ast.ExecuteImmediate:
    if r.accept("FROM"):
        return ast.ExecuteImmediate(source=r.rest())
    if r.is_text:
        text = r.text()
        return ast.ExecuteImmediate(text, using=_accept_using(r))
    if r.token.kind is TokenKind.VARIABLE:
        r.index += 1
        return ast.ExecuteImmediate(None, r.ahead(-1).text[1:].upper(), _accept_using(r))
    r.accept(":")
    return ast.ExecuteImmediate(None, r.identifier(), _accept_using(r))


def _accept_using(r: Reader) -> tuple[str, ...]:
    return r.columns() if r.accept("USING") else ()


def read_call(r: Reader) -> ast.Call:
    """Read one CALL statement."""
    r.expect("CALL")
    name = r.name()
    method = r.identifier() if r.accept("!") else None
    arguments = r.listed()
    into = r.rest().lstrip(": ") if r.accept("INTO") else None
    return ast.Call(name, arguments, into, method)
