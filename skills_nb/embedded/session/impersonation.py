"""Borrowing: a session that works as somebody else for a while.

Room: embedded. Tasks, alerts, refreshes and owner's rights procedures run as their owner's role
alone, in their own schema; what the session was comes back whatever happens.

See https://docs.snowflake.com/en/developer-guide/stored-procedure/stored-procedures-rights
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.session_state import Frame


@contextmanager
def borrowed(
    session: Context,
    role: str,
    schema: tuple[str, ...],
    warehouse: str | None = None,
    *,
    routine: bool = False,
) -> Iterator[None]:
    """Run as a role, in a schema, without the session's variables and secondary roles.

    What is the user's own, not a role's, is out of reach meanwhile: the user stage, the history,
    the user's properties. Who wrote the code is not whose session it is.
    """
    held = session.frame
    session.frame = Frame(
        role,
        warehouse or held.warehouse,
        database=schema[0],
        schema=schema[1],
        borrowed=True,
        routine=routine,
    )
    try:
        yield
    finally:
        session.frame = held
