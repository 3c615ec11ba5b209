"""A team's threads: moved to PostgreSQL and back, resumed elsewhere in turn and at once."""

from __future__ import annotations

import getpass
import os
import subprocess
import sys
import time

import pytest

from skills_nb.commands import App
from skills_nb.errors import StoreError, ThreadError, UsageError
from tests.commands.flow import approve, begin
from tests.runtime.test_store_postgres import server, url  # noqa: F401 - fixtures

DONE, PAUSED = 0, 3


@pytest.fixture
def paused(app):
    """The main job, waiting at its first checkpoint, in the home's own store."""
    return begin(app)


def seen(app, thread="job"):
    return app.invoke(["show", thread]).document["events"]


@pytest.mark.slow
def test_threads_move_to_a_team_and_back_and_nothing_is_lost(app, home, paused, url):  # noqa: F811
    before = seen(app)
    there = app.invoke(["threads", "migrate", url]).document
    assert there == [{"thread_id": "job", "events": len(before), "new": len(before)}]
    again = app.invoke(["threads", "migrate", url]).document
    assert again == [{"thread_id": "job", "events": len(before), "new": 0}]
    app.close()
    (home / "config.toml").write_text(f'store = "{url}"\n')
    team = App(home)
    assert seen(team) == before
    approve(team, team.invoke(["status", "job"]))
    after = seen(team)
    assert len(after) > len(before)
    back = team.invoke(["threads", "migrate", "home"]).document
    assert back == [{"thread_id": "job", "events": len(after), "new": len(after) - len(before)}]
    team.close()
    (home / "config.toml").unlink()
    alone = App(home)
    assert seen(alone) == after
    alone.close()


@pytest.mark.slow
def test_threads_that_went_another_way_are_not_mixed(app, home, paused, url):  # noqa: F811
    app.invoke(["threads", "migrate", url])
    approve(app, paused)
    other = App(home.parent / "other")
    begin(other)
    with pytest.raises(ThreadError, match="went another way"):
        other.invoke(["threads", "migrate", url])
    other.close()


def test_a_store_does_not_move_into_itself(app):
    with pytest.raises(UsageError, match="the same store"):
        app.invoke(["threads", "migrate", "home"])


@pytest.mark.parametrize("address", ["snowflake://me@account/db", "nonsense", "sqlite:///x"])
def test_a_store_that_cannot_keep_the_promises_is_refused(app, address):
    with pytest.raises(StoreError):
        app.invoke(["threads", "migrate", address])


def machine(folder, url, served, *words):  # noqa: F811
    """Start a terminal of another machine: its own home, the team's store, the same account."""
    return subprocess.Popen(
        [sys.executable, "-m", "skills_nb.cli", *words],
        env={
            **os.environ,
            "SKILLS_NB_HOME": str(folder),
            "SKILLS_NB_STORE": url,
            "SKILLS_NB_CONNECTION": "embedded",
            "SNOWFLAKE_HOME": served,
            "NO_PROXY": "127.0.0.1",
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process):
    out, err = process.communicate(timeout=120)
    return process.returncode, out + err


@pytest.fixture
def team(app, url, tmp_path):  # noqa: F811
    served = app.invoke(["account", "address"]).document["connections"].rpartition("/")[0]

    def start(name, *words):
        return machine(tmp_path / name, url, served, *words)

    return start


@pytest.mark.slow
def test_two_machines_go_on_with_one_thread_in_turn_and_at_once(team, tmp_path, url):  # noqa: F811
    words = ["playbooks/secure-sensitive-data", "--input", "target_scope=PROD.CUSTOMER_DATA"]
    status, text = ended(team("one", "run", *words, "--thread", "job"))
    assert status == PAUSED, text
    status, text = ended(team("two", "status", "job"))
    assert status == PAUSED, text
    at = App(tmp_path / "three")
    at.wiring.__dict__["configuration"] = _of(url)
    pause = at.wiring.conductor.pause(at.wiring.conductor.load("job"))
    both = [team(n, "approve", "--at", pause.at, "--thread", "job") for n in ("one", "two")]
    answers = [ended(process) for process in both]
    assert PAUSED in [status for status, _ in answers], answers
    events = seen(at)
    said = [e for e in events if e["type"] == "human_response" and e["at"] == pause.at]
    assert len(said) == 1
    begun = [e["effect_key"] for e in events if e["type"] == "statement_started"]
    assert len(begun) == len(set(begun))
    at.close()


def _started(events):
    return sum(event["type"] == "statement_started" for event in events)


@pytest.mark.slow
def test_a_machine_that_is_killed_is_followed_by_another_which_sends_nothing_twice(
    app,
    team,
    tmp_path,
    url,  # noqa: F811
):
    begin = ["run", "playbooks/secure-sensitive-data", "--input", "target_scope=PROD.CUSTOMER_DATA"]
    status, text = ended(team("one", *begin, "--thread", "job"))
    assert status == PAUSED, text
    at = App(tmp_path / "three")
    at.wiring.__dict__["configuration"] = _of(url)
    begun = _started(seen(at))
    approved = team("one", "approve", "--at", "5", "--thread", "job")
    _wait_for(at, lambda events: _started(events) > begun)
    approved.kill()
    ended(approved)
    status, text = _taken_up(team)
    assert status == PAUSED, text
    while (pause := at.wiring.conductor.pause(at.wiring.conductor.load("job"))) is not None:
        phrase = ["--phrase", pause.phrase] if pause.phrase else []
        words = ["approve", "--at", pause.at, "--thread", "job", *phrase]
        status, text = ended(team("two", *words))
        assert status in (DONE, PAUSED), text
    events = seen(at)
    at.close()
    assert events[-1]["type"] == "thread_completed"
    assert [e["epoch"] for e in events if e["type"] == "thread_taken_over"] == [1]
    begun = [e["effect_key"] for e in events if e["type"] == "statement_started"]
    assert len(begun) == len(set(begun))
    assert {e["actor"] for e in events if e["type"] == "human_response"} <= {_me(), "timer"}
    assert _ran_twice(app) == []


def _wait_for(app, is_there):
    for _ in range(600):
        if is_there(seen(app)):
            return
        time.sleep(0.05)
    raise AssertionError("it did not come to that")


def _taken_up(team):
    """Resume on another machine as soon as the dead one's lease has run out."""
    for _ in range(30):
        status, text = ended(team("two", "resume", "job"))
        if "is held by" not in text:
            return status, text
        time.sleep(2)
    raise AssertionError("the lease did not run out")


def _ran_twice(app):
    sql = (
        "SELECT QUERY_TAG FROM TABLE(PROD.INFORMATION_SCHEMA.QUERY_HISTORY(RESULT_LIMIT => 10000)) "
        "WHERE QUERY_TAG LIKE 'job:%' AND EXECUTION_STATUS = 'SUCCESS' "
        "AND QUERY_TAG NOT LIKE '%again' GROUP BY QUERY_TAG HAVING COUNT(*) > 1"
    )
    return app.invoke(["sql", sql]).document["rows"]


def _me():
    return f"human:{getpass.getuser()}"


def _of(url):  # noqa: F811
    from skills_nb.commands.home.configuration import Configuration

    return Configuration(store=url)
