"""What a verb may use of the app that runs it.

Room: commands. Verbs take this and never the app: the app knows every verb.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from skills_nb.commands.reply import Reply
    from skills_nb.commands.wiring import Wiring
    from skills_nb.errors import SkillsError
    from skills_nb.model.state import ThreadState


class AppContext(Protocol):
    """The commands of one home folder, as a verb sees them."""

    last_error: SkillsError | None
    """What failed last; None where nothing has."""

    @property
    def wiring(self) -> Wiring:
        """Return the implementations, plugged together on first use."""

    @property
    def notice(self) -> str | None:
        """Return what a person should know of where their threads are kept, if anything."""

    def invoke(
        self,
        argv: Sequence[str],
        *,
        cell: str | None = None,
        on_change: Callable[[ThreadState], None] | None = None,
    ) -> Reply:
        """Do one command and return its reply.

        Args:
            argv: the words after `%skill` or `skills-nb`.
            cell: the text of the cell, for `%%skill`.
            on_change: called with the state after every appended event.

        Raises:
            SkillsError: in one readable line.
            HelpRequested: help was asked for.
        """

    def beside(self, home: Path) -> AppContext:
        """Return the commands of another home folder, with the same library and person."""

    def forget_library(self) -> None:
        """Read the library anew with the next command: its files have changed."""

    def close(self) -> None:
        """Close what was opened."""


Verb = Callable[[AppContext, Namespace, str | None], "Reply"]
"""Does a command: the app, the words that were parsed, the text of the cell where there is one."""
