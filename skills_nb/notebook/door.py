"""What `%skill` does with the words of a line: one call, one view.

Room: doors (notebook). One door per shell; it owns the app and knows which cell shows which
thread.
"""

from __future__ import annotations

import sys
import traceback
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.commands.grammar import ANSWERS, COMMANDS, HelpRequested, build_parser
from skills_nb.errors import PendingError, SkillsError, UsageError
from skills_nb.notebook.lines import split_line
from skills_nb.notebook.presence import NotebookHuman, has_widgets

if TYPE_CHECKING:
    from skills_nb.commands import App, Reply
    from skills_nb.engine.respond import Answer
    from skills_nb.model.state import Pause, PlanState, ThreadState
    from skills_nb.notebook.cell import CellView
    from skills_nb.notebook.controls import Said
    from skills_nb.notebook.forms import Field
    from skills_nb.notebook.plan_editor import PlanEditor
    from skills_nb.notebook.settings import SkillsNB
    from skills_nb.views import Badge, ThreadCard, View

_LONGEST_TITLE = 90
_LISTING = ("one of", "options", "fields", "inputs", "known playbooks")
"""What a hint ends with before names that are no commands."""
_AT_PLANS = ("plan", "error:plan")
"""Pauses at which a thread takes a plan."""


class Door:
    """The notebook's door to one app."""

    def __init__(self, shell: Any, settings: SkillsNB) -> None:
        """Open nothing: the first command does."""
        self._shell = shell
        self.settings = settings
        self._human = NotebookHuman()
        self._app: App | None = None
        self._cells: dict[str, CellView] = {}
        self._panels: list[CellView] = []
        self._trace = ""

    @property
    def app(self) -> App:
        """Return the kernel's app, made on first use from the settings."""
        if self._app is None:
            from skills_nb.commands import App

            home, library = self.settings.home, self.settings.library
            self._app = App(
                Path(home).expanduser() if home else None,
                self._human,
                Path(library).expanduser() if library else None,
                self._shell.user_ns,
            )
        return self._app

    @property
    def badge(self) -> Badge:
        """Return where and as whom commands work now; no account is asked."""
        from skills_nb.commands.badges import badge

        return badge(self.app.wiring)

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
            problem.hint = self.hint(problem) or None
            raise

    def _run(self, argv: list[str], cell: str | None) -> Any:
        words = build_parser("%skill").parse_args(argv)
        is_live = has_widgets(self._shell, self.settings.ui)
        self._human.present = is_live
        if getattr(words, "json", False):
            return self.app.invoke(argv, cell=cell).document
        if self._is_said(words):
            argv = ["status", words.thread] if words.thread else ["status"]
        if words.command == "require":
            self._require(argv)
        elif is_live:
            self._live(argv, cell)
        else:
            self._plain(argv, cell)
        return None

    def _require(self, argv: list[str]) -> None:
        """Say in one line that the thread is done; otherwise the command has stopped the cell."""
        from skills_nb.notebook import cards
        from skills_nb.views import message

        reply = self.app.invoke(argv)
        cards.show(message(f"✓ Thread '{reply.thread_id}' is completed."), self.badge)

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

    def hint(self, problem: SkillsError) -> str:
        """Return the repair as it is typed in a notebook."""
        lead, sign, words = (problem.hint or "").rpartition(": ")
        is_command = words.split(" ")[0] in COMMANDS and not lead.endswith(_LISTING)
        return f"{lead}{sign}%skill {words}" if is_command else f"{lead}{sign}{words}"

    # ---- where nobody can click: one display a command

    def _plain(self, argv: list[str], cell: str | None) -> None:
        from skills_nb.notebook import cards

        try:
            reply = self.app.invoke(argv, cell=cell)
        except KeyboardInterrupt:
            raise self._interruption() from None
        cards.show(_repeatable(reply.view), self.badge)
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
        from skills_nb.notebook.cell import CellView
        from skills_nb.views import ThreadCard

        view = CellView(self, _titled(argv))
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
        self._human.present = True
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

    # ---- what a cell asks for

    def answer(
        self, thread_id: str, answer: Answer, on_change: Callable[[ThreadState], None]
    ) -> Reply:
        """Record an answer and go on to the next pause.

        Raises:
            SkillsError: the answer does not fit, or somebody else was first.
        """
        from skills_nb.commands.verbs import answered

        self._human.present = True
        self.app.wiring.on_change = on_change
        try:
            return answered(self.app, thread_id, answer)
        finally:
            self.app.wiring.on_change = None

    def propose(
        self, thread_id: str, plan: PlanState, on_change: Callable[[ThreadState], None]
    ) -> Reply:
        """Put an edited plan before its thread and go on to the next pause.

        Raises:
            SkillsError: the thread waits for a plan no more.
        """
        self.app.wiring.conductor.propose(plan, thread_id=thread_id)
        return self.resume(thread_id, on_change)

    def resume(self, thread_id: str, on_change: Callable[[ThreadState], None]) -> Reply:
        """Go on with a thread to its next pause.

        Raises:
            SkillsError: another process works on it.
        """
        self._human.present = True
        return self.app.invoke(["resume", thread_id], on_change=on_change)

    def plan_editor(
        self, thread_id: str, pause: Pause, on_propose: Callable[[PlanState], None]
    ) -> PlanEditor | None:
        """Return the editor of the plan that a pause is about; None where it is about none."""
        from skills_nb.engine.guided.editing import draft_of, judged
        from skills_nb.notebook.plan_editor import PlanEditor

        if pause.at.partition("#")[0] not in _AT_PLANS:
            return None
        library = self.app.wiring.library
        draft = draft_of(self.app.wiring.conductor.load(thread_id))
        return PlanEditor(
            draft, lambda edited: judged(edited, library), sorted(library.primitives), on_propose
        )

    def by_person(self, pause: Pause, said: Said) -> Answer:
        """Return the answer of a click."""
        from skills_nb.engine.respond import Answer

        return Answer(
            choice=said.choice,
            at=pause.at,
            comment=said.comment,
            phrase=said.phrase,
            values=said.values,
        )

    def by_timer(self, pause: Pause) -> Answer:
        """Return the answer that an info checkpoint gives itself."""
        from skills_nb.engine.respond import Answer

        return Answer(choice="approve", at=pause.at, actor="timer")

    def status(self, thread_id: str) -> Reply:
        """Return where a thread stands."""
        return self.app.invoke(["status", thread_id])

    def running_card(self, state: ThreadState) -> ThreadCard:
        """Return the card of a thread that is being worked on."""
        from skills_nb.engine.names import playbook_of
        from skills_nb.views import thread_card

        run = state.run
        playbook = playbook_of(run, self.app.wiring.library)
        steps = [s for s in run.steps.values() if s.status == "running"] if run else []
        step = playbook.step(steps[-1].id) if playbook and steps else None
        what = f"step {step.id}: {step.title}" if step else "looking at the account"
        return thread_card(state, playbook, None, running=what)

    def fields(self, thread_id: str) -> tuple[Field, ...]:
        """Return the inputs that a thread's playbook lets a person change."""
        from skills_nb.engine.names import playbook_of
        from skills_nb.notebook.forms import fields_of

        state = self.app.wiring.conductor.load(thread_id)
        playbook = playbook_of(state.run, self.app.wiring.library)
        if state.run is None or playbook is None:
            return ()
        return fields_of(playbook, state.run)

    # ---- the end

    def reset(self) -> None:
        """Close everything; the next command opens it again, with the settings of then."""
        for cell in [*self._cells.values(), *self._panels]:
            cell.close()
        self._cells.clear()
        self._panels.clear()
        if self._app is not None:
            self._app.close()
            self._app = None


def _titled(argv: list[str]) -> str:
    """Return a command as it was typed, cut to what a card's title holds."""
    line = " ".join(["%skill", *argv])
    return line if len(line) <= _LONGEST_TITLE else line[: _LONGEST_TITLE - 1] + "…"


def _repeatable(view: View) -> View:
    """Return the view as every run shows it: a saved notebook is compared strictly."""
    from skills_nb.views import ThreadCard, Timeline
    from skills_nb.views.impact import without_measures

    if isinstance(view, ThreadCard) and view.plan is not None:
        return replace(view, plan=without_measures(view.plan))
    return replace(view, with_ids=False) if isinstance(view, Timeline) else view


def _say(text: str) -> None:
    sys.stdout.write(text.rstrip() + "\n")


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
