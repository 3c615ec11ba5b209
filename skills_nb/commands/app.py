"""One invocation: a line of words becomes a reply.

Room: commands. An `App` lives as long as a kernel or a process; what it opened stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skills_nb.commands.wiring import Wiring
    from skills_nb.model.state import Pause, ThreadState
    from skills_nb.ports import Human
    from skills_nb.views import View

DONE, USAGE, PAUSED, FAILED, INVALID = 0, 2, 3, 4, 5
"""Exit statuses. Source: FORMATS, One grammar."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a command answers."""

    view: View
    """What a person sees."""
    document: Any
    """What `--json` prints."""
    status: int = DONE
    thread_id: str | None = None
    pause: Pause | None = None
    """What waits for an answer now, where something does."""


class App:
    """The commands of one home folder."""

    def __init__(
        self,
        home: Path | None = None,
        human: Human | None = None,
        library: Path | None = None,
    ) -> None:
        """Open nothing; each command opens what it needs."""
        self._home = home
        self._human = human
        self._library = library
        self._wiring: Wiring | None = None

    @property
    def wiring(self) -> Wiring:
        """Return the implementations, plugged together on first use."""
        if self._wiring is None:
            from skills_nb.commands.wiring import Wiring

            self._wiring = Wiring(self._home, self._human, self._library)
        return self._wiring

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
        from skills_nb.commands import verbs
        from skills_nb.commands.grammar import build_parser

        words = build_parser("skill").parse_args(list(argv))
        self.wiring.on_change = on_change
        try:
            return verbs.run(self, words, cell)
        finally:
            self.wiring.on_change = None

    def reopen(self) -> None:
        """Close everything; the next command opens it again."""
        self.close()

    def close(self) -> None:
        """Close what was opened."""
        if self._wiring is not None:
            self._wiring.close()
            self._wiring = None
