"""The second interpreter of the same effects: it explains them on a shadow account.

Room: work. The playbook is decided step by step exactly as in a live run, on a state that is kept
in memory; only `step_planned` and `dry_run_summary` are yielded, and what was really read as
`environment_probed`. Until something is planned to change, reads go to the real account, because
reading is all they do; after that they go to the shadow, which knows the planned changes.
A later phase of a chain is rehearsed behind the ones before it, which are done again on its shadow;
what they would make is what it works on, and each phase but the last ends in a `phase_completed`
whose outputs say that they are predicted.
Spec: Dry-Run Mode; ARCHITECTURE, Dry run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from skills_nb.engine import ledger
from skills_nb.engine.compaction import outputs_of
from skills_nb.engine.decide import decide
from skills_nb.engine.evolve import evolve
from skills_nb.engine.here import known_names
from skills_nb.engine.names import playbook_of
from skills_nb.engine.pauses import DRY_RUN_OPTIONS
from skills_nb.engine.planning import plan_step
from skills_nb.errors import SqlError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import (
    Await,
    BeginStep,
    DraftPlan,
    Effect,
    Probe,
    Reconcile,
    Record,
    Rehearse,
    ResolveIntent,
    RunStatement,
    StartPlaybook,
)
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook, Step
from skills_nb.model.state import Pause, ThreadState
from skills_nb.ports import CatalogDifference, Ports, RehearsalAccount, SqlReader
from skills_nb.runtime.reads import read
from skills_nb.sql.identifiers import split_name

_UNSUPPORTED = "0A000"
_NO_SUCH_FILE = 100181
"""Snowflake's number for a staged file that is not there: a shadow has no rows and no files."""


@dataclass(slots=True)
class _Rehearsal:
    """The rehearsed thread: a state in memory, and what is remarkable about its present step."""

    state: ThreadState
    shadow: RehearsalAccount
    has_changes: bool = False
    """Whether a planned change ran on the shadow: from then on it is read, not the account."""
    remarks: list[str] = field(default_factory=list)
    statements: int = 0
    unmade: set[str] = field(default_factory=set)
    """Qualified names of what a shadow cannot make, and what would be there for real."""
    is_stuck: bool = False
    """Whether what is probed for cannot be there before it is made for real."""

    def take(self, event: ev.Event) -> None:
        self.state = evolve(self.state, event)


def preview(state: ThreadState, library: Library, ports: Ports) -> Iterator[ev.Event]:
    """Yield what every step would do, then the whole impact; the account is not changed.

    Raises:
        UsageError: no rehearsal is possible with this session.
    """
    if ports.rehearsal is None or state.run is None:
        raise UsageError("this session cannot rehearse", hint="run without --dry-run")
    stages = [*_before(state), state]
    shadow = ports.rehearsal.shadow(ports.session, _databases(stages))
    rehearsed = _Rehearsal(state, shadow)
    try:
        for stage in stages[:-1]:
            for _ in _rehearse(stage, rehearsed, library, ports):
                # Told when the phase was planned; here only its shadow is wanted.
                pass
        yield from _rehearse(state, rehearsed, library, ports)
        chain = state.chain
        if chain is None or chain.number == len(chain.phases):
            yield _summary(rehearsed)
        else:
            yield _predicted(chain.phases[chain.number - 1].domain, rehearsed, library)
    finally:
        rehearsed.shadow.close()


def _before(state: ThreadState) -> list[ThreadState]:
    """Return the thread as it stood in each phase that this dry run went through already."""
    done = state.chain.completed if state.chain is not None else ()
    return [replace(state, run=one.run, route=one.route) for one in done if one.is_predicted]


def _rehearse(
    stage: ThreadState, rehearsed: _Rehearsal, library: Library, ports: Ports
) -> Iterator[ev.Event]:
    """Go through one playbook on the shadow, outside of its chain, as it would be done."""
    run = stage.run
    assert run is not None, "what is rehearsed is a playbook"
    playbook = playbook_of(run, library) or library.playbook(run.playbook)
    fresh = replace(run, mode="live", steps={}, planned=(), summary=None)
    rehearsed.state = replace(stage, run=fresh, chain=None, pause=None)
    rehearsed.is_stuck = False
    while not _is_through(rehearsed):
        for effect in decide(rehearsed.state, library):
            yield from _explain(effect, rehearsed, playbook, ports)


def _is_through(rehearsed: _Rehearsal) -> bool:
    state = rehearsed.state
    is_left = state.abort is not None or state.reroute is not None
    return rehearsed.is_stuck or state.is_over or is_left


