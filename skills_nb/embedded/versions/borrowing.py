"""Borrowing: a session that works as somebody else for a while.

Room: embedded. Tasks, alerts, refreshes and owner's rights procedures run as their owner's role
alone, in their own schema; what the session was comes back whatever happens.

See https://docs.snowflake.com/en/developer-guide/stored-procedure/stored-procedures-rights
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_FIELDS = (
    "role",
    "secondary_mode",
    "secondary_list",
    "warehouse",
    "database",
    "schema",
    "variables",
    "borrowed",
)


@contextmanager
def borrowed(
    session: AccountSession,
    role: str,
    schema: tuple[str, ...],
    warehouse: str | None = None,
) -> Iterator[None]:
    """Run as a role, in a schema, without the session's variables and secondary roles."""
    held = {name: getattr(session, name) for name in _FIELDS}
    session.role = role
    session.secondary_mode, session.secondary_list = "NONE", ()
    session.database, session.schema = schema[0], schema[1]
    session.warehouse = warehouse or session.warehouse
    session.variables = {}
    session.borrowed = True
    try:
        yield
    finally:
        for name, value in held.items():
            setattr(session, name, value)
