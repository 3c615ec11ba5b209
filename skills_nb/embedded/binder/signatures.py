"""Signatures: routines that share a name and differ in their arguments.

Room: embedded. A routine's path ends in its name with its argument types, `AREA(NUMBER, VARCHAR)`,
so that overloads are objects of their own.

See https://docs.snowflake.com/en/developer-guide/udf-stored-procedure-naming-conventions
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import RoutineDetail
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.data_types import SfType, parse_type
from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import accept_argument_types
from skills_nb.sql.governance.reader import Reader

ROUTINES = (Kind.FUNCTION, Kind.PROCEDURE)
_WORDS = tuple(kind.value for kind in ROUTINES)


def bare(kind: SfType) -> str:
    """Spell a type without its length: `NUMBER`, `VARCHAR`."""
    return kind.sql.partition("(")[0]


def signature(name: str, kinds: Iterable[SfType]) -> str:
    """Return the last part of a routine's path."""
    return f"{name}({', '.join(bare(kind) for kind in kinds)})"


def typed(spelling: str) -> SfType:
    """Read the type of an argument.

    Raises:
        SqlError: the account has no such type (0A000).
    """
    found = parse_type(spelling)
    if found is None:
        raise errors.unsupported(f"data type {spelling}")
    return found


def named(statement: Any) -> Any:
    """Put the signature into the name of a statement about a routine."""
    if isinstance(statement, (ast.GrantPrivileges, ast.RevokePrivileges, ast.GrantOwnership)):
        target = statement.target
        if target.kind not in _WORDS or target.scope != "OBJECT":
            return statement
        return replace(statement, target=replace(target, name=_full(target.name, target.arguments)))
    if isinstance(statement, ast.ShowGrants):
        if statement.kind not in _WORDS or statement.relation != "ON":
            return statement
        return replace(statement, name=_full(statement.name, statement.arguments))
    if not isinstance(statement, (ast.Alter, ast.Drop, ast.Describe, ast.Comment)):
        return statement
    if statement.kind not in _WORDS:
        return statement
    return replace(statement, name=_full(statement.name, statement.arguments))


def _full(name: tuple[str, ...], arguments: tuple[str, ...] | None) -> tuple[str, ...]:
    if arguments is None:
        raise errors.syntax(f"syntax error: the argument types of {name[-1]} are needed.")
    return (*name[:-1], signature(name[-1], (typed(a) for a in arguments)))


def typed_name(written: str) -> tuple[str, ...]:
    """Read `schema.area(number, varchar)` inside a string; the stored path."""
    r = Reader(written)
    name = r.name()
    found = _full(name, accept_argument_types(r))
    r.finish()
    return found


def detail_of(routine: Entity) -> RoutineDetail:
    """Return a routine's detail."""
    assert isinstance(routine.detail, RoutineDetail)
    return routine.detail


def overloads(
    session: Context, kind: Kind, path: tuple[str, ...], roles: frozenset[str]
) -> list[Entity]:
    """List the routines of a name that the roles may use."""
    return [
        e
        for e in session.account.catalog.children(kind, path[:2])
        if detail_of(e).name == path[2] and name_resolution.is_usable(session, e, "USAGE", roles)
    ]


def gives_back(session: Context, name: tuple[str, ...], count: int) -> tuple[int, ...]:
    """List the places of a call where every procedure of the name has an OUT argument."""
    path = session.qualify(name)
    found = overloads(session, Kind.PROCEDURE, path, session.active_roles())
    listed = [detail_of(e).arguments for e in found if len(detail_of(e).arguments) >= count]
    return tuple(
        index for index in range(count) if listed and all(a[index].gives_back for a in listed)
    )


def chosen(found: list[Entity], given: list[tuple[str | None, SfType | None]]) -> Entity | None:
    """Choose the overload that takes these arguments, the best match of types first."""
    fitting = [e for e in found if fits(detail_of(e), given)]
    ranked = sorted(fitting, key=lambda e: -_agreement(detail_of(e), given))
    return ranked[0] if ranked else None


def fits(detail: RoutineDetail, given: list[tuple[str | None, SfType | None]]) -> bool:
    """Tell whether a routine takes that many arguments, of those names."""
    names = [a.name for a in detail.arguments]
    if len(given) > len(names) or any(n is not None and n not in names for n, _ in given):
        return False
    positional = [n for n, _ in given if n is None]
    filled = set(names[: len(positional)]) | {n for n, _ in given if n is not None}
    return all(a.name in filled or a.default is not None for a in detail.arguments)


def _agreement(detail: RoutineDetail, given: list[tuple[str | None, SfType | None]]) -> int:
    by_name = {a.name: a.type for a in detail.arguments}
    pairs = [
        (by_name[n] if n is not None else detail.arguments[i].type, kind)
        for i, (n, kind) in enumerate(given)
    ]
    return sum(kind is not None and kind.kind == wanted.kind for wanted, kind in pairs)
