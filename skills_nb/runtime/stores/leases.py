"""Who works on a thread of a shared store: a lease with an epoch, by the server's clock.

Room: work (runtime, stores). A lease is renewed while its holder lives and runs out when it does
not. Its epoch is compared with every append, so that a holder which was taken for dead, and goes
on, cannot write any more.
Source: THREADS, Crash window (Takeover).
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Engine, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from skills_nb.errors import ConflictError, ThreadError
from skills_nb.runtime.stores.shared_tables import LEASES

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


class Leases:
    """The leases that this process takes in one store."""

    def __init__(self, engine: Engine, place: str, lasts_s: float) -> None:
        """Take leases that run out `lasts_s` after their holder's last sign of life."""
        self._engine = engine
        self._place = place
        self._lasts_s = lasts_s

    @contextmanager
    def hold(self, thread_id: str) -> Iterator[bool]:
        """Hold a thread for this process; holds nest, and an inner one reports nothing.

        Yields:
            Whether the last holder died without releasing it.

        Raises:
            ThreadError: another process holds it, and has lived within the lease.
        """
        was_left = self._enter(thread_id)
        try:
            yield was_left
        finally:
            self._leave(thread_id)

    def check(self, connection: Connection, thread_id: str) -> None:
        """Refuse an append by a holder whose lease somebody else has taken.

        Raises:
            ConflictError: it was taken.
        """
        mine = _held.get((self._place, thread_id))
        if mine is None:
            return
        epoch = connection.execute(
            select(LEASES.c.epoch).where(LEASES.c.thread_id == thread_id).with_for_update()
        ).scalar_one_or_none()
        if epoch != mine.epoch:
            raise ConflictError(
                f"thread '{thread_id}' was taken over by another process (epoch {epoch}, "
                f"not {mine.epoch})",
                hint="stop here; the thread goes on there",
            )

    def _enter(self, thread_id: str) -> bool:
        key = (self._place, thread_id)
        with _guard:
            if key in _held:
                _held[key].depth += 1
                return False
            with self._engine.begin() as connection:
                epoch, was_left = self._taken(connection, thread_id)
            lease = _held[key] = _Lease(epoch)
        keeper = threading.Thread(
            target=self._keep, args=(thread_id, lease), name=f"lease of {thread_id}", daemon=True
        )
        keeper.start()
        return was_left

    def _taken(self, connection: Connection, thread_id: str) -> tuple[int, bool]:
        """Take the lease; return its epoch and whether its last holder died."""
        fresh = insert(LEASES).values(
            thread_id=thread_id,
            epoch=0,
            holder=_me(),
            expires_at=func.clock_timestamp(),
            is_released=True,
        )
        connection.execute(fresh.on_conflict_do_nothing())
        found = connection.execute(
            select(LEASES, (LEASES.c.expires_at > func.clock_timestamp()).label("is_alive"))
            .where(LEASES.c.thread_id == thread_id)
            .with_for_update()
        ).one()
        if not found.is_released and found.is_alive:
            raise ThreadError(
                f"thread '{thread_id}' is held by {found.holder.partition('/')[0]}",
                hint="finish or stop it there, then resume the thread here",
            )
        connection.execute(
            update(LEASES)
            .where(LEASES.c.thread_id == thread_id)
            .values(
                epoch=found.epoch + 1,
                holder=_me(),
                is_released=False,
                expires_at=self._end(),
            )
        )
        return found.epoch + 1, not found.is_released

    def _keep(self, thread_id: str, lease: _Lease) -> None:
        """Give a sign of life until the lease is released or lost."""
        while not lease.stop.wait(self._lasts_s / 3):
            try:
                with self._engine.begin() as connection:
                    kept = connection.execute(
                        self._mine(thread_id, lease.epoch).values(expires_at=self._end())
                    )
            except SQLAlchemyError:
                # The server is away: it may be back before the lease ends, and an append that
                # comes too late is refused by its epoch.
                continue
            if kept.rowcount == 0:
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
        with self._engine.begin() as connection:
            connection.execute(self._mine(thread_id, lease.epoch).values(is_released=True))

    def _mine(self, thread_id: str, epoch: int) -> Any:
        return update(LEASES).where(LEASES.c.thread_id == thread_id, LEASES.c.epoch == epoch)

    def _end(self) -> Any:
        return func.clock_timestamp() + timedelta(seconds=self._lasts_s)


def _me() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}/{_NONCE}"


def _forget_after_fork() -> None:
    global _guard  # its owner may be a thread that the child does not have
    _guard = threading.RLock()
    _held.clear()


os.register_at_fork(after_in_child=_forget_after_fork)
