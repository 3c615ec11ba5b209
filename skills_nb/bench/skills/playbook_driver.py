"""Driving a playbook without a person: every pause gets its proposal.

Room: work (bench).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from skills_nb.bench.tasks.task_values import PlaybookTask
from skills_nb.engine.respond import Answer
from skills_nb.errors import ThreadError
from skills_nb.ports import Ports, RehearsalAccount, SqlSession

if TYPE_CHECKING:
    from skills_nb.embedded.engine.account import Account
    from skills_nb.model.library import Library
    from skills_nb.model.state import Pause, ThreadState
    from skills_nb.runtime.conductor import Conductor

_THREAD = "evaluation"
_MOST_PAUSES = 200


def dry_run_steps(task: PlaybookTask, library: Library, account: Account) -> list[str]:
    """Return what the dry run says of each step.

    Raises:
        ThreadError: it came to no plan.
    """
    from skills_nb.model.events import StepPlanned

    with _conductor(library, account) as (conductor, ports):
        conductor.start(f"playbooks/{task.playbook}", task.inputs, dry_run=True, thread_id=_THREAD)
        state = conductor.advance(_THREAD)
        pause = conductor.pause(state)
        if pause is None or pause.kind != "dry_run_summary":
            raise ThreadError(f"the dry run ended at {pause.at if pause else state.status}")
        events = ports.store.load(_THREAD)
        return [f"{e.step}: {e.action}" for e in events if isinstance(e, StepPlanned)]


def drive_playbook(task: PlaybookTask, library: Library, account: Account) -> None:
    """Do a playbook to its end, every proposal taken.

    Raises:
        ThreadError: it did not come to its end.
    """
    with _conductor(library, account) as (conductor, _):
        conductor.start(f"playbooks/{task.playbook}", task.inputs, thread_id=_THREAD)
        state = conductor.advance(_THREAD)
        for _ in range(_MOST_PAUSES):
            pause = conductor.pause(state)
            if pause is None:
                break
            _require_proposal(pause)
            conductor.answer(_THREAD, _proposal(pause))
            state = conductor.advance(_THREAD)
        _require_completed(state)


def _require_proposal(pause: Pause) -> None:
    if pause.kind in ("error_escalated", "cleanup_proposed", "routing_ambiguous"):
        said = " ".join(pause.present.split())[:300]
        raise ThreadError(f"stopped at {pause.at}: {said}")


def _require_completed(state: ThreadState) -> None:
    if state.status != "completed":
        raise ThreadError(f"the thread is {state.status}", status=state.status, story=state.story)


def _proposal(pause: Pause) -> Answer:
    if pause.kind == "dry_run_summary":
        return Answer(choice="execute", at=pause.at)
    choice = "approve" if pause.option("approve") else pause.options[0].id
    return Answer(choice=choice, at=pause.at, phrase=pause.phrase)


@contextmanager
def _conductor(library: Library, account: Account) -> Iterator[tuple[Conductor, Ports]]:
    """Yield a conductor on an account, with a store that is gone afterwards."""
    from skills_nb.routing import resolve
    from skills_nb.runtime.conductor import Conductor
    from skills_nb.runtime.stores.sqlite import SqliteThreadStore
    from skills_nb.runtime.system_ports import NoHuman, RandomIds, SystemClock

    with tempfile.TemporaryDirectory() as folder:
        store = SqliteThreadStore(Path(folder))
        session = _session(account)
        ports = Ports(
            session=session,
            store=store,
            clock=SystemClock(),
            ids=RandomIds(),
            human=NoHuman(),
            router=resolve,
            rehearsal=_Rehearsal(account),
        )
        try:
            yield Conductor(library, ports), ports
        finally:
            session.close()
            store.close()


def _session(account: Account) -> SqlSession:
    """Return a session through the real connector, as the administrator and nobody else."""
    from skills_nb.embedded.wire import EmbeddedWire
    from skills_nb.runtime import mounted_connection
    from skills_nb.runtime.snowpark import SnowparkSession

    connection = mounted_connection.connect(
        EmbeddedWire(account), user="ADMIN", role="ACCOUNTADMIN", warehouse="COMPUTE_WH"
    )
    session = mounted_connection.session(connection)
    session.sql("USE SECONDARY ROLES NONE").collect()
    return SnowparkSession(session)


@dataclass(frozen=True, slots=True)
class _Rehearsal:
    """Shadows of one account. Implements `ports.Rehearsal`."""

    account: Account

    def shadow(self, session: SqlSession, scope: object) -> RehearsalAccount:
        """Return a shadow that stands where the session stands."""
        from skills_nb.embedded.storage.lending import AccountRows
        from skills_nb.embedded.tools.rehearsal import ShadowAccount

        rows = AccountRows(self.account)
        return ShadowAccount.of(self.account, session.context(), rows=rows)
