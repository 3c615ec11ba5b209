"""What an approval lets through: the statements from a pause to the next one at which a person is.

Room: laws. They are rendered by what is known now. A step that rests on what an earlier one finds
says so; it is not guessed. The view shows them whole, and the approval holds for nothing else.
Spec: Checkpoints; Guided Mode Execution > Guardrails (the human sees exactly what is intended).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import astuple

from skills_nb.engine.approvals.repeated_statements import plan_ahead
from skills_nb.engine.planning.statement_planning import StepPlan
from skills_nb.errors import UsageError
from skills_nb.model.ahead import Ahead
from skills_nb.model.events import Foreseen, ForeseenStatement
from skills_nb.model.skills import Playbook, Step
from skills_nb.model.state import Pause, PlaybookRun, ThreadState
from skills_nb.sql.classify import Kind

_APPROVALS = ("checkpoint", "probe_checkpoint")
_ENDED = ("approved", "skipped")


def steps_ahead(
    state: ThreadState, playbook: Playbook | None, pause: Pause | None
) -> tuple[Ahead, ...]:
    """Return the steps that an approval of a pause lets through, those that send nothing left out.

    Args:
        state: the thread.
        playbook: what it goes through.
        pause: what waits; only a checkpoint and what the probes found have steps ahead.
    """
    run = state.run
    if run is None or playbook is None or pause is None or run.mode == "dry_run":
        return ()
    if pause.kind not in _APPROVALS:
        return ()
    found = pause.foreseen
    if found is None:
        found = tuple(foresee_steps(state, run, playbook, after=pause.step))
    return tuple(_shown(one) for one in found if one.statements or one.is_open)


def _shown(one: Foreseen) -> Ahead:
    sent = tuple((statement.role, statement.sql) for statement in one.statements)
    return Ahead(one.step, one.title, sent, one.is_open)


def foresee_steps(
    state: ThreadState, run: PlaybookRun, playbook: Playbook, *, after: str | None
) -> Iterator[Foreseen]:
    """Yield the steps between a pause and the next one at which a person is.

    Args:
        state: the thread.
        run: its playbook's run.
        playbook: what it goes through.
        after: the step whose checkpoint it is; None: the pause is before whatever comes next.
    """
    for step in playbook.steps:
        if step.id == after or run.step(step.id).status in _ENDED:
            continue
        if run.step(step.id).status == "done" and step.checkpoint is None:
            continue
        plan = _planned(state, run, playbook, step)
        if step.sql:
            yield foresee_step(step, plan)
        is_reached = plan is not None and plan.iterations > 0
        severity = step.checkpoint.severity if step.checkpoint is not None else "info"
        if severity != "info" and (is_reached or step.when is None):
            return


def _planned(
    state: ThreadState, run: PlaybookRun, playbook: Playbook, step: Step
) -> StepPlan | None:
    try:
        return plan_ahead(state, run, playbook, step)
    except UsageError:
        # What is wrong with it is said when the step is reached.
        return None


def foresee_step(step: Step, plan: StepPlan | None) -> Foreseen:
    """Return a step as an approval lets it through; None: what it sends is not known yet."""
    statements = [
        ForeseenStatement(sql=one.sql, role=one.role, reads=one.kind is Kind.READ)
        for one in (plan.statements if plan is not None else ())
    ]
    return Foreseen(
        step=step.id,
        title=step.title,
        statements=statements,
        is_open=plan is None,
        digest=digest_of(step),
    )


def digest_of(step: Step) -> str:
    """Return a digest of what decides on a step's statements, as its author wrote it."""
    loop = astuple(step.for_each) if step.for_each is not None else None
    written = (tuple(block.text for block in step.sql), step.when, step.role, loop)
    return hashlib.sha256(repr(written).encode()).hexdigest()[:16]
