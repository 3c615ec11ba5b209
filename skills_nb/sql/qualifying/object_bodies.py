"""Bodies: the SQL that an object keeps, and where it stands in the statement that makes it.

Room: sql. A procedure with its caller's rights is left as it is, because it is meant to work where
its caller stands.
Source: Snowflake manual, "Object name resolution", "Understanding caller's rights and owner's
rights stored procedures".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.ast import Name
from skills_nb.sql.tokens import TokenKind, tokenize

_QUERIES = frozenset({"SELECT", "WITH", "BEGIN", "DECLARE"})


@dataclass(frozen=True, slots=True)
class Body:
    """A piece of SQL that is looked up in the schema of the object that keeps it."""

    kind: str
    """Kind of the object that keeps it: `TASK`, `ALERT`, `MASKING POLICY`, …."""
    name: Name
    """Of the object."""
    text: str
    """The SQL itself, its quotes removed."""
    start: int
    """Offset of its first character in the statement, its quotes included."""
    end: int
    """Where it stands, with its quotes where it has any."""
    quotes: Literal["'", "$$"] | None = None
    """The quotes around it in the statement; None where it stands there bare."""
    lead: str = ""
    """What makes a statement of it, where it is an expression."""


def bodies_of(sql: str, statement: ast.GovernanceStatement) -> Iterator[Body]:
    """Yield the bodies in a statement, in its order."""
    match statement:
        case ast.CreateAlert(condition=condition, action=action):
            start = sql.find(condition)
            yield Body("ALERT", statement.name, condition, start, start + len(condition))
            yield _ending(sql, "ALERT", statement.name, action)
        case ast.CreateTask(body=body) | ast.CreatePipe(body=body):
            yield _ending(sql, statement.kind, statement.name, body)
        case ast.CreateDynamicTable(query=body):
            yield _ending(sql, statement.kind, statement.name, body)
        case ast.CreatePolicy(body=body):
            start = sql.find(body, sql.index("->"))
            name = statement.name
            yield Body(statement.kind, name, body, start, start + len(body), lead="SELECT ")
        case ast.Alter(kind=kind, name=name, actions=actions):
            for act in actions:
                if isinstance(act, ast.SetBody):
                    yield _ending(sql, kind, name, act.body, lead="SELECT ")
                elif isinstance(act, ast.ModifyBody):
                    yield _ending(sql, kind, name, act.body)
        case ast.CreateRoutine(body=str(body)) if _is_read(statement):
            yield _of_routine(sql, statement, body)
        case _:
            return


def _ending(sql: str, kind: str, name: Name, body: str, lead: str = "") -> Body:
    start = sql.rfind(body)
    return Body(kind, name, body, start, start + len(body), lead=lead)


def _is_read(routine: ast.CreateRoutine) -> bool:
    """Tell SQL with its owner's rights from other languages, and from its caller's."""
    rights = getattr(routine, "execute_as", "OWNER") or "OWNER"
    return routine.language == "SQL" and rights == "OWNER"


def _of_routine(sql: str, routine: ast.CreateRoutine, body: str) -> Body:
    kind = "FUNCTION" if isinstance(routine, ast.CreateFunction) else routine.kind
    lead = (
        "" if body.split(None, 1)[:1] and body.split(None, 1)[0].upper() in _QUERIES else "SELECT "
    )
    quoted = (t for t in reversed(tokenize(sql)) if t.kind in (TokenKind.STRING, TokenKind.DOLLAR))
    token = next((token for token in quoted if token.value == body), None)
    if token is None:
        return _ending(sql, kind, routine.name, body, lead)
    quotes: Literal["'", "$$"] = "$$" if token.kind is TokenKind.DOLLAR else "'"
    return Body(kind, routine.name, body, token.start, token.end, quotes, lead)
