"""The conductor: decide, perform, append, until somebody must answer.

Room: work. It owns no state: whatever it knows comes from the store. Rules of this file:
- An event is appended before the interpreter goes on, so a statement is sent only by the process
  whose intent the store accepted.
- On a conflict everything decided on is dropped, the thread is loaded again, and it decides anew.
- A thread is held while it is worked on; taking over from a dead process is an event.
Source: ARCHITECTURE, The reducer; THREADS, Crash window of a statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from skills_nb.engine.cleanup import cleanup_effects
from skills_nb.engine.decide import decide, pause_of
from skills_nb.engine.evolve import evolve, fold
from skills_nb.engine.guided.plan_documents import PLAN_INPUT, document_of, place_plan
from skills_nb.engine.planning.template_names import playbook_of
from skills_nb.engine.respond import Answer, respond
from skills_nb.errors import ConflictError, ThreadError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import Await, BeginStep, Effect, Record
from skills_nb.model.library import Library
from skills_nb.model.state import ON_SAMPLES, Pause, PlanState, ThreadState
from skills_nb.ports import SOMEBODY, Ports, SqlSession
from skills_nb.runtime.compactor import Compactor
from skills_nb.runtime.manual_steps import HandWritten, StateSource, check, effects, in_full
from skills_nb.runtime.model_consultation import consult_model
from skills_nb.runtime.plan_drafting import guided_route, routed_by_hand
from skills_nb.runtime.secret_inputs import (
    ConfidedValues,
    ConfidingSession,
    possible_secrets,
    values_in,
)
from skills_nb.runtime.session_position import SessionPosition
from skills_nb.runtime.stores.redaction import redact
from skills_nb.runtime.tracing import Watcher

OnChange = Callable[[ThreadState], None]
"""Called after every appended event with the state it led to."""


class Conductor:
    """Drives threads of one library through one set of ports."""

    def __init__(
        self,
        library: Library,
        ports: Ports,
        on_change: OnChange | None = None,
        compactor: Compactor | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        """Keep what is needed; nothing is opened or read yet. Nothing is compacted without one."""
        self._watcher = watcher or Watcher()
        self._library = library
        self._ports = ports
        self._on_change = on_change
        self._compactor = compactor
        self._known: dict[str, ThreadState] = {}
        self._told = ConfidedValues(ports.secrets)
        self._standing = SessionPosition(ports.session, library)

    def load(self, thread_id: str) -> ThreadState:
        """Return the thread's state, reading only what is new since the last look.

        Raises:
            UsageError: there is no such thread.
        """
        known = self._known.get(thread_id, ThreadState(thread_id=thread_id))
        events = self._ports.store.load(thread_id, after=known.seq)
        state = fold(events, known)
        if state.seq == 0:
            raise UsageError(
                f"there is no thread '{thread_id}' here", hint="list them with: threads"
            )
        if self._compactor is not None:
            self._compactor.note(thread_id, events)
        self._known[thread_id] = state
        return state

    def pause(self, state: ThreadState) -> Pause | None:
        """Return what the thread waits for."""
        return pause_of(state, self._library)

    def start(
        self,
        goal: str,
        inputs: Mapping[str, Any],
        *,
        dry_run: bool = False,
        samples: bool = False,
        thread_id: str | None = None,
    ) -> str:
        """Begin a thread, in one append, and return its id; nothing is executed yet.

        Args:
            goal: a target by name, or words.
            inputs: what is given for it.
            dry_run: whether it is rehearsed first.
            samples: whether a dry run may look at a sample of rows.
            thread_id: the new thread's id; None: a new one.

        Raises:
            UsageError: a given input does not fit the playbook that the goal names.
            ConflictError: a thread of that id exists.
        """
        name = thread_id or self._ports.ids.thread_id()
        version = f"{self._library.version}+{self._library.digest[:12]}"
        begun: list[ev.Event] = [ev.ThreadStarted(goal=goal, library_version=version)]
        begun += [
            ev.InputGathered(name=key, value=value, actor="human:local")
            for key, value in inputs.items()
        ]
        begun += _rehearsed(dry_run=dry_run, samples=samples)
        from skills_nb.runtime.intent_resolution import named_target

        routed = named_target(goal, self._library)
        if routed is not None:
            begun.append(routed)
        if inputs:
            target = routed.target if routed is not None else None
            self._told.keep(name, possible_secrets(target, self._library), inputs)
        self._append(ThreadState(thread_id=name), begun)
        self._standing.begin(name)
        return name

    def propose(
        self,
        plan: PlanState,
        *,
        thread_id: str | None = None,
        dry_run: bool = False,
        samples: bool = False,
    ) -> str:
        """Take in a plan that a person wrote, as a new thread or where one waits for a plan.

        Raises:
            ThreadError: the thread is not at a plan.
        """
        here = self._ports.session.context()
        known = place_plan(plan, here.current_database, here.current_schema)
        drafted = ev.InputGathered(name=PLAN_INPUT, value=document_of(known), actor="human:local")
        if thread_id is not None and self._ports.store.load(thread_id):
            state = self.load(thread_id)
            self._append(state, [*routed_by_hand(state, self.pause(state), plan), drafted])
            return thread_id
        name = thread_id or self._ports.ids.thread_id()
        version = f"{self._library.version}+{self._library.digest[:12]}"
        begun: list[ev.Event] = [ev.ThreadStarted(goal=plan.goal, library_version=version)]
        begun += _rehearsed(dry_run=dry_run, samples=samples)
        self._append(ThreadState(thread_id=name), [*begun, guided_route(plan), drafted])
        self._standing.begin(name)
        return name

    def restore(self, events: Iterable[ev.Event], thread_id: str | None = None) -> str:
        """Keep a thread that was told elsewhere as a new one, in one append; return its id.

        Args:
            events: as `thread_exchange.from_yaml` gives them: with their times, and with effect
                keys that lack the thread's id.
            thread_id: the new thread's id; None: a new one.

        Raises:
            ThreadError: an event is not legal where it stands.
            ConflictError: a thread of that id exists.
        """
        name = thread_id or self._ports.ids.thread_id()
        own = [
            event.model_copy(update={"effect_key": f"{name}{event.effect_key}"})
            if event.effect_key
            else event
            for event in events
        ]
        self._append(ThreadState(thread_id=name), own)
        return name

    def answer(self, thread_id: str, answer: Answer) -> ThreadState:
        """Append a validated answer; the first one to arrive wins.

        Raises:
            ThreadError: nothing waits, or it was answered already.
            UsageError: the answer does not fit.
        """
        state = self.load(thread_id)
        self._keep_secrets(state, answer)
        try:
            return self._append(state, respond(state, self._library, answer))
        except ConflictError:
            fresh = self.load(thread_id)
            return self._append(fresh, respond(fresh, self._library, answer))

    def _keep_secrets(self, state: ThreadState, answer: Answer) -> None:
        if state.run is not None:
            playbook = playbook_of(state.run, self._library)
            values = values_in(answer, self.pause(state))
            self._told.keep(state.thread_id, playbook.secret_inputs() if playbook else (), values)

    def advance(self, thread_id: str, *, until: str | None = None) -> ThreadState:
        """Go on to the next pause, the step named by `until`, or the end.

        Raises:
            ThreadError: another live process works on the thread, or the session is connected to
                another account than the one that the thread is changing.
        """
        with self._ports.store.hold(thread_id) as was_abandoned:
            state = self.load(thread_id)
            if was_abandoned:
                state = self._taken_over(state)
            self._standing.leave(thread_id)
            try:
                return self._gone_on(state, until)
            finally:
                self._standing.rest(thread_id)

    def _gone_on(self, state: ThreadState, until: str | None) -> ThreadState:
        """Do one round after another until nothing can be done now."""
        while True:
            try:
                state = self._compacted_when_due(state)
                ports = self._confiding(state.thread_id, self._standing.following(state))
                following = self._round(state, until, ports)
            except ConflictError:
                following = self.load(state.thread_id)
            if following is state:
                return state
            state = following

    def add_step(self, thread_id: str, sub: HandWritten) -> ThreadState:
        """Run a sub-step that a person wrote, where a step waits; what failed is on the thread.

        Raises:
            ThreadError: the thread does not wait at a step, or another process works on it.
            UsageError: the id is not one of a sub-step there, or there is no SQL.
        """
        with self._ports.store.hold(thread_id) as was_abandoned:
            state = self.load(thread_id)
            if was_abandoned:
                state = self._taken_over(state)
            check(state, self._library, self.pause(state), sub)
            here = self._ports.session.context()
            known = in_full(sub, here.current_database, here.current_schema)
            session = self._standing.matched(state, says_so=False)
            ports = self._confiding(thread_id, session)
            source = StateSource(state)
            try:
                for effect in effects(known, source):
                    source.state = self._perform(effect, source.state, ports)
            finally:
                self._standing.rest(thread_id)
            return source.state

    def _taken_over(self, state: ThreadState) -> ThreadState:
        """Say that a dead process's thread goes on here; an answer may arrive meanwhile."""
        while not state.is_over:
            try:
                return self._append(state, [ev.ThreadTakenOver(epoch=state.epoch + 1)])
            except ConflictError:
                state = self.load(state.thread_id)
        return state

    def _confiding(self, thread_id: str, session: SqlSession) -> Ports:
        secrets = self._told.of(thread_id)
        if secrets:
            session = ConfidingSession(session, secrets)
        return replace(self._ports, session=session, secrets=secrets)

    def compact(self, thread_id: str) -> ThreadState:
        """Archive a thread so far and sum it up; the store keeps every event.

        Raises:
            UsageError: there is no such thread, or no archive.
            ThreadError: another live process works on it, or a statement's outcome is not known.
            StoreError: the archive cannot be written; the thread is as it was.
        """
        if self._compactor is None:
            raise UsageError("there is no archive to compact into")
        with self._ports.store.hold(thread_id) as was_abandoned:
            state = self.load(thread_id)
            if was_abandoned:
                state = self._taken_over(state)
            summary = self._compactor.summary(state, self._ports.store.load(thread_id))
            return self._append(state, [summary])

    def _compacted_when_due(self, state: ThreadState) -> ThreadState:
        if self._compactor is None or not self._compactor.is_due(state):
            return state
        events = self._ports.store.load(state.thread_id)
        summary = self._compactor.summary_or_later(state, events)
        return state if summary is None else self._append(state, [summary])

    def propose_cleanup(self, thread_id: str) -> ThreadState:
        """Offer to take back what an ended thread left.

        Raises:
            ThreadError: the thread is not over, or left nothing that can be taken back.
        """
        with self._ports.store.hold(thread_id):
            state = self.load(thread_id)
            if not state.is_over:
                raise ThreadError(
                    f"thread '{thread_id}' is not over yet, and is cleaned up when it is",
                    status=state.status,
                    hint=f"stop it, and what it did can be taken back: abort --thread {thread_id}",
                )
            standing = cleanup_effects.standing_entries(state, self._library)
            if state.pause is None and not standing:
                raise ThreadError(
                    f"there is nothing to take back: nothing that thread '{thread_id}' made or "
                    "changed is left",
                    status=state.status,
                    story=state.story,
                    hint=f"see what it did: show {thread_id}",
                )
            asked_seq = state.seq
            ports = self._confiding(thread_id, self._standing.following(state))
            while state.pause is None:
                for effect in cleanup_effects.propose_cleanup(state, standing, since_seq=asked_seq):
                    state = self._perform(effect, state, ports)
            return state

    def _round(self, state: ThreadState, until: str | None, ports: Ports) -> ThreadState:
        """Do what is decided; the same object comes back when there is nothing to do now."""
        for effect in decide(state, self._library):
            if isinstance(effect, Await):
                return self._waited(state, effect)
            if isinstance(effect, BeginStep) and effect.step == until:
                return state
            state = self._perform(effect, state, ports)
        return state

    def _waited(self, state: ThreadState, effect: Await) -> ThreadState:
        pause = effect.pause
        if effect.auto_after_s is None:
            return self._consulted(state, pause)
        if self._ports.human.is_present():
            return state
        alone = Answer(choice="approve", at=pause.at, actor="timer")
        return self._append(state, respond(state, self._library, alone))

    def _consulted(self, state: ThreadState, pause: Pause) -> ThreadState:
        """Put a pause to the model, where there is one and it was not asked yet."""
        resolver = self._ports.resolver
        if resolver is None:
            return state
        events = self._ports.store.load(state.thread_id)
        said = consult_model(state, pause, events, self._library, resolver)
        return self._append(state, said) if said else state

    def _perform(self, effect: Effect, state: ThreadState, ports: Ports) -> ThreadState:
        if isinstance(effect, Record):
            return self._append(state, effect.events)
        from skills_nb.runtime.perform import perform

        with self._watcher.during(effect, state) as heard:
            for event in perform(effect, state, self._library, ports):
                state = self._append(state, [event])
                heard(event)
        return state

    def _append(self, state: ThreadState, events: Iterable[ev.Event]) -> ThreadState:
        stamped: list[ev.Event] = []
        following = state
        for event in events:
            clean = redact(self._signed(event), self._told.values())
            placed = clean.stamped(
                seq=following.seq + 1,
                event_id=self._ports.ids.event_id(),
                timestamp=event.timestamp or self._ports.clock.now(),
            )
            following = evolve(following, placed)
            stamped.append(placed)
        self._ports.store.append(state.thread_id, state.seq, stamped)
        self._known[state.thread_id] = following
        self._watcher.appended(state.thread_id, stamped)
        if self._compactor is not None:
            self._compactor.note(state.thread_id, stamped)
        if self._on_change is not None:
            self._on_change(following)
        return following

    def _signed(self, event: ev.Event) -> ev.Event:
        """Name whoever works here in what a person does; what was told elsewhere stays as it is."""
        is_persons = event.actor == SOMEBODY or isinstance(event, ev.ThreadStarted)
        if self._ports.person == SOMEBODY or event.timestamp or not is_persons:
            return event
        return event.model_copy(update={"actor": self._ports.person})


def _rehearsed(*, dry_run: bool, samples: bool) -> tuple[ev.Event, ...]:
    """Return what puts on record that a person wants a dry run, and what it may look at."""
    if not dry_run:
        return ()
    value = ON_SAMPLES if samples else True
    return (ev.InputGathered(name="dry_run", value=value, actor=SOMEBODY),)
