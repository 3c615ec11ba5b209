"""What only a person lets through, and whether one has: statements that delete, drop or overwrite.

Room: laws. Rules of this file:
- What a statement does is judged by its SQL; what an author says of it never makes it lighter.
- What is approved is a list of statements as they were shown, letter by letter. A statement that is
  not on it stops its step before it is sent.
- What this thread made itself is its own to drop or overwrite, until others have worked on it.
Spec: Checkpoints > Checkpoint severity levels; Guided Mode Execution > Guardrails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from skills_nb.engine import ledger
from skills_nb.engine.approvals.statements_ahead import foresee_step
from skills_nb.engine.inputs.secrecy import is_told
from skills_nb.engine.ledger.after_images import is_touched_by_others
from skills_nb.engine.pauses import before_options
from skills_nb.engine.planning.statement_planning import PlannedStatement, StepPlan
from skills_nb.engine.planning.step_context import StepContext
from skills_nb.engine.session.places import where_now
from skills_nb.model import events as ev
from skills_nb.model.effects import Effect, Record
from skills_nb.model.state import PlaybookRun, StatementRecord, ThreadState
from skills_nb.sql.classify import Kind
from skills_nb.sql.harm import Harm, harms_of, harms_when_called
from skills_nb.sql.objects import ObjectRef, changes_of, probe_for

Severity = Literal["info", "review", "critical"]
_MOST_SAID = 5


def pause_before(
    here: StepContext, plan: StepPlan, planned: PlannedStatement
) -> tuple[Effect, ...]:
    """Return the pause before a statement that nobody has let through; empty where none is due.

    All of the step's statements that need it are put before the person at once.
    """
    if is_agreed(here.run, here.step.id, planned.sql):
        return ()
    texts = dict.fromkeys(one.sql for one in plan.statements if one.kind is not Kind.READ)
    if _grave(here, planned.sql):
        open_ones = [
            (sql, found)
            for sql in texts
            if not is_agreed(here.run, here.step.id, sql) and (found := _grave(here, sql))
        ]
        return (Record((_before(here, plan, open_ones, "critical"),)),)
    if _is_unseen(here, planned.sql) and _rights(here, planned.sql):
        unseen = [(sql, found) for sql in texts if (found := _rights(here, sql))]
        return (Record((_before(here, plan, unseen, "review"),)),)
    return ()


def _before(
    here: StepContext,
    plan: StepPlan,
    asked: Sequence[tuple[str, tuple[Harm, ...]]],
    severity: Severity,
) -> ev.CheckpointReached:
    harms = [harm for _, found in asked for harm in found]
    known = here.run.agreed.get(here.step.id)
    phrase = phrase_for(here.step.id, harms) if severity == "critical" else None
    return ev.CheckpointReached(
        after_step=(known.after or "") if known is not None else "",
        before_step=here.step.id,
        severity=severity,
        present=f"Step {here.step.id} is about to {describe_harm(harms)}.",
        options=list(before_options(phrase)),
        foreseen=[foresee_step(here.step, plan)],
        added=[sql for sql, _ in asked],
    )


def _is_unseen(here: StepContext, sql: str) -> bool:
    """Return whether no person has seen a statement, and none is to before it has had its way."""
    spec, known = here.step.checkpoint, here.run.agreed.get(here.step.id)
    if here.run.approve_remaining or (spec is not None and spec.severity != "info"):
        return False
    told = known.foreseen.statements if known is not None and known.is_persons else ()
    return not any(is_told(one.sql, sql) for one in told)


def _rights(here: StepContext, sql: str) -> tuple[Harm, ...]:
    """Return whose rights a statement changes."""
    return tuple(harm for harm in _harms(here.state, sql) if harm.is_right)


def is_agreed(run: PlaybookRun, step: str, sql: str) -> bool:
    """Return whether a person let a statement through as it stands now, and knew what it does."""
    known = run.agreed.get(step)
    if known is None or not known.is_persons or known.foreseen.is_open:
        return False
    is_known = known.is_confirmed or known.is_rehearsed
    return is_known and any(is_told(one.sql, sql) for one in known.foreseen.statements)


def grave_by_hand(state: ThreadState, sql: str) -> tuple[Harm, ...]:
    """Return what SQL that a person wrote destroys; what it replaces counts as there."""
    return tuple(harm for harm in _harms(state, sql) if is_grave(harm))


def _grave(here: StepContext, sql: str) -> tuple[Harm, ...]:
    """Return what a statement destroys, now that its targets were probed."""
    found = (harm for harm in _harms(here.state, sql) if harm.weight == "critical")
    return tuple(harm for harm in found if not harm.if_there or _is_there(here, harm))


def _is_there(here: StepContext, harm: Harm) -> bool:
    """Return whether a target is there already; what cannot be told counts as there."""
    if harm.target is None:
        return True
    fact = ledger.fact_before(here.state, probe_for(harm.target), here.state.seq + 1)
    return ledger.exists(fact) is not False


def _harms(state: ThreadState, sql: str) -> Iterator[Harm]:
    """Yield what a statement does to what the thread did not make."""
    yield from _not_own(state, harms_of(sql, *_where(state)), frozenset())


def _not_own(state: ThreadState, harms: Iterable[Harm], seen: frozenset[str]) -> Iterator[Harm]:
    """Leave out what is done to the thread's own; what it calls of its own is read instead."""
    for harm in harms:
        made = _maker(state, harm) if harm.called and harm.called not in seen else None
        code = harms_when_called(made.sql, *ledger.where_of(state, made)) if made else None
        if code is not None:
            through = f"call {harm.called}, which is to "
            inner = _not_own(state, code, seen | {harm.called})
            yield from (replace(each, words=through + each.words) for each in inner)
        elif harm.called not in seen | {""} or not _is_own(state, harm):
            yield harm


