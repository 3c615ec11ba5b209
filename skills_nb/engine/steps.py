"""The steps of a playbook, one statement at a time.

Room: laws. What a step should have sent is compared with what it did send: what is wanted and does
not stand is sent. So the first run, a retry, a resume and a modification are the same code; what
stands and is no longer wanted is a person's to decide about, before the step begins again.
Spec: Playbooks > Step structure; Checkpoints can cycle; Error Handling.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from typing import Any

from skills_nb.engine import ledger
from skills_nb.engine.approvals.approved_statements import pause_for_difference
from skills_nb.engine.approvals.harmful_statements import pause_before, stakes_of
from skills_nb.engine.approvals.statements_ahead import foresee_steps
from skills_nb.engine.inputs.typed_inputs import unmet
from skills_nb.engine.pauses import checkpoint_options
from skills_nb.engine.planning.missing_inputs import gather_input
from skills_nb.engine.planning.statement_planning import PlannedStatement, StepPlan, plan_step
from skills_nb.engine.planning.step_context import (
    StepContext,
    escalation,
    known_names,
    next_key,
    plan_of,
)
from skills_nb.engine.planning.step_results import bind, shows_effect
from skills_nb.engine.planning.template_names import names_of, playbook_of
from skills_nb.engine.second_looks import look_again
from skills_nb.engine.session.places import start_of
from skills_nb.engine.session.session_statements import changes_session
from skills_nb.engine.statements.failures import handle_failure
from skills_nb.engine.statements.row_changes import inner_probe, modified_objects
from skills_nb.engine.statements.sending import StepReads, is_answered_by, send
from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import BeginStep, Effect, Probe, Record, RunStatement
from skills_nb.model.events import CreatedObject
from skills_nb.model.library import Library
from skills_nb.model.skills import OptionSpec, Playbook, Step
from skills_nb.model.state import Fact, PlaybookRun, StatementRecord, StepState, ThreadState
from skills_nb.sql.classify import Kind
from skills_nb.sql.conditions import evaluate, names_in
from skills_nb.sql.objects import ObjectRef
from skills_nb.sql.objects.losses import Losses, standing_of
from skills_nb.sql.plurals import plural_of
from skills_nb.sql.templates import message, render

_VERDICT = re.compile(r"([A-Z]+(?:,? [A-Z]+)+)(?=[,:.])")
"""What a `verdict` says in capitals, in two words at least: a plain `RUNNING` is simply done."""

_CONTAINERS = frozenset({"database", "schema", "table", "view"})
"""Types of objects whose name begins the names of others."""

NOT_PLANNED = "cannot be planned"
"""What is said of a step whose templates or condition do not go with what is known."""


def next_step_effects(
    state: ThreadState, playbook: Playbook, run: PlaybookRun, library: Library
) -> tuple[Effect, ...]:
    """Return the effects of the first step that is not finished; empty when all are."""
    for step in playbook.steps:
        if not is_finished(step, run.step(step.id)):
            names = known_names(state, playbook, step.id)
            return _at_step(StepContext(state, library, playbook, run, step, names))
    return ()


def is_finished(step: Step, at: StepState) -> bool:
    """Return whether the step needs nothing more."""
    if at.status == "done":
        return step.checkpoint is None
    return at.status in ("approved", "skipped")


def verification(state: ThreadState, library: Library) -> str | None:
    """Return the probe that tells whether the open statement ran, rendered, if there is one.

    A step's `verify` speaks of the step as a whole, so it tells this only of a step that sends a
    single statement.
    """
    record = state.open_statement
    if record is None or record.kind != "once" or state.run is None:
        return None
    playbook = playbook_of(state.run, library)
    step = playbook.step(record.step) if playbook is not None else None
    if playbook is None or step is None or step.verify is None:
        return None
    names = known_names(state, playbook, step.id)
    plan = plan_step(step, names, start_of(state.run, playbook, step.id))
    is_single = len(plan.mutating) == len(plan.verifications) == 1
    return plan.verifications[0].sql if is_single else None


def made_by(state: ThreadState, run: PlaybookRun) -> list[CreatedObject]:
    """Return what the steps of a playbook made and nothing has dropped since."""
    losses = Losses(state)
    return [
        made
        for step in run.steps.values()
        for made in standing_of(losses, step.created, step.started_seq)
    ]


def summary_line(state: ThreadState, playbook: Playbook, run: PlaybookRun) -> str:
    """Return in one line what the playbook did; what it made and dropped again does not count.

    It begins with the capitals of a `verdict` that a step found: `PREPARED, NOT RUNNING: …`.
    """
    made = Counter(one.type for one in made_by(state, run))
    skipped = sum(step.status == "skipped" for step in run.steps.values())
    done = len(playbook.steps) - skipped
    verdict = _VERDICT.match(str(names_of(run, playbook).get("verdict") or ""))
    text = f"{verdict[1]}: " if verdict is not None else ""
    text += f"{done} of {len(playbook.steps)} steps done"
    if made:
        text += "; created " + ", ".join(_counted(kind, made[kind]) for kind in sorted(made))
    return text


def _counted(kind: str, count: int) -> str:
    noun = kind.rpartition(".")[2].replace("_", " ")  # of a class, its own name is enough
    return f"{count} {noun if count == 1 else plural_of(noun)}"


def _at_step(here: StepContext) -> tuple[Effect, ...]:
    try:
        if not _is_left_out(here) and (asked := gather_input(*_phase(here))):
            return asked
        return _work(here)
    except UsageError as problem:
        return _unusable(here, problem)


def _work(here: StepContext) -> tuple[Effect, ...]:
    at = here.at
    if at.status == "pending" and not _applies(here.step, here.names):
        reason = f"its condition is not met: {here.step.when}"
        return (Record((ev.StepSkipped(step=here.step.id, reason=reason),)),)
    if at.status in ("pending", "running") and (asked := pause_for_difference(here)):
        return asked
    if at.status == "pending":
        primitive = here.step.references[0] if here.step.references else None
        return (BeginStep(here.step.id, primitive, here.run.context),)
    if at.status == "done":
        return (Record((_checkpoint(here),)),)
    plan = plan_of(here)
    return handle_failure(here, plan) or _sending(here, plan)


def _phase(here: StepContext) -> tuple[ThreadState, Playbook, str]:
    return here.state, here.playbook, f"step_{here.step.id}"


def _is_left_out(here: StepContext) -> bool:
    """Tell whether the step is skipped whatever is answered, so that nothing needs to be asked."""
    step = here.step
    if here.at.status != "pending" or step.when is None:
        return False
    missing = {spec.name.lower() for spec in unmet(here.playbook, here.run.inputs, _phase(here)[2])}
    is_open = any(name.partition(".")[0] in missing for name in names_in(step.when))
    return not is_open and not _applies(step, here.names)


def _applies(step: Step, names: dict[str, Any]) -> bool:
    return step.when is None or evaluate(step.when, names) is True


def _unusable(here: StepContext, problem: UsageError) -> tuple[Effect, ...]:
    text = f"step {here.step.id} {NOT_PLANNED}: {problem.message}"
    hint = problem.hint or "Change its inputs"
    escalated = escalation(here, text, {"category": "syntax", "recovery_hint": hint})
    if here.at.status != "running":
        return (Record((escalated,)),)
    failed = ev.StepFailed(
        step=here.step.id, error=text, error_category="syntax", recovery_hint=hint
    )
    return (Record((failed, escalated)),)


def _is_mine(here: StepContext, record: StatementRecord) -> bool:
    # A playbook that was given up before may have had a step of the same id.
    return record.step == here.step.id and record.run_seq == here.run.started_seq


def undo(state: ThreadState, entry: ledger.Entry) -> RunStatement:
    """Return the next statement that takes an entry back."""
    record = entry.record
    return RunStatement(
        step=record.step,
        ordinal=record.ordinal,
        attempt=1,
        sql=entry.compensation[0],
        kind="compensation",
        role=record.role,
        key=next_key(state),
        undoes=record.key,
    )


# ---- sending what is wanted


def _sending(here: StepContext, plan: StepPlan) -> tuple[Effect, ...]:
    """Send the first wanted statement that has not succeeded in this cycle."""
    floor = here.at.started_seq
    reads = StepReads.of(here)
    standing = _standing(here)
    found: list[list[Fact]] = [[] for _ in range(plan.iterations)]
    done: list[StatementRecord] = []
    for planned in plan.statements:
        if planned.kind is Kind.READ:
            fact = reads.after(planned, floor)
            if fact is None:
                return (Probe(planned.sql, planned.role),)
            found[planned.iteration].append(fact)
            continue
        # Twice wanted is twice sent: a standing record answers for one planned statement only.
        records = standing.get((planned.sql, planned.role)) or _otherwise(standing, planned)
        if not records:
            return _sending_one(here, plan, planned)
        done.append(records.popleft())
        inside = inner_probe(here.state, done[-1])
        if inside is not None:
            return (Probe(inside, planned.role),)
        floor = max(floor, done[-1].end_seq)
    return _verifying(here, plan, reads, floor) or _completed(here, found, done)


def _sending_one(
    here: StepContext, plan: StepPlan, planned: PlannedStatement
) -> tuple[Effect, ...]:
    """Look at a statement's targets, ask a person where only a person may decide, then send it."""
    effects = send(here, planned)
    is_known = any(isinstance(effect, RunStatement) for effect in effects)
    if not is_known:
        return effects
    return look_again(here, planned) or pause_before(here, plan, planned) or effects


