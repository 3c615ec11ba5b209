"""A request that comes again is answered again, and done once."""

from __future__ import annotations

import threading

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.embedded.wire.repeats import MOST, Repeats


@pytest.fixture
def ask():
    """Send statements under request ids, as one client."""
    with Account.open() as account:
        wire = EmbeddedWire(account)
        login = {"data": {"LOGIN_NAME": "ADMIN"}}
        url = "http://h/session/v1/login-request?databaseName=D"
        token = wire.handle("POST", url, {}, login)["data"]["token"]

        def send(sql, request_id):
            headers = {"Authorization": f'Snowflake Token="{token}"'}
            url = f"http://h/queries/v1/query-request?requestId={request_id}"
            return wire.handle("POST", url, headers, {"sqlText": sql})

        yield send


def test_a_repeated_request_gets_the_first_answer_and_runs_nothing(ask):
    first = ask("CREATE DATABASE D", "one")
    again = ask("CREATE DATABASE D", "one")
    assert (first["success"], again) == (True, first)


def test_another_request_is_another_statement(ask):
    ask("CREATE DATABASE D", "one")
    assert ask("CREATE DATABASE D", "two")["code"] == "002002"


def test_a_refusal_is_repeated_too(ask):
    first = ask("DROP DATABASE NOWHERE", "one")
    ask("CREATE DATABASE NOWHERE", "two")
    assert (first["success"], ask("DROP DATABASE NOWHERE", "one")) == (False, first)


def test_whoever_asks_again_meanwhile_waits_for_the_one_answer():
    repeats, entered, leave, done = Repeats(), threading.Event(), threading.Event(), []

    def work():
        entered.set()
        assert leave.wait(5)
        done.append(1)
        return {"n": len(done)}

    answers = []
    ask = lambda: answers.append(repeats.once("s", "one", work))  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(3)]
    threads[0].start()
    assert entered.wait(5)
    for thread in threads[1:]:
        thread.start()
    leave.set()
    for thread in threads:
        thread.join(5)
    assert (answers, done) == ([{"n": 1}] * 3, [1])


def test_only_the_last_answers_are_kept():
    repeats = Repeats()
    for number in range(MOST + 1):
        repeats.once("s", str(number), lambda: {})
    assert repeats.once("s", "0", lambda: {"new": True}) == {"new": True}
    assert repeats.once("s", str(MOST), lambda: {"new": True}) == {}


def test_what_is_being_worked_on_is_not_forgotten_for_what_came_later():
    repeats, entered, leave, done = Repeats(), threading.Event(), threading.Event(), []

    def work():
        entered.set()
        assert leave.wait(5)
        done.append(1)
        return {"n": len(done)}

    first = threading.Thread(target=lambda: repeats.once("s", "long", work))
    first.start()
    assert entered.wait(5)
    for number in range(2 * MOST):
        repeats.once("other", str(number), dict)
    answers = []
    again = threading.Thread(target=lambda: answers.append(repeats.once("s", "long", work)))
    again.start()
    leave.set()
    first.join(5)
    again.join(5)
    assert (done, answers) == ([1], [{"n": 1}])
    assert repeats.once("other", str(2 * MOST - 1), lambda: {"n": 2}) == {}
