"""Who works on a thread of a shared store: a lease with an epoch, by the server's clock.

Room: work (runtime, stores). A lease is renewed while its holder lives and runs out when it does
not. Its epoch is compared with every append, so that a holder which was taken for dead, and goes
on, cannot write any more. How a lease is written down is each store's own: `LeaseRows`.
Source: THREADS, Crash window (Takeover).
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from skills_nb.errors import ConflictError, ThreadError

LEASE_S = 30.0
"""How long a process may be silent before its threads may be taken over."""

_NONCE = time.monotonic_ns()
"""Tells this process from an earlier one of the same number."""


@dataclass(slots=True)
class _Lease:
    epoch: int
    depth: int = 1
    stop: threading.Event = field(default_factory=threading.Event)


_held: dict[tuple[str, str], _Lease] = {}
"""Leases of this process by store and thread; shared by all its stores, as it is one holder."""
_guard = threading.RLock()


Explained = Callable[[str], AbstractContextManager[None]]


class LeaseRows(Protocol):
    """The leases of a store, one row a thread."""

    def take(self, thread_id: str, holder: str, lasts_s: float) -> tuple[int, bool]:
        """Take a lease; return its epoch, and whether its last holder died.

        Raises:
            ThreadError: somebody else holds it, and has lived within the lease.
        """
        ...

    def renew(self, thread_id: str, epoch: int, lasts_s: float) -> bool:
        """Give a sign of life; return whether the lease is still of this epoch."""
        ...

    def release(self, thread_id: str, epoch: int) -> None:
        """Give the lease back, if it is still of this epoch."""
        ...


class Leases:
    """The leases that this process takes in one store."""

    def __init__(self, rows: LeaseRows, place: str, lasts_s: float, away: type[Exception]) -> None:
        """Take leases that run out `lasts_s` after their holder's last sign of life.

        Args:
            rows: where they are written down.
            place: names the store, the same in all of this process.
            lasts_s: how long a holder may be silent.
            away: what `rows` raise where the server does not answer.
        """
        self._rows = rows
        self._place = place
        self._lasts_s = lasts_s
        self._away = away

    @contextmanager
    def hold(self, thread_id: str, explained: Explained) -> Iterator[bool]:
        """Hold a thread for this process; holds nest, and an inner one reports nothing.

        Args:
            thread_id: the thread.
            explained: turns trouble with the server, by what was being done, into the store's.

        Yields:
            Whether the last holder died without releasing it.

        Raises:
            ThreadError: another process holds it, and has lived within the lease.
        """
        with explained("hold the thread"):
            was_left = self._enter(thread_id)
        try:
            yield was_left
        finally:
            with explained("release the thread"):
                self._leave(thread_id)

    def epoch_of(self, thread_id: str) -> int | None:
        """Return the epoch under which this process holds a thread; None where it does not."""
        mine = _held.get((self._place, thread_id))
        return None if mine is None else mine.epoch

    def _enter(self, thread_id: str) -> bool:
        key = (self._place, thread_id)
        with _guard:
            if key in _held:
                _held[key].depth += 1
                return False
            epoch, was_left = self._rows.take(thread_id, _me(), self._lasts_s)
            lease = _held[key] = _Lease(epoch)
        keeper = threading.Thread(
            target=self._keep, args=(thread_id, lease), name=f"lease of {thread_id}", daemon=True
        )
        keeper.start()
        return was_left

    def _keep(self, thread_id: str, lease: _Lease) -> None:
        """Give a sign of life until the lease is released or lost."""
        while not lease.stop.wait(self._lasts_s / 3):
            try:
                is_mine = self._rows.renew(thread_id, lease.epoch, self._lasts_s)
            except self._away:
                # The server is away: it may be back before the lease ends, and an append that
                # comes too late is refused by its epoch.
                continue
            if not is_mine:
                return

    def _leave(self, thread_id: str) -> None:
        key = (self._place, thread_id)
        with _guard:
            lease = _held.get(key)
            if lease is None:  # a forked child leaves the block that its parent entered
                return
            lease.depth -= 1
            if lease.depth:
                return
            del _held[key]
        lease.stop.set()
        self._rows.release(thread_id, lease.epoch)


def taken_over_error(thread_id: str, epoch: int | None, mine: int) -> ConflictError:
    """Return the error for an append by a holder whose lease somebody else has taken."""
    return ConflictError(
        f"thread '{thread_id}' was taken over by another process (epoch {epoch}, not {mine})",
        hint="stop here; the thread goes on there",
    )


def held_error(thread_id: str, holder: str) -> ThreadError:
    """Return the error for a thread that a live process holds."""
    return ThreadError(
        f"thread '{thread_id}' is held by {holder.partition('/')[0]}",
        hint="it goes on there: finish it or interrupt it there, then go on here with: resume "
        + thread_id,
    )


def _me() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}/{_NONCE}"


def _forget_after_fork() -> None:
    global _guard  # its owner may be a thread that the child does not have
    _guard = threading.RLock()
    _held.clear()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_forget_after_fork)
