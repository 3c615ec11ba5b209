"""The account is looked at again before the first change behind a wait: others may have worked.

Room: laws. Rules of this file:
- What the probes and the steps before asked of the catalog is asked again, as long as the playbook
  has changed nothing since it asked. What reads rows, or history, is asked again only where the
  question itself has become another one.
- Where other statements would follow, or a checkpoint would say something else, or a probe would
  object, nothing is sent: these steps are done again, so that a person sees the account as it is.
- Numbers alone bring a checkpoint back once: on an account at work, some never stand still.
Spec: Execution constraint 12; Checkpoints > Checkpoints can cycle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from skills_nb.engine.changed_inputs.redo_words import name_steps, sentence
from skills_nb.engine.inputs.secrecy import REDACTED, is_told
from skills_nb.engine.pauses import SKIPPED
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
from skills_nb.model.state import Fact, StepState, ThreadState
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
_MOST_TOLD = 3
_LONGEST = 160

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
    if look.missing:
        return tuple(look.missing)
    return (Record((ev.ProbesExecuted(redoing=found),)),) if found is not None else ()


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
    with_gaps: list[Fact] = field(default_factory=list)
    """Those of them whose question names a secret, which no thread keeps."""

    def take(self) -> ev.Redoing | None:
        """Return which steps are done again; None where nothing else would follow."""
        self.facts = {(fact.query, fact.role): fact for fact in self.here.state.facts}
        self.with_gaps = [fact for fact in self.facts.values() if REDACTED in fact.query]
        objections = self._objections()
        window = [step for step in self.here.playbook.steps if self._is_open(step)]
        first, told = self._compare(window)
        if self.missing or not (objections or told):
            return None
        again = [step.id for step in window[window.index(first) :]] if first and told else []
        found = self._redoing(again, objections or told, bool(objections))
        return None if found.said == self.here.run.relooked_for else found

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
            if one.kind is Kind.READ and (fact := self._answer(one.sql, one.role)) is not None:
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

    def _answer(self, sql: str, role: str | None) -> Fact | None:
        """Return the answer that counts behind the wait; where there is none, ask for it."""
        fact = self.facts.get((sql, role))
        if fact is None:
            told = (f for f in self.with_gaps if f.role == role and is_told(f.query, sql))
            fact = next(told, None)
        if fact is None or (fact.seq < self.here.run.waited_seq and asks_catalog(sql)):
            self.missing.setdefault(Probe(sql, role))
        return fact

    # ---- what follows

    def _said_otherwise(self, step: Step, names: Mapping[str, Any]) -> list[str]:
        """Tell whether the checkpoint of a step would say something else now."""
        if step.checkpoint is None or not self.here.run.step(step.id).presented:
            return []
        then = known_names(self.here.state, self.here.playbook, step.id)
        try:
            was, now = (message(step.checkpoint.present, each) for each in (then, names))
        except UsageError:
            return []
        if self.here.run.relooked:
            was, now = _NUMBER.sub("0", was), _NUMBER.sub("0", now)
        return [] if was == now else [f"what step {step.id} shows is not what it was"]

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
        told = " ".join(self.here.run.warned)
        if self.here.run.relooked:
            told, text = _NUMBER.sub("0", told), _NUMBER.sub("0", text)
        return text in told


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
