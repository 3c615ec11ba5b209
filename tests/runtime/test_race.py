"""Several live processes on one thread: no statement runs twice, and nobody waits for ever."""

import signal
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from tests.runtime.racing import BOOK, STEPS, THREAD, SharedAccount, kernel


@contextmanager
def racing(home, account, *last):
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.runtime.racing", str(home), str(account), *last],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()


def go(child):
    assert child.stdout.readline() == "ready\n"
    child.stdin.write("\n")
    child.stdin.flush()


@pytest.fixture
def places(tmp_path):
    home, account = tmp_path / "home", tmp_path / "account.db"
    conductor, store = kernel(home, account)
    conductor.start(BOOK.ref, {}, thread_id=THREAD)
    store.close()
    return home, account


def check(home, account):
    conductor, store = kernel(home, account)
    with closing(store), closing(SharedAccount(account)) as shared:
        state = conductor.load(THREAD)
        assert state.status == "completed"
        assert shared.ran() == [f"INSERT INTO LOG VALUES ({n})" for n in range(1, STEPS + 1)]
        assert store.verify() == ()
        return store.load(THREAD)


@pytest.mark.slow
def test_two_kernels_that_work_on_one_thread_send_each_statement_once(places):
    with ExitStack() as stack:
        children = [stack.enter_context(racing(*places)) for _ in range(2)]
        for child in children:
            go(child)
        refused = [int(child.stdout.readline()) for child in children]
    assert sum(refused) > 0
    events = check(*places)
    answers = [event.at for event in events if event.type == "human_response"]
    assert len(answers) == len(set(answers)) == STEPS / 2


@pytest.mark.slow
@pytest.mark.parametrize("delay_s", [0.05, 0.2])
def test_when_one_of_two_kernels_is_killed_the_other_goes_on(places, delay_s):
    with racing(*places) as one, racing(*places) as two:
        go(one)
        go(two)
        time.sleep(delay_s)
        one.send_signal(signal.SIGKILL)
        one.wait()
        assert two.stdout.readline().strip().isdecimal()
    check(*places)


@pytest.mark.slow
def test_a_kernel_that_died_in_the_middle_is_taken_over_on_record(places):
    with racing(*places, "INSERT INTO LOG VALUES (8)") as one:
        go(one)
        assert one.wait() == -signal.SIGKILL
    with racing(*places) as two:
        go(two)
        assert two.stdout.readline() == "0\n"
    events = check(*places)
    assert [e.epoch for e in events if e.type == "thread_taken_over"] == [1]
    ends = [e.recovered for e in events if e.type == "statement_completed"]
    assert ends == [number == 8 for number in range(1, STEPS + 1)]