def _is_own(state: ThreadState, harm: Harm) -> bool:
    target = harm.target
    if target is None or harm.is_right or target.type in ("database", "schema"):
        # What is in a container may be others', whoever made it.
        return False
    if target.type == "column":
        return _made(state, target.fqn.partition(" (")[0].rpartition(".")[0])
    made = replace(target, facet="")
    return ledger.made_by_thread(state, made) and not is_touched_by_others(state, made)


def _made(state: ThreadState, name: str) -> bool:
    """Return whether the thread made the table or view that a column is of."""
    made = (one.fqn for run in _runs(state) for step in run.steps.values() for one in step.created)
    return name in made


def _maker(state: ThreadState, harm: Harm) -> StatementRecord | None:
    """Return the thread's own statement that made what is called, the last; None for others'."""
    for record in reversed(state.statements):
        if record.status != "completed" or record.kind == "read":
            continue
        for change in ledger.changes_by(state, record):
            target = change.target
            if replace(target, arguments=None).fqn == harm.called:
                is_made = change.action == "create" and not change.if_not_exists
                return record if is_made and _fits(target, harm) else None
    return None


def _fits(target: ObjectRef, harm: Harm) -> bool:
    """Tell a procedure from one of the same name that takes something else."""
    count = len(target.arguments) if target.arguments is not None else None
    return count is None or count == harm.arguments


def _runs(state: ThreadState) -> tuple[PlaybookRun, ...]:
    return (*state.past_runs, *((state.run,) if state.run is not None else ()))


def _where(state: ThreadState) -> tuple[str | None, str | None]:
    place = where_now(state.run)
    return place.database, place.schema


# ---- checkpoints


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a checkpoint is about, by what was done before it and what its approval lets through."""

    severity: Severity
    """That of the checkpoint, or a graver one where more is at stake."""
    sentence: str = ""
    """What comes with the approval; empty where nothing grave does."""
    phrase: str = ""
    """What has to be typed to approve; empty where nothing has."""
    needs_person: bool | None = None
    """True where no approval of the rest answers; None otherwise."""


def stakes_of(here: StepContext, severity: Severity, comes: Sequence[ev.Foreseen]) -> Stakes:
    """Return what is at stake at the checkpoint of a step.

    Args:
        here: the step.
        severity: as its author says.
        comes: what an approval lets through.
    """
    found, done = _coming(here, comes), harm_done_by(here)
    grave = {step: [h for h in harms if is_grave(h)] for step, harms in found.items()}
    first, all_grave = next(iter(grave), ""), [h for harms in grave.values() for h in harms]
    if all_grave:
        sentence = " ".join(
            f"Then step {n} is to {describe_harm(h)}." for n, h in grave.items() if h
        )
        return Stakes("critical", sentence, phrase_for(first, all_grave), needs_person=True)
    watched = "review" if (found or done) and severity == "info" else severity
    return Stakes(watched, needs_person=any(map(is_grave, done)) or None)


def _coming(here: StepContext, comes: Sequence[ev.Foreseen]) -> dict[str, list[Harm]]:
    """Return what steps ahead do to what neither the thread nor they themselves make."""
    found: dict[str, list[Harm]] = {}
    made: set[str] = set()
    for step in comes:
        for sql in (one.sql for one in step.statements if not one.reads):
            harms = [h for h in _harms(here.state, sql) if not h.if_there]
            harms = [h for h in harms if not _is_among(h, made)]
            if harms and not is_agreed(here.run, step.step, sql):
                found.setdefault(step.step, []).extend(harms)
            made.update(_creates(here.state, sql))
    return found


def _is_among(harm: Harm, made: set[str]) -> bool:
    return harm.called in made or (harm.target is not None and harm.target.fqn in made)


def _creates(state: ThreadState, sql: str) -> Iterator[str]:
    for change in changes_of(sql, *_where(state)):
        if change.action == "create":
            yield change.target.fqn.partition("(")[0]


def harm_done_by(here: StepContext) -> tuple[Harm, ...]:
    """Return what the step has done that a default may not approve: it took, gave or overwrote."""
    mine = (
        record
        for record in here.state.statements
        if record.step == here.step.id
        and record.run_seq == here.run.started_seq
        and record.status == "completed"
        and record.kind in ("once", "repeatable")
    )
    found = (harm for record in mine for harm in _harms(here.state, record.sql))
    return tuple(dict.fromkeys(harm for harm in found if not harm.if_there))


def is_grave(harm: Harm) -> bool:
    """Return whether something would be lost, or everybody's; rights of one role are not."""
    return harm.weight == "critical"


def phrase_for(step: str, harms: Iterable[Harm]) -> str:
    """Return what is typed to let harm through; plain words, so that it can be copied."""
    words = list(dict.fromkeys(harm.words for harm in harms))
    is_plain = bool(words) and not set(words[0]) & set("\"'$`\\!") and len(words[0]) <= 80
    if not is_plain:
        return f"do step {step}"
    return words[0] if len(words) == 1 else f"{words[0]} and {len(words) - 1} more"


def describe_harm(harms: Iterable[Harm]) -> str:
    """Say what is about to happen, behind `about to`."""
    words = list(dict.fromkeys(harm.words for harm in harms))
    shown, more = words[:_MOST_SAID], len(words) - _MOST_SAID
    if more > 0:
        return f"{'; '.join(shown)}; and {more} more like it"
    return "; ".join(shown)
