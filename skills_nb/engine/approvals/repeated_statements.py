"""Which statements of steps that are done again are wanted once more, just as they were sent.

Room: laws. Nothing is offered for cleanup that would be sent again the same: that can be told of a
step whose names are all known before it begins. Of any other step all that it did is offered.
Spec: Compensation and Rollback.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from skills_nb.engine.changed_inputs.object_mentions import mentions
from skills_nb.engine.changed_inputs.step_dependencies import EVERYTHING, bound_by, work_of
from skills_nb.engine.inputs.typed_inputs import coerce, template_value
from skills_nb.engine.planning.statement_planning import StepPlan, plan_step
from skills_nb.engine.planning.step_context import known_names
from skills_nb.engine.planning.template_names import playbook_of
from skills_nb.engine.session.places import StepStart, may_move, start_of, where_begun
from skills_nb.engine.statements.sending import is_answered_by
from skills_nb.errors import UsageError
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook, Step
from skills_nb.model.state import PlaybookRun, StatementRecord, ThreadState
from skills_nb.sql.conditions import evaluate
from skills_nb.sql.objects import changes_of
from skills_nb.sql.objects.object_refs import Place

_ANYWHERE = "?anywhere?"
"""A name that no object has: what holds it when it is written in full is not in full yet."""


def keys_to_keep(
    state: ThreadState, library: Library, records: Collection[StatementRecord]
) -> frozenset[str]:
    """Return the keys of the records, of the present run, whose statements are wanted as they are.

    Args:
        state: the thread, before the steps begin again.
        library: what it goes through.
        records: what stands of the steps.
    """
    run, playbook = state.run, playbook_of(state.run, library)
    if run is None or playbook is None:
        return frozenset()
    found: set[str] = set()
    for step in playbook.steps:
        mine = [r for r in records if r.step == step.id and r.run_seq == run.started_seq]
        kept = list(_kept(state, run, playbook, step, mine)) if mine else []
        if step.compensation == "auto" or len(kept) == len(mine):
            found.update(record.key for record in kept)
    return _without_what_rests_on_the_gone(run, records, found)


def _without_what_rests_on_the_gone(
    run: PlaybookRun, records: Collection[StatementRecord], kept: Collection[str]
) -> frozenset[str]:
    """Return the keys without those of statements about what is taken back, and made anew.

    A policy that is made again is set again: the old one cannot go while it is on the column.
    """
    place, gone, found = where_begun(run), set[tuple[str, ...]](), set[str]()
    for record in sorted(records, key=lambda one: one.seq):
        if record.key in kept and not (gone and mentions(record.sql, gone)):
            found.add(record.key)
            continue
        made = changes_of(record.sql, place.database, place.schema)
        gone |= {change.target.name for change in made if change.action == "create"}
    return frozenset(found)


def unknown_before(run: PlaybookRun, playbook: Playbook, step: Step) -> frozenset[str]:
    """Return the names that are known only when the steps before a step are done."""
    before = playbook.steps[: playbook.steps.index(step)]
    open_ = [one for one in before if run.step(one.id).status in ("pending", "running")]
    settled = defaults_ahead(run, playbook)
    asked = (
        spec.name.lower()
        for spec in playbook.inputs
        if spec.name not in run.inputs and spec.name not in settled
    )
    return bound_by(open_) | frozenset(asked)


def defaults_ahead(run: PlaybookRun, playbook: Playbook) -> dict[str, Any]:
    """Return the inputs that nobody will be asked for, because their default is taken."""
    open_ = (spec for spec in playbook.inputs if spec.name not in run.inputs)
    found: dict[str, Any] = {}
    for spec in open_:
        if spec.has_default and spec.default is not None and not spec.infer_from:
            try:
                found[spec.name] = template_value(spec, coerce(spec, spec.default))
            except UsageError:
                # A default that does not fit is asked for.
                continue
    return found


def plan_ahead(
    state: ThreadState, run: PlaybookRun, playbook: Playbook, step: Step
) -> StepPlan | None:
    """Return what a step that has not begun will send; None where that cannot be known yet.

    Raises:
        UsageError: a template, a condition, a role or the loop's path cannot be filled in.
    """
    read = {name.lower() for name in work_of(step)}
    if EVERYTHING in read or read & unknown_before(run, playbook, step):
        return None
    start = start_of(run, playbook, step.id)
    begins = _start_ahead(state, run, playbook, step, start) if start is not None else None
    names = {**known_names(state, playbook, step.id), **defaults_ahead(run, playbook)}
    if step.when is not None and evaluate(step.when, names) is not True:
        return StepPlan((), (), 0, frozenset(), begins)
    if start is not None and begins is None:
        return _planned_anywhere(step, names)
    return plan_step(step, names, begins)


def _planned_anywhere(step: Step, names: Mapping[str, Any]) -> StepPlan | None:
    """Return a step's plan where it is the same wherever the step begins; else None."""
    plan = plan_step(step, names, StepStart(Place(_ANYWHERE, _ANYWHERE), stands=False))
    if any(_ANYWHERE in one.sql for one in (*plan.statements, *plan.verifications)):
        return None
    is_moved = plan.behind is not None and plan.behind.place.schema != _ANYWHERE
    return plan if is_moved else replace(plan, behind=None)


def _start_ahead(
    state: ThreadState, run: PlaybookRun, playbook: Playbook, step: Step, start: StepStart
) -> StepStart | None:
    """Return where a step will begin; None where that cannot be known yet."""
    for earlier in reversed(playbook.steps[: playbook.steps.index(step)]):
        is_open = run.step(earlier.id).status in ("pending", "running")
        if not is_open and earlier.id in run.moves:
            break
        if is_open and any(may_move(block.text) for block in earlier.sql):
            plan = plan_ahead(state, run, playbook, earlier)
            behind = plan.behind if plan is not None else None
            return replace(start, place=behind.place) if behind is not None else None
    return start


def _kept(
    state: ThreadState,
    run: PlaybookRun,
    playbook: Playbook,
    step: Step,
    records: Collection[StatementRecord],
) -> Iterator[StatementRecord]:
    try:
        plan = plan_ahead(state, run, playbook, step)
    except UsageError:
        return
    wanted = list(plan.mutating) if plan is not None else []
    for record in records:
        one = next((p for p in wanted if is_answered_by(p, record.sql, record.role)), None)
        if one is not None:
            wanted.remove(one)
            yield record
