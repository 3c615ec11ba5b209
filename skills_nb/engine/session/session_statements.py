"""Statements that change the session instead of the account: they end when it ends.

Room: laws. A thread that is gone on with in another session needs them again; in a step that is
done again they are sent again.
"""

from __future__ import annotations

from functools import lru_cache

from skills_nb.errors import SqlError
from skills_nb.model.events import AccountContext
from skills_nb.model.state import StatementRecord, ThreadState
from skills_nb.sql.governance import ast, parse
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.qualifying import place_behind
from skills_nb.sql.tokens import leading_tokens

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
    return _of_runs(state, {state.run.started_seq} if state.run is not None else set())


def earlier_statements(state: ThreadState) -> tuple[StatementRecord, ...]:
    """Return what the finished phases of the thread's chain did to its session, oldest first."""
    phases = state.chain.completed if state.chain is not None else ()
    return _of_runs(state, {phase.run.started_seq for phase in phases if phase.run is not None})


def _of_runs(state: ThreadState, runs: set[int]) -> tuple[StatementRecord, ...]:
    return tuple(
        record
        for record in state.statements
        if record.run_seq in runs and record.status == "completed" and changes_session(record.sql)
    )


def place_of(state: ThreadState, began: AccountContext) -> AccountContext | None:
    """Return where the thread's playbook has left its session, or None where that is not known.

    A script or a procedure may have moved it, and nobody saw where to; a USE SCHEMA behind it says.
    """
    run = state.run.started_seq if state.run is not None else -1
    place: Place | None = Place(began.current_database, began.current_schema)
    for record in state.statements:
        if record.run_seq != run or record.status != "completed":
            continue
        place = None if _may_move(record.sql) else _behind(record.sql, place)
    if place is None:
        return None
    return began.model_copy(
        update={"current_database": place.database, "current_schema": place.schema}
    )


def _behind(sql: str, place: Place | None) -> Place | None:
    """Return where a session stands behind a statement; what was not known, a full name settles."""
    if place is not None:
        return place_behind(sql, place)
    settled = place_behind(sql, Place(None, None))
    return settled if settled.database and settled.schema else None


@lru_cache(maxsize=4096)
def _may_move(sql: str) -> bool:
    if leading_tokens(sql, 1)[0].word in ("BEGIN", "DECLARE"):
        return True
    try:
        return isinstance(parse(sql), ast.Call | ast.ExecuteImmediate)
    except SqlError:
        return True


def places_left(began: AccountContext, here: AccountContext) -> tuple[str, ...]:
    """Return what brings a session back to the warehouse and schema of an earlier one.

    Names that are not qualified would mean something else elsewhere.
    """
    found: list[str] = []
    if began.current_warehouse and began.current_warehouse != here.current_warehouse:
        found.append(f"USE WAREHOUSE {render_name((began.current_warehouse,))}")
    database, schema = began.current_database, began.current_schema
    if database and schema and (database, schema) != (here.current_database, here.current_schema):
        found.append(f"USE SCHEMA {render_name((database, schema))}")
    elif database and database != here.current_database:
        found.append(f"USE DATABASE {render_name((database,))}")
    return tuple(found)
