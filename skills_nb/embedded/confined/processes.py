"""The starters of this process, and the workers that they begin.

Room: embedded. A starter is begun once, with nothing of this process but a pipe, and lives as long.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from skills_nb.embedded.confined.worker_pipes import Pipe

_BEGIN = "import sys; sys.path.insert(0, {folder!r}); from inside.starter import main; main()"
_ENVIRONMENT = {
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "SNOWFLAKE_HOME": "/nonexistent",
}
_BEGINS_WITHIN_S = 60.0
_ANSWERS_WITHIN_S = 10.0
_SITES = ("site-packages", "dist-packages")


def can_begin() -> bool:
    """Tell whether this system has what a starter is made of: forks, and sockets handed over."""
    return os.name == "posix"


class NoProcessError(Exception):
    """This machine cannot begin processes for handlers."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that holds the handlers of one owner for one caller."""

    pipe: Pipe
    """How it is asked."""
    number: bytes
    """Stands for it when its starter is asked to end it."""
    starter: Starter
    """The process that began it."""
    is_shut_in: bool
    """Whether the machine keeps it from files, network and processes."""
    loaded: set[int] = field(default_factory=set)
    """Numbers of the handlers that it has."""
    turn: threading.RLock = field(default_factory=threading.RLock)
    """Held while it is asked."""

    def end(self) -> None:
        """End the process, whatever it does."""
        self.pipe.close()
        self.starter.end(self.number)


class Starter:
    """A process that forks workers; it runs no handler itself."""

    def __init__(self, module: Path | None, *, trusted: bool) -> None:
        """Begin it; `awaited` tells when it is there.

        Args:
            module: code that opens the sessions of procedures; None for functions alone.
            trusted: whether workers may run where the machine cannot shut them in.

        Raises:
            NoProcessError: it cannot be begun.
        """
        if not can_begin() or not sys.executable:
            raise NoProcessError
        self._owner = os.getpid()
        self._turn = threading.RLock()
        self._numbers = count(1)
        self._holds: bool | None = None
        ours, theirs = socket.socketpair()
        self._control = ours
        ours.settimeout(_BEGINS_WITHIN_S)
        self._scratch = tempfile.mkdtemp(prefix="skills-nb-python-")
        asked = {
            "control": theirs.fileno(),
            "sites": [path for path in sys.path if path.endswith(_SITES)],
            "package": __name__.partition(".")[0],
            "module": str(module) if module else None,
            "trusted": trusted,
            "scratch": self._scratch,
        }
        folder = str(Path(__file__).parent)
        with theirs:
            self._process = _begun(_BEGIN.format(folder=folder), json.dumps(asked), theirs.fileno())

    @property
    def is_alive(self) -> bool:
        """Tell whether it can still be asked, by this very process."""
        return self._owner == os.getpid() and self._process.poll() is None

    @property
    def holds(self) -> bool:
        """Tell whether its workers are shut in; the first time, wait until it knows.

        Raises:
            NoProcessError: it ended instead.
        """
        with self._turn:
            if self._holds is None:
                try:
                    said = self._control.recv(1)
                except OSError as error:
                    raise NoProcessError from error
                if not said:
                    raise NoProcessError
                self._control.settimeout(_ANSWERS_WITHIN_S)
                self._holds = said == b"y"
            return self._holds

    def begin(self) -> Worker:
        """Begin a worker.

        Raises:
            NoProcessError: the starter has ended.
        """
        holds = self.holds
        ours, theirs = socket.socketpair()
        number = next(self._numbers).to_bytes(8, "big")
        with theirs:
            try:
                with self._turn:
                    socket.send_fds(self._control, [b"b" + number], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise NoProcessError from error
        return Worker(Pipe(ours), number, self, holds)

    def end(self, number: bytes) -> None:
        """End a worker; one that has ended already stays so."""
        if not self.is_alive:
            return
        try:
            with self._turn:
                self._control.sendall(b"e" + number)
        except OSError:
            self.close()

    def close(self) -> None:
        """End it and all its workers."""
        self._control.close()
        if self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
            shutil.rmtree(self._scratch, ignore_errors=True)


def _begun(code: str, asked: str, descriptor: int) -> subprocess.Popen[bytes]:
    # Isolated, and without the folders of this installation: those that it may use, it is told.
    options = ["-I", "-S", "-B", "-X", "utf8", "-W", "ignore"]
    try:
        return subprocess.Popen(
            [sys.executable, *options, "-c", code, asked],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_ENVIRONMENT,
            cwd="/",
            pass_fds=(descriptor,),
            start_new_session=True,
        )
    except OSError as error:
        raise NoProcessError from error


_Key = tuple[Path | None, bool]
_starters: dict[_Key, Starter] = {}
_turn = threading.Lock()


def starter(module: Path | None, *, trusted: bool) -> Starter:
    """Return the process's starter of that kind, begun where there is none.

    Raises:
        NoProcessError: it cannot be begun.
    """
    with _turn:
        found = _starters.get((module, trusted))
        if found is not None and not found.is_alive:
            found.close()
        if found is None or not found.is_alive:
            found = _starters[module, trusted] = Starter(module, trusted=trusted)
        return found


@atexit.register
def _end_all() -> None:
    with _turn:
        left = [*_starters.values()]
        _starters.clear()
    for one in left:
        one.close()
