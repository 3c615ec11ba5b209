"""Which statement the account refused, where a thread waits because of it.

Room: views.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skills_nb.model.state import Pause, StatementRecord, ThreadState

_ROLE_NOT_GRANTED = 3013
"""Snowflake's number for a role that the user does not have."""


def refused_sql(state: ThreadState, pause: Pause | None) -> str:
    """Return the newest statement or query that the account refused."""
    if pause is None or pause.kind != "error_escalated":
        return ""
    last = state.statements[-1:]
    refused = [(s.seq, _of_statement(s)) for s in last if s.status in ("failed", "open")]
    refused += [(f.seq, f.query) for f in state.facts[-1:] if f.error is not None]
    return max(refused)[1] if refused else ""


def _of_statement(record: StatementRecord) -> str:
    """Return the change of role where that was refused: the statement itself was never sent."""
    is_of_role = record.error is not None and record.error.errno == _ROLE_NOT_GRANTED
    return f"USE ROLE {record.role}" if is_of_role and record.role else record.sql
