"""Who writes to a thread, in a hybrid table of a Snowflake account.

Room: work (runtime, stores). Source: THREADS, Store (Shared stores).
"""

from __future__ import annotations

import re

from skills_nb.errors import SqlError
from skills_nb.runtime.stores.hybrid_connection import HybridConnection
from skills_nb.runtime.stores.hybrid_tables import Statements
from skills_nb.runtime.stores.leases import held_error

_ENFORCED = frozenset({200001, 200002})
"""A primary key, or a unique one, exists already."""
_SAYS_ENFORCED = re.compile(r"(primary|unique) key|duplicate key", re.IGNORECASE)


class HybridLeases:
    """Leases in a hybrid table. Implements `leases.LeaseRows`."""

    def __init__(self, line: HybridConnection, sql: Statements) -> None:
        """Keep them where the line leads."""
        self._line = line
        self._sql = sql

    def take(self, thread_id: str, holder: str, lasts_s: float) -> tuple[int, bool]:
        """Take a lease; return its epoch, and whether its last holder died.

        Raises:
            ThreadError: somebody else holds it, and has lived within the lease.
        """
        epoch, other, is_released, is_alive = self._present(thread_id, holder)
        if not is_released and is_alive:
            raise held_error(thread_id, other)
        values = (holder, int(lasts_s * 1000), thread_id, epoch)
        if not self._line.change(self._sql.take_lease, values):
            raise held_error(thread_id, self._present(thread_id, holder)[1])
        return epoch + 1, not is_released

    def renew(self, thread_id: str, epoch: int, lasts_s: float) -> bool:
        """Give a sign of life; return whether the lease is still of this epoch."""
        values = (int(lasts_s * 1000), thread_id, epoch)
        return self._line.change(self._sql.renew_lease, values) > 0

    def release(self, thread_id: str, epoch: int) -> None:
        """Give the lease back, if it is still of this epoch."""
        self._line.change(self._sql.release_lease, (thread_id, epoch))

    def _present(self, thread_id: str, holder: str) -> tuple[int, str, bool, bool]:
        """Return a thread's lease, made where there is none."""
        found = self._line.ask(self._sql.lease, (thread_id,))
        if not found:
            try:
                self._line.change(self._sql.make_lease, (thread_id, holder))
            except SqlError as problem:
                if not is_taken(problem):
                    raise
            found = self._line.ask(self._sql.lease, (thread_id,))
        epoch, other, is_released, is_alive = found[0]
        return int(epoch), str(other), bool(is_released), bool(is_alive)


def is_taken(problem: SqlError) -> bool:
    """Return whether a row was refused for its key, which stands already."""
    return problem.errno in _ENFORCED or _SAYS_ENFORCED.search(problem.message) is not None
