"""A folder whose file system does not keep locks is refused, in words, before anything is made."""

from __future__ import annotations

import errno
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from skills_nb.errors import StoreError
from skills_nb.runtime.stores import locks

HINT = "set SKILLS_NB_HOME to a folder on a local disk"


def given(descriptor):
    """Give every lock, as a file system does whose locks do nothing."""


def refused(descriptor):
    raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))


def taken(descriptor):
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def unknown(descriptor):
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))


def test_a_local_folder_keeps_locks_and_nothing_is_left_in_it(tmp_path):
    locks.prove(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        ((given, given), "a lock that was held was given a second time"),
        ((refused, taken), "a lock was refused: No locks available"),
        ((given, refused), "a lock was refused: No locks available"),
    ],
)
def test_locks_that_do_not_work_are_told(tmp_path, pair, why):
    with pytest.raises(StoreError) as said:
        locks.prove(tmp_path, (pair,))
    assert said.value.message == (
        f"{tmp_path}: its file system does not keep locks ({why}), so two processes could write "
        "one thread at a time; nothing was changed"
    )
    assert said.value.hint == HINT
    assert list(tmp_path.iterdir()) == []


def test_a_kind_of_lock_that_the_system_does_not_know_proves_nothing(tmp_path):
    locks.prove(tmp_path, ((given, unknown),))


_FILTERED = """
import ctypes, struct, sys
from pathlib import Path
from skills_nb.errors import StoreError
from skills_nb.runtime.stores.sqlite import SqliteThreadStore

# Of this process's system calls, flock is answered by the kernel's filter alone: with an error, or
# as if it had worked. Source: seccomp(2).
number, answer = int(sys.argv[2]), int(sys.argv[3])
program = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (6, 0, 0, 0x50000 | answer)]
program += [(6, 0, 0, 0x7FFF0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
whole = struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.create_string_buffer(whole), 0, 0):
    print("no filter")
    sys.exit()
try:
    SqliteThreadStore(Path(sys.argv[1]))
except StoreError as problem:
    print(problem.message)
    print(problem.hint)
"""
_FLOCK = {"x86_64": 73, "aarch64": 32}


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in _FLOCK, reason="needs Linux's filters"
)
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (0, "a lock that was held was given a second time"),
        (errno.ENOLCK, "a lock was refused: No locks available"),
        (errno.EOPNOTSUPP, "a lock was refused: Operation not supported"),
    ],
)
def test_a_store_is_refused_where_the_kernel_gives_no_locks(tmp_path, answer, why):
    number = str(_FLOCK[platform.machine()])
    done = subprocess.run(
        [sys.executable, "-c", _FILTERED, str(tmp_path / "store"), number, str(answer)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    if done.stdout == "no filter\n":
        pytest.skip("this system lets no process filter its own calls")
    message, hint = done.stdout.splitlines()
    assert message.startswith(f"{tmp_path}/store: its file system does not keep locks ({why})")
    assert hint == HINT
    assert not (tmp_path / "store" / "threads.db").exists()
