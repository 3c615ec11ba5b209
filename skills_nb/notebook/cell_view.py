"""One cell's view of one thread: the card, the controls, the countdown, the progress.

Room: doors (notebook). Rules of this file:
- The thread is the truth; whatever is shown can be thrown away and made again from it.
- A click may arrive on any thread of the kernel; work is done on the main one, in the context of
  the cell, so that its output lands there.
- The card is an output of its own, so that a saved notebook shows it where widgets do not live.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from skills_nb.commands.hints import typed_hint
from skills_nb.errors import SkillsError, ThreadError
from skills_nb.notebook import cards
from skills_nb.notebook.busy_notice import BusyNotice
from skills_nb.notebook.cell_loop import CellLoop
from skills_nb.views import ThreadCard, busy, message, render_text
from skills_nb.views.threads.thread_card import as_past, moved_card

if TYPE_CHECKING:
    from IPython.display import DisplayHandle

    from skills_nb.commands import Reply
    from skills_nb.engine.respond import Answer
    from skills_nb.model.state import Pause, PlanState, ThreadState
    from skills_nb.notebook.controls import Controls, GivenAnswer
    from skills_nb.notebook.panels import Panel
    from skills_nb.notebook.threads import Threads
    from skills_nb.ports import SeenRows
    from skills_nb.views import ThreadCard, View
    from skills_nb.views.sheets.blocks import Fold

_REDRAW_S = 0.15
"""Least time between two updates of a running card."""
_LOOK_S = 0.2
"""How often a cell that waits for a countdown looks whether somebody held it."""


class CellView:
    """What a cell shows of a command and its thread, for as long as the kernel lives."""

    def __init__(
        self, threads: Threads, follow: Callable[[list[str]], None], title: str = ""
    ) -> None:
        """Remember the cell: its context and the kernel's loop.

        Args:
            threads: whom it asks about its thread.
            follow: does a command and shows it beneath.
            title: what is being done, until there is a thread that says so.
        """
        self._threads = threads
        self._follow = follow
        self._title = title
        self._loop = CellLoop()
        self._handle: DisplayHandle | None = None
        self._controls: Controls | None = None
        self._panel: Panel | None = None
        self._pause: Pause | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._deadline = math.inf
        self._patience: BusyNotice | None = None
        self._newest: ThreadState | None = None
        self._drawing = threading.RLock()
        self._drawn = 0.0
        self._card: ThreadCard | None = None
        self._asked: ThreadCard | None = None
        self._past: tuple[Fold, ...] = ()
        self._behind: tuple[Fold, ...] = ()
        self.thread_id = ""

    # ---- showing

    def begin(self) -> None:
        """Take the time from now: what takes long enough to wonder says that it is at work."""
        self.end()
        self._newest, self._behind = None, self._past
        self._threads.prepare()
        self._patience = BusyNotice(self._threads.settings.progress_after_s, self._draw_work)

    def end(self) -> None:
        """Say no more that something is at work."""
        if self._patience is not None:
            self._patience.end()
            self._patience = None

    def progress(self, state: ThreadState) -> None:
        """Remember how far the thread is, and show it where work is shown already."""
        self.thread_id = state.thread_id
        if self._newest is None:
            # Asked here, because the work may be drawn on a thread that reads no store.
            self._behind = self._shown_before()
        self._newest = state
        is_shown = self._handle is not None and self._drawn
        if is_shown and time.monotonic() - self._drawn >= _REDRAW_S:
            self._draw_work()

    def _draw_work(self) -> None:
        self._drawn = time.monotonic()
        state = self._newest
        if state is None:
            self._draw(busy(self._title))
        else:
            self._draw(replace(self._threads.running_card(state), past=self._behind))

    def present(self, view: View) -> None:
        """Show a view that is no thread, and what can be done with it."""
        from skills_nb.notebook.panels import at_first, open_panel

        self.end()
        self._draw(at_first(view))
        assert self._handle is not None, "it was drawn"
        self._panel = open_panel(self._threads, self._follow, view, self._handle)

    def settle(self, view: View) -> None:
        """End what was shown at work with a view; what was not shown stays so."""
        self.end()
        if self._handle is not None:
            self.present(view)

    def give_up(self) -> None:
        """Say that a command came to nothing, where it was shown at work."""
        self.end()
        if self._handle is not None and not self.thread_id:
            self._draw(message("It was not done."))

    def show(self, reply: Reply) -> None:
        """Show where the thread stands, and controls where it waits."""
        self.end()
        self._drawn = 0.0
        self.thread_id = reply.thread_id or self.thread_id
        self._past = self._shown_before(reply.pause)
        self._pause, self._asked = reply.pause, None
        self._draw(self._for_buttons(reply))
        if reply.pause is not None:
            self._open_controls(reply.pause, reply.seen)
        elif self._is_over() or not self.thread_id:
            self._close_controls()
        else:
            self._offer_to_go_on()

    def _for_buttons(self, reply: Reply) -> View:
        if not isinstance(reply.view, ThreadCard):
            return reply.view
        if reply.pause is not None:
            self._asked = reply.view
        return replace(reply.view, has_buttons=reply.pause is not None, past=self._past)

    def _shown_before(self, pause: Pause | None = None) -> tuple[Fold, ...]:
        """Return what was decided in this cell, with what was shown of the pause that is past.

        Args:
            pause: what waits now; the same pause again is not past.
        """
        if self._asked is None or self._pause is None:
            return self._past
        if pause is not None and pause.at == self._pause.at:
            return self._past
        line = self._threads.decision(self.thread_id, self._pause)
        return (*self._past, as_past(self._asked, line))

    def _draw(self, view: View) -> None:
        with self._drawing:
            if isinstance(view, ThreadCard):
                self._card = view
            if self._handle is None:
                self._handle = cards.show_live(view, self._threads.badge)
            else:
                cards.update(self._handle, view, self._threads.badge)

    def _open_controls(self, pause: Pause, seen: Sequence[SeenRows]) -> None:
        waits = self._threads.settings.auto_proceed_s
        is_counted = pause.kind == "checkpoint" and pause.severity == "info"
        has_timer = is_counted and self._loop.has_timers
        self._controls_here().show(
            pause,
            self._threads.fields(self.thread_id),
            waits if has_timer else None,
            self._card,
            self._threads.plan_editor(self.thread_id, pause, self._proposed),
            thread=self.thread_id,
            seen=seen,
        )
        if has_timer:
            self._deadline = time.monotonic() + waits
            self._loop.soon(self._tick)

    def _controls_here(self) -> Controls:
        from skills_nb.notebook.controls import Controls

        if self._controls is None:
            self._controls = Controls(self._said, self._held, self._redraw)
        return self._controls

    def _offer_to_go_on(self) -> None:
        """Put one button under a thread that was stopped on its way."""
        self._controls_here().offer(
            "Go on",
            f"Resume {self.thread_id}; nothing that was done is done again",
            self._resumed,
            self.thread_id,
        )

    def _resumed(self) -> None:
        self._loop.soon(
            lambda: self._work(lambda: self._threads.resume(self.thread_id, self.progress))
        )

    def _redraw(self, card: ThreadCard) -> None:
        self._loop.soon(lambda: self._draw(card))

    # ---- the countdown of an info checkpoint

    def _tick(self) -> None:
        if self._pause is None or self._controls is None or not self._is_counting:
            return
        left = self._deadline - time.monotonic()
        if left <= 0:
            self._stop_timer()
            self._controls.lock()
            self._answer(self._threads.by_timer(self._pause))
            return
        self._controls.count_down(left)
        self._timer = self._loop.later(min(1.0, left), self._tick)

    def wait_out(self, at: str | None) -> None:
        """Let a countdown come to its end before a later cell goes by how the thread stands.

        Cells that were started together follow each other faster than an info checkpoint waits. A
        click on Hold, where the kernel hears one meanwhile, or an interrupt ends the wait.

        Args:
            at: the pause that the cell answers; no wait where that is the one that counts.
        """
        try:
            while self._is_counting and self._pause is not None and self._pause.at != at:
                self._wait_once()
        except KeyboardInterrupt:
            self._held()

    def _wait_once(self) -> None:
        left = self._deadline - time.monotonic()
        if left > 0:
            time.sleep(min(left, _LOOK_S))
        # The timer's own turn does not come while a cell runs.
        if self._timer is not None:
            self._timer.cancel()
        self._loop.soon(self._tick)

    def _held(self) -> None:
        if not self._is_counting:
            return
        self._stop_timer()
        if self._controls is not None:
            self._controls.held()

    @property
    def _is_counting(self) -> bool:
        return self._deadline != math.inf

    def _stop_timer(self) -> None:
        timer, self._timer = self._timer, None
        self._deadline = math.inf
        if timer is not None:
            self._loop.cancel(timer)

    # ---- a click

    def _said(self, said: GivenAnswer) -> None:
        self._stop_timer()
        pause = self._pause
        if pause is not None:
            self._loop.soon(lambda: self._answer(self._threads.by_person(pause, said)))

    def _proposed(self, plan: PlanState) -> None:
        if self._controls is not None:
            self._controls.lock()
        self._loop.soon(
            lambda: self._work(lambda: self._threads.propose(self.thread_id, plan, self.progress))
        )

    def _answer(self, answer: Answer) -> None:
        self._work(lambda: self._threads.answer(self.thread_id, answer, self.progress))

    def _work(self, work: Callable[[], Reply]) -> None:
        """Do what somebody asked for, and show what came of it."""
        self.begin()
        if self._controls is not None:
            self._controls.lock()
        try:
            reply = work()
        except ThreadError as problem:
            # Somebody else answered first: show where the thread is now.
            self._again(problem)
        except SkillsError as problem:
            self._complain(problem)
        except KeyboardInterrupt:
            self.interrupted()
        except Exception as problem:
            # A defect of ours: the kernel's log gets the traceback, the person gets a word.
            self._complain(SkillsError(f"{type(problem).__name__}: {problem}"))
            raise
        else:
            self._answered(reply)

    def _answered(self, reply: Reply) -> None:
        if isinstance(reply.view, ThreadCard):
            self.show(reply)
            return
        self.show(self._threads.status(self.thread_id))
        if self._controls is not None:
            self._controls.say(render_text(reply.view, prompt=cards.PROMPT))

    def _again(self, problem: ThreadError) -> None:
        self.show(self._threads.status(self.thread_id))
        self._complain(problem)

    def _complain(self, problem: SkillsError) -> None:
        if self._controls is None:
            return
        if self._pause is not None and self._card is not None:
            self.show(self._threads.status(self.thread_id))
        else:
            self._controls.unlock()
        hint = f"\n{typed_hint(problem)}" if problem.hint else ""
        self._controls.complain(f"{problem.message}{hint}")

    # ---- the end

    def interrupted(self) -> None:
        """Show the thread as it was kept; nothing is lost."""
        self.end()
        if self.thread_id:
            self.show(self._threads.status(self.thread_id))

    def leave(self) -> None:
        """Give the thread to a later cell: no live buttons, and a card that says so."""
        past = self._shown_before()
        self._pause = None
        self._close_controls()
        if self._handle is not None and self._card is not None and not self._is_over():
            cards.update(self._handle, moved_card(self._card, past), self._threads.badge)

    def _is_over(self) -> bool:
        return self._card is not None and self._card.is_over

    def close(self) -> None:
        """Close what is live; the card stays."""
        self.end()
        self._pause = None
        self._close_controls()
        if self._panel is not None:
            self._panel.close()
            self._panel = None

    def _close_controls(self) -> None:
        self._stop_timer()
        if self._controls is not None:
            self._controls.close()
            self._controls = None
