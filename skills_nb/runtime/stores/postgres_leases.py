"""Leases in PostgreSQL. Implements `leases.LeaseRows`.

Room: work (runtime, stores). The server's clock decides, and its row locks keep two takers apart.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Engine, func, select, update
from sqlalchemy.dialects.postgresql import insert

from skills_nb.runtime.stores.leases import held_error, taken_over_error
from skills_nb.runtime.stores.postgres_tables import LEASES


class SharedLeases:
    """The leases of one database."""

    def __init__(self, engine: Engine) -> None:
        """Keep them where the engine leads."""
        self._engine = engine

    def take(self, thread_id: str, holder: str, lasts_s: float) -> tuple[int, bool]:
        """Take a lease; return its epoch, and whether its last holder died.

        Raises:
            ThreadError: somebody else holds it, and has lived within the lease.
        """
        fresh = insert(LEASES).values(
            thread_id=thread_id,
            epoch=0,
            holder=holder,
            expires_at=func.clock_timestamp(),
            is_released=True,
        )
        with self._engine.begin() as connection:
            connection.execute(fresh.on_conflict_do_nothing())
            found = connection.execute(
                select(LEASES, (LEASES.c.expires_at > func.clock_timestamp()).label("is_alive"))
                .where(LEASES.c.thread_id == thread_id)
                .with_for_update()
            ).one()
            if not found.is_released and found.is_alive:
                raise held_error(thread_id, found.holder)
            connection.execute(
                update(LEASES)
                .where(LEASES.c.thread_id == thread_id)
                .values(
                    epoch=found.epoch + 1,
                    holder=holder,
                    is_released=False,
                    expires_at=_end(lasts_s),
                )
            )
        return found.epoch + 1, not found.is_released

    def renew(self, thread_id: str, epoch: int, lasts_s: float) -> bool:
        """Give a sign of life; return whether the lease is still of this epoch."""
        with self._engine.begin() as connection:
            kept = connection.execute(_of(thread_id, epoch).values(expires_at=_end(lasts_s)))
        return kept.rowcount > 0

    def release(self, thread_id: str, epoch: int) -> None:
        """Give the lease back, if it is still of this epoch."""
        with self._engine.begin() as connection:
            connection.execute(_of(thread_id, epoch).values(is_released=True))


def check(connection: Connection, thread_id: str, mine: int | None) -> None:
    """Refuse an append by a holder whose lease somebody else has taken.

    Raises:
        ConflictError: it was taken.
    """
    if mine is None:
        return
    epoch = connection.execute(
        select(LEASES.c.epoch).where(LEASES.c.thread_id == thread_id).with_for_update()
    ).scalar_one_or_none()
    if epoch != mine:
        raise taken_over_error(thread_id, epoch, mine)


def _of(thread_id: str, epoch: int) -> Any:
    return update(LEASES).where(LEASES.c.thread_id == thread_id, LEASES.c.epoch == epoch)


def _end(lasts_s: float) -> Any:
    return func.clock_timestamp() + timedelta(seconds=lasts_s)
