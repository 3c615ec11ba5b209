"""The server: HTTP requests on a port of this machine, answered by a `Wire`.

Room: work (runtime, loopback). The port is bound and the address written before `serve` returns;
what answers is loaded by the thread that answers, so that serving costs its caller next to nothing.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from skills_nb.errors import SkillsError
from skills_nb.runtime.loopback import address_file as addresses
from skills_nb.runtime.loopback.address_file import HOST, Address
from skills_nb.runtime.loopback.gate import Gate
from skills_nb.runtime.loopback.requests import converse
from skills_nb.runtime.loopback.served_account import ServedAccount, hang_up
from skills_nb.runtime.system_ports import SystemClock

if TYPE_CHECKING:
    from skills_nb.ports import Clock, Wire


_BACKLOG = 64
_LAST_ANSWERS_S = 5.0
"""How long closing waits for the answers that are on their way."""


class Server:
    """A wire on a port; closing it leaves no address behind."""

    def __init__(
        self,
        wire: Wire,
        folder: Path,
        listening: socket.socket,
        clock: Clock,
        password: str = "",
    ) -> None:
        """Serve on a bound socket; `serve` is the usual door."""
        self.folder = folder
        port = listening.getsockname()[1]
        self.address = Address(port, secrets.token_urlsafe(32), os.getpid(), clock.now())
        self._serving = ServedAccount(wire, Gate(self.address.token, port, password))
        self._listening = listening
        self._thread = threading.Thread(target=self._accept, name="skills-loopback", daemon=True)

    @property
    def gate(self) -> Gate:
        """Return what judges who may enter."""
        return self._serving.gate

    def start(self) -> Server:
        """Write the address and answer from now on."""
        addresses.write(self.folder, self.address)
        self._thread.start()
        return self

    def close(self) -> None:
        """Let running answers out, then hang up on everybody."""
        addresses.remove(self.folder, self.address)
        self._serving.close()
        self._stop_accepting()
        is_done, still_open = self._serving.drain(_LAST_ANSWERS_S)
        if is_done:
            # Before anybody sees the line cut: who was cut off then knows that nothing was done.
            # A folder that somebody deleted has no readers.
            with contextlib.suppress(OSError):
                addresses.retire(self.folder, self.address)
        for connection in still_open:
            hang_up(connection)

    def abandon(self) -> None:
        """Let go of the parent's sockets in a forked child, which serves nobody."""
        for inherited in (self._listening, *self._serving.connections):
            inherited.close()

    def _stop_accepting(self) -> None:
        # Closing a socket does not wake whoever waits for it on every system; a caller does.
        with contextlib.suppress(OSError):
            socket.create_connection((HOST, self.address.port), 1.0).close()
        self._thread.join(_LAST_ANSWERS_S)
        self._listening.close()

    def _accept(self) -> None:
        while not self._serving.is_closing():
            try:
                connection, _ = self._listening.accept()
            except OSError:
                if self._serving.is_closing():
                    return
                # Out of file descriptors, or the client is gone already: the next may do.
                time.sleep(0.05)
                continue
            # Here, and not where it is talked to: who came last is the last to make room.
            self._serving.welcome(connection)
            threading.Thread(
                target=self._talk, args=(connection,), name="skills-client", daemon=True
            ).start()

    def _talk(self, connection: socket.socket) -> None:
        try:
            converse(self._serving, connection)
        finally:
            self._serving.forget(connection)
            connection.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def serve(
    wire: Wire, folder: Path, *, port: int = 0, password: str = "", clock: Clock | None = None
) -> Server:
    """Serve a wire on this machine's loopback; a context manager.

    Args:
        wire: who answers.
        folder: where the address file goes; made when missing.
        port: 0 for any free one.
        password: opens logins beside the token of this start; empty for none.
        clock: tells when the server began.

    Raises:
        SkillsError: the port is taken, or the folder cannot be written.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(_BACKLOG)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return Server(wire, folder, listening, clock or SystemClock(), password).start()
    except (OSError, OverflowError) as problem:
        listening.close()
        raise SkillsError(
            f"the account cannot be served on {HOST}:{port}: {problem}",
            hint="choose another --port, or leave it out",
        ) from problem
