"""What a finished thread has cost: as the account attributes it, else estimated, with its basis.

Room: work. Rules of this file: an estimate says that it is one; what the role may not read, or what
the account has not attributed yet, is said and never guessed.
Source: the manual's QUERY_ATTRIBUTION_HISTORY (up to eight hours late; without warehouse idle time
and without queries of about 100 ms or less).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skills_nb.errors import SqlError
from skills_nb.model.events import Event, StatementCompleted, StatementStarted
from skills_nb.ports import SqlReader
from skills_nb.runtime.rehearsal.estimates import Estimates, computes, estimates_of
from skills_nb.sql.tokens import literal

ATTRIBUTION = "SNOWFLAKE.ACCOUNT_USAGE.QUERY_ATTRIBUTION_HISTORY"
LATE = "the account attributes credits up to eight hours later"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a thread has cost."""

    credits: float | None
    """None where it cannot be told."""
    basis: str
    """Where the number is from, or why there is none: a clause, for people."""
    is_estimate: bool = False
    """Whether it is reckoned from durations, and not attributed by the account."""

    @property
    def words(self) -> str:
        """Return the cost in one sentence."""
        if self.credits is None:
            return f"Its cost is not known: {self.basis}."
        about = "about " if self.is_estimate else ""
        return f"It cost {about}{self.credits:.4f} credits: {self.basis}."


def cost_of(session: SqlReader, thread_id: str, events: Sequence[Event]) -> Cost:
    """Return what the statements of a thread have cost so far.

    Args:
        session: on the account that it changed.
        thread_id: its id, with which every tag of its statements begins.
        events: its events, oldest first.
    """
    seconds = _computing_seconds(events)
    if not seconds:
        return Cost(0.0, "its statements worked on the catalog alone, which needs no warehouse")
    attributed = _attributed(session, thread_id)
    if attributed is not None and attributed[0] > 0:
        count, credits = attributed
        return Cost(credits, f"attributed to {count} of its statements by the account")
    why = "the role may not read query attribution" if attributed is None else LATE
    return _estimated(session, seconds, why)


def _computing_seconds(events: Sequence[Event]) -> list[float]:
    """Return how long each statement took that needed a warehouse."""
    begun = {e.effect_key: e.sql for e in events if isinstance(e, StatementStarted)}
    return [
        event.duration_s
        for event in events
        if isinstance(event, StatementCompleted) and computes(begun.get(event.effect_key, ""))
    ]


def _attributed(session: SqlReader, thread_id: str) -> tuple[int, float] | None:
    """Return how many statements have credits, and how many; None where it may not be read."""
    asked = (
        "SELECT COUNT(*), COALESCE(SUM(CREDITS_ATTRIBUTED_COMPUTE), 0) "
        "+ COALESCE(SUM(CREDITS_USED_QUERY_ACCELERATION), 0) "
        f"FROM {ATTRIBUTION} "
        f"WHERE STARTSWITH(QUERY_TAG, {literal(thread_id + ':')})"
    )
    try:
        ((count, credits),) = session.query(asked).rows
    except SqlError:
        return None
    return int(count), float(credits)


def _estimated(session: SqlReader, seconds: Sequence[float], why: str) -> Cost:
    try:
        known = estimates_of(session, session.context(), ())
    except SqlError:
        known = Estimates()
    if known.hourly is None:
        return Cost(None, f"{why}, and the warehouse's size could not be read")
    noun = "statement" if len(seconds) == 1 else "statements"
    return Cost(
        sum(seconds) * known.hourly / 3600,
        f"estimated from {sum(seconds):.1f} s of {len(seconds)} {noun} on {known.warehouse} "
        f"({known.size}), idle time left out; {why}",
        is_estimate=True,
    )
