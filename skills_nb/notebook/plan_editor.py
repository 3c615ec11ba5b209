"""The editor of a guided plan: steps added, removed, moved and rewritten, judged while one types.

Room: doors (notebook). Core ipywidgets only; the edits and the guardrails are the engine's. Rules
of this file:
- A row belongs to a place, not to a step: after a move the values change places and the focus
  follows the step, so that a keyboard can go on moving it.
- A row that is typed into is never filled by us, or the cursor would jump.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as w

from skills_nb.engine.guided import plan_editing as ed
from skills_nb.errors import UsageError
from skills_nb.model.events import PlannedStep
from skills_nb.model.state import PlanState
from skills_nb.views.sheets.blocks import SIGNS, Tone
from skills_nb.visible import visible
from skills_nb.visible import visible_html as escape

Judge = Callable[[ed.Draft], ed.Judgement]
_WIDE = w.Layout(width="52rem", max_width="98%")
_ROW = w.Layout(flex_flow="row wrap")
_LABELS = {"description_width": "10rem"}


class PlanEditor:
    """A draft and the widgets that edit it."""

    def __init__(
        self,
        draft: ed.Draft,
        judge: Judge,
        primitives: Sequence[str],
        on_propose: Callable[[PlanState], None],
    ) -> None:
        """Build the widgets.

        Args:
            draft: what to begin with.
            judge: says what stands against a draft.
            primitives: names to choose from.
            on_propose: takes the plan that is to be put before the thread.
        """
        self._first = self._draft = draft
        self._judge = judge
        self._primitives = tuple(primitives)
        self._on_propose = on_propose
        self._past: list[ed.Draft] = []
        self._typed: tuple[int, str] | None = None
        self._rows: list[_Row] = []
        self._is_filling = False
        # Clicks and letters arrive on any thread of the kernel.
        self._lock = threading.RLock()
        self._list = w.VBox([])
        self._verdict = w.HTML("")
        self._add = _button("Add a step", "Add a step at the end", self._append)
        self._undo = _button("Undo", "Take the last edit back", self._take_back)
        self._propose = _button("Propose this plan", "Put it before the thread", self._hand_over)
        self._propose.button_style = "primary"
        buttons = w.HBox([self._add, self._undo, self._propose], layout=_ROW)
        self.box = w.VBox([self._list, self._verdict, buttons])
        self._fill()

    @property
    def draft(self) -> ed.Draft:
        """Return the draft as it is now."""
        return self._draft

    # ---- edits

    def _append(self) -> None:
        self.add_below(len(self._draft.steps) - 1)

    def _edit(
        self, edit: Callable[[ed.Draft], ed.Draft], focus: tuple[int, str] | None = None
    ) -> None:
        """Make an edit that changes which step stands where, and go on at what it was about."""
        with self._lock:
            try:
                draft = edit(self._draft)
            except UsageError as problem:
                # A click that was on its way when its step went away.
                self._verdict.value = _said("critical", "REFUSED", problem.message)
                return
            self._past.append(self._draft)
            self._typed = None
            self._draft = draft
            self._fill()
            if focus is not None:
                self._focus(*focus)

    def add_below(self, at: int) -> None:
        """Add an empty step behind a place."""
        self._edit(lambda draft: ed.add_step(draft, at + 1), (at + 1, "action"))

    def remove(self, at: int) -> None:
        """Leave the step at a place out."""
        self._edit(lambda draft: ed.remove_step(draft, at), (at, "remove"))

    def move(self, at: int, by: int) -> None:
        """Put the step at a place one up or down; the focus goes with it."""
        self._edit(
            lambda draft: ed.move_step(draft, at, at + by), (at + by, "up" if by < 0 else "down")
        )

    def type(self, at: int, part: ed.Part, text: str) -> None:
        """Take what was typed into a part of the step at a place."""
        with self._lock:
            if self._is_filling:
                return
            if self._typed != (at, part):
                self._past.append(self._draft)
                self._typed = (at, part)
            self._draft = ed.change_step(self._draft, at, part, text)
            self._tell()

    def _take_back(self) -> None:
        with self._lock:
            if self._past:
                self._draft = self._past.pop()
                self._typed = None
                self._fill()

    def _hand_over(self) -> None:
        with self._lock:
            if self._judge(self._draft).is_proposable:
                self._propose.disabled = True
                self._on_propose(ed.plan_of(self._draft))

    # ---- showing

    def _focus(self, at: int, name: str) -> None:
        if at >= len(self._rows):
            self._add.focus()
            return
        row = self._rows[at]
        wanted = getattr(row, name)
        # At an end one of the two is disabled; the other one is as near.
        other = {"up": row.down, "down": row.up}.get(name, wanted)
        (other if wanted.disabled else wanted).focus()

    def _fill(self) -> None:
        """Put every step into the row of its place."""
        count = len(self._draft.steps)
        self._is_filling = True
        try:
            while len(self._rows) < count:
                self._rows.append(_Row(self, len(self._rows), self._primitives))
            del self._rows[count:]
            for row, step in zip(self._rows, self._draft.steps, strict=True):
                row.fill(step, is_done=row.at < self._draft.done, first=self._draft.done, of=count)
        finally:
            self._is_filling = False
        self._list.children = [row.box for row in self._rows]
        self._tell()

    def _tell(self) -> None:
        """Say what the guardrails say."""
        found = self._judge(self._draft)
        for row, against in zip(self._rows, found.steps, strict=True):
            row.say(against, is_done=row.at < self._draft.done)
        is_new = self._draft != self._first
        self._propose.disabled = not (found.is_proposable and is_new)
        self._undo.disabled = not self._past
        self._verdict.value = _said(*_summary(found, is_new=is_new))


class _Row:
    """The widgets of one place."""

    def __init__(self, editor: PlanEditor, at: int, primitives: Sequence[str]) -> None:
        self.at = at
        self.title = w.HTML("")
        self.verdict = w.HTML("")
        self.up = _button("Up", "", lambda: editor.move(at, -1))
        self.down = _button("Down", "", lambda: editor.move(at, 1))
        self.below = _button("Add below", "", lambda: editor.add_below(at))
        self.remove = _button("Remove", "", lambda: editor.remove(at))
        named: dict[str, Any] = {"style": _LABELS, "layout": _WIDE, "continuous_update": True}
        self.action = w.Text(placeholder="What this step does, in words", **named)
        self.primitive = w.Combobox(options=list(primitives), placeholder="views", **named)
        self.sql = w.Textarea(placeholder="CREATE …", **named)
        for part in ("action", "primitive", "sql"):
            getattr(self, part).observe(_typing(editor, at, part), "value")
        self.buttons = (self.up, self.down, self.below, self.remove)
        head = w.HBox([self.title, *self.buttons], layout=_ROW)
        self.box = w.VBox([head, self.action, self.primitive, self.sql, self.verdict])

    def fill(self, step: PlannedStep, *, is_done: bool, first: int, of: int) -> None:
        """Show a step.

        Args:
            step: the step that stands here now.
            is_done: whether it is done and stays.
            first: the first place that can be edited.
            of: how many places there are.
        """
        name = escape(step.step)
        self.title.value = f'<b role="heading" aria-level="5">Step {name}</b>'
        self.action.value, self.sql.value = step.action, step.sql
        self.primitive.value = (step.primitive or "").removeprefix("primitives/")
        self.sql.rows = min(max(step.sql.count("\n") + 2, 3), 14)
        for part, words in (("action", "Action"), ("primitive", "Primitive"), ("sql", "SQL")):
            box = getattr(self, part)
            box.description, box.disabled = visible(f"{words} of step {step.step}"), is_done
        verbs = (f"Move {step.step} up", f"Move {step.step} down", f"Add below {step.step}")
        for button, text in zip(self.buttons, (*verbs, f"Remove {step.step}"), strict=True):
            button.description = button.tooltip = visible(text)
            button.disabled = is_done
        self.up.disabled = is_done or self.at <= first
        self.down.disabled = is_done or self.at == of - 1
        # Behind the last step that is done a new one may stand.
        self.below.disabled = self.at < first - 1

    def say(self, against: str, *, is_done: bool) -> None:
        """Show the verdict on the step."""
        if against:
            self.verdict.value = _said("critical", "REFUSED", against)
        elif is_done:
            self.verdict.value = _said("plain", "DONE", "It stays as it is.")
        else:
            self.verdict.value = _said("ok", "PASS", "Within the guardrails.")


def _typing(editor: PlanEditor, at: int, part: ed.Part) -> Callable[[Any], None]:
    return lambda change: editor.type(at, part, change["new"])


def _button(text: str, tooltip: str, do: Callable[[], None]) -> w.Button:
    button = w.Button(
        description=text,
        tooltip=tooltip or text,
        layout=w.Layout(width="auto", min_width="6rem"),
    )
    button.on_click(lambda _: do())
    return button


def _summary(found: ed.Judgement, *, is_new: bool) -> tuple[Tone, str, str]:
    refused = sum(bool(against) for against in found.steps)
    if refused:
        return "critical", "REFUSED", f"{refused} of {len(found.steps)} steps break a guardrail."
    if found.whole:
        return "review", "TOO LONG" if found.steps else "EMPTY", found.whole
    if not is_new:
        return "plain", "PLAN", "Nothing was changed yet."
    return "ok", "PASS", "Nothing stands against this plan. Proposing it sends nothing."


def _said(tone: Tone, word: str, text: str) -> str:
    words = f"<strong>{SIGNS[tone]} {escape(word)}</strong> {escape(text)}"
    return f'<span role="status">{words}</span>'
