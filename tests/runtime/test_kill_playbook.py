"""A whole playbook whose processes die at every event boundary, and between SQL and its outcome."""

import multiprocessing
import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from skills_nb.commands.wiring import Wiring
from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.difference import difference_of
from skills_nb.embedded.engine.account import Account
from skills_nb.ports import CatalogDifference
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from tests.runtime.killing import (
    THREAD,
    Life,
    acknowledged,
    die_by_exception,
    live,
    play,
    sent,
    tell_a_life_to,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def seeded(tmp_path_factory):
    """A home with a fresh demo account."""
    home = tmp_path_factory.mktemp("seeded")
    wiring = Wiring(home)
    wiring.session.context()
    wiring.close()
    return home


@dataclass(frozen=True)
class Outcome:
    """What is left when the playbook is through."""

    events: tuple
    ran: Counter
    catalog: Catalog


def outcome_in(home):
    wiring = Wiring(home)
    events, ran, folder = wiring.store.load(THREAD), sent(wiring), wiring.account_folder
    assert wiring.store.verify() == ()
    wiring.close()
    with Account.open(folder) as account:
        return Outcome(events, ran, account.catalog)


@pytest.fixture(scope="module")
def undisturbed(seeded, tmp_path_factory):
    """What is left when the playbook ran in one life."""
    home = shutil.copytree(seeded, tmp_path_factory.mktemp("undisturbed") / "home")
    wiring = Wiring(home)
    assert play(wiring).status == "completed"
    wiring.close()
    return outcome_in(home)


@pytest.fixture
def home(seeded, tmp_path):
    return shutil.copytree(seeded, tmp_path / "home")


def check(home, undisturbed, told):
    """The same account, nothing sent twice, nothing lost that was said to be safe."""
    found = outcome_in(home)
    assert found.events[-1].type == "thread_completed"
    kept = [acknowledged(event) for event in found.events]
    assert told == [event for event in kept if event in set(told)]
    assert {text: count for text, count in found.ran.items() if count > 1} == {}
    assert found.ran == undisturbed.ran
    assert difference_of(undisturbed.catalog, found.catalog) == CatalogDifference()


def next_death(home):
    """Die at the next event; but where an intent came to nothing, between SQL and its outcome.

    So each statement meets both: a death before it is sent, and one before its outcome is told.
    """
    store = SqliteThreadStore(home)
    types = [event.type for event in store.load(THREAD)]
    store.close()
    has_come_to_nothing = [t for t in types if t != "thread_taken_over"][-1:] == ["statement_lost"]
    return "after_execute" if has_come_to_nothing else "after_append"


def test_dying_at_every_boundary_by_exception_changes_nothing(home, undisturbed):
    told, lives, end = [], 0, None
    while end is None:
        life = Life(next_death(home), 1, die_by_exception, lambda e: told.append(acknowledged(e)))
        end = live(home, life)
        lives += 1
    check(home, undisturbed, told)
    assert lives > len(undisturbed.events)


def test_two_processes_that_share_the_account_send_each_statement_once(home, undisturbed):
    words = [sys.executable, "-m", "tests.runtime.killing", str(home), "never", "1", "in-turn"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with ExitStack() as stack:
        children = [
            stack.enter_context(subprocess.Popen(words, cwd=Path(__file__).parents[2], **pipes))
            for _ in range(2)
        ]
        assert [child.stdout.readline() for child in children] == ["READY\n"] * 2
        for child in children:
            child.stdin.write("go\n")
            child.stdin.flush()
        told = [child.communicate(timeout=300)[0].splitlines() for child in children]
    assert [lines.pop() for lines in told] == ["END", "END"]
    assert all(told), "both took part"
    first, second = (set(lines) for lines in told)
    assert first.isdisjoint(second)
    check(home, undisturbed, sorted(first | second, key=lambda line: int(line.partition(":")[0])))


def killed(home, point, passes):
    """Let one process go on until it is killed; return what it said was safe, and if it ended.

    It is forked from a process that has the packages loaded, because there are so many.
    """
    path = home / "told"
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(["tests.runtime.killing", "snowflake.snowpark", "duckdb"])
    child = forks.Process(target=tell_a_life_to, args=(path, home, point, passes))
    child.start()
    child.join(timeout=900)
    lines = path.read_text(encoding="utf-8").splitlines()
    if child.exitcode == -signal.SIGKILL:
        return lines, False
    assert (child.exitcode, lines[-1:]) == (0, ["END"])
    return lines[:-1], True


def test_a_process_killed_at_every_boundary_changes_nothing(home, undisturbed):
    told, kills, is_through, more, reached = [], 0, False, 0, 0
    while not is_through:
        point = next_death(home)
        # The first append of a later process says that the thread was taken over.
        passes = 2 if point == "after_append" and told else 1
        lines, is_through = killed(home, point, passes + more)
        told += lines
        kills += not is_through
        # What is only looked at is looked at anew by whoever comes next: let that one get further.
        before, reached = reached, steps_reached(home)
        more = 0 if reached > before else 2 * more + 1
    check(home, undisturbed, told)
    assert kills >= len(undisturbed.events) // 3


def steps_reached(home):
    """Count the events that are more than a look at the account."""
    store = SqliteThreadStore(home)
    types = [event.type for event in store.load(THREAD)]
    store.close()
    return sum(one not in ("thread_taken_over", "environment_probed") for one in types)
