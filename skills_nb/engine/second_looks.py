"""The account is looked at again before the first change behind a wait: others may have worked.

Room: laws. Rules of this file:
- What the probes and the steps before asked of the catalog is asked again, as long as the playbook
  has changed nothing since it asked. What reads rows, or history, is asked again only where the
  question itself has become another one, or the step says `recount`.
- Where other statements would follow, or a checkpoint would say something else, or a probe would
  object, nothing is sent: these steps are done again, so that a person sees the account as it is.
- Numbers alone bring checkpoints back twice: on an account at work, some never stand still. Those
  in the phrase that a person types always do.
- Where others have changed what the playbook made, or what the steps ahead rest on, a person is
  told, and nothing is done again.
Spec: Execution constraint 12; Checkpoints > Checkpoints can cycle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skills_nb.engine import foreseen_grounds, own_looks
from skills_nb.engine.changed_inputs.redo_words import name_steps, sentence
from skills_nb.engine.inputs.secrecy import REDACTED, is_told
from skills_nb.engine.pauses import SKIPPED, before_options
from skills_nb.engine.planning.statement_planning import PlannedStatement, StepPlan, plan_step
from skills_nb.engine.planning.step_context import StepContext, known_names
from skills_nb.engine.planning.step_results import bind
from skills_nb.engine.probes import declared_probes
from skills_nb.engine.session.places import start_of
from skills_nb.engine.session.session_statements import changes_session
from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import Effect, Probe, Record
from skills_nb.model.skills import Step
from skills_nb.model.state import Fact, PlaybookRun, StepState, ThreadState
from skills_nb.sql.classify import Kind, asks_catalog
from skills_nb.sql.conditions import evaluate
from skills_nb.sql.templates import message

_NUMBER = re.compile(r"\d+")
_LOOKS_ALIKE = re.compile(r"USE\s+(?!SECONDARY)|SET\s|UNSET\s", re.IGNORECASE)
"""Statements about the session that let a read with full names find the same as before."""
_INSTANT = re.compile(
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.]\d+"
    r"|(?<!\d)20\d\d[01]\d[0-3]\d[0-2]\d[0-5]\d[0-5]\d(?!\d)"
)
"""When something was read, also as the end of a new name: it moves on with every look."""
_MOST_FOR_NUMBERS = 2
_MOST_ALIKE = 3
"""So many times in a row the same words come back behind an answer, and not more."""
_MOST_TOLD = 3
_LONGEST = 160
_OWN = "Since the last answer, others have worked on what this playbook made or changed"
_AHEAD = "Since the last answer, others have changed what the steps ahead read or change"

_Sent = tuple[tuple[str, str | None], ...]


def look_again(here: StepContext, planned: PlannedStatement) -> tuple[Effect, ...]:
    """Return what comes before a statement where somebody may have changed the account meanwhile.

    Args:
        here: the step that is about to send it.
        planned: the statement.
    """
    run = here.run
    if run.plan is not None or run.mode == "dry_run" or changes_session(planned.sql):
        return ()
    changed = _last_change(here.state, run.started_seq)
    if changed > run.waited_seq:
        return ()
    look = _SecondLook(here, changed)
    found = look.take()
    own = own_looks.missing_looks(here.state, run)
    missing = (*look.missing, *own, *foreseen_grounds.missing_looks(here))
    if missing:
        return tuple(dict.fromkeys(missing))
    others = _others(here, has_changed=changed > run.started_seq)
    if found is not None:
        again = _with_others(found, others)
        if not _is_known(run, again):
            return (Record((ev.ProbesExecuted(redoing=again),)),)
    return (Record((_about_others(here, others),)),) if others else ()


def _others(here: StepContext, *, has_changed: bool) -> str:
    """Return what others did to the playbook's own work, and to what the steps ahead rest on.

    As long as it has changed nothing, what it reads again tells the latter.
    """
    own = own_looks.said_of_others(here.state, here.run)
    ahead = foreseen_grounds.said_of_others(here, own) if has_changed else ()
    return " ".join((*_told(_OWN, own), *_told(_AHEAD, ahead)))


def _told(lead: str, others: Sequence[str]) -> tuple[str, ...]:
    shown, more = "; ".join(others[:_MOST_TOLD]), len(others) - _MOST_TOLD
    shown += f"; and {more} more" if more > 0 else ""
    return (f"{lead}: {shown}.",) if others else ()


def _with_others(found: ev.Redoing, others: str) -> ev.Redoing:
    """Return what is done again, with what others did told first."""
    said = f"{others} {found.said}" if others else found.said
    return found.model_copy(update={"said": said})


def _is_known(run: PlaybookRun, found: ev.Redoing) -> bool:
    """Return whether the same was said since the last answer: doing it again changed nothing.

    Where it is said after each answer, too, it is told from what never stands still.
    """
    is_idle = run.relooked_seq > run.waited_seq or run.relooked_alike >= _MOST_ALIKE
    return found.said == run.relooked_for and is_idle


def _about_others(here: StepContext, others: str) -> ev.CheckpointReached:
    """Return the pause before a step whose ground others have changed; it agrees to nothing new."""
    known = here.run.agreed.get(here.step.id)
    return ev.CheckpointReached(
        after_step=(known.after or "") if known is not None else "",
        before_step=here.step.id,
        present=f"{others} Approve to go on with step {here.step.id} all the same.",
        options=list(before_options(None)),
        foreseen=[],
    )


def compared_since(state: ThreadState) -> int:
    """Return the event behind which all that was read may be compared with a second look."""
    run = state.run
    if run is None or run.completed or run.mode == "dry_run" or run.plan is not None:
        return state.seq
    return _last_change(state, run.started_seq)


def _last_change(state: ThreadState, since: int) -> int:
    """Return when the playbook last changed the account; when it began, where it has not."""
    for record in reversed(state.statements):
        if record.seq < since:
            break
        is_sent = record.kind != "read" and record.status != "failed"
        if is_sent and not (changes_session(record.sql) and _LOOKS_ALIKE.match(record.sql)):
            return record.end_seq or record.seq
    return since


@dataclass(slots=True)
class _SecondLook:
    """One comparison of what was found before a wait with what is found behind it."""

    here: StepContext
    changed: int
    """When the playbook last changed something: what was read before that is out of reach."""
    missing: dict[Probe, None] = field(default_factory=dict)
    """What is to be asked first."""
    facts: dict[tuple[str, str | None], Fact] = field(default_factory=dict)
    """The newest answer to each question."""
    numbers: list[str] = field(default_factory=list)
    """Which checkpoints show other numbers, and nothing else that is new."""
    with_gaps: list[Fact] = field(default_factory=list)
    """Those of them whose question names a secret, which no thread keeps."""

    def take(self) -> ev.Redoing | None:
        """Return which steps are done again; None where nothing else would follow."""
        self.facts = {(fact.query, fact.role): fact for fact in self.here.state.facts}
        self.with_gaps = [fact for fact in self.facts.values() if REDACTED in fact.query]
        objections = self._objections()
        window = [step for step in self.here.playbook.steps if self._is_open(step)]
        first, told = self._compare(window)
        are_numbers = not told and all(map(self._was_told_in_numbers, objections))
        if not objections and are_numbers and self.here.run.relooked < _MOST_FOR_NUMBERS:
            told = self.numbers
        if self.missing or not (objections or told):
            return None
        again = [step.id for step in window[window.index(first) :]] if first and told else []
        found = self._redoing(again, objections or told, bool(objections))
        return found.model_copy(update={"numbers": are_numbers})

    def _is_open(self, step: Step) -> bool:
        """Tell whether a step came before this one, and behind the last change."""
        ids = [one.id for one in self.here.playbook.steps]
        at = self.here.run.step(step.id)
        is_before = ids.index(step.id) < ids.index(self.here.step.id)
        if at.status == "skipped":
            return is_before and at.reason != SKIPPED and at.ended_seq > self.changed
        is_done = at.status in ("done", "approved")
        return is_before and is_done and at.started_seq > self.changed

    # ---- the steps

    def _compare(self, window: list[Step]) -> tuple[Step | None, list[str]]:
        """Return the first step that finds something else, and what follows from all of them."""
        first: Step | None = None
        told: list[str] = []
        names = self._names_before(window)
        for step in window:
            at = self.here.run.step(step.id)
            plan = _plan(self.here, step, names)
            result, is_other = self._read(step, at, plan, names)
            if self.missing:
                return None, []
            told += self._refused(step, plan)
            sent = _sent(plan)
            told += [f"step {step.id} has something to do now"] if sent else []
            names[f"step_{step.id}"] = {**result, "created_objects": {"count": 0}}
            names.update(dict.fromkeys(step.binds) | result)
            if first is None and (is_other or sent):
                first = step
            told += self._said_otherwise(step, names)
        if first is not None:
            told += self._sent_otherwise(names)
        return first, told

    def _names_before(self, window: list[Step]) -> dict[str, Any]:
        at = window[0].id if window else self.here.step.id
        return known_names(self.here.state, self.here.playbook, at)

    def _read(
        self, step: Step, at: StepState, plan: StepPlan | None, names: Mapping[str, Any]
    ) -> tuple[dict[str, Any], bool]:
        """Return what a step finds now, and whether that is something else than before."""
        if plan is None:
            is_left_out = not _applies(step, names)
            return ({} if is_left_out else dict(at.result)), is_left_out != (at.status == "skipped")
        reads: list[list[Fact]] = [[] for _ in range(plan.iterations)]
        for one in plan.statements:
            if one.kind is Kind.READ and (fact := self._reads(step, one)) is not None:
                reads[one.iteration].append(fact)
        if self.missing:
            return {}, False
        if any(fact.error is not None for facts in reads for fact in facts):
            return dict(at.result), True
        try:
            result = bind(step, reads, at.created, looped=step.for_each is not None)
        except UsageError:
            return dict(at.result), True
        return result, result != dict(at.result) or at.status == "skipped"

    def _refused(self, step: Step, plan: StepPlan | None) -> list[str]:
        """Tell whether the account refuses what a step could ask before."""
        reads = [one for one in plan.statements if one.kind is Kind.READ] if plan else []
        facts = (self._reads(step, one) for one in reads)
        is_refused = any(fact is not None and fact.error is not None for fact in facts)
        return [f"what step {step.id} reads is refused now"] if is_refused else []

    def _reads(self, step: Step, one: PlannedStatement) -> Fact | None:
        return self._answer(one.sql, one.role, is_counted=step.recount)

    def _answer(self, sql: str, role: str | None, *, is_counted: bool = False) -> Fact | None:
        """Return the answer that counts behind the wait; where there is none, ask for it."""
        fact = self.facts.get((sql, role))
        if fact is None:
            told = (f for f in self.with_gaps if f.role == role and is_told(f.query, sql))
            fact = next(told, None)
        is_old = fact is not None and fact.seq < self.here.run.waited_seq
        if fact is None or (is_old and (is_counted or asks_catalog(sql))):
            self.missing.setdefault(Probe(sql, role))
        return fact

    # ---- what follows

    def _said_otherwise(self, step: Step, names: Mapping[str, Any]) -> list[str]:
        """Tell whether the checkpoint of a step would say something else now."""
        if step.checkpoint is None or not self.here.run.step(step.id).presented:
            return []
        then = known_names(self.here.state, self.here.playbook, step.id)
        spec = step.checkpoint
        try:
            was, now = (message(spec.present, each) for each in (then, names))
            typed, types = (message(spec.phrase or "", each) for each in (then, names))
        except UsageError:
            return []
        if typed != types:
            return [f"the phrase of step {step.id} is {types!r} now"]
        if was == now:
            return []
        said = f"what step {step.id} shows is not what it was"
        if _NUMBER.sub("0", was) != _NUMBER.sub("0", now):
            return [said]
        self.numbers.append(said)
        return []

    def _sent_otherwise(self, names: dict[str, Any]) -> list[str]:
        """Tell which statements of this step and those behind it come, or go."""
        then = known_names(self.here.state, self.here.playbook, self.here.step.id)
        steps = self.here.playbook.steps
        told: list[str] = []
        for step in steps[[one.id for one in steps].index(self.here.step.id) :]:
            was, now = (_sent(_plan(self.here, step, each)) for each in (then, names))
            told += _turns(was, now) if was != now else []
        return told

    def _redoing(self, again: list[str], told: list[str], probes: bool) -> ev.Redoing:
        order = [step.id for step in self.here.playbook.steps]
        shown = list(dict.fromkeys(told))
        more = len(shown) - _MOST_TOLD
        words = "; ".join(one.rstrip(".") for one in shown[:_MOST_TOLD])
        lead = f"The account has changed since the last answer: {words}"
        lead += f"; and {more} more." if more > 0 else "."
        if again:
            verb = "is" if len(again) == 1 else "are"
            lead += f" {sentence(name_steps(again, order))} {verb} done again."
        if probes:
            lead += " The probes run again."
        return ev.Redoing(steps=again, probes=probes, said=lead)

    # ---- the probes

    def _objections(self) -> list[str]:
        """Return what the probes would object to now and did not when they ran."""
        here, run = self.here, self.here.run
        if run.probed_seq < self.changed or run.probed_seq > run.waited_seq:
            return []
        names = known_names(here.state, here.playbook, here.playbook.steps[0].id)
        found: dict[str, Fact] = {}
        roles = declared_probes.roles_of(here.playbook, names)
        for probe_id, query in declared_probes.queries_of(here.playbook, names).items():
            fact = self._answer(query, roles[probe_id])
            if fact is not None:
                found[probe_id] = fact
        if self.missing:
            return []
        role = run.context.current_role if run.context is not None else ""
        judged = declared_probes.judge_probes(here.playbook, found, names, role)
        return [
            result["message"]
            for result in judged.results
            if result["outcome"] in ("block", "confirm")
            and not self._was_told(str(result["message"]))
        ]

    def _was_told(self, text: str) -> bool:
        if self.here.run.relooked >= _MOST_FOR_NUMBERS and self._was_told_in_numbers(text):
            return True
        return text in " ".join(self.here.run.warned)

    def _was_told_in_numbers(self, text: str) -> bool:
        return _NUMBER.sub("0", text) in _NUMBER.sub("0", " ".join(self.here.run.warned))


def _applies(step: Step, names: Mapping[str, Any]) -> bool:
    return step.when is None or evaluate(step.when, names) is True


def _plan(here: StepContext, step: Step, names: dict[str, Any]) -> StepPlan | None:
    """Return what a step would ask and send; None where it is left out, or cannot be planned."""
    try:
        if not _applies(step, names):
            return None
        return plan_step(step, names, start_of(here.run, here.playbook, step.id))
    except UsageError:
        return None


def _sent(plan: StepPlan | None) -> _Sent:
    planned = plan.mutating if plan is not None else ()
    sent = (one for one in planned if not changes_session(one.sql))
    return tuple((_INSTANT.sub("(moment)", one.sql), one.role) for one in sent)


def _turns(was: _Sent, now: _Sent) -> Iterator[str]:
    """Yield which statements come or go; the same ones in another order are one turn."""
    gone = [sql for sql, role in was if (sql, role) not in now]
    come = [sql for sql, role in now if (sql, role) not in was]
    yield from (f"no longer sent: {_short(sql)}" for sql in gone)
    yield from (f"sent in addition: {_short(sql)}" for sql in come)
    if not gone and not come:
        yield "its statements come in another order, or another number of times"


def _short(sql: str) -> str:
    text = " ".join(sql.split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
