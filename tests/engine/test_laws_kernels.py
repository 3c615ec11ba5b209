"""Several kernels, zombies, crashes at every point and a person, in any order.

The one law: a `once` statement never runs twice unknowingly. Each seeded fault breaks it, and the
same machine says so.
"""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from skills_nb.engine.decide import pause_of
from skills_nb.engine.evolve import evolve, fold, refusal
from skills_nb.engine.respond import Answer
from skills_nb.errors import SqlError, ThreadError
from skills_nb.model import events as ev
from skills_nb.model.effects import RunStatement
from skills_nb.model.state import ThreadState
from skills_nb.runtime.conductor import Conductor
from tests.engine.generating import THREAD, Crash, Stage, answer_of, scenes
from tests.fakes import Deferring, MemoryThreadStore

POINTS = ("none", "before_append", "after_append", "before_execute", "after_execute", "at_fate")
FOREIGN = (
    ev.StepCompleted(step="1"),
    ev.HumanResponse(choice="approve"),
    ev.StatementCompleted(effect_key="t:999"),
    ev.PlaybookCompleted(playbook="toy"),
)


class Fuse:
    """Burns down by one each time its point is passed; then the process dies there."""

    def __init__(self, point, passes):
        self.point, self.left = point, passes

    def pass_(self, point):
        if point == self.point:
            self.left -= 1
            if self.left <= 0:
                raise Crash


class FusedStore:
    """The store as one process sees it: late by some events until its first conflict."""

    def __init__(self, store, fuse, late=0):
        self.store, self.fuse, self.late = store, fuse, late

    def append(self, thread_id, expected_seq, events):
        self.fuse.pass_("before_append")
        try:
            head = self.store.append(thread_id, expected_seq, events)
        except ThreadError:
            self.late = 0
            raise
        self.fuse.pass_("after_append")
        return head

    def load(self, thread_id, after=0):
        events = self.store.load(thread_id)
        seen = events[: max(1, len(events) - self.late)]
        return seen[after:]

    def hold(self, thread_id):
        return self.store.hold(thread_id)


class FusedSession(Deferring):
    """The account as one process reaches it."""

    def __init__(self, account, fuse):
        self.account, self.fuse = account, fuse

    def context(self):
        return self.account.context()

    def query(self, sql, **where):
        return self.account.query(sql, **where)

    def execute(self, sql, *, role, tag):
        self.fuse.pass_("before_execute")
        outcome = self.account.execute(sql, role=role, tag=tag)
        self.fuse.pass_("after_execute")
        return outcome

    def fate(self, tag, *, query_id=None, sql=None):
        self.fuse.pass_("at_fate")
        return self.account.fate(tag, query_id=query_id, sql=sql)


