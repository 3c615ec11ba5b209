"""Words in and documents out: what commands share in shape.

Room: commands. Source: FORMATS, One grammar (JSON shapes that scripts rely on).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from skills_nb.errors import UsageError

if TYPE_CHECKING:
    from skills_nb.model.state import Pause, ThreadState

MOST_ROWS = 200
"""How many rows `sql` fetches to show."""


def pairs(texts: Iterable[str], flag: str) -> dict[str, Any]:
    """Return `NAME=VALUE` texts as a mapping.

    Raises:
        UsageError: a text has no `=`, or no name before it.
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise UsageError(f"'{text}' is not NAME=VALUE", hint=f"{flag} target_scope=PROD")
        found[name.strip()] = value
    return found


def status_word(state: ThreadState, pause: Pause | None) -> str:
    """Return the thread's status; an open question pauses it too."""
    if pause is not None and not state.is_over:
        return "paused"
    return state.status


def thread_row(state: ThreadState, pause: Pause | None) -> dict[str, Any]:
    """Return the thread in the shape of `threads --json`."""
    stopped = {"stopped": True} if state.was_stopped else {}
    return {
        "thread_id": state.thread_id,
        "status": status_word(state, pause),
        "goal": state.goal,
        "playbook": state.run.playbook if state.run else None,
        "step": _step(state, pause),
        "pause": pause_document(pause),
        **stopped,
    }


def _step(state: ThreadState, pause: Pause | None) -> str | None:
    if pause is not None and pause.step is not None:
        return pause.step
    steps = list(state.run.steps) if state.run else []
    return steps[-1] if steps else None


def pause_document(pause: Pause | None) -> dict[str, Any] | None:
    """Return what waits in the shape of `threads --json`."""
    if pause is None:
        return None
    return {
        "kind": pause.kind,
        "at": pause.at,
        "severity": pause.severity,
        "present": pause.present,
        "phrase": pause.phrase,
        **({"added": pause.added, "removed": pause.removed} if pause.is_before else {}),
        "options": [{"id": o.id, "description": o.description} for o in pause.options],
    }


def work_document(state: ThreadState) -> dict[str, Any]:
    """Return what a thread made, changed and could not give back, for programs that drive it."""
    from skills_nb.sql.objects.losses import Losses, standing_of
    from skills_nb.views.threads.thread_runs import runs_of

    steps = [step for _, run in runs_of(state) for step in run.steps.values()]
    losses = Losses(state)
    made = [one for step in steps for one in standing_of(losses, step.created, step.started_seq)]
    abort = state.abort
    kept = (*abort.left_alone, *abort.not_restorable) if abort is not None else ()
    return {
        "created": [{"type": one.type, "fqn": one.fqn or one.name} for one in made],
        "modified": [
            {"type": one.type, "fqn": one.fqn, "rows": one.rows, "rows_are": one.rows_are}
            for step in steps
            for one in step.modified
        ],
        "not_restored": [{"fqn": one.fqn, "why": one.why} for one in kept],
    }


def answer_command(pause: Pause, thread_id: str) -> str:
    """Return the command that takes the proposal of a thread's pause."""
    from skills_nb.engine.pauses import command_at

    return command_at(pause, thread_id=thread_id)