def _predicted(domain: str, rehearsed: _Rehearsal, library: Library) -> ev.PhaseCompleted:
    run = rehearsed.state.run
    outputs = outputs_of(rehearsed.state, playbook_of(run, library))
    return ev.PhaseCompleted(domain=domain, outputs={**outputs, "predicted": True})


def _databases(stages: Iterable[ThreadState]) -> tuple[str, ...]:
    """Return the databases that inputs and sessions name."""
    found: dict[str, None] = {}
    for run in (stage.run for stage in stages if stage.run is not None):
        for value in run.inputs.values():
            if isinstance(value, str):
                try:
                    found.setdefault(split_name(value)[0])
                except UsageError:
                    # Not a name, so it names no database.
                    continue
        if run.context is not None and run.context.current_database:
            found.setdefault(run.context.current_database)
    return tuple(found)


def _explain(
    effect: Effect, rehearsed: _Rehearsal, playbook: Playbook, ports: Ports
) -> Iterator[ev.Event]:
    match effect:
        case Record():
            yield from _record(effect, rehearsed, playbook)
        case Probe():
            yield from _look(effect, rehearsed, ports)
        case BeginStep():
            rehearsed.take(ev.StepStarted(step=effect.step, primitive=effect.primitive))
        case RunStatement():
            _try_out(effect, rehearsed)
        case Await():
            yield from _assume(effect.pause, rehearsed, playbook)
        case ResolveIntent() | DraftPlan() | StartPlaybook() | Reconcile() | Rehearse():
            raise UsageError(f"a dry run cannot rehearse {type(effect).__name__}")
        case _:
            assert_never(effect)


def _record(effect: Record, rehearsed: _Rehearsal, playbook: Playbook) -> Iterator[ev.Event]:
    for event in effect.events:
        if isinstance(event, ev.StepCompleted):
            yield _planned(event.step, event.created_objects, rehearsed, playbook)
        elif isinstance(event, ev.StepSkipped):
            rehearsed.remarks.append(f"skipped: {event.reason}")
            yield _planned(event.step, [], rehearsed, playbook)
        rehearsed.take(event)


def _look(effect: Probe, rehearsed: _Rehearsal, ports: Ports) -> Iterator[ev.Event]:
    account: SqlReader = rehearsed.shadow if rehearsed.has_changes else ports.session
    event = read(account, effect.query, effect.role)
    rehearsed.take(event)
    if not rehearsed.has_changes:
        yield event


def _try_out(effect: RunStatement, rehearsed: _Rehearsal) -> None:
    """Run a planned statement on the shadow; remark an error that it meets, and plan on."""
    key = effect.key
    rehearsed.take(
        ev.StatementStarted(
            step=effect.step,
            ordinal=effect.ordinal,
            attempt=effect.attempt,
            sql=effect.sql,
            kind=effect.kind,
            role=effect.role,
            effect_key=key,
        )
    )
    try:
        rehearsed.shadow.execute(effect.sql, role=effect.role, tag=key)
    except SqlError as problem:
        if _is_gap(problem):
            made = ledger.changes_by(rehearsed.state, rehearsed.state.statements[-1])
            rehearsed.unmade |= {one.target.fqn for one in made if one.action == "create"}
        reason = " ".join(problem.message.split())
        rehearsed.remarks.append(f"{_verdict(rehearsed, reason, problem)}: {reason}")
    # What is there already stays as it is: the account itself still tells all about it.
    rehearsed.has_changes = rehearsed.has_changes or not _changes_nothing(rehearsed)
    rehearsed.statements += 1
    rehearsed.take(ev.StatementCompleted(effect_key=key))


def _assume(pause: Pause, rehearsed: _Rehearsal, playbook: Playbook) -> Iterator[ev.Event]:
    """Go past a pause as the plan assumes, and say so."""
    if pause.kind == "input_question":
        name = pause.at.removeprefix("input:")
        value = pause.options[0].id
        rehearsed.remarks.append(f"assumes {name} = {value}")
        rehearsed.take(ev.InputGathered(name=name, value=value))
    elif pause.kind == "error_escalated" and pause.step is None:
        yield from _stuck(pause, rehearsed, playbook)
    elif pause.kind == "error_escalated" and pause.step is not None:
        reason = pause.present.splitlines()[0]
        rehearsed.remarks.append(f"{_verdict(rehearsed, reason)}: {reason}")
        rehearsed.state = replace(rehearsed.state, pause=None)
        yield _planned(pause.step, [], rehearsed, playbook)
        rehearsed.take(ev.StepSkipped(step=pause.step, reason="it would fail"))
    else:
        rehearsed.take(ev.HumanResponse(choice="approve", at=pause.at, confirmed=True))


