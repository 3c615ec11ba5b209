"""A call that fails after a part of its work, through a whole thread: it is never taken as done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.model import events as ev
from skills_nb.model.skills import ExpectedError
from tests.runtime.dying_call import SETUP, THREAD, book, conductor, go, opened

RAISES, FAILS, DIES = (f"CALL D.PUBLIC.{name}()" for name in ("RAISES", "FAILS", "DIES"))
BLOCK = "BEGIN INSERT INTO D.PUBLIC.T VALUES (1); CALL D.PUBLIC.RAISES(); END"


class Forgetful(EmbeddedWire):
    """Forgets who is logged in, as often as it is told to, when asked how a statement is doing."""

    losses = 0

    def handle(self, method, url, headers, body):
        if "/monitoring/" in url and self.losses:
            self.losses -= 1
            for session in self._sessions.values():
                session.close()
            self._sessions.clear()
        return super().handle(method, url, headers, body)


@pytest.fixture
def lines():
    with Account.open() as account:
        wire, session = opened(account, Forgetful)
        for statement in SETUP:
            session.execute(statement, role=None, tag="setup")
        yield wire, session
        session.close()


def outcome(home, session, sql):
    """Run a thread of one statement; return its state and what its events say of it."""
    works, store = conductor(home, session, sql)
    works.start(book(sql).ref, {}, thread_id=THREAD)
    state = go(works)
    told = [type(event) for event in store.load(THREAD)]
    store.close()
    return state, told


@pytest.mark.parametrize("losses", [0, 1])
@pytest.mark.parametrize("sql", [RAISES, FAILS, BLOCK, f"EXECUTE IMMEDIATE '{RAISES}'"])
def test_a_failed_call_is_recorded_as_failed(lines, tmp_path, sql, losses):
    wire, session = lines
    wire.losses = losses
    state, told = outcome(tmp_path, session, sql)
    assert wire.losses == 0
    assert [r.status for r in state.statements if r.sql == sql] == ["failed"]
    assert ev.StatementSubmitted in told
    assert state.run.steps["2"].status != "completed"
    assert state.status != "completed"


@pytest.mark.slow
def test_a_call_that_died_half_way_is_neither_done_nor_sent_again(tmp_path):
    home, folder = tmp_path / "home", tmp_path / "account"
    command = [sys.executable, "-W", "ignore", "-m", "tests.runtime.dying_call", home, folder]
    child = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=300
    )
    assert (child.returncode, child.stdout) == (-9, ""), child.stderr
    with Account.open(folder) as account:
        _, session = opened(account)
        works, store = conductor(home, session, DIES)
        state = go(works)
        assert session.query("SELECT * FROM D.PUBLIC.T").rows == ((1,),)
        assert state.status != "completed"
        assert [r.status for r in state.statements if r.sql == DIES] == ["open"]
        (asked,) = [e for e in store.load(THREAD) if isinstance(e, ev.ErrorEscalated)]
        assert asked.context["category"] == "unknown"
        store.close()
        session.close()


def test_an_author_may_have_a_call_tried_again(lines, tmp_path):
    _, session = lines
    again = (ExpectedError(pattern="timed out", retryable=True),)
    works, store = conductor(tmp_path, session, RAISES, expected_errors=again)
    works.start(book(RAISES).ref, {}, thread_id=THREAD)
    state = go(works)
    assert [r.status for r in state.statements if r.sql == RAISES][:2] == ["failed", "failed"]
    assert state.status != "completed"
    store.close()
