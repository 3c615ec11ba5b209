"""What is being served: the wire, its gate, who is connected, and the answers on their way.

Room: work (runtime, loopback). The server hands it to every conversation; it listens to nothing.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from skills_nb.ports import Wire
    from skills_nb.runtime.loopback.gate import Gate

_MOST_STRANGERS = 128
"""How many may stand at the gate; the one that stood longest makes room for the next."""


class ServedAccount:
    """One wire, and its clients."""

    def __init__(self, wire: Wire, gate: Gate) -> None:
        """Serve nobody yet."""
        self.wire = wire
        self.gate = gate
        self._closing = threading.Event()
        self._open: set[socket.socket] = set()
        self._strangers: dict[socket.socket, None] = {}
        """Open connections on which nobody proved anything yet, oldest first."""
        self._busy = 0
        self._changed = threading.Condition()

    @property
    def connections(self) -> Iterable[socket.socket]:
        """Return the connections that are open."""
        return list(self._open)

    def is_closing(self) -> bool:
        """Return whether no answer is begun any more."""
        return self._closing.is_set()

    def close(self) -> None:
        """Begin no answer any more."""
        self._closing.set()

    def drain(self, within_s: float) -> tuple[bool, Iterable[socket.socket]]:
        """Wait for the answers on their way; return whether all are out, and who is connected."""
        with self._changed:
            is_done = self._changed.wait_for(lambda: self._busy == 0, within_s)
            return is_done, list(self._open)

    def begin(self) -> bool:
        """Start an answer; refused once the server is closing."""
        with self._changed:
            if self._closing.is_set():
                return False
            self._busy += 1
            return True

    def end(self) -> None:
        """Finish an answer."""
        with self._changed:
            self._busy -= 1
            self._changed.notify_all()

    def welcome(self, connection: socket.socket) -> None:
        """Note a connection, of which nobody knows yet whose it is."""
        with self._changed:
            self._open.add(connection)
            self._strangers[connection] = None
            if len(self._strangers) > _MOST_STRANGERS:
                oldest = next(iter(self._strangers))
                del self._strangers[oldest]
                hang_up(oldest)

    def let_in(self, connection: socket.socket) -> None:
        """Note that whoever speaks on a connection is no stranger any more."""
        with self._changed:
            self._strangers.pop(connection, None)

    def forget(self, connection: socket.socket) -> None:
        """Note that a conversation is over."""
        with self._changed:
            self._open.discard(connection)
            self._strangers.pop(connection, None)


def hang_up(connection: socket.socket) -> None:
    """Cut a line; the conversation's thread closes it."""
    # One that hung up by itself is fine too.
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