def _is_gap(problem: SqlError) -> bool:
    """Return whether an error tells of the shadow, not of the account."""
    return problem.sqlstate == _UNSUPPORTED or problem.errno == _NO_SUCH_FILE


def _verdict(rehearsed: _Rehearsal, reason: str, problem: SqlError | None = None) -> str:
    """Say whether the real run would fail, or only its rehearsal does."""
    if problem is not None and _is_gap(problem):
        return "not rehearsed"
    return "not rehearsed" if any(one in reason for one in rehearsed.unmade) else "WOULD FAIL"


def _changes_nothing(rehearsed: _Rehearsal) -> bool:
    """Return whether a statement only makes, where missing, what the account has."""
    state = rehearsed.state
    record = state.statements[-1]
    before = ledger.prior(state, record)
    found = ledger.changes_by(state, record)
    return bool(found) and all(
        change.action == "create" and not change.replaces and before[change.target.fqn]["exists"]
        for change in found
    )


def _stuck(pause: Pause, rehearsed: _Rehearsal, playbook: Playbook) -> Iterator[ev.Event]:
    """Name the steps of a phase that looks for what only exists when it is made for real."""
    reason = pause.present.splitlines()[0]
    for step in playbook.steps:
        rehearsed.remarks.append(f"cannot be rehearsed before the phases ahead of it ran: {reason}")
        yield _planned(step.id, [], rehearsed, playbook)
    rehearsed.is_stuck = True


def _planned(
    step_id: str,
    created: Sequence[ev.CreatedObject],
    rehearsed: _Rehearsal,
    playbook: Playbook,
) -> ev.StepPlanned:
    step = playbook.step(step_id)
    assert step is not None, "only steps of the playbook are decided on"
    is_skipped = any(remark.startswith("skipped") for remark in rehearsed.remarks)
    statements = () if is_skipped else _statements(rehearsed, playbook, step)
    remarks, rehearsed.remarks = rehearsed.remarks, []
    if step.checkpoint is not None and not is_skipped:
        remarks.append(f"then pauses for {_article(step.checkpoint.severity)} checkpoint")
    return ev.StepPlanned(
        step=step_id,
        action="; ".join([step.title, *remarks]),
        would_execute=list(statements),
        would_create=list(created),
        estimated_duration=_duration(len(statements)),
    )


def _article(severity: str) -> str:
    return f"an {severity}" if severity == "info" else f"a {severity}"


def _statements(rehearsed: _Rehearsal, playbook: Playbook, step: Step) -> tuple[str, ...]:
    try:
        plan = plan_step(step, known_names(rehearsed.state, playbook))
    except UsageError:
        # The failure itself is remarked already; there is no SQL to show.
        return ()
    return tuple(planned.sql for planned in plan.statements)


def _summary(rehearsed: _Rehearsal) -> ev.DryRunSummary:
    difference = rehearsed.shadow.difference()
    return ev.DryRunSummary(
        would_create=_counted(difference.created),
        would_modify=_counted(difference.modified),
        would_drop=_counted(difference.dropped),
        estimated_duration=_duration(rehearsed.statements),
        estimated_compute=_compute(difference),
        options=list(DRY_RUN_OPTIONS),
    )


def _counted(objects: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return a count per plural type, and the objects themselves."""
    counts = Counter(_plural(str(found["type"])) for found in objects)
    listed = [dict(found) for found in objects]
    return {**dict(sorted(counts.items())), "objects": listed} if listed else {}


def _plural(kind: str) -> str:
    return f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"


_SECONDS_LOW, _SECONDS_HIGH = 0.1, 1.0
"""Declared range for one catalog statement; used where the account's history tells nothing."""


def _duration(statements: int) -> str:
    if not statements:
        return "0 s: nothing is sent"
    low, high = statements * _SECONDS_LOW, statements * _SECONDS_HIGH
    noun = "statement" if statements == 1 else "statements"
    return f"{low:.0f} to {high:.0f} s: {statements} {noun} at 0.1 to 1 s each (declared)"


def _compute(difference: CatalogDifference) -> str:
    touches_data = any(found.get("rows") for found in difference.modified)
    if touches_data:
        return "depends on the rows written"
    return "none beyond reading: catalog statements need no warehouse"
