"""Trying one planned statement on the shadow.

Room: work.
"""

from __future__ import annotations

from collections.abc import Sequence

from skills_nb.engine.here import Here, known_names
from skills_nb.engine.sending import diagnosed
from skills_nb.errors import SqlError
from skills_nb.model import events as ev
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook
from skills_nb.runtime.rehearsing.rehearsed import Rehearsed, is_gap
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects import Change


def here_in(rehearsed: Rehearsed, step_id: str, playbook: Playbook, library: Library) -> Here:
    """Return a step of the rehearsed thread, with all that is known there."""
    state, step = rehearsed.state, playbook.step(step_id)
    assert state.run is not None, "a playbook's step is rehearsed"
    assert step is not None, "only steps of the playbook are decided on"
    return Here(state, library, playbook, state.run, step, known_names(state, playbook))


def tried(
    sql: str, role: str | None, changes: Sequence[Change], rehearsed: Rehearsed, here: Here
) -> bool:
    """Run a planned statement; remark an error that it meets, with the repair, and plan on.

    Returns:
        Whether the shadow took it.
    """
    rehearsed.statements.append(sql)
    if rehearsed.is_guessing:
        rehearsed.predicted.update(_touched(changes))
    try:
        rehearsed.shadow.execute(sql, role=role, tag="rehearsal")
    except SqlError as problem:
        if is_gap(problem):
            rehearsed.unmade |= {one.target.fqn for one in changes if one.action == "create"}
        rehearsed.remark_refusal(_one_line(problem), problem, _repair(here, problem))
        return False
    return True


def _touched(changes: Sequence[Change]) -> set[str]:
    """Return the names of what statements change, tables of columns among them."""
    names = {change.target.fqn for change in changes}
    of_columns = (change.target.name for change in changes if change.target.type == "column")
    return names | {
        part for name in of_columns for part in (render_name(name), render_name(name[:-1]))
    }


def _one_line(problem: SqlError) -> str:
    return " ".join(problem.message.split())


def _repair(here: Here, problem: SqlError) -> str:
    """Return what the step, its primitives or the kind of error say to do about it."""
    error = ev.StatementError(text=problem.message, errno=problem.errno, sqlstate=problem.sqlstate)
    return diagnosed(here, error).hint
