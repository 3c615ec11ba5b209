"""What a cell and its widgets ask about threads: the kernel's app, one call a question.

Room: doors (notebook). It stands below whatever shows an answer and knows none of it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.commands import App
from skills_nb.notebook.front_end import NotebookHuman

if TYPE_CHECKING:
    from skills_nb.commands import App, Reply
    from skills_nb.engine.respond import Answer
    from skills_nb.model.state import Pause, PlanState, ThreadState
    from skills_nb.notebook.controls import GivenAnswer
    from skills_nb.notebook.forms import Field
    from skills_nb.notebook.plan_editor import PlanEditor
    from skills_nb.notebook.settings import SkillsNB
    from skills_nb.views import Badge, ThreadCard

MOST_ROWS_OF_A_VALUE = 1_000_000
"""How many rows of a query a notebook keeps; beyond that it says that there are more."""
_SHOWS_WORK = (
    "skills_nb.engine.planning.template_names",
    "skills_nb.views.threads.thread_card",
    "skills_nb.views.render",
    "skills_nb.views.sheets.html",
    "skills_nb.views.sheets.text",
    "skills_nb.views.sheets.visible_sheet",
    "markdown_it",
)
"""What the card of a running thread is made by."""
_AT_PLANS = ("plan", "error:plan")
"""Pauses at which a thread takes a plan."""


class Threads:
    """The threads of one kernel's app."""

    def __init__(self, shell: Any, settings: SkillsNB) -> None:
        """Open nothing: the first question does."""
        self._shell = shell
        self.settings = settings
        self.human = NotebookHuman()
        self._app: App | None = None

    @property
    def app(self) -> App:
        """Return the kernel's app, made on first use from the settings."""
        if self._app is None:
            home, library = self.settings.home, self.settings.library
            self._app = App(
                Path(home) if home else None,
                self.human,
                Path(library).expanduser() if library else None,
                self._shell.user_ns,
                MOST_ROWS_OF_A_VALUE,
            )
            # They are shown in widgets, which are gone with the pause; no output holds them.
            self._app.wiring.shown_rows.is_looked_at = True
        return self._app

    @property
    def badge(self) -> Badge:
        """Return where and as whom commands work now; no account is asked."""
        from skills_nb.commands.session_badge import badge

        return badge(self.app.wiring)

    def prepare(self) -> None:
        """Import what showing a thread at work needs, before a second thread may show it.

        Where two threads import parts of a package at the same time, Python hands one of them a
        module that is not complete yet, and its import fails.
        """
        for module in _SHOWS_WORK:
            import_module(module)
        _ = self.badge, self.app.wiring.library

    def answer(
        self, thread_id: str, answer: Answer, on_change: Callable[[ThreadState], None]
    ) -> Reply:
        """Record an answer and go on to the next pause.

        Raises:
            SkillsError: the answer does not fit, or somebody else was first.
        """
        from skills_nb.commands.verbs.answer_verbs import answer_thread

        self.human.present = True
        self.app.wiring.on_change = on_change
        try:
            return answer_thread(self.app, thread_id, answer)
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
        self.human.present = True
        return self.app.invoke(["resume", thread_id], on_change=on_change)

    def plan_editor(
        self, thread_id: str, pause: Pause, on_propose: Callable[[PlanState], None]
    ) -> PlanEditor | None:
        """Return the editor of the plan that a pause is about; None where it is about none."""
        from skills_nb.engine.guided.plan_editing import draft_of, judge_draft
        from skills_nb.notebook.plan_editor import PlanEditor

        if pause.at.partition("#")[0] not in _AT_PLANS:
            return None
        library = self.app.wiring.library
        draft = draft_of(self.app.wiring.conductor.load(thread_id))
        return PlanEditor(
            draft,
            lambda edited: judge_draft(edited, library),
            sorted(library.primitives),
            on_propose,
        )

    def by_person(self, pause: Pause, said: GivenAnswer) -> Answer:
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

    def decision(self, thread_id: str, pause: Pause) -> str:
        """Return in one line what was decided at a pause, by whom and when."""
        from skills_nb.views.threads.decisions import decision_line
        from skills_nb.views.threads.pause_panel import title_of

        events = self.app.wiring.store.load(thread_id)
        answers = (e for e in reversed(events) if e.type == "human_response")
        said = next((answer for answer in answers if answer.at == pause.at), None)
        return decision_line(title_of(pause), said)

    def running_card(self, state: ThreadState) -> ThreadCard:
        """Return the card of a thread that is being worked on."""
        from skills_nb.engine.planning.template_names import playbook_of
        from skills_nb.views import thread_card

        run = state.run
        playbook = playbook_of(run, self.app.wiring.library)
        steps = [s for s in run.steps.values() if s.status == "running"] if run else []
        step = playbook.step(steps[-1].id) if playbook and steps else None
        what = f"step {step.id}: {step.title}" if step else "looking at the account"
        return thread_card(state, playbook, None, running=what)

    def fields(self, thread_id: str) -> tuple[Field, ...]:
        """Return the inputs that a thread's playbook lets a person change."""
        from skills_nb.engine.planning.template_names import playbook_of
        from skills_nb.notebook.forms import fields_of

        state = self.app.wiring.conductor.load(thread_id)
        playbook = playbook_of(state.run, self.app.wiring.library)
        if state.run is None or playbook is None:
            return ()
        return fields_of(playbook, state.run)

    def close(self) -> None:
        """Close the app; the next question opens one with the settings of then."""
        if self._app is not None:
            self._app.close()
            self._app = None