def _standing(here: StepContext) -> dict[tuple[str, str | None], deque[StatementRecord]]:
    """Return the step's statements whose effect stands, oldest first, by SQL and role."""
    standing: dict[tuple[str, str | None], deque[StatementRecord]] = defaultdict(deque)
    for record in ledger.standing_entries(here.state, here.library):
        is_past = record.seq < here.at.started_seq and (
            changes_session(record.sql) or _went_with_its_object(here, record)
        )
        if _is_mine(here, record) and not is_past:
            standing[(record.sql, record.role)].append(record)
    return standing


def _went_with_its_object(here: StepContext, record: StatementRecord) -> bool:
    """Return whether what a statement did is gone because its object was taken back since."""
    targets = [change.target for change in ledger.changes_by(here.state, record)]
    gone = (
        change.target
        for later in here.state.statements
        if later.kind == "compensation" and later.status == "completed" and later.seq > record.seq
        for change in ledger.changes_by(here.state, later)
        if change.action == "drop" and not change.target.facet
    )
    return any(_is_in(target, lost) for lost in gone for target in targets)


def _is_in(target: ObjectRef, lost: ObjectRef) -> bool:
    if len(target.name) == len(lost.name):
        return (target.type, target.name) == (lost.type, lost.name)
    return lost.type in _CONTAINERS and target.name[: len(lost.name)] == lost.name


