"""What `%skill` does with the words of a line: one call, one view.

Room: doors (notebook). One door per shell; it knows which cell shows which thread.
"""

from __future__ import annotations

import re
import sys
import traceback
from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from skills_nb.commands.grammar.parser import ANSWERS, HelpRequested, build_parser
from skills_nb.commands.hints import typed_hint
from skills_nb.errors import PendingError, SkillsError, UsageError
from skills_nb.notebook.front_end import has_widgets
from skills_nb.notebook.line_words import split_line
from skills_nb.notebook.threads import Threads
from skills_nb.visible import visible, visible_page

if TYPE_CHECKING:
    from skills_nb.commands import App, Reply
    from skills_nb.notebook.cell_view import CellView
    from skills_nb.notebook.settings import SkillsNB
    from skills_nb.views import View

_LONGEST_TITLE = 90
_KEPT = re.compile(r"(?m)^[ \t]*[\w.\[\]'\"]+\s*=\s*%skill\s+sql\b")
"""A line that keeps what a query finds."""


class Door:
    """The notebook's door to one app."""

    def __init__(self, shell: Any, settings: SkillsNB) -> None:
        """Open nothing: the first command does."""
        self._shell = shell
        self.threads = Threads(shell, settings)
        self._cells: dict[str, CellView] = {}
        self._panels: list[CellView] = []
        self._trace = ""

    @property
    def app(self) -> App:
        """Return the kernel's app, made on first use from the settings."""
        return self.threads.app

    def run(self, line: str, cell: str | None) -> Any:
        """Do one line; return a value only where `--json` asked for one.

        Raises:
            SkillsError: in one line, its hint as it would be typed here.
        """
        if line.strip() == "debug":
            _say(self._trace or "Nothing has gone wrong yet.")
            return None
        try:
            return self._run(split_line(line), cell)
        except HelpRequested as request:
            _say(request.text)
            return None
        except SkillsError as problem:
            self._trace = traceback.format_exc()
            problem.hint = typed_hint(problem) or None
            raise

    def _run(self, argv: list[str], cell: str | None) -> Any:
        words = build_parser("%skill").parse_args(argv)
        is_live = has_widgets(self._shell, self.threads.settings.ui)
        is_json = getattr(words, "json", False)
        # Nobody sees a countdown where a value is returned.
        self.threads.human.present = is_live and not is_json
        if is_json:
            return self.app.invoke(argv, cell=cell).document
        if words.command == "sql":
            return self.queried(argv, cell)
        if self._is_said(words):
            argv = ["status", words.thread] if words.thread else ["status"]
        self._after_countdown(words)
        if words.command == "require":
            self._require(argv)
        elif is_live:
            self._live(argv, cell)
        else:
            self._plain(argv, cell)
        return None

    def ask(self, options: str, cell: str, *, is_kept: bool) -> Any:
        """Ask the query of a `%%sql` cell, as `run` does a line.

        Raises:
            SkillsError: in one line, its hint as it would be typed here.
        """
        try:
            return self.queried(split_line(f"sql {options}"), cell, is_kept=is_kept)
        except SkillsError as problem:
            self._trace = traceback.format_exc()
            problem.hint = typed_hint(problem) or None
            raise

    def queried(self, argv: list[str], cell: str | None, *, is_kept: bool | None = None) -> Any:
        """Ask a query and return its rows as a value; show them unless somebody keeps the value.

        Args:
            argv: the words of `sql`.
            cell: the text of the cell.
            is_kept: whether the value goes into a variable; None: as the cell's text says.

        Raises:
            SkillsError: the query cannot be asked.
        """
        from skills_nb.notebook.result_frames import frame_of, has_pandas

        kept = self._is_kept() if is_kept is None else is_kept
        reply = self._shown(argv, cell, is_quiet=kept)
        if reply.rows is None or not (kept or has_pandas()):
            return None
        made_in = None if kept else self._shell.execution_count
        # Rows that this very cell shows already are not shown again as its result.
        return frame_of(reply.rows, lambda: self._shell.execution_count == made_in)

    def _shown(self, argv: list[str], cell: str | None, *, is_quiet: bool) -> Reply:
        """Ask a query and show what it found, where somebody can click with what can be clicked."""
        from skills_nb.notebook import cards
        from skills_nb.notebook.cell_view import CellView

        is_live = has_widgets(self._shell, self.threads.settings.ui)
        view = CellView(self.threads, self.follow, _titled(argv)) if is_live else None
        try:
            if view is not None:
                view.begin()
            reply = self.app.invoke(argv, cell=cell)
        except BaseException as problem:
            if view is not None:
                view.give_up()
            if isinstance(problem, KeyboardInterrupt):
                raise self._interruption() from None
            raise
        if view is not None:
            self._panels.append(view)
            (view.settle if is_quiet else view.present)(reply.view)
        elif not is_quiet:
            cards.show(reply.view, self.threads.badge)
        return reply

    def _is_kept(self) -> bool:
        """Tell whether the cell that runs puts what `%skill sql` finds into a variable."""
        parent = self._shell.get_parent() if hasattr(self._shell, "get_parent") else {}
        code = parent.get("content", {}).get("code", "") if parent else ""
        if not code:
            code = self._shell.history_manager.input_hist_raw[-1]
        return _KEPT.search(code) is not None

    def _after_countdown(self, words: Namespace) -> None:
        """Wait where a line goes by what comes after an info checkpoint that still counts down."""
        at = getattr(words, "at", None)
        if words.command != "require" and (words.command not in ANSWERS or at is None):
            return
        heads = self.app.wiring.store.heads() if self._cells else ()
        thread = words.thread or (heads[0].thread_id if heads else "")
        if thread in self._cells:
            self._cells[thread].wait_out(at)

    def _require(self, argv: list[str]) -> None:
        """Say in one line that the thread is done; otherwise the command has stopped the cell."""
        from skills_nb.notebook import cards
        from skills_nb.views import message

        reply = self.app.invoke(argv)
        cards.show(message(f"✓ Thread '{reply.thread_id}' is completed."), self.threads.badge)

    def _is_said(self, words: Namespace) -> bool:
        """Return whether the very same answer is on record: a cell that is run again says it."""
        at = getattr(words, "at", None)
        if words.command not in ANSWERS or at is None:
            return False
        heads = self.app.wiring.store.heads()
        thread = words.thread or (heads[0].thread_id if heads else None)
        if thread is None or thread not in {head.thread_id for head in heads}:
            return False
        said = self.app.wiring.conductor.load(thread).answered.get(at)
        return said is not None and said == getattr(words, "choice", words.command)

    # ---- where nobody can click: one display a command

    def _plain(self, argv: list[str], cell: str | None) -> None:
        from skills_nb.notebook import cards

        try:
            reply = self.app.invoke(argv, cell=cell)
        except KeyboardInterrupt:
            raise self._interruption() from None
        cards.show(_repeatable(reply.view), self.threads.badge)
        self._continue(reply)

    def _continue(self, reply: Reply) -> None:
        """Put what a person may go on with into a new cell; the front end makes it."""
        if reply.next_cell:
            self._shell.set_next_input(reply.next_cell, replace=False)

    def _interruption(self, thread: str = "") -> PendingError:
        message = "interrupted; the thread is kept, and nothing that was done is done again"
        return PendingError(message, hint=f"%skill resume {thread}".rstrip())

    # ---- where somebody can

    def _live(self, argv: list[str], cell: str | None) -> None:
        from skills_nb.notebook.cell_view import CellView
        from skills_nb.views import ThreadCard

        view = CellView(self.threads, self.follow, _titled(argv))
        view.begin()
        try:
            reply = self.app.invoke(argv, cell=cell, on_change=view.progress)
        except KeyboardInterrupt:
            self._settle(view)
            raise self._interruption(view.thread_id) from None
        except SkillsError:
            self._settle(view)
            raise
        if isinstance(reply.view, ThreadCard):
            self._hand_over(reply.thread_id or "", view)
            view.show(reply)
        else:
            view.present(reply.view)
            self._panels.append(view)
        self._continue(reply)

    def follow(self, argv: list[str]) -> None:
        """Do what a button under a card asks for, and show it beneath in the same cell.

        Raises:
            SkillsError: it cannot be done.
        """
        self.threads.human.present = True
        self._live(argv, None)

    def _settle(self, view: CellView) -> None:
        """After a failure, show the thread as it is now, not as it was running."""
        view.give_up()
        if view.thread_id:
            self._hand_over(view.thread_id, view)
            view.interrupted()

    def _hand_over(self, thread_id: str, view: CellView) -> None:
        """Leave one live set of buttons per thread: the newest cell's."""
        older = self._cells.get(thread_id)
        if older is not None and older is not view:
            older.leave()
        self._cells[thread_id] = view

    # ---- the end

    def reset(self) -> None:
        """Close everything; the next command opens it again, with the settings of then."""
        for cell in [*self._cells.values(), *self._panels]:
            cell.close()
        self._cells.clear()
        self._panels.clear()
        self.threads.close()


def _titled(argv: list[str]) -> str:
    """Return a command as it was typed, cut to what a card's title holds."""
    line = visible(" ".join(["%skill", *argv]))
    return line if len(line) <= _LONGEST_TITLE else line[: _LONGEST_TITLE - 1] + "…"


def _repeatable(view: View) -> View:
    """Return the view as every run shows it: a saved notebook is compared strictly."""
    from skills_nb.views import ThreadCard, Timeline
    from skills_nb.views.threads.dry_run_impact import without_measures

    if isinstance(view, ThreadCard) and view.plan is not None:
        return replace(view, plan=without_measures(view.plan))
    return replace(view, with_ids=False) if isinstance(view, Timeline) else view


def _say(text: str) -> None:
    sys.stdout.write(visible_page(text.rstrip()) + "\n")


def refuse_cell(line: str) -> None:
    """Refuse `%%skill` where the cell would be ignored.

    Raises:
        UsageError: the command takes no cell.
    """
    command = line.split(" ", 1)[0] if line else ""
    if command not in ("route", "run", "sql", "plan", "step"):
        raise UsageError(
            f"'{command}' takes no cell: what stands below it would be ignored",
            hint=f"%skill {line}" if line else "%skill --help",
        )
