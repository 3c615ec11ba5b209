"""Values of secret inputs: kept by the process that was told them, put into SQL on its way out.

Room: work. A thread knows a secret by its name only. A process that goes on with a thread and was
never told the value asks for it again.
Source: FORMATS, Threads (secrets never reach a thread).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from skills_nb.engine.inputs.secrecy import fill_secrets, is_fit_to_send, secrets_in
from skills_nb.engine.respond import Answer
from skills_nb.model import events as ev
from skills_nb.model.events import AccountContext
from skills_nb.model.library import Library
from skills_nb.model.state import Pause, ThreadState
from skills_nb.ports import Fate, QueryRows, SqlSession, StatementOutcome


class ConfidedValues:
    """What one process was told in confidence, by thread and input."""

    def __init__(self, known: Mapping[str, str]) -> None:
        """Begin with what is known for any thread."""
        self._known = dict(known)
        self._by_thread: dict[str, dict[str, str]] = {}

    def of(self, thread_id: str) -> Mapping[str, str]:
        """Return a thread's secrets by input."""
        return {**self._known, **self._by_thread.get(thread_id, {})}

    def values(self) -> Iterable[str]:
        """Return everything that must not be written down."""
        yield from self._known.values()
        for secrets in self._by_thread.values():
            yield from secrets.values()

    def keep(self, thread_id: str, names: Collection[str], values: Mapping[str, Any]) -> None:
        """Remember the values that are given for secret inputs."""
        for given, value in values.items():
            # In a chain an input may be given as DOMAIN.NAME.
            name = given.rpartition(".")[2]
            if name in names:
                self._by_thread.setdefault(thread_id, {})[name] = str(value)


def possible_secrets(goal_target: str | None, library: Library) -> frozenset[str]:
    """Return the secret inputs of what a target names; without one, of all that words lead to."""
    if goal_target is None:
        return library.secret_inputs()
    found = library.playbooks.get(goal_target.removeprefix("playbooks/"))
    return found.secret_inputs() if found is not None else frozenset()


def values_in(answer: Answer, pause: Pause | None) -> Mapping[str, Any]:
    """Return what an answer says, by input: also where it is the answer to a question."""
    if pause is None or pause.kind != "input_question" or answer.values:
        return answer.values
    said = answer.comment if answer.choice == "other" else answer.choice
    return {} if said is None else {pause.at.removeprefix("input:"): said}


def unsendable(
    sql: str, state: ThreadState, secrets: Mapping[str, str]
) -> ev.ErrorEscalated | None:
    """Return why a statement cannot be sent as it is, or None when it can."""
    missing = [name for name in secrets_in(sql) if name not in secrets]
    if missing:
        name = missing[0]
        error = f"the value of the secret input '{name}' is not kept with the thread"
        return _escalated(state, sql, error, f"give it again: respond modify --set {name}=VALUE")
    if not is_fit_to_send(sql):
        error = "this statement holds something that was taken out of the thread, or a secret"
        hint = "a secret input stands for a whole value: write it where a text literal may stand"
        return _escalated(state, sql, error, hint)
    return None


def _escalated(state: ThreadState, sql: str, error: str, hint: str) -> ev.ErrorEscalated:
    steps = state.run.steps.values() if state.run is not None else ()
    step = next((one.id for one in steps if one.status == "running"), None)
    context = {"category": "secret", "recovery_hint": hint, "sql": sql}
    return ev.ErrorEscalated(step=step, error=error, context=context)


class ConfidingSession:
    """A session that puts secrets where their stand-ins are. Implements `ports.SqlSession`."""

    def __init__(self, session: SqlSession, secrets: Mapping[str, str]) -> None:
        """Work through a session that somebody else closes."""
        self._session = session
        self._secrets = secrets

    def context(self) -> AccountContext:
        """Return where and as whom the session works."""
        return self._session.context()

    def query(self, sql: str, *, role: str | None = None, limit: int = 10_000) -> QueryRows:
        """Run a read-only statement.

        Raises:
            SqlError: the account refused it.
        """
        return self._session.query(fill_secrets(sql, self._secrets), role=role, limit=limit)

    def execute(self, sql: str, *, role: str | None, tag: str) -> StatementOutcome:
        """Run a statement that may change the account.

        Raises:
            SqlError: the account refused it.
        """
        return self._session.execute(fill_secrets(sql, self._secrets), role=role, tag=tag)

    def submit(self, sql: str, *, role: str | None, tag: str) -> str:
        """Send a statement that may take long; return its query id.

        Raises:
            SqlError: the account did not take it.
        """
        return self._session.submit(fill_secrets(sql, self._secrets), role=role, tag=tag)

    def outcome(self, query_id: str) -> StatementOutcome:
        """Wait for the statement that was submitted last.

        Raises:
            SqlError: the account refused it.
        """
        return self._session.outcome(query_id)

    def fate(self, tag: str, *, query_id: str | None = None, sql: str | None = None) -> Fate:
        """Look a statement up in the query history by its tag."""
        return self._session.fate(tag, query_id=query_id, sql=sql)

    def close(self) -> None:
        """Leave the session open: it is not ours."""
