"""Exceptions: trouble that belongs to the caller or to us.

Room: ground. Everything may import it. Findings about library text are diagnostics and what goes
wrong in an account during a thread is an event; neither is raised past the room that met it.
A message may quote a name or an account's words: it is shown by `told` alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skills_nb.visible import visible, visible_lines


class SkillsError(Exception):
    """Root of everything this package raises on purpose: one line, and how to repair it."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        """Keep the message (what is wrong, with the value quoted) and the repair, if known."""
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        """Return the message as it may be printed: nothing in it moves the cursor or is unseen."""
        return _indented(self.message)

    def told(self, kind: str) -> list[str]:
        """Return the lines that tell a person of it: what is wrong, and the repair.

        Args:
            kind: what stands before the message. Further lines of a message are set in, so that
                a name with a line break in it does not pass for a hint of ours.
        """
        lines = f"{kind}: {_indented(self.message)}".split("\n")
        return [*lines, f"  hint: {visible(self.hint)}"] if self.hint else lines

    def _render_traceback_(self) -> list[str]:
        """Show one readable line in IPython instead of a traceback."""
        return self.told(type(self).__name__)


def _indented(message: str) -> str:
    return visible_lines(message).replace("\n", "\n    ")


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
