"""Windows, as far as a double can show it: locks that exclude, and what the package does without.

`windows/windows_double.py` takes away what Windows does not have; the workflow runs the tests on
the real one. To run any tests under the double:

    PYTHONPATH=tests/platforms/windows python -m pytest tests/runtime
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOUBLE = Path(__file__).parent / "windows"
REPRESENTATIVE = (
    "tests/runtime/test_store_sqlite.py",
    "tests/runtime/test_store_crash.py",
    "tests/runtime/test_lock_proof.py",
    "tests/runtime/test_archive.py",
    "tests/runtime/test_reopening.py",
    "tests/embedded/test_store.py",
    "tests/embedded/test_private_folder.py",
    "tests/bench/test_journal.py",
    "tests/authoring/test_fixing.py",
    "tests/reading/test_files.py",
    "tests/authoring",
    # One plays a Mac, and those behind it must be on Windows again.
    "tests/runtime/test_store_places.py tests/commands/test_logins.py "
    "tests/commands/test_session_badge.py",
)
"""Tests that touch what differs, a process each; what a system cannot pass is marked `posix`."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the double stands on Linux' locks")


def begun(*words, **options):
    """Begin a program that sees Windows."""
    paths = os.pathsep.join([str(DOUBLE), str(ROOT), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": paths.rstrip(os.pathsep)}
    return subprocess.Popen(
        [sys.executable, *words],
        env=env,
        text=True,
        encoding="utf-8",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # A job in the background ignores Ctrl-C, and what it begins would, too.
        preexec_fn=_hear_ctrl_c,
        **options,
    )


def _hear_ctrl_c():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def said(*words, **options):
    """Run a program that sees Windows; return its status and what it said."""
    with begun(*words, **options) as process:
        text, _ = process.communicate(timeout=300)
        return process.returncode, text


HOLDER = """
import os, sys
from pathlib import Path
from skills_nb.system import file_locks, plain_files
descriptor = plain_files.open_bytes(Path(sys.argv[1]), os.O_RDWR | os.O_CREAT, 0o600)
try:
    file_locks.take(descriptor)
except BlockingIOError:
    print("held by", plain_files.holder_of(descriptor), flush=True)
    sys.exit()
plain_files.name_holder(descriptor)
print("taken by", os.getpid(), flush=True)
sys.stdin.readline()
"""


def test_a_lock_is_one_process_s_says_whose_and_goes_with_it(tmp_path):
    lock = str(tmp_path / "x.lock")
    with begun("-c", HOLDER, lock) as first:
        assert first.stdout.readline() == f"taken by {first.pid}\n"
        assert said("-c", HOLDER, lock) == (0, f"held by {first.pid}\n")
        first.kill()
        first.wait()
        with begun("-c", HOLDER, lock) as second:
            assert second.stdout.readline() == f"taken by {second.pid}\n"
            second.communicate("\n")


def test_a_lock_that_waits_is_given_when_the_holder_lets_go(tmp_path):
    waiting = HOLDER.replace("file_locks.take(descriptor)", "file_locks._wait_for(descriptor)")
    lock = str(tmp_path / "x.lock")
    with begun("-c", HOLDER, lock) as first:
        first.stdout.readline()
        with begun("-c", waiting, lock) as second:
            first.communicate("\n")
            assert second.stdout.readline() == f"taken by {second.pid}\n"
            second.communicate("\n")


ASKED = """
import os, subprocess, sys
from skills_nb.system import processes
child = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
print(processes.is_alive(os.getpid()), processes.is_alive(child.pid))
child.communicate(b"\\n")
print(processes.is_alive(child.pid))
"""


def test_a_process_is_asked_after_without_a_signal():
    assert said("-c", ASKED) == (0, "True True\nFalse\n")


LIMITED = """
import time
from skills_nb.bench.time_limits import TimeLimitError, time_limit
try:
    with time_limit(0.2):
        while True:
            time.sleep(0.01)
except TimeLimitError as problem:
    print(problem)
with time_limit(60):
    print("in time")
"""


def test_a_limit_on_time_needs_no_alarm():
    assert said("-c", LIMITED) == (0, "took longer than 0.2 s\nin time\n")


IMPORTED = """
import importlib, os, pkgutil, sys
import skills_nb
assert (os.name, sys.platform) == ("nt", "win32")
names = [one.name for one in pkgutil.walk_packages(skills_nb.__path__, "skills_nb.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names) > 1000)
"""


@pytest.mark.slow
def test_every_module_is_imported():
    assert said("-c", IMPORTED) == (0, "True\n")


ENCLOSED = """
from skills_nb.bench.contained.enclosure import CannotContainError, Enclosure, run_enclosed
for is_enclosed in (True, False):
    try:
        run_enclosed(["true"], Enclosure({}, "/", 1), is_enclosed=is_enclosed)
    except CannotContainError as problem:
        print(problem, problem.hint, sep="; ")
"""


def test_an_answer_s_commands_are_refused_with_a_way_round():
    refused = (
        "an answer's commands need a POSIX shell, which Windows does not have; "
        "run this in the Windows Subsystem for Linux\n"
    )
    assert said("-c", ENCLOSED) == (0, refused * 2)


PYTHON = """
import skills_nb
from skills_nb.errors import SqlError
account = skills_nb.connect(None)
account.sql("CREATE DATABASE D").collect()
account.sql(
    "CREATE FUNCTION D.PUBLIC.F() RETURNS INT LANGUAGE PYTHON RUNTIME_VERSION = '3.11' "
    "HANDLER = 'f' AS 'def f(): return 1'"
).collect()
try:
    account.sql("SELECT D.PUBLIC.F()").collect()
except Exception as problem:
    print("Windows Subsystem for Linux" in str(problem))
"""


@pytest.mark.slow
def test_python_in_the_account_is_refused_with_a_way_round():
    assert said("-c", PYTHON)[1].endswith("True\n")


def skills(home, *words):
    status, text = said("-m", "skills_nb.cli", *words, cwd=home)
    return status, text


@pytest.mark.slow
def test_the_main_job_is_run_answered_interrupted_and_resumed(tmp_path):
    assert skills(tmp_path, "connect", "--embedded")[0] == 0
    scope = "target_scope=PROD.CUSTOMER_DATA.CUSTOMERS"
    words = ("run", "playbooks/secure-sensitive-data", "--input", scope, "--no-input")
    status, text = skills(tmp_path, *words)
    assert (status, "Answer with" in text) == (3, True), text
    for words in (("approve", "--no-input"), ("status",), ("resume",), ("threads",)):
        status, text = skills(tmp_path, *words)
        assert (status in (0, 3), "Traceback" in text) == (True, False), text
    status, text = skills(tmp_path, "lint", "--help")
    assert status == 0


@pytest.mark.slow
def test_a_served_account_is_found_by_another_process_and_let_go_by_ctrl_c(tmp_path):
    assert skills(tmp_path, "connect", "--embedded")[0] == 0
    with begun("-m", "skills_nb.cli", "account", "serve", cwd=tmp_path) as server:
        assert "served on" in server.stdout.readline()
        status, text = skills(tmp_path, "sql", "SELECT 1 + 1 AS TWO")
        assert (status, "2" in text) == (0, True), text
        server.send_signal(2)
        try:
            assert "Served no more." in server.communicate(timeout=60)[0]
        finally:
            server.kill()


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("files", REPRESENTATIVE)
def test_a_representative_part_of_the_suite_passes(files):
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *files.split())
    status, text = said(*words, cwd=ROOT)
    assert status == 0, text[-4000:]
