"""Several processes on one account: who holds it, who takes over, and what becomes of sessions."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skills_nb.embedded.tools.sharing import SharedAccountWire
from skills_nb.errors import SkillsError
from skills_nb.runtime.loopback.shared_wire import SharedWire

pytestmark = pytest.mark.slow

WORKER = Path(__file__).with_name("account_worker.py")
LOST = 250001


class Process:
    """A worker, as its colleague sees it."""

    def __init__(self, folder, patience_s):
        self.process = subprocess.Popen(
            [sys.executable, str(WORKER), str(folder), str(patience_s)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.answer() == "ready"

    def tell(self, *words, **options):
        self.process.stdin.write(json.dumps([*words, *([options] if options else [])]) + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def do(self, *words, **options):
        self.tell(*words, **options)
        return self.answer()

    def run(self, sql, at=0):
        return self.do("run", sql, at=at)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.stdin.close()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()


@pytest.fixture
def start(tmp_path):
    """Start workers on one folder; the first to be told something holds it."""
    started = []

    def begin(*, patience_s=5.0, **options):
        started.append(Process(tmp_path / "account", patience_s))
        if options.pop("connect", True):
            assert started[-1].do("connect", **options) == 0
        return started[-1]

    yield begin
    for process in started:
        process.end()


@pytest.fixture
def holder(start):
    process = start()
    process.run("create database d")
    process.run("create table d.public.log (n int)")
    return process


def numbers(process, at=0):
    return [row[0] for row in process.run("select n from d.public.log order by n", at)]


def test_two_processes_take_turns_on_one_account(holder, start):
    other = start()
    assert [holder.do("holds"), other.do("holds")] == [True, False]
    for n in range(0, 10, 2):
        holder.run(f"insert into d.public.log values ({n})")
        other.run(f"insert into d.public.log values ({n + 1})")
    assert numbers(holder) == numbers(other) == list(range(10))


def test_a_survivor_takes_over_from_a_killed_holder_and_serves_the_third(holder, start):
    second, third = start(), start()
    for n, process in enumerate((holder, second, third)):
        process.run(f"insert into d.public.log values ({n})")
    holder.kill()
    assert second.run("insert into d.public.log values (3)") == [[1]]
    assert third.run("insert into d.public.log values (4)") == [[1]]
    assert [second.do("holds"), third.do("holds")] == [True, False]
    second.kill()
    assert numbers(third) == [0, 1, 2, 3, 4]
    assert third.do("holds")


def test_a_survivor_takes_over_from_a_holder_that_closed(holder, start):
    other = start()
    holder.do("close")
    assert other.run("insert into d.public.log values (1)") == [[1]]
    assert other.do("holds")


def test_a_session_goes_on_where_it_stood(holder, start):
    holder.run("create role r")
    holder.run("grant role r to user admin")
    holder.run("grant usage on database d to role r")
    holder.run("grant usage on schema d.public to role r")
    other = start(role="ACCOUNTADMIN", database="D", schema="PUBLIC")
    other.run("use role r")
    other.run("use secondary roles none")
    other.run("set (v, w) = ('it''s', 1.5)")
    other.run("alter session set query_tag = 'mine'")
    asked = (
        "select current_role(), current_warehouse(), current_database(), current_schema(), "
        "current_user(), $v, $w, current_secondary_roles()"
    )
    before = other.run(asked)
    holder.kill()
    assert other.run(asked) == before
    assert before[0][:3] == ["R", "COMPUTE_WH", "D"]
    assert other.run("show parameters like 'QUERY_TAG' in session")[0][1] == "mine"
    assert other.run("create table d.public.x (a int)")["errno"] == 3001


def test_every_session_of_a_process_comes_along(holder, start):
    other = start(role="SYSADMIN")
    other.do("connect", role="USERADMIN")
    holder.kill()
    roles = [other.run("select current_role()", at)[0][0] for at in (0, 1)]
    assert roles == ["SYSADMIN", "USERADMIN"]


@pytest.mark.parametrize(("when", "count"), [("before", 0), ("after", 1)])
def test_a_change_that_was_under_way_is_reported_as_unknown(holder, start, when, count):
    other = start()
    said = other.run(f"insert into d.public.log /* die {when} */ values (1)")
    assert said["errno"] == LOST
    assert "nobody knows whether the statement ran" in said["text"]
    assert len(numbers(other)) == count
    assert other.do("holds")


def test_a_read_that_was_under_way_is_asked_again(holder, start):
    other = start()
    holder.run("insert into d.public.log values (7)")
    assert other.run("select n /* slow */ from d.public.log") == [[7]]
    other.tell("run", "select n /* slow */ from d.public.log")
    time.sleep(1)
    holder.kill()
    assert other.answer() == [[7]]
    assert other.do("holds")


def test_an_open_transaction_is_not_lost_in_silence(holder, start):
    other = start()
    other.run("begin")
    other.run("insert into d.public.log values (1)")
    holder.kill()
    said = other.run("insert into d.public.log values (2)")
    assert said["errno"] == LOST
    assert "open transaction; the statement did not run" in said["text"]
    assert other.run("insert into d.public.log values (3)") == [[1]]
    assert numbers(other) == [3]


def test_temporary_tables_are_not_lost_in_silence(holder, start):
    other = start(database="D", schema="PUBLIC")
    other.run("create temporary table mine (a int)")
    holder.kill()
    assert "temporary objects" in other.run("select * from mine")["text"]
    assert other.run("select * from mine")["errno"] == 2003


def test_of_two_openers_one_holds_and_both_work(start):
    for _ in range(3):
        pair = [start(connect=False), start(connect=False)]
        for process in pair:
            process.tell("connect")
        assert [process.answer() for process in pair] == [0, 0]
        assert sorted(process.do("holds") for process in pair) == [False, True]
        for process in pair:
            process.run("create database if not exists race")
        assert [process.run("select 1") for process in pair] == [[[1]], [[1]]]
        for process in pair:
            process.kill()


def test_two_survivors_race_and_one_takes_over(holder, start):
    pair = [start(), start()]
    holder.kill()
    for n, process in enumerate(pair):
        process.tell("run", f"insert into d.public.log values ({n})")
    assert [process.answer() for process in pair] == [[[1]], [[1]]]
    assert sorted(process.do("holds") for process in pair) == [False, True]
    assert numbers(pair[0]) == [0, 1]


def test_a_holder_that_hangs_is_named_and_its_account_left_alone(holder, start):
    other = start(patience_s=2.0)
    holder.process.send_signal(signal.SIGSTOP)
    said = other.run("insert into d.public.log values (1)")
    assert said["errno"] == LOST
    begin = time.monotonic()
    said = other.run("insert into d.public.log values (2)")
    assert said["errno"] == 251011
    assert f"held by process {holder.process.pid}" in said["text"]
    assert time.monotonic() - begin < 10
    holder.process.send_signal(signal.SIGCONT)
    assert other.run("insert into d.public.log values (3)") == [[1]]
    # What was sent before it hung ran when it woke, which is why its fate was unknown.
    assert numbers(other) == [1, 3]
    assert holder.do("holds")


def test_a_long_statement_is_no_hang(holder, start):
    other = start(patience_s=1.0)
    assert other.run("select 1 /* slow */") == [[1]]


def test_a_forked_child_reaches_its_parent_s_account(holder):
    holder.run("insert into d.public.log values (1)")
    assert holder.do("forked", "select n from d.public.log") == [False, [[1]]]
    assert numbers(holder) == [1]
    assert holder.do("holds")


def test_a_damaged_account_is_refused_in_every_process(tmp_path):
    (tmp_path / "account.duckdb").write_bytes(b"no database" * 100)
    shared = SharedWire(tmp_path, SharedAccountWire.open)
    with pytest.raises(SkillsError, match="cannot be opened"):
        shared.address()
    answer = shared.handle("POST", "http://x/session/v1/login-request", {}, {"data": {}})
    assert (answer["success"], answer["code"]) == (False, "251011")
    assert "cannot be opened" in answer["message"]


def test_a_closed_wire_answers_that_the_session_is_gone(tmp_path):
    shared = SharedWire(tmp_path, SharedAccountWire.open)
    assert shared.held() is not None
    shared.close()
    answer = shared.handle("POST", "http://x/queries/v1/query-request", {}, {"sqlText": "x"})
    assert (answer["success"], answer["code"]) == (False, "390111")
    kept = ["account.duckdb", "account.lock", "address.retired", "holder.lock"]
    assert sorted(os.listdir(tmp_path)) == kept


def test_a_request_that_meets_a_closing_holder_is_never_lost(holder, start):
    """The holder closes under fire; whatever it did not answer, it did not do."""
    others = [start(), start()]
    for turn in range(3):
        for n, process in enumerate(others):
            process.tell("storm", "insert into d.public.log values (1)", 40, 0.002 * n)
        time.sleep(0.05 * (turn + 1))
        holder.do("close")
        assert [process.answer() for process in others] == [[], []]
        assert len(numbers(others[0])) == 80 * (turn + 1)
        held = [process.do("holds") for process in others]
        assert sorted(held) == [False, True]
        holder = others.pop(held.index(True))
        others.append(start())
