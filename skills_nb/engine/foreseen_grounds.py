"""What the steps ahead read and change is compared from wait to wait: others may change it.

Room: laws. Rules of this file:
- Once a playbook has changed something, what it asked before that is not asked again: its own work
  would show in the answer. What the statements ahead rest on is looked at instead, first before the
  first change and then behind each wait.
- What its views and dynamic tables are defined on counts as ahead: they will read it.
- What the playbook itself touched since the look before is not compared, only looked at anew.
- Nothing is done again: a person is told what others did, and decides.
Spec: Execution constraint 12.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from skills_nb.engine.ledger.after_images import difference, last_looks, look_of
from skills_nb.engine.ledger.thread_touches import touches
from skills_nb.engine.planning.statement_planning import PlannedStatement, plan_step
from skills_nb.engine.planning.step_context import StepContext
from skills_nb.engine.session.places import start_of, where_begun, where_of
from skills_nb.engine.session.session_statements import changes_session
from skills_nb.errors import UsageError
from skills_nb.model.effects import Probe
from skills_nb.model.skills import Step
from skills_nb.model.state import Fact, PlaybookRun, ThreadState
from skills_nb.sql.conditions import is_never_met
from skills_nb.sql.objects import ObjectRef
from skills_nb.sql.objects.object_comparison import columns_difference, policies_difference
from skills_nb.sql.qualifying.grounds import RELATION, grounds_of, is_about_rights, looks_at
from skills_nb.sql.qualifying.source_tables import defined_on


@dataclass(frozen=True, slots=True)
class _Ground:
    """Something that a statement ahead reads or changes."""

    ref: ObjectRef
    role: str | None
    """The role of that statement, which looks at it."""
    is_behind: bool
    """Whether a person is asked once more before that statement."""

    @property
    def looks(self) -> tuple[Probe, ...]:
        return tuple(Probe(query, self.role) for query in looks_at(self.ref))


def missing_looks(here: StepContext) -> tuple[Probe, ...]:
    """Return the looks that were not taken since the last wait.

    What is sent before the next wait is looked at only where there is a look to compare with.
    """
    newest = {(fact.query, fact.role): fact.seq for fact in here.state.facts}
    wanted: dict[Probe, None] = {}
    for ground in _grounds(here):
        for look in ground.looks:
            seq = newest.get((look.query, look.role), 0)
            is_known = seq > here.run.started_seq
            if seq < here.run.waited_seq and (ground.is_behind or is_known):
                wanted.setdefault(look)
    return tuple(wanted)


def said_of_others(here: StepContext, told_before: Sequence[str]) -> tuple[str, ...]:
    """Return what others did to what the steps ahead rest on, a line for each thing.

    Args:
        here: the step that is about to change something.
        told_before: what is told of the playbook's own work, which is not told twice.
    """
    known = " ".join(told_before)
    seen = _Seen(here.state, here.run)
    told: dict[ObjectRef, str] = {}
    for ground in _grounds(here):
        why = seen.difference(ground)
        if why and f"{ground.ref.fqn}: " not in known:
            told.setdefault(ground.ref, f"{_named(ground.ref)}: {why}")
    return tuple(told.values())


def is_look(query: str) -> bool:
    """Return whether a query may be one of these looks, in a form that nothing else needs."""
    return query.startswith(("SHOW ", "DESCRIBE TABLE ", "SELECT * FROM TABLE("))


def evidence(state: ThreadState) -> frozenset[int]:
    """Return the events that the next comparison may rest on."""
    run = state.run
    if run is None or run.completed:
        return frozenset()
    since = run.started_seq
    return last_looks(state.facts, run, lambda fact: fact.seq > since and is_look(fact.query))


class _Seen:
    """What was seen from wait to wait, and what the playbook touched in between."""

    def __init__(self, state: ThreadState, run: PlaybookRun) -> None:
        self._state, self._run = state, run
        self._facts: dict[Probe, list[Fact]] = {}
        for fact in state.facts:
            self._facts.setdefault(Probe(fact.query, fact.role), []).append(fact)

    def difference(self, ground: _Ground) -> str:
        """Return what others did to it in the last wait; empty where that is nothing."""
        found = dict.fromkeys(self._differences(ground))
        return ", and ".join(found)

    def _differences(self, ground: _Ground) -> Iterator[str]:
        for number, look in enumerate(ground.looks):
            then, now = self._two(look)
            if then is None or now is None or self._is_own(ground.ref, then.seq):
                continue
            before, after = look_of(then), look_of(now)
            if number == 0 and not before.is_there:
                return
            kinds = (None, columns_difference, policies_difference)
            compare = kinds[number]
            why = compare(before, after) if compare else difference(look.query, before, after)
            if why is not None:
                yield why

    def _two(self, look: Probe) -> tuple[Fact | None, Fact | None]:
        """Return the last looks from before the wait and from behind it."""
        floor, since = self._run.waited_seq, self._run.started_seq
        known = self._facts.get(look, [])
        then = next((f for f in reversed(known) if since < f.seq < floor), None)
        now = known[-1] if known and known[-1].seq > floor else None
        return then, now

    def _is_own(self, ref: ObjectRef, since: int) -> bool:
        """Return whether the playbook may have changed it itself behind a look."""
        for record in reversed(self._state.statements):
            if (record.end_seq or record.seq) < since:
                return False
            if record.kind == "read" or changes_session(record.sql):
                continue
            touched = [t.ref for t in touches(self._state, record)]
            # What a procedure or a task does is not known.
            if not touched or any(_reaches(one, ref) for one in touched):
                return True
        return False


def _reaches(touched: ObjectRef, ref: ObjectRef) -> bool:
    """Return whether a statement that touches the first may change the second."""
    if is_about_rights(touched):
        return False
    if touched.type in ("tag", "account"):
        return True
    shared = min(len(touched.name), len(ref.name))
    return touched.name[:shared] == ref.name[:shared]


class _LastGrounds:
    """What was worked out last, with what from: `decide` asks again after every look."""

    def __init__(self) -> None:
        self._made_from: tuple[object, ...] = ()
        self._grounds: tuple[_Ground, ...] = ()

    def of(self, here: StepContext) -> tuple[_Ground, ...]:
        run = here.run
        results = (one.result for one in run.steps.values())
        sources = (here.playbook, here.step, run.inputs, run.context, run.moves, *results)
        known = self._made_from
        if len(known) != len(sources) or not all(map(operator.is_, known, sources)):
            self._grounds = tuple(dict.fromkeys(_worked_out(here)))
            self._made_from = sources
        return self._grounds


_last = threading.local()


def _grounds(here: StepContext) -> tuple[_Ground, ...]:
    """Return what the statements of this step and those behind it rest on."""
    if not hasattr(_last, "memo"):
        _last.memo = _LastGrounds()
    memo: _LastGrounds = _last.memo
    return memo.of(here)


def _worked_out(here: StepContext) -> Iterator[_Ground]:
    yield from _under_own_definitions(here)
    steps = here.playbook.steps
    place = where_begun(here.run)
    is_behind = False
    ahead = steps[[one.id for one in steps].index(here.step.id) :]
    unbound = {name for step in ahead for name in step.binds if here.names.get(name) is None}
    for step in ahead:
        for planned in _planned(here, step, unbound):
            defined = defined_on(planned.sql, place.database, place.schema)
            for ref in grounds_of(planned.sql, place.database, place.schema):
                yield _Ground(ref, planned.role, is_behind or ref.name in defined)
        is_behind = is_behind or step.checkpoint is not None


def _under_own_definitions(here: StepContext) -> Iterator[_Ground]:
    """Yield what the views and dynamic tables that the playbook made read."""
    for record in here.state.statements:
        if record.run_seq == here.run.started_seq and record.status == "completed":
            place = where_of(here.state, record)
            for name in defined_on(record.sql, place.database, place.schema):
                yield _Ground(ObjectRef(RELATION, name), record.role, is_behind=True)


def _planned(here: StepContext, step: Step, unbound: Set[str]) -> tuple[PlannedStatement, ...]:
    """Return what a step will send, as far as that is known by now.

    A step of which nobody knows yet whether it applies counts: what it rests on is compared with
    how it was before the playbook's own work, and not only with how it was a moment ago.
    """
    known = {name: value for name, value in here.names.items() if name not in unbound}
    try:
        if step.when is not None and is_never_met(step.when, known):
            return ()
        plan = plan_step(step, here.names, start_of(here.run, here.playbook, step.id))
    except UsageError:
        return ()
    return tuple(one for one in plan.mutating if not changes_session(one.sql))


def _named(ref: ObjectRef) -> str:
    """Name it; whether a relation is a table or a view is not told by who reads it."""
    return ref.fqn if ref.type == RELATION else f"{ref.type.replace('_', ' ')} {ref.fqn}"
