"""Something done in a copy of this process, which changes nothing here: memory, accounts, files."""

from __future__ import annotations

import gc
import os
import pickle
import select
import shutil
import signal
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

_PATIENCE_S = 240.0
"""Far more than anything takes that tests do in a copy, on a busy machine too."""


def in_a_fork(act: Callable[[], T], *folders: Path) -> T:
    """Return what `act` returns in a copy of this process; nothing that it does stays.

    Accounts in memory use one core in tests, so that DuckDB has no thread that a copy would miss.

    Args:
        act: what is done; its answer can be pickled.
        folders: what is put back as it was, since both processes share the disk.

    Raises:
        AssertionError: it failed there, with the trace of it, or never answered.
    """
    with _kept(folders):
        told = _told(act)
    assert told is not None, f"the copy of the process said nothing within {_PATIENCE_S:.0f} s"
    assert told, "the copy of the process died"
    is_done, answer = pickle.loads(told)
    assert is_done, answer
    return answer  # type: ignore[no-any-return]


def _told(act: Callable[[], object]) -> bytes | None:
    """Return what a copy of the process tells; none if it says nothing for long, and is ended."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Python warns of forks beside threads: those here only wait.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _tell(writing, act)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        speaks, _, _ = select.select([stream], [], [], _PATIENCE_S)
        if not speaks:
            os.kill(child, signal.SIGKILL)
        told = stream.read()
    os.waitpid(child, 0)
    return told if speaks else None


def _tell(writing: int, act: Callable[[], object]) -> None:
    # What earlier tests left to collect may wait for threads that only the other process has.
    gc.disable()
    try:
        told = pickle.dumps((True, act()))
    except BaseException:  # noqa: BLE001 - told to the process that waits
        told = pickle.dumps((False, traceback.format_exc()))
    with os.fdopen(writing, "wb") as stream:
        stream.write(told)
    os._exit(0)


@contextmanager
def _kept(folders: tuple[Path, ...]) -> Iterator[None]:
    with tempfile.TemporaryDirectory() as aside:
        for number, folder in enumerate(folders):
            shutil.copytree(folder, Path(aside, str(number)))
        yield
        for number, folder in enumerate(folders):
            shutil.rmtree(folder)
            shutil.copytree(Path(aside, str(number)), folder)
