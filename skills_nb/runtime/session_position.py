"""Where a thread's session stands: in its account, as its role, at its place.

Room: work. Rules of this file:
- A thread is never gone on with in another account than the one it changes.
- A playbook goes on in another process as in the one that began it; every phase of a chain begins
  where the first one did, whatever the phases before it did to their session.
- What a person or another cell does to the session while a thread waits changes nothing of what the
  thread's names mean, and what the thread needs changes nothing of theirs.
Source: ARCHITECTURE, What must stay true; Spec: Multi-Account Context, Pause and Resume.
"""

from __future__ import annotations

from collections.abc import Iterable

from skills_nb.engine.decide import decide
from skills_nb.engine.session.session_statements import (
    earlier_statements,
    place_of,
    places_left,
    session_statements,
)
from skills_nb.errors import SqlError, ThreadError
from skills_nb.model.effects import (
    BeginStep,
    Probe,
    Reconcile,
    Rehearse,
    RunStatement,
    StartPlaybook,
    Survey,
)
from skills_nb.model.events import AccountContext
from skills_nb.model.library import Library
from skills_nb.model.state import StatementRecord, ThreadState
from skills_nb.ports import SqlSession
from skills_nb.runtime.acting_session import ActingSession

_REACHES_ACCOUNT = (BeginStep, Probe, Reconcile, Rehearse, RunStatement, StartPlaybook, Survey)


class SessionPosition:
    """Brings one process's session to where threads stand."""

    def __init__(self, session: SqlSession, library: Library) -> None:
        """Keep what is needed; the session is not looked at yet."""
        self._session = session
        self._library = library
        self._entered: set[str] = set()
        """Threads whose session statements this session has seen."""
        self._stretches: dict[str, int] = {}
        """Thread to the playbook that its session was matched to last."""
        self._matched: dict[str, SqlSession] = {}
        self._theirs: dict[str, AccountContext] = {}
        """Thread to where its session was brought away from."""

    def begin(self, thread_id: str) -> None:
        """Note a thread that begins in this session."""
        self._entered.add(thread_id)

    def leave(self, thread_id: str) -> None:
        """Look again when the thread is gone on with: others may use the session meanwhile."""
        self._stretches.pop(thread_id, None)
        self._matched.pop(thread_id, None)

    def rest(self, thread_id: str) -> None:
        """Put the session back to where others had it while the thread waited."""
        theirs = self._theirs.pop(thread_id, None)
        if theirs is None:
            return
        try:
            for sql in places_left(theirs, self._session.context()):
                self._session.execute(sql, role=None, tag=f"{thread_id}:0:back")
        except SqlError:
            # The place is gone, or the connection: nothing of the thread depends on it.
            return

    def following(self, state: ThreadState) -> SqlSession:
        """Return the session for what the thread does next, matched once for each playbook.

        A step that is about to begin checks the account itself, and says so on the thread.

        Raises:
            ThreadError: the session is in another account, or cannot be set as it was.
        """
        stretch = _stretch(state)
        if self._stretches.get(state.thread_id) != stretch:
            first = next(iter(decide(state, self._library)), None)
            if not isinstance(first, _REACHES_ACCOUNT):
                return self._matched.get(state.thread_id, self._session)
            is_told = isinstance(first, BeginStep)
            self._matched[state.thread_id] = self.matched(state, says_so=is_told)
            self._stretches[state.thread_id] = stretch
        return self._matched[state.thread_id]

    def matched(self, state: ThreadState, *, says_so: bool) -> SqlSession:
        """Return a session in the thread's account and role; `says_so`: a wrong one is told later.

        Raises:
            ThreadError: the session is in another account, or cannot be set as it was.
        """
        began = _began_in(state)
        if began is None:
            return self._session
        here = self._session.context()
        is_elsewhere = not here.is_same_account(began)
        if is_elsewhere and not says_so:
            raise ThreadError(
                f"connected to account {here.account_locator}, but thread '{state.thread_id}' "
                f"works on {began.account_locator}",
                status=state.status,
                hint="connect to the right account, then: resume " + state.thread_id,
            )
        if is_elsewhere:
            return self._session
        session = self._session
        if here.current_role != began.current_role:
            session = ActingSession(session, began.current_role)
        self._enter(state, session, began, here)
        return session

    def _enter(
        self,
        state: ThreadState,
        session: SqlSession,
        began: AccountContext,
        here: AccountContext,
    ) -> None:
        """Bring a session to where the thread had brought the one before, once."""
        is_known = state.thread_id in self._entered
        if is_known and state.run is not None:
            self._bring_back(state, session, began, here)
            return
        earlier = () if is_known else earlier_statements(state)
        if earlier:
            _repeat(state, session, _again(earlier))
            here = session.context()
        tag = f"{state.thread_id}:0:again"
        _repeat(state, session, [(sql, None, tag) for sql in places_left(began, here)])
        if not is_known:
            _repeat(state, session, _again(session_statements(state)))
            _follow(state, session, began)
        self._entered.add(state.thread_id)

    def _bring_back(
        self,
        state: ThreadState,
        session: SqlSession,
        began: AccountContext,
        here: AccountContext,
    ) -> None:
        """Undo what was done to the session's place while the thread waited."""
        left = place_of(state, began)
        if left is None:
            return
        there = left.model_copy(update={"current_warehouse": here.current_warehouse})
        moves = places_left(there, here)
        if moves:
            self._theirs[state.thread_id] = here
            _repeat(state, session, [(sql, None, f"{state.thread_id}:0:again") for sql in moves])


def _follow(state: ThreadState, session: SqlSession, began: AccountContext) -> None:
    """Go where what the thread made has brought its session: a new schema is the current one."""
    left = place_of(state, began) if state.run is not None else None
    if left is None or left == began:
        return
    here = session.context()
    there = left.model_copy(update={"current_warehouse": here.current_warehouse})
    moves = [(sql, None, f"{state.thread_id}:0:again") for sql in places_left(there, here)]
    _repeat(state, session, moves)


def _began_in(state: ThreadState) -> AccountContext | None:
    """Return where the thread's playbook began; between the phases of a chain, the first one."""
    done = state.chain.completed if state.chain is not None else ()
    runs = [state.run, *(phase.run for phase in done)]
    return next((run.context for run in runs if run is not None), None)


def _stretch(state: ThreadState) -> int:
    """Return what tells one playbook of a thread from another."""
    if state.run is not None:
        return state.run.started_seq
    return -state.chain.number if state.chain is not None else -1


def _again(records: Iterable[StatementRecord]) -> list[tuple[str, str | None, str]]:
    return [(record.sql, record.role, f"{record.key}:again") for record in records]


def _repeat(
    state: ThreadState, session: SqlSession, again: Iterable[tuple[str, str | None, str]]
) -> None:
    for sql, role, tag in again:
        try:
            session.execute(sql, role=role, tag=tag)
        except SqlError as problem:
            if state.abort is not None or state.is_over:
                # Cleanup names everything in full; the thread itself may have moved the place.
                continue
            raise ThreadError(
                f"the session cannot be set as the thread left it, by {sql}: {problem.message}",
                status=state.status,
                hint=problem.hint or f"repair that, then: resume {state.thread_id}",
            ) from problem
