"""What a killed process leaves behind: every acknowledged event, no lock, and its mark."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from skills_nb.errors import ThreadError
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from tests.runtime.store_contract import noted, stamped

_WRITER = """
import sys
from pathlib import Path
from skills_nb.errors import ConflictError
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from tests.runtime.store_contract import noted, stamped

store, me = SqliteThreadStore(Path(sys.argv[1])), sys.argv[2]
number = 0
while True:
    loaded = store.load("thr_1")
    head = loaded[-1].seq if loaded else 0
    batch = stamped([noted(f"{me}-{number + more}") for more in range(1 + head % 3)], head)
    try:
        store.append("thr_1", head, batch)
    except ConflictError:
        continue
    number += len(batch)
    print(*[f"{event.seq}:{event.value}" for event in batch], flush=True)
"""

_HOLDER = """
import sys, time
from pathlib import Path
from skills_nb.runtime.stores.sqlite import SqliteThreadStore

with SqliteThreadStore(Path(sys.argv[1])).hold("thr_1") as was_left:
    print(was_left, flush=True)
    if sys.argv[2] == "stay":
        time.sleep(60)
"""


@contextmanager
def _running(program: str, *arguments: object):
    child = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def _killed_after(child: subprocess.Popen, lines: int, delay_s: float) -> list[str]:
    """Read some lines, kill the child after a moment, and return all that it acknowledged."""
    first = [child.stdout.readline() for _ in range(lines)]
    time.sleep(delay_s)
    child.kill()
    rest = child.stdout.read()
    child.wait()
    # A line that was cut off was not acknowledged.
    whole = [line for line in ("".join(first) + rest).splitlines(keepends=True) if line[-1] == "\n"]
    return [pair for line in whole for pair in line.split()]


@pytest.mark.parametrize("delay_s", [0.0, 0.003, 0.011, 0.027, 0.061, 0.14])
def test_a_killed_writer_loses_no_acknowledged_event(tmp_path, delay_s):
    with _running(_WRITER, tmp_path, "a") as child:
        acknowledged = _killed_after(child, 2, delay_s)
    with closing(SqliteThreadStore(tmp_path)) as store:
        found = [f"{event.seq}:{event.value}" for event in store.load("thr_1")]
        assert found[: len(acknowledged)] == acknowledged
        # At most the one append that was under way is there too, and it is there whole.
        assert found[len(acknowledged) :] in ([], _next_batch(acknowledged))
        assert store.verify() == ()
        assert store.append("thr_1", len(found), stamped([noted("on")], len(found)))


def _next_batch(acknowledged: list[str]) -> list[str]:
    head = len(acknowledged)
    return [f"{head + 1 + n}:a-{head + n}" for n in range(1 + head % 3)]


@pytest.mark.slow
def test_of_two_racing_writers_of_which_one_is_killed_nothing_acknowledged_is_lost(tmp_path):
    with _running(_WRITER, tmp_path, "a") as one, _running(_WRITER, tmp_path, "b") as two:
        first = _killed_after(one, 5, 0.05)
        second = _killed_after(two, 5, 0.05)
    with closing(SqliteThreadStore(tmp_path)) as store:
        found = [f"{event.seq}:{event.value}" for event in store.load("thr_1")]
        assert set(first).isdisjoint(second)
        assert {*first, *second} - set(found) == set()
        assert [pair.split(":")[0] for pair in found] == [str(n + 1) for n in range(len(found))]
        values = [pair.split(":")[1] for pair in found]
        assert len(values) == len(set(values))
        assert store.verify() == ()


def test_a_thread_that_a_live_process_holds_is_refused_with_its_number(tmp_path):
    with (
        closing(SqliteThreadStore(tmp_path)) as store,
        _running(_HOLDER, tmp_path, "stay") as other,
    ):
        assert other.stdout.readline() == "False\n"
        with (
            pytest.raises(ThreadError, match=f"'thr_1' is held by process {other.pid}$") as said,
            store.hold("thr_1"),
        ):
            pass
        assert said.value.hint.endswith("then go on here with: resume thr_1")
        with store.hold("thr_2") as was_left:
            assert was_left is False


def test_the_next_holder_learns_of_a_dead_one_and_the_one_after_a_clean_release_does_not(tmp_path):
    with _running(_HOLDER, tmp_path, "stay") as other:
        other.stdout.readline()
        other.kill()
        other.wait()
    with closing(SqliteThreadStore(tmp_path)) as store:
        with store.hold("thr_1") as first, store.hold("thr_1") as second:
            assert (first, second) == (True, False)
        with store.hold("thr_1") as third:
            assert third is False


def test_a_holder_that_ends_cleanly_leaves_no_mark(tmp_path):
    with _running(_HOLDER, tmp_path, "leave") as other:
        assert other.stdout.read() == "False\n"
    with closing(SqliteThreadStore(tmp_path)) as store, store.hold("thr_1") as was_left:
        assert was_left is False


def test_a_taker_over_that_dies_too_is_told_to_the_next(tmp_path):
    for expected in ("False\n", "True\n", "True\n"):
        with _running(_HOLDER, tmp_path, "stay") as other:
            assert other.stdout.readline() == expected
            other.kill()
            other.wait()


@pytest.mark.posix("forks")
def test_a_hold_does_not_live_on_in_a_forked_child(tmp_path):
    with closing(SqliteThreadStore(tmp_path)) as store:
        held = store.hold("thr_1")
        held.__enter__()
        child = os.fork()
        if child == 0:
            time.sleep(20)
            os._exit(0)
        try:
            held.__exit__(None, None, None)
            with _running(_HOLDER, tmp_path, "leave") as other:
                assert other.stdout.read() == "False\n"
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


@pytest.mark.posix("forks")
def test_a_forked_child_that_leaves_its_parents_block_releases_nothing(tmp_path):
    with closing(SqliteThreadStore(tmp_path)) as store:
        held = store.hold("thr_1")
        held.__enter__()
        child = os.fork()
        if child == 0:
            held.__exit__(None, None, None)
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        with _running(_HOLDER, tmp_path, "leave") as other:
            assert other.wait(20) != 0
        held.__exit__(None, None, None)
