"""Statements that change the session instead of the account: they end when it ends.

Room: laws. A thread that is gone on with in another session needs them again; in a step that is
done again they are sent again.
"""

from __future__ import annotations

from functools import lru_cache

from skills_nb.errors import SqlError
from skills_nb.model.state import StatementRecord, ThreadState
from skills_nb.sql.governance import ast, parse

_OF_SESSION = (ast.Use, ast.UseSecondaryRoles, ast.SetVariables, ast.UnsetVariables)


@lru_cache(maxsize=4096)
def changes_session(sql: str) -> bool:
    """Return whether a statement changes nothing but the session it runs in."""
    try:
        statement = parse(sql)
    except SqlError:
        return False
    if isinstance(statement, ast.Alter):
        return statement.kind == "SESSION"
    return isinstance(statement, _OF_SESSION)


def session_statements(state: ThreadState) -> tuple[StatementRecord, ...]:
    """Return what the thread's playbook did to its session, oldest first."""
    began = state.run.started_seq if state.run is not None else state.seq
    return tuple(
        record
        for record in state.statements
        if record.seq > began and record.status == "completed" and changes_session(record.sql)
    )