class Kernels(RuleBasedStateMachine):
    """One thread, many processes, one account."""

    store_class = MemoryThreadStore
    session_class = FusedSession
    conductor_class = Conductor

    @initialize(scene=scenes())
    def begin(self, scene):
        self.stage = Stage(
            scene, scene.account(), self.store_class(), conductor_class=self.conductor_class
        )
        self.stage.start()
        self.acknowledged = self.stage.events

    @rule(point=st.sampled_from(POINTS), passes=st.integers(1, 6))
    def kernel(self, point, passes):
        self._advance(Fuse(point, passes), late=0)

    @rule(point=st.sampled_from(POINTS), passes=st.integers(1, 6), late=st.integers(1, 4))
    def zombie(self, point, passes, late):
        """A kernel that woke up: it goes on from what it knew before others went on."""
        self._advance(Fuse(point, passes), late)

    def _advance(self, fuse, late):
        store = FusedStore(self.stage.store, fuse, late)
        session = self.session_class(self.stage.account, fuse)
        try:
            self.stage.conductor(session, store).advance(THREAD)
        except Crash:
            self.stage.store.abandoned.add(THREAD)

    @rule()
    def honest_person(self):
        """Answer what waits, telling the truth about statements of unknown fate."""
        state, pause = self._waiting()
        if pause is not None:
            answer = answer_of(self.stage.scene, state, pause, self.stage.account)
            self.stage.conductor().answer(THREAD, answer)

    @rule()
    def careless_person(self):
        """Send a statement again although it may have run: knowingly, so it is excused."""
        state, pause = self._waiting()
        if pause is not None and state.open_statement is not None:
            self.stage.account.excused.add(state.open_statement.sql)
            self.stage.conductor().answer(THREAD, Answer("retry", at=pause.at))

    @rule(event=st.sampled_from(FOREIGN))
    def intruder(self, event):
        """Something appends what may not happen now."""
        state = self.stage.state
        if refusal(state, event) is not None:
            with pytest.raises(ThreadError):
                evolve(state, event)
            assert self.stage.state == state

    def _waiting(self):
        state = self.stage.state
        return state, pause_of(state, self.stage.library)

    @invariant()
    def nothing_once_ran_twice(self):
        if hasattr(self, "stage"):
            assert self.stage.account.doubled == []

    @invariant()
    def nothing_acknowledged_is_lost(self):
        if hasattr(self, "stage"):
            events = self.stage.events
            assert events[: len(self.acknowledged)] == self.acknowledged
            fold(events, ThreadState(thread_id=THREAD))
            self.acknowledged = events

    def teardown(self):
        if hasattr(self, "stage"):
            self.stage.finish()
            self.nothing_once_ran_twice()
            self.nothing_acknowledged_is_lost()


MACHINE = settings(
    max_examples=40,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestKernels = Kernels.TestCase
TestKernels.pytestmark = [pytest.mark.slow]
TestKernels.settings = MACHINE


# ---- faults that the machine must catch


class LastWriterWins(MemoryThreadStore):
    """No compare-and-swap: a late writer's events go behind whatever is there."""

    def append(self, thread_id, expected_seq, events):
        head = len(self.load(thread_id))
        moved = [event.model_copy(update={"seq": head + n}) for n, event in enumerate(events, 1)]
        return super().append(thread_id, head, moved)


class TagsOfItsOwn(FusedSession):
    """Tags that nobody can work out again: the history is asked for another one."""

    made = 0

    def execute(self, sql, *, role, tag):
        TagsOfItsOwn.made += 1
        return super().execute(sql, role=role, tag=f"{tag}-{TagsOfItsOwn.made}")


class OutcomeOnly(Conductor):
    """Writes the intent when the statement has run: a crash between leaves no trace."""

    def _perform(self, effect, state, ports):
        if isinstance(effect, RunStatement):
            ports = replace(ports, session=SentAlready(ports.session, effect))
        return super()._perform(effect, state, ports)


class SentAlready(Deferring):
    """Sends a statement at once and tells what came of it when it is asked to send it."""

    def __init__(self, session, effect):
        self.session, self.problem = session, None
        try:
            self.told = session.execute(effect.sql, role=effect.role, tag="unsaid")
        except SqlError as problem:
            self.problem = problem

    def execute(self, sql, *, role, tag):
        if self.problem is not None:
            raise self.problem
        return self.told

    def __getattr__(self, name):
        return getattr(self.session, name)


FAULTS = {
    "no compare-and-swap": ({"store_class": LastWriterWins}, ThreadError),
    "random effect key": ({"session_class": TagsOfItsOwn}, AssertionError),
    "no intent": ({"conductor_class": OutcomeOnly}, AssertionError),
}
"""What is broken, and how the machine says so: an impossible thread, or a doubled statement."""


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_the_machine_catches_a_seeded_fault(fault):
    parts, complaint = FAULTS[fault]
    broken = type("Broken", (Kernels,), parts)
    hunt = settings(
        MACHINE, max_examples=300, derandomize=True, database=None, phases=[Phase.generate]
    )
    with pytest.raises(complaint):
        run_state_machine_as_test(broken, settings=hunt)
