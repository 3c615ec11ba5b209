"""What comes next in guided mode: draft, look, propose, and propose again after every change.

Room: laws. The one invariant: nothing is sent that does not stand, letter by letter, in a plan that
a person approved. It is asked for again whenever an input or a step changes what would be sent.
Spec: Guided Mode Execution > Sequence, Plan rejection; Execution constraint 11.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from skills_nb.engine.changed_inputs.redo_plan import redo_of_plan
from skills_nb.engine.guided.guardrails import Objection, borrowed_name_objection, objection
from skills_nb.engine.guided.plan_documents import book_of, fill_in, primitives_of, run_name
from skills_nb.engine.pauses import PLAN_OPTIONS, rejection_options
from skills_nb.engine.session.places import where_begun
from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import DraftPlan, Effect, Record, StartPlaybook
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook, ProbeSpec
from skills_nb.model.state import PlanState, PlaybookRun, RouteState, ThreadState
from skills_nb.sql.objects import changes_of, probe_for
from skills_nb.sql.statements import split

_MOST_PROBES = 20


def enter_guided_mode(
    state: ThreadState, route: RouteState, words: str, given: Mapping[str, Any]
) -> tuple[Effect, ...]:
    """Return what makes a plan, or begins one that is made."""
    if state.plan is None:
        others = [other for other in route.alternatives if other.startswith("primitives/")]
        named = [route.target] if route.target else []
        return (DraftPlan(words, tuple(dict.fromkeys([*named, *others]))),)
    name = run_name(primitives_of(state.plan.steps))
    return (StartPlaybook(name, "dry_run" if state.dry_run else "live", given),)


def book_to_probe(run: PlaybookRun, plan: PlanState, library: Library) -> Playbook:
    """Return the plan as a playbook whose probes look at everything that the plan touches."""
    book = book_of(run, plan, library)
    try:
        steps = fill_in(plan, run.inputs)
    except UsageError:
        # An input is missing or does not fit: it is asked for before anything is probed.
        return book
    found = dict.fromkeys(_probes(steps, run))
    # A probe is a template, and what stands in a plan is not.
    plain = [query for query in found if "{" not in query][:_MOST_PROBES]
    probes = (ProbeSpec(f"target_{n}", query, False) for n, query in enumerate(plain, 1))
    return replace(book, probes=(_STANDING, *probes))


_STANDING = ProbeSpec("standing", "SELECT CURRENT_ACCOUNT(), CURRENT_ROLE()")
"""Asked before every plan: as whom it would run."""


def _probes(steps: Sequence[ev.PlannedStep], run: PlaybookRun) -> Iterator[str]:
    """Yield what tells how everything stands that is there before the plan begins."""
    place = where_begun(run)
    where = (place.database, place.schema)
    made: list[str] = []
    statements = (statement.text for step in steps for statement in split(step.sql))
    for change in (change for sql in statements for change in changes_of(sql, *where)):
        query = probe_for(change.target)
        if query is not None and not any(_is_about(query, name) for name in made):
            yield query
        if change.action == "create":
            made.append(change.target.fqn)


def _is_about(query: str, name: str) -> bool:
    return re.search(rf'(?<![\w."]){re.escape(name)}(?![\w"])', query) is not None


def propose_plan(state: ThreadState, run: PlaybookRun, library: Library) -> tuple[Effect, ...]:
    """Return what is still to be said about the plan; empty where it may be done as it stands."""
    plan = run.plan
    if plan is None:
        return ()
    if plan.is_accepted:
        modified = _modifications(plan)
        return (Record((ev.PlanApproved(modifications=modified, redoing=plan.redoing),)),)
    try:
        steps = fill_in(plan, run.inputs)
    except UsageError as problem:
        return (Record((_unfillable(problem),)),)
    wanted = _part(plan, run, steps, library.meta.guided_max_steps)
    if _is_approved(plan, wanted):
        return ()
    # Parts are short enough; what is wrong with a later one is told before the first is begun.
    is_length_settled = plan.is_risk_accepted or plan.is_broken_down
    found = objection(steps, library, is_risk_accepted=is_length_settled) or _borrowed(
        state, run, plan, steps, library
    )
    if found is None:
        redoing = redo_of_plan(state, run, plan, wanted)
        return (Record((_proposed(plan, wanted, redoing),)),)
    options = list(rejection_options(found.reason, len(wanted)))
    rejected = ev.PlanRejected(reason=found.reason, message=found.message, options=options)
    return (Record((rejected,)),)


def _is_approved(plan: PlanState, wanted: Sequence[ev.PlannedStep]) -> bool:
    """Return whether these steps were approved in this order, and no others with them."""
    known = [step for step in plan.approved if step in wanted]
    is_whole = plan.is_broken_down or len(plan.approved) == len(wanted)
    return is_whole and known == list(wanted)


def _borrowed(
    state: ThreadState,
    run: PlaybookRun,
    plan: PlanState,
    steps: Sequence[ev.PlannedStep],
    library: Library,
) -> Objection | None:
    """Return what stands against names that nobody but an example said."""
    if plan.is_persons:
        return None
    drafted = [step for step in steps if step.step not in plan.edits]
    return borrowed_name_objection(
        drafted, library, f"{state.goal} {plan.goal}", run.inputs.values()
    )


def _part(
    plan: PlanState, run: PlaybookRun, steps: Sequence[ev.PlannedStep], most: int
) -> Sequence[ev.PlannedStep]:
    """Return the first part of a broken-down plan that is not finished; else the whole plan."""
    if not plan.is_broken_down:
        return steps
    parts = [steps[start : start + most] for start in range(0, len(steps), most)]
    unfinished = (part for part in parts if not all(_is_done(step, run) for step in part))
    return next(unfinished, ())


def _is_done(step: ev.PlannedStep, run: PlaybookRun) -> bool:
    return run.step(step.step).status in ("approved", "skipped")


def _proposed(
    plan: PlanState, steps: Sequence[ev.PlannedStep], redoing: ev.Redoing | None
) -> ev.PlanProposed:
    return ev.PlanProposed(
        goal=plan.goal,
        steps=list(steps),
        primitives=list(primitives_of(steps)),
        options=list(PLAN_OPTIONS),
        redoing=redoing,
    )


def _modifications(plan: PlanState) -> dict[str, Any] | None:
    """Return what people changed since the plan was proposed first, step by step."""
    before = {step.step: step for step in plan.first}
    changed = {
        step.step: step.model_dump(mode="json", exclude={"step"})
        for step in plan.proposed
        if before.get(step.step) != step
    }
    known = {step.step for step in plan.steps}
    dropped = [step for step in before if step not in known]
    if not changed and not dropped:
        return None
    return {"steps": changed, "dropped": dropped}


def _unfillable(problem: UsageError) -> ev.ErrorEscalated:
    return ev.ErrorEscalated(
        error=f"the plan cannot be filled in: {problem.message}",
        context={"category": "syntax", "recovery_hint": problem.hint or "Change its inputs"},
    )
