"""One invocation: a line of words becomes a reply.

Room: commands. An `App` lives as long as a kernel or a process; what it opened stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.errors import SkillsError, UsageError
from skills_nb.visible import visible

if TYPE_CHECKING:
    from skills_nb.commands.reply import Reply
    from skills_nb.commands.wiring import Wiring
    from skills_nb.model.state import ThreadState
    from skills_nb.ports import Human


class App:
    """The commands of one home folder."""

    def __init__(
        self,
        home: Path | None = None,
        human: Human | None = None,
        library: Path | None = None,
        variables: Mapping[str, Any] | None = None,
        most_rows: int | None = None,
    ) -> None:
        """Open nothing; each command opens what it needs.

        Args:
            home: the folder of threads and the embedded account.
            human: whoever is there.
            library: the folder of the library.
            variables: what a notebook's names stand for.
            most_rows: how many rows a query fetches; None: as many as are shown.
        """
        self._most_rows = most_rows
        self._variables = variables if variables is not None else {}
        self._home = home
        self._human = human
        self._library = library
        self._wiring: Wiring | None = None
        self.last_error: SkillsError | None = None
        """What `debug` shows."""

    @property
    def wiring(self) -> Wiring:
        """Return the implementations, plugged together on first use."""
        if self._wiring is None:
            from skills_nb.commands.wiring import Wiring

            self._wiring = Wiring(self._home, self._human, self._library)
            self._wiring.variables = self._variables
            self._wiring.most_rows = self._most_rows or self._wiring.most_rows
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
        from skills_nb.commands.grammar.parser import build_parser
        from skills_nb.commands.verbs import thread_verbs

        _refuse_no_text(argv)
        words = build_parser("skill").parse_args(list(argv))
        self.wiring.on_change = on_change
        try:
            return thread_verbs.run(self, words, cell)
        except SkillsError as problem:
            self.last_error = problem
            raise
        finally:
            self.wiring.on_change = None

    @property
    def notice(self) -> str | None:
        """Return what a person should know of where their threads are kept, if anything."""
        return self._wiring.notice if self._wiring is not None else None

    def beside(self, home: Path) -> App:
        """Return the commands of another home folder, with the same library and person."""
        return App(home, self._human, self._library)

    def forget_library(self) -> None:
        """Read the library anew with the next command: its files have changed."""
        if self._wiring is not None:
            self._wiring.forget_library()

    def close(self) -> None:
        """Close what was opened."""
        if self._wiring is not None:
            self._wiring.close()
            self._wiring = None


def _refuse_no_text(argv: Sequence[str]) -> None:
    """Refuse a word that no thread and no account could keep, unless it names a file."""
    for word in argv:
        if any("\ud800" <= char <= "\udfff" for char in word) and not Path(word).exists():
            raise UsageError(
                f"'{visible(word)}' is not text",
                hint="write it in UTF-8, without halves of letters",
            )
