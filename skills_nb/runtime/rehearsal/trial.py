"""Trying one planned statement on the shadow.

Room: work.
"""

from __future__ import annotations

from collections.abc import Sequence

from skills_nb.engine.planning.step_context import StepContext, known_names
from skills_nb.engine.statements.row_changes import changes_rows
from skills_nb.engine.statements.sending import diagnose_error
from skills_nb.errors import SqlError
from skills_nb.model import events as ev
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook
from skills_nb.ports import RehearsedOutcome
from skills_nb.runtime.rehearsal.rehearsed_thread import RehearsedThread, is_gap
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects import Change, ObjectRef, RowEffects


def here_in(
    rehearsed: RehearsedThread, step_id: str, playbook: Playbook, library: Library
) -> StepContext:
    """Return a step of the rehearsed thread, with all that is known there."""
    state, step = rehearsed.state, playbook.step(step_id)
    assert state.run is not None, "a playbook's step is rehearsed"
    assert step is not None, "only steps of the playbook are decided on"
    return StepContext(
        state, library, playbook, state.run, step, known_names(state, playbook, step.id)
    )


def try_statement(
    sql: str,
    role: str | None,
    changes: Sequence[Change],
    rehearsed: RehearsedThread,
    here: StepContext,
) -> bool:
    """Run a planned statement; remark an error that it meets, with the repair, and plan on.

    Returns:
        Whether the shadow took it.
    """
    if rehearsed.is_guessing:
        rehearsed.predicted.update(_touched(changes))
    rows = _Rows(rehearsed, changes_rows(here.state, sql), (sql, role))
    try:
        outcome = rehearsed.shadow.execute(sql, role=role, tag="rehearsal")
    except SqlError as problem:
        if is_gap(problem):
            rehearsed.unmade |= {one.target.fqn for one in changes if one.action == "create"}
            rows.take(None, changes)
        rehearsed.remark_refusal(_one_line(problem), problem, _repair(here, problem))
        return False
    rows.take(outcome, changes)
    return True


class _Rows:
    """What a statement does to rows, looked at before and after it is tried."""

    def __init__(
        self, rehearsed: RehearsedThread, effects: RowEffects, sent: tuple[str, str | None]
    ) -> None:
        self._rehearsed, self._effects, self._sent = rehearsed, effects, sent
        known = rehearsed.rows
        is_about_rows = known is not None and effects.effects
        self._before = known.before(effects, sent[1]) if known and is_about_rows else _nothing

    def take(self, outcome: RehearsedOutcome | None, changes: Sequence[Change]) -> None:
        """Note what it did; None where it could not be tried."""
        known = self._rehearsed.rows
        if known is None:
            return
        if self._effects.effects or self._effects.runs_others:
            self._rehearsed.writes(known.done(self._effects, self._before, outcome, self._sent))
        known.note(self._sent[0], changes)


def _nothing(target: ObjectRef) -> None:
    """Know nothing of what stood before."""


def _touched(changes: Sequence[Change]) -> set[str]:
    """Return the names of what statements change, tables of columns among them."""
    names = {change.target.fqn for change in changes}
    of_columns = (change.target.name for change in changes if change.target.type == "column")
    return names | {
        part for name in of_columns for part in (render_name(name), render_name(name[:-1]))
    }


def _one_line(problem: SqlError) -> str:
    return " ".join(problem.message.split())


def _repair(here: StepContext, problem: SqlError) -> str:
    """Return what the step, its primitives or the kind of error say to do about it."""
    error = ev.StatementError(text=problem.message, errno=problem.errno, sqlstate=problem.sqlstate)
    return diagnose_error(here, error).hint
