"""Filters of SHOW: LIKE, STARTS WITH, LIMIT and IN.

Room: embedded.
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.session.context import Context
from skills_nb.sql.conditions.like_pattern import matches as matches_wildcards
from skills_nb.sql.governance import ast


def limited(statement: ast.Show, found: list[Entity]) -> list[Entity]:
    """Apply LIMIT … FROM."""
    if statement.limit_from is not None:
        found = [e for e in found if e.name > statement.limit_from]
    return found[: statement.limit] if statement.limit is not None else found


def matches(statement: ast.Show, name: str) -> bool:
    """Apply LIKE (any case) and STARTS WITH (exact case)."""
    if statement.like is not None and not like(statement.like, name):
        return False
    return statement.starts_with is None or name.startswith(statement.starts_with)


def like(pattern: str, name: str) -> bool:
    r"""Match `%` and `_`; a backslash makes the next character plain."""
    last = len(pattern) - len(pattern.rstrip("\\"))
    closed = pattern + "\\" * (last % 2)  # a backslash at the end stands for itself
    return matches_wildcards(name.lower(), closed.lower(), "\\")


def scope_of(session: Context, statement: ast.Show, kind: Kind) -> tuple[str, ...]:
    """Return where a SHOW looks: what IN says, else the current schema or database."""
    scope = statement.scope
    if kind.depth == 1:
        return ()
    if scope is None:
        return _current(session, kind)
    if scope.kind == "ACCOUNT":
        return ()
    if not scope.name:
        return _current(session, kind, scope.kind)
    return _named(session, scope.kind, scope.name)


def _named(session: Context, said: str | None, name: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path of what IN names.

    Raises:
        SqlError: it is missing or hidden (2043).
    """
    kind = Kind(said) if said else Kind.SCHEMA if len(name) == 2 else Kind.DATABASE
    if said is None and len(name) == 1 and access.find(session, Kind.DATABASE, name) is None:
        kind = Kind.SCHEMA
    found = access.find(session, kind, name)
    if found is None:
        raise errors.no_such_operation()
    return found.path


def _current(session: Context, kind: Kind, wanted: str | None = None) -> tuple[str, ...]:
    if session.database is None:
        if wanted is not None:
            raise errors.no_current_database("SHOW")
        return ()
    if kind.depth == 2 or wanted == "DATABASE" or session.schema is None:
        return (session.database,)
    return (session.database, session.schema)
