"""Lines: bytes from and to one client, within time and size.

Room: work (runtime, loopback). A client that began to speak must come to an end: a head and a
stranger's body as a whole, a body that was let in as long as something still comes.
"""

from __future__ import annotations

import socket
import time

from skills_nb.runtime.loopback import request_head
from skills_nb.runtime.loopback.request_head import RefusedError

_PIECE = 64 << 10
_HEAD_S = 10.0
"""How long a head may take from its first byte."""
_SILENCE_S = 60.0
"""How long a client may take no byte of an answer."""
_LAST_S = 2.0
"""How long what a client still sends is thrown away, so that it reads why."""
_MORE = 1 << 20
"""Bytes that are thrown away beyond those that were announced."""
_LATE = "the request took too long to arrive"


class CutError(Exception):
    """The client hung up in the middle of something."""


class ClientLine:
    """One client's connection."""

    def __init__(self, connection: socket.socket) -> None:
        """Talk over this connection, which somebody else closes."""
        self._connection = connection
        self._waiting = bytearray()

    def head(self, patience_s: float) -> bytes | None:
        """Return the next request's head without its empty line; None where none came.

        Raises:
            RefusedError: it is too long, or takes too long.
            CutError: the client hung up in it.
        """
        if not self._waiting and not self._begins(patience_s):
            return None
        deadline, seen = time.monotonic() + _HEAD_S, 0
        while (end := self._waiting.find(b"\r\n\r\n", seen, request_head.MOST_BYTES + 4)) < 0:
            if len(self._waiting) > request_head.MOST_BYTES:
                raise RefusedError(431, "the request's head is too long")
            seen = max(0, len(self._waiting) - 3)
            self._waiting += self._piece(deadline)
        return self._taken(end, 4)

    def body(self, length: int, within_s: float, *, is_trusted: bool) -> bytes:
        """Return a body; a trusted client's time starts anew with every piece.

        Raises:
            RefusedError: it takes too long.
            CutError: the client hung up in it.
        """
        deadline = time.monotonic() + within_s
        while len(self._waiting) < length:
            self._waiting += self._piece(deadline)
            deadline = time.monotonic() + within_s if is_trusted else deadline
        return self._taken(length)

    def skip(self, length: int) -> bool:
        """Throw a body away; return whether all of it came."""
        deadline = time.monotonic() + _LAST_S
        here = min(length, len(self._waiting))
        del self._waiting[:here]
        missing = length - here
        try:
            while missing > 0:
                missing -= len(self._piece(deadline, missing))
        except (RefusedError, CutError):
            return False
        return True

    def send(self, payload: bytes) -> None:
        """Send an answer, or a part of one.

        Raises:
            OSError: the client is gone, or does not read.
        """
        self._connection.settimeout(_SILENCE_S)
        self._connection.sendall(payload)

    def last(self, length: int) -> None:
        """End after the last answer: cutting a line on unread bytes would take the answer away."""
        self._connection.shutdown(socket.SHUT_WR)
        self.skip(length + _MORE)

    def _begins(self, patience_s: float) -> bool:
        self._connection.settimeout(patience_s)
        try:
            self._waiting += self._connection.recv(_PIECE)
        except TimeoutError:
            return False
        return bool(self._waiting)

    def _piece(self, deadline: float, most: int = _PIECE) -> bytes:
        left_s = deadline - time.monotonic()
        if left_s <= 0:
            raise RefusedError(408, _LATE)
        self._connection.settimeout(left_s)
        try:
            piece = self._connection.recv(min(most, _PIECE))
        except TimeoutError:
            raise RefusedError(408, _LATE) from None
        if not piece:
            raise CutError
        return piece

    def _taken(self, length: int, more: int = 0) -> bytes:
        taken = bytes(self._waiting[:length])
        del self._waiting[: length + more]
        return taken
