"""The steps of a playbook and how far each is.

Room: laws (views).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, assert_never

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import in_words, plural
from skills_nb.views.threads.dry_run_plan import planned_step
from skills_nb.views.threads.row_changes import changed_line
from skills_nb.views.threads.skipped_words import why_skipped

if TYPE_CHECKING:
    from skills_nb.model.events import StepPlanned
    from skills_nb.model.skills import Playbook, Step
    from skills_nb.model.state import Pause, PlaybookRun, StepState, ThreadState

_MOST_FACTS = 2
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class SubStep:
    """A step that a person added by hand."""

    id: str
    """The step that it was added to, and a letter: `3b`."""
    title: str
    """What it sends, in one line."""
    checkpoint: None = None
    """It has none of its own: the step that it was added to waits."""


_MOST_CHANGED = 3


def step_lines(
    state: ThreadState, playbook: Playbook | None, pause: Pause | None, *, is_running: bool = False
) -> tuple[b.StepLine, ...]:
    """Return one line per step, in the playbook's order."""
    run = state.run
    if playbook is None or run is None:
        return ()
    inputs = frozenset(spec.name for spec in playbook.inputs)
    if run.mode == "dry_run":
        planned = {event.step: event for event in run.planned}
        return tuple(_planned(step, planned.get(step.id), inputs) for step in playbook.steps)
    is_ended = state.is_over or state.abort is not None
    return tuple(
        _skipped(step, found.reason, inputs)
        if (found := run.step(step.id)).status == "skipped"
        else _line(step, found, pause, is_running=is_running, is_ended=is_ended)
        for step in _with_sub_steps(state, playbook, run)
    )


def _with_sub_steps(
    state: ThreadState, playbook: Playbook, run: PlaybookRun
) -> tuple[Step | SubStep, ...]:
    """Return the playbook's steps, each with what a person added there behind it."""
    own = {step.id for step in playbook.steps}
    added = [SubStep(step_id, _written(state, run, step_id)) for step_id in run.steps]
    left = [sub for sub in added if sub.id not in own]
    found: list[Step | SubStep] = []
    for step in playbook.steps:
        mine = [sub for sub in left if _is_of(sub.id, step.id)]
        found += [step, *mine]
        left = [sub for sub in left if sub not in mine]
    return (*found, *left)


def _is_of(sub_id: str, step_id: str) -> bool:
    return sub_id.startswith(step_id) and sub_id.removeprefix(step_id).isalpha()


def _written(state: ThreadState, run: PlaybookRun, step_id: str) -> str:
    """Return what a person wrote, as far as one line holds it; its history has the whole."""
    found = run.step(step_id)
    began, ended = found.started_seq, found.ended_seq or state.seq
    sent = [r.sql for r in state.statements if r.step == step_id and r.seq > began]
    # A sub-step that only read: the last of what was asked is its own query.
    sent += [fact.query for fact in reversed(state.facts) if began < fact.seq <= ended]
    # Where short names had to be pinned, USE goes before what was written.
    own = next((text for text in sent if not text.upper().startswith("USE ")), "")
    sql = " ".join(own.split("\n"))
    short = sql if len(sql) <= _LONGEST else f"{sql[: _LONGEST - 1]}…"
    return f"By hand: {short}" if short else "By hand"


def _skipped(step: Step | SubStep, reason: str, inputs: frozenset[str]) -> b.StepLine:
    return _plain("–", step, why_skipped(reason, inputs))


def _planned(step: Step, event: StepPlanned | None, inputs: frozenset[str]) -> b.StepLine:
    if event is None:
        return _plain("·", step, "")
    row = planned_step(event)
    if row.would_fail:
        return _plain("✗", step, "would fail", "critical")
    if row.is_skipped:
        said = next(r for r in row.remarks if r.startswith("skipped"))
        return _skipped(step, said.removeprefix("skipped: "), inputs)
    said = plural(len(row.statements), "statement") if row.statements else "no statement"
    changes = [f"would change {line}" for line in row.changes]
    return _plain("○", step, "; ".join([said, *changes, *row.remarks]))


def _line(
    step: Step | SubStep, found: StepState, pause: Pause | None, *, is_running: bool, is_ended: bool
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
            return _skipped(step, found.reason, frozenset())
        case "done" | "approved":
            word = "approved" if found.status == "approved" and step.checkpoint else "done"
            return _plain("✓", step, " · ".join([word, *_facts(found)]))
        case _:
            assert_never(found.status)


def _stopped(failure: str, *, is_ended: bool) -> str:
    if failure:
        return f"failed: {failure}"
    return "not finished" if is_ended else "started"


def _waiting(step: Step | SubStep, pause: Pause) -> b.StepLine:
    is_error = pause.kind == "error_escalated"
    tone: b.Tone = "critical" if is_error else pause.severity
    word = "failed, waits for you" if is_error else f"waits for you: {pause.severity.upper()}"
    sign = "✗" if is_error else b.SIGNS[tone]
    return b.StepLine(sign, step.id, step.title, word, "", tone)


def _plain(sign: str, step: Step | SubStep, status: str, tone: b.Tone = "plain") -> b.StepLine:
    return b.StepLine(sign, step.id, step.title, status, "", tone)


def _facts(found: StepState) -> list[str]:
    """Return what the step made and whose rows it changed, else what it counted."""
    changed = [f"changed {changed_line(one)}" for one in found.modified[:_MOST_CHANGED]]
    more = len(found.modified) - _MOST_CHANGED
    if more > 0:
        changed.append(f"changed rows of {plural(more, 'more table')}")
    if found.created:
        counts = Counter(in_words(made.type) for made in found.created)
        return [*(plural(count, kind) for kind, count in counts.items()), *changed]
    return changed or _counted(found.result)[:_MOST_FACTS]


def _counted(result: Mapping[str, Any]) -> list[str]:
    return [
        f"{in_words(name)} {value}"
        for name, value in result.items()
        if isinstance(value, int) and not isinstance(value, bool)
    ]
