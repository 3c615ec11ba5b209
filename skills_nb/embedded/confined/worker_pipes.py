"""The account's end of a worker's pipe: what comes out of it was written by a stranger.

Room: embedded. Nothing waits for ever, and nothing is read that is larger than a message may be.
"""

from __future__ import annotations

import json
import re
import select
import socket
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.errors import SqlError

_SIZES = struct.Struct(">II")
_LARGEST = 256 << 20
_LONGEST_HEADER = 1 << 17
_LOOKS_EVERY_S = 0.05
_MOST_VALUES = 2_000_000
"""Values in a message: each takes a hundred times the memory of the two bytes that say it."""
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.S)
Stopped = Callable[[], SqlError | None]
"""Tells why the statement ends that waits; None while it may go on."""


class BrokenPipeEndError(Exception):
    """The worker ended, or says what no worker says."""


class SilentError(Exception):
    """The worker takes longer than it may."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the account waits for a worker."""

    limit_s: float
    """Seconds without a word of it."""
    stopped: Stopped
    """Asked while it waits."""


class Pipe:
    """A pipe to a worker."""

    def __init__(self, held: socket.socket) -> None:
        """Talk over a connected socket."""
        held.setblocking(False)
        self._held = held

    def send(self, header: Mapping[str, Any], body: bytes, patience: Patience) -> None:
        """Send one message.

        Raises:
            BrokenPipeEndError: the worker has ended.
            SilentError: it does not take it.
            SqlError: the statement ends.
        """
        until = time.monotonic() + patience.limit_s
        told = json.dumps(header).encode()
        left = memoryview(_SIZES.pack(len(told), len(body)) + told + body)
        while left:
            try:
                left = left[self._held.send(left) :]
            except BlockingIOError:
                self._wait(patience, until, is_sending=True)
            except OSError as error:
                raise BrokenPipeEndError from error

    def receive(self, patience: Patience) -> tuple[Mapping[str, Any], bytes]:
        """Receive one message.

        Raises:
            BrokenPipeEndError: the worker has ended, or this is no message.
            SilentError: it says nothing.
            SqlError: the statement ends.
        """
        until = time.monotonic() + patience.limit_s
        head, rest = _SIZES.unpack(self._read(_SIZES.size, patience, until))
        if head > _LONGEST_HEADER or rest > _LARGEST:
            raise BrokenPipeEndError
        header = parsed(self._read(head, patience, until))
        if not isinstance(header, dict):
            raise BrokenPipeEndError
        return header, self._read(rest, patience, until)

    def _read(self, size: int, patience: Patience, until: float) -> bytes:
        found = bytearray()
        while len(found) < size:
            try:
                part = self._held.recv(min(size - len(found), 1 << 20))
            except BlockingIOError:
                self._wait(patience, until, is_sending=False)
                continue
            except OSError as error:
                raise BrokenPipeEndError from error
            if not part:
                raise BrokenPipeEndError
            found += part
        return bytes(found)

    def _wait(self, patience: Patience, until: float, *, is_sending: bool) -> None:
        waits = [self._held]
        while time.monotonic() < until:
            reason = patience.stopped()
            if reason is not None:
                raise reason
            ready = select.select(
                [] if is_sending else waits, waits if is_sending else [], [], _LOOKS_EVERY_S
            )
            if ready[0] or ready[1]:
                return
        raise SilentError

    def close(self) -> None:
        """Close this end."""
        self._held.close()


def _may_hold_too_many(text: bytes) -> bool:
    return sum(map(text.count, (b"[", b"{", b","))) > _MOST_VALUES


def parsed(text: bytes) -> Any:
    """Read JSON that a stranger wrote.

    Raises:
        BrokenPipeEndError: it is none, or holds more values than memory should.
    """
    try:
        if _may_hold_too_many(text) and _may_hold_too_many(_STRING.sub(b"", text)):
            raise BrokenPipeEndError
        return json.loads(text)
    except (ValueError, RecursionError, MemoryError) as error:
        raise BrokenPipeEndError from error
