"""Stopping: whether a statement that runs code of a user was ended from outside.

Room: embedded. DuckDB is interrupted where a statement waits for it; what runs without DuckDB, a
loop of a script or a worker's Python, asks here.
"""

from __future__ import annotations

from skills_nb.embedded.session.context import Context
from skills_nb.errors import SqlError


def stopped(session: Context) -> SqlError | None:
    """Return why a statement of the session ends; None while it may go on."""
    working = [*session.account.working.values()]
    return next((w.reason for w in working if w.session is session and w.reason), None)
