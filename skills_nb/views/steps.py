"""The steps of a playbook and how far each is.

Room: laws (views).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, assert_never

from skills_nb.views import blocks as b
from skills_nb.views.plan import planned_step
from skills_nb.views.words import plural, spoken

if TYPE_CHECKING:
    from skills_nb.model.events import StepPlanned
    from skills_nb.model.skills import Playbook, Step
    from skills_nb.model.state import Pause, StepState, ThreadState

_MOST_FACTS = 2


def step_lines(
    state: ThreadState, playbook: Playbook | None, pause: Pause | None, *, is_running: bool = False
) -> tuple[b.StepLine, ...]:
    """Return one line per step, in the playbook's order."""
    run = state.run
    if playbook is None or run is None:
        return ()
    if run.mode == "dry_run":
        planned = {event.step: event for event in run.planned}
        return tuple(_planned(step, planned.get(step.id)) for step in playbook.steps)
    is_ended = state.is_over or state.abort is not None
    return tuple(
        _line(step, run.step(step.id), pause, is_running=is_running, is_ended=is_ended)
        for step in playbook.steps
    )


def _planned(step: Step, event: StepPlanned | None) -> b.StepLine:
    if event is None:
        return _plain("·", step, "")
    row = planned_step(event)
    if row.would_fail:
        return _plain("✗", step, "would fail", "critical")
    if row.is_skipped:
        return _plain("–", step, next(r for r in row.remarks if r.startswith("skipped")))
    said = plural(len(row.statements), "statement") if row.statements else "no statement"
    return _plain("○", step, "; ".join([said, *row.remarks]))


def _line(
    step: Step, found: StepState, pause: Pause | None, *, is_running: bool, is_ended: bool
) -> b.StepLine:
    if pause is not None and pause.step == step.id:
        return _waiting(step, pause)
    match found.status:
        case "pending":
            return _plain("·", step, "")
        case "running" if is_running:
            return b.StepLine("▸", step.id, step.title, "running", "", "info", is_running=True)
        case "running":
            failure = found.failures[-1] if found.failures else ""
            return _plain("✗" if failure else "▸", step, _stopped(failure, is_ended=is_ended))
        case "skipped":
            return _plain("–", step, f"skipped: {found.reason}")
        case "done" | "approved":
            word = "approved" if found.status == "approved" and step.checkpoint else "done"
            return _plain("✓", step, " · ".join([word, *_facts(found)]))
        case _:
            assert_never(found.status)


def _stopped(failure: str, *, is_ended: bool) -> str:
    if failure:
        return f"failed: {failure}"
    return "not finished" if is_ended else "started"


def _waiting(step: Step, pause: Pause) -> b.StepLine:
    is_error = pause.kind == "error_escalated"
    tone: b.Tone = "critical" if is_error else pause.severity
    word = "failed, waits for you" if is_error else f"waits for you: {pause.severity.upper()}"
    sign = "✗" if is_error else b.SIGNS[tone]
    return b.StepLine(sign, step.id, step.title, word, "", tone)


def _plain(sign: str, step: Step, status: str, tone: b.Tone = "plain") -> b.StepLine:
    return b.StepLine(sign, step.id, step.title, status, "", tone)


def _facts(found: StepState) -> list[str]:
    """Return what the step made, else what it counted."""
    if found.created:
        counts = Counter(spoken(made.type) for made in found.created)
        return [plural(count, kind) for kind, count in counts.items()]
    return _counted(found.result)[:_MOST_FACTS]


def _counted(result: Mapping[str, Any]) -> list[str]:
    return [
        f"{spoken(name)} {value}"
        for name, value in result.items()
        if isinstance(value, int) and not isinstance(value, bool)
    ]
