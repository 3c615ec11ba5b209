"""Exceptions: trouble that belongs to the caller or to us.

Room: ground. Everything may import it, it imports nothing of ours. Findings about library text
are diagnostics and what goes wrong in an account during a thread is an event; neither is raised
past the room that met it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class SkillsError(Exception):
    """Root of everything this package raises on purpose: one line, and how to repair it."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        """Keep the message (what is wrong, with the value quoted) and the repair, if known."""
        super().__init__(message)
        self.message = message
        self.hint = hint

    def _render_traceback_(self) -> list[str]:
        """Show one readable line in IPython instead of a traceback."""
        lines = [f"{type(self).__name__}: {self.message}"]
        return [*lines, f"  hint: {self.hint}"] if self.hint else lines


class UsageError(SkillsError):
    """The caller asked for something that cannot be done as asked; exit status 2."""


class PendingError(SkillsError):
    """The thread waits for a human; the hint is the command that answers it. Exit status 3."""


class LibraryError(SkillsError):
    """The library cannot be used as it stands; exit status 5."""

    def __init__(
        self, message: str, *, diagnostics: Sequence[Any] = (), hint: str | None = None
    ) -> None:
        """Keep the diagnostics (`model.diagnostics.Diagnostic`), in file order."""
        super().__init__(message, hint=hint)
        self.diagnostics = tuple(diagnostics)


class ThreadError(SkillsError):
    """An event or answer is not legal in the thread's present state; the state is unchanged."""

    def __init__(
        self,
        message: str,
        *,
        event: str | None = None,
        status: str | None = None,
        story: Sequence[str] = (),
        hint: str | None = None,
    ) -> None:
        """Keep the refused event's type, the thread's status and its last events, oldest first."""
        super().__init__(message, hint=hint)
        self.event = event
        self.status = status
        self.story = tuple(story)


class ConflictError(ThreadError):
    """Somebody else appended first: reload the thread and decide again."""


class StoreError(SkillsError):
    """The thread store cannot be read or written (full disk, read-only folder, damaged file)."""


class SqlError(SkillsError):
    """A statement failed in the account, in Snowflake's own numbers and words."""

    def __init__(
        self,
        message: str,
        *,
        errno: int | None = None,
        sqlstate: str | None = None,
        query_id: str | None = None,
        hint: str | None = None,
    ) -> None:
        """Keep Snowflake's error number, SQL state and query id; None where there is none."""
        super().__init__(message, hint=hint)
        self.errno = errno
        self.sqlstate = sqlstate
        self.query_id = query_id
