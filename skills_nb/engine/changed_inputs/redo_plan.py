"""A change of inputs: which steps are done again, and what becomes of the work that they did.

Room: laws. Rules of this file:
- What follows from a change is worked out when it is said, by the library of that moment, and
  stands on the thread; folding only applies it.
- A step that is done again begins as if it had not run: its results, its approval, and an approval
  of all that is left, are gone. What it made in the account stands until a person decides.
- What was sent was sent with the inputs of its time: the run is remembered as it stood.
Spec: Checkpoints > Checkpoints can cycle; Compensation and Rollback.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from skills_nb.engine.changed_inputs.object_mentions import mentions
from skills_nb.engine.changed_inputs.redo_words import (
    consequences,
    describe_change,
    describe_plan_change,
)
from skills_nb.engine.changed_inputs.step_dependencies import (
    choice_names,
    inference_names,
    reach_of,
)
from skills_nb.engine.inputs.secrecy import REDACTED
from skills_nb.engine.session.places import where_begun
from skills_nb.model.events import PlannedStep, Redoing
from skills_nb.model.skills import Playbook
from skills_nb.model.state import (
    AbortState,
    PlanState,
    PlaybookRun,
    StatementRecord,
    StepState,
    ThreadState,
)
from skills_nb.sql.objects import changes_of

_SENT = ("repeatable", "once")


def is_other(known: Mapping[str, Any], name: str, value: Any) -> bool:
    """Return whether a value is another one than is known; of a secret nobody can tell."""
    return bool(value == REDACTED or known.get(name) != value)


def redo_of_change(
    state: ThreadState, run: PlaybookRun, playbook: Playbook, changed: Sequence[str]
) -> Redoing:
    """Return what follows in a run from a change of inputs."""
    within = [step.id for step in playbook.steps if run.step(step.id).status != "pending"]
    sources = _sources(state, run, playbook, changed)
    steps: tuple[str, ...] = ()
    while True:
        found = reach_of(playbook, changed, steps=steps, within=within, sources=sources)
        touched = _touched(state, run, found.steps, within)
        if not touched - set(found.steps):
            break
        steps = (*found.steps, *touched)
    told = Redoing(
        changed=list(changed),
        steps=list(found.steps),
        shown=list(found.shown),
        dropped=_by_hand(run, playbook, found.steps),
        inputs=list(found.inputs),
        probes=found.probes,
    )
    return told.model_copy(update={"said": describe_change(state, run, told, playbook)})


def redo_of_plan(
    state: ThreadState, run: PlaybookRun, plan: PlanState, wanted: Iterable[PlannedStep]
) -> Redoing | None:
    """Return which steps that are done already a plan does again; None where it does none."""
    before = {step.step: step.sql for step in plan.approved}
    order = [step.step for step in plan.steps]
    within = [step_id for step_id in order if run.step(step_id).status != "pending"]
    other = {step.step for step in wanted if before.get(step.step, step.sql) != step.sql}
    steps = other & set(within)
    while touched := _touched(state, run, steps, within) - steps:
        steps |= touched
    gone = [one for one in run.steps if one not in order and _has_sent(state, run, one)]
    gone = [one for one in gone if one in before or _is_by_hand_at(one, steps)]
    if not steps and not gone:
        return None
    redoing = Redoing(steps=[one for one in order if one in steps], dropped=gone)
    return redoing.model_copy(update={"said": describe_plan_change(redoing, order)})


def foretell_changes(state: ThreadState, playbook: Playbook | None) -> tuple[tuple[str, str], ...]:
    """Return what a change of each input would bring about; inputs with the same fate together."""
    run = state.run
    if run is None or playbook is None or run.mode == "dry_run" or not run.steps:
        return ()
    found: dict[str, list[str]] = {}
    for spec in playbook.inputs:
        redoing = redo_of_change(state, run, playbook, (spec.name,))
        told = consequences(redoing, playbook)
        found.setdefault(told, []).append(spec.name)
    return tuple((", ".join(names), told) for told, names in found.items() if told)


# ---- what it does to a thread


def begin_again(state: ThreadState, before: PlaybookRun, redoing: Redoing) -> ThreadState:
    """Return the state in which steps begin anew; what they made is offered for cleanup first.

    Args:
        state: the thread, its inputs changed already.
        before: the run as it stood before that.
        redoing: what follows.
    """
    run = state.run
    assert run is not None, "only steps of a playbook are done again"
    then = replace(before, earlier=(), until_seq=state.seq)
    steps = {
        step.id: _anew(step) if step.id in redoing.steps else _unseen(step, redoing)
        for step in run.steps.values()
    }
    inputs = {name: value for name, value in run.inputs.items() if name not in redoing.inputs}
    following = replace(
        run,
        inputs=inputs,
        steps=steps,
        earlier=(*run.earlier, then),
        approve_remaining=False,
        probed=run.probed and not redoing.probes,
        redoing=redoing,
    )
    return replace(state, run=following, abort=_cleanup(state, following, redoing) or state.abort)


def _anew(step: StepState) -> StepState:
    return replace(
        step, status="pending", result={}, created=(), reason="", failures=(), failed_seq=0
    )


def _unseen(step: StepState, redoing: Redoing) -> StepState:
    is_shown = step.id in redoing.shown and step.status == "approved"
    return replace(step, status="done") if is_shown else step


def _cleanup(state: ThreadState, run: PlaybookRun, redoing: Redoing) -> AbortState | None:
    """Return the offer to take back what the steps did, where they sent anything."""
    steps = (*redoing.steps, *redoing.dropped)
    if not any(_has_sent(state, run, step_id) for step_id in steps):
        return None
    return AbortState(reason=redoing.said, then="go_on", steps=steps, since_seq=state.seq)


def _has_sent(state: ThreadState, run: PlaybookRun, step_id: str) -> bool:
    return any(record.step == step_id for record in _sent(state, run))


def _sent(state: ThreadState, run: PlaybookRun) -> Iterator[StatementRecord]:
    for record in state.statements:
        is_work = record.kind in _SENT and record.status in ("completed", "open")
        if is_work and record.run_seq == run.started_seq:
            yield record


# ---- what depends on what


def _sources(
    state: ThreadState, run: PlaybookRun, playbook: Playbook, changed: Collection[str]
) -> dict[str, frozenset[str]]:
    """Return what each input hangs on that nobody gave beforehand."""
    phase = state.chain.current if state.chain is not None else None
    given = {name.rpartition(".")[2] for name in (*state.given, *(phase.given if phase else ()))}
    open_ = [
        spec
        for spec in playbook.inputs
        if spec.name in run.inputs and spec.name not in given and spec.name not in changed
    ]
    return {
        spec.name: inference_names(spec) if spec.name in run.inferred else choice_names(spec)
        for spec in open_
    }


def _touched(
    state: ThreadState, run: PlaybookRun, steps: Collection[str], within: Sequence[str]
) -> set[str]:
    """Return the steps that name, in what they sent, an object that earlier ones made or changed.

    What comes by another way than a name is a result, too: a view on a table that is made again.
    """
    found: set[str] = set()
    made: set[tuple[str, ...]] = set()
    for step_id in within:
        texts = _texts(state, run, step_id)
        if step_id not in steps and made and any(mentions(sql, made) for sql in texts):
            found.add(step_id)
        if step_id in steps or step_id in found:
            made |= {change for sql in texts for change in _names_changed(run, sql)}
    return found


def _texts(state: ThreadState, run: PlaybookRun, step_id: str) -> list[str]:
    at = run.step(step_id)
    sent = [record.sql for record in _sent(state, run) if record.step == step_id]
    end = at.ended_seq or state.seq
    read = [fact.query for fact in state.facts if at.started_seq < fact.seq <= end]
    return [*sent, *read]


def _names_changed(run: PlaybookRun, sql: str) -> frozenset[tuple[str, ...]]:
    place = where_begun(run)
    return _names_changed_at(sql, place.database, place.schema)


@lru_cache(maxsize=4096)
def _names_changed_at(
    sql: str, database: str | None, schema: str | None
) -> frozenset[tuple[str, ...]]:
    """Return the names, read once: at each pause, each input is asked what its change would do."""
    return frozenset(
        change.target.name[:-1] if change.target.type == "column" else change.target.name
        for change in changes_of(sql, database, schema)
    )


def _by_hand(run: PlaybookRun, playbook: Playbook, steps: Collection[str]) -> list[str]:
    """Return the sub-steps that a person added to steps that are done again."""
    own = {step.id for step in playbook.steps}
    added = (step_id for step_id in run.steps if step_id not in own)
    return [step_id for step_id in added if _is_by_hand_at(step_id, steps)]


def _is_by_hand_at(step_id: str, steps: Iterable[str]) -> bool:
    return any(step_id.startswith(s) and step_id.removeprefix(s).isalpha() for s in steps)