def _otherwise(
    standing: dict[tuple[str, str | None], deque[StatementRecord]], planned: PlannedStatement
) -> deque[StatementRecord] | None:
    """Return the records of a statement that was recorded, or sent, in other words."""
    return next(
        (
            records
            for (sql, role), records in standing.items()
            if records and is_answered_by(planned, sql, role)
        ),
        None,
    )


# ---- completing


def _verifying(
    here: StepContext, plan: StepPlan, reads: StepReads, floor: int
) -> tuple[Effect, ...]:
    """Look whether the effect is really there, once everything was sent, and after a `retry`."""
    floor = max(floor, here.at.retry_from_seq)
    for planned in plan.verifications:
        fact = reads.after(planned, floor)
        if fact is None:
            return (Probe(planned.sql, planned.role),)
        if not shows_effect(fact.result.get("rows") or []):
            text = f"step {here.step.id} was sent, but its effect is not there: {planned.sql}"
            failed = ev.StepFailed(
                step=here.step.id,
                error=text,
                error_category="unknown",
                recovery_hint="Look at the account, then retry or skip",
            )
            context = {"category": "unknown", "sql": planned.sql, "skippable": True}
            return (Record((failed, escalation(here, text, context))),)
    return ()


def _completed(
    here: StepContext, reads: list[list[Fact]], done: list[StatementRecord]
) -> tuple[Effect, ...]:
    created = ledger.created_by(here.state, tuple(done))
    return (Record((completed_event(here, reads, created, modified_objects(here.state, done)),)),)


def completed_event(
    here: StepContext,
    reads: list[list[Fact]],
    created: list[ev.CreatedObject],
    modified: list[ev.ModifiedObject],
) -> ev.StepCompleted:
    """Return the event of a step that read, in each round of its loop, and changed the account.

    Raises:
        UsageError: a bound path fits nothing that the step read.
    """
    declared = _declared(here, created)
    looped = here.step.for_each is not None
    result = bind(here.step, reads, declared, looped=looped)
    return ev.StepCompleted(
        step=here.step.id, result=result, created_objects=declared, modified_objects=modified
    )


def _declared(here: StepContext, derived: list[ev.CreatedObject]) -> list[ev.CreatedObject]:
    """Return the objects that the author says are created, where the SQL does not show them."""
    if not here.step.creates:
        return derived
    known = {made.fqn for made in derived}
    extra = [
        ev.CreatedObject(type=spec.type, name=name.rpartition(".")[2], fqn=name)
        for spec in here.step.creates
        if (name := render(spec.name, here.names)) not in known
    ]
    return [*derived, *extra]


def _checkpoint(here: StepContext) -> ev.CheckpointReached:
    spec = here.step.checkpoint
    assert spec is not None, "a step without a checkpoint is finished when it is done"
    comes = list(foresee_steps(here.state, here.run, here.playbook, after=here.step.id))
    stakes = stakes_of(here, spec.severity, comes)
    written = message(spec.phrase, here.names) if spec.phrase else ""
    phrase = written or stakes.phrase or f"step {here.step.id}"
    extra = [_option(option) for option in spec.options if _is_offered(option, here.names)]
    return ev.CheckpointReached(
        after_step=here.step.id,
        severity=stakes.severity,
        present=f"{message(spec.present, here.names).strip()}\n\n{stakes.sentence}".strip(),
        options=list(
            checkpoint_options(stakes.severity, phrase, extra, is_guided=here.run.plan is not None)
        ),
        foreseen=comes,
        needs_person=stakes.needs_person,
    )


def _option(option: OptionSpec) -> ev.Option:
    return ev.Option(id=option.id, description=option.description, sets=dict(option.sets))


def _is_offered(option: OptionSpec, names: dict[str, Any]) -> bool:
    return option.when is None or evaluate(option.when, names) is True
