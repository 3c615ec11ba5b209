"""Statements of which it is not known what they did: those that failed inside, and lost ones.

Room: laws. A block, a procedure or a task does its work statement by statement, and what it did
before it failed stands. Nobody is told that nothing was done where that is not known.
Source: Snowflake manual, "Handling exceptions", "Transactions" (each statement commits by itself).
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.engine.ledger.inverses import Irreversible, shorten
from skills_nb.engine.ledger.known_objects import changes_by
from skills_nb.model.events import StatementError
from skills_nb.model.state import StatementRecord, ThreadState
from skills_nb.sql.classify import Kind, kind_of, may_run_others

_NEVER_BEGAN = frozenset({1003, 2140, 2141})
"""Snowflake's numbers for a text that cannot be read, and for a procedure that is not there."""
_FAILED_INSIDE = "it may have been changed before the statement failed"
_OPEN = "it cannot be told whether the statement ran"


def unknown_outcome(record: StatementRecord) -> str | None:
    """Return why it is not known what a statement did; None where it is."""
    if record.status == "open":
        return None if record.kind == "read" else _OPEN
    if record.status != "failed" or not may_run_others(record.sql):
        return None
    is_read = kind_of(record.sql) is Kind.READ
    return None if is_read or _never_began(record.error) else _FAILED_INSIDE


def _never_began(error: StatementError | None) -> bool:
    """Return whether a statement was refused as a whole; an error inside of it says where."""
    return (
        error is not None and error.errno in _NEVER_BEGAN and "Uncaught exception" not in error.text
    )


def unknown(state: ThreadState, record: StatementRecord, why: str) -> Iterator[Irreversible]:
    """Yield what a statement may have changed, by name as far as its text shows."""
    changed = dict.fromkeys(change.target.fqn for change in changes_by(state, record))
    if not changed:
        said = why if why == _OPEN else "what it did in the account before it failed is not known"
        yield Irreversible(shorten(record.sql), said)
    for fqn in changed:
        yield Irreversible(fqn, why)
