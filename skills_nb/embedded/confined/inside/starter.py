"""The starter: a process that runs nobody's code, and forks a worker whenever one is asked for.

Room: embedded. What a worker needs is loaded here once: a worker begins in milliseconds.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import mimetypes
import os
import select
import signal
import socket
import sys
from typing import Any

from . import barriers, folders, scratch
from .pipes import Pipe
from .worker import Handlers, Opener

_REAP_S = 0.5
_NUMBER = 8
_MOST_THREADS = 256
"""A machine has so many numbers for threads, for all its processes together."""


class Starter:
    """The workers of one account's process."""

    def __init__(self, asked: dict[str, Any]) -> None:
        """Load what workers need; `asked` is what the account wants of this process."""
        self._control = socket.socket(fileno=asked["control"])
        self._trusted: bool = asked["trusted"]
        self._paths = folders.readable(asked["sites"], asked["package"])
        self._opener = _opener(asked["module"])
        mimetypes.knownfiles.clear()  # tables of the machine, which workers may not read
        self._root: str = asked["scratch"]
        self._children: dict[bytes, int] = {}

    def serve(self) -> None:
        """Say whether workers are shut in, then begin and end them until nobody asks any more."""
        is_holding = sys.platform.startswith("linux") and barriers.hold(self._paths, self._root)
        self._control.sendall(b"y" if is_holding else b"n")
        gc.collect()
        gc.freeze()
        while self._turn():
            pass
        for number in list(self._children):
            self._end(number)
        scratch.remove(self._root)

    def _turn(self) -> bool:
        ready, _, _ = select.select([self._control], [], [], _REAP_S)
        self._reap()
        if not ready:
            return True
        said, given, _, _ = socket.recv_fds(self._control, 1 + _NUMBER, 1)
        if not said:
            return False
        if said[:1] == b"b":
            self._begin(said[1:], given[0])
        else:
            self._end(said[1:])
        return True

    def _begin(self, number: bytes, descriptor: int) -> None:
        folder = self._folder(number)
        os.mkdir(folder, 0o700)
        child = os.fork()
        if child:
            os.close(descriptor)
            self._children[number] = child
            return
        status = 1
        try:
            scratch.enter(folder)
            _work(descriptor, (self._paths, folder), self._opener, trusted=self._trusted)
            status = 0
        finally:
            os._exit(status)

    def _end(self, number: bytes) -> None:
        child = self._children.pop(number, None)
        if child is not None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            scratch.remove(self._folder(number))

    def _folder(self, number: bytes) -> str:
        return os.path.join(self._root, number.hex())

    def _reap(self) -> None:
        for number, child in list(self._children.items()):
            if os.waitpid(child, os.WNOHANG)[0]:
                del self._children[number]
                scratch.remove(self._folder(number))
            elif scratch.is_too_large(self._folder(number)) or _threads(child) > _MOST_THREADS:
                self._end(number)


def _threads(child: int) -> int:
    """Count a worker's threads; 0 where the system does not tell."""
    try:
        return len(os.listdir(f"/proc/{child}/task"))
    except OSError:
        return 0


_PARTNERS = "snowflake_partner_attribution"


def _opener(module: str | None) -> Opener | None:
    """Load the code that opens sessions; None where no procedures run."""
    if module is None:
        return None
    found = importlib.util.spec_from_file_location("handler_sessions", module)
    assert found is not None
    assert found.loader is not None
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
    made.prepare()
    opener: Opener = made.handler_session
    return opener


def _work(
    descriptor: int, files: tuple[folders.Readable, str], opener: Opener | None, *, trusted: bool
) -> None:
    """Become a worker: keep the pipe, go behind the barriers, serve."""
    own = os.dup2(descriptor, 3)
    os.closerange(4, os.sysconf("SC_OPEN_MAX") if sys.platform != "linux" else 1 << 20)
    sys.argv, sys.orig_argv = [""], []
    # Where Snowflake's partners put their names: dbt does in each Python model.
    sys._xoptions[_PARTNERS] = []
    if barriers.put_up(*files, trusted=trusted) or trusted:
        Handlers(Pipe(own), opener).serve()


def main() -> None:
    """Serve the account that began this process."""
    asked = json.loads(sys.argv[1])
    sys.path.pop(0)
    sys.path += asked["sites"]
    Starter(asked).serve()
