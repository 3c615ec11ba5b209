"""The widgets of an open pause: buttons, the phrase box, the form of inputs, the countdown.

Room: doors (notebook). Core ipywidgets only, so that every front end draws them. This module is
imported with the first pause that a person can click at; nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import ipywidgets as w
from IPython.display import display

from skills_nb.model.events import Option
from skills_nb.model.state import Pause
from skills_nb.notebook.answer_widgets import LIVE, LOCKED, AnswerButton, ValueBox, live_words
from skills_nb.notebook.cards import PROMPT
from skills_nb.notebook.forms import Field, Form
from skills_nb.notebook.plan_editor import PlanEditor
from skills_nb.notebook.plan_tools import copy_button, plan_tools
from skills_nb.views import ThreadCard
from skills_nb.views.sheets.blocks import SIGNS, Sheet
from skills_nb.views.sheets.html import to_html
from skills_nb.views.threads.decisions import option_label
from skills_nb.views.threads.next_steps import script_ahead
from skills_nb.views.threads.pause_panel import PausePanel, input_of, pause_panel
from skills_nb.views.threads.seen_rows_view import seen_blocks
from skills_nb.visible import visible
from skills_nb.visible import visible_html as escape

if TYPE_CHECKING:
    from skills_nb.ports import SeenRows

_EXPLAINED = frozenset(
    {"approve", "approve_remaining", "modify", "abort", "different-approach", "retry"}
)
"""Options that say what they do by their name."""
_ASKS_WORDS = frozenset({"different-approach", "none-of-these"})
_PROPOSALS = frozenset({"approve", "execute", "retry", "proceed"})
"""What a pause proposes; the buttons of all else are plain."""
_MOST_BUTTONS = 9
_WITHOUT = "[Buttons stand here while the notebook's kernel runs.]"


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What somebody clicked or typed."""

    choice: str
    """Id of an option of the pause, or `other`."""
    phrase: str | None = None
    """What was typed to confirm; None where nothing was asked."""
    comment: str | None = None
    """Words beside the choice; None where there are none."""
    values: dict[str, Any] = field(default_factory=dict)
    """Inputs by name, as typed."""


OnSaid = Callable[[GivenAnswer], None]


class Controls:
    """The live part of one cell."""

    def __init__(
        self,
        on_said: OnSaid,
        on_hold: Callable[[], None],
        redraw: Callable[[ThreadCard], None],
    ) -> None:
        """Remember whom to tell; nothing is shown yet."""
        self._on_said = on_said
        self._on_hold = on_hold
        self._redraw = redraw
        self._box: w.VBox | None = None
        self._buttons: list[w.Button | AnswerButton] = []
        self._is_locked = False
        self._phrase: w.Text | None = None
        self._hold: w.Button | None = None
        self._form = w.VBox([])
        self._said = w.HTML("")
        self._editor: PlanEditor | None = None

    # ---- showing

    def show(
        self,
        pause: Pause,
        fields: Sequence[Field],
        hold_s: float | None,
        card: ThreadCard | None = None,
        editor: PlanEditor | None = None,
        *,
        thread: str = "",
        seen: Sequence[SeenRows] = (),
    ) -> None:
        """Show the controls of a pause, in place of whatever was shown before.

        Args:
            pause: what waits.
            fields: the inputs that `modify` may change.
            hold_s: seconds until an info checkpoint goes on by itself; None: it does not.
            card: the thread's card, which knows the account that is decided about.
            editor: edits the plan that the pause is about, where it is about one.
            thread: whose pause it is, for the command that goes on without buttons.
            seen: rows as roles would see them, which are gone with the pause.
        """
        panel = pause_panel(pause)
        self._buttons, self._phrase, self._hold = [], None, None
        self._editor, self._is_locked = editor, False
        self._form = w.VBox([])
        self._said = w.HTML("", layout=w.Layout(min_height="1.6em"))
        parts: list[w.Widget] = [w.HTML(_place(card) + _head(panel))]
        if card is not None and card.plan is not None:
            parts.insert(0, plan_tools(card, card.plan, self._redraw))
        elif card is not None and any(step.statements for step in card.ahead):
            parts.insert(0, copy_button(script_ahead(card.ahead)))
        if seen:
            parts.insert(0, _rows(seen))
        if panel.phrase:
            parts.append(self._phrase_box(panel))
        parts += [self._choices(pause, fields, hold_s), *_legend(panel), self._form]
        self._put([*parts, live_words(thread), self._said])

    def offer(self, text: str, tooltip: str, do: Callable[[], None], thread: str = "") -> None:
        """Show one button, in place of whatever was shown before.

        Args:
            text: what stands on it.
            tooltip: what it does.
            do: called once, when it is clicked.
            thread: what it goes on with, for the command that does so without a button.
        """
        button = AnswerButton(text, tooltip, lambda: self._once(do))
        self._buttons, self._phrase, self._hold = [button], None, None
        self._is_locked = False
        self._said = w.HTML("", layout=w.Layout(min_height="1.6em"))
        self._put([w.HBox([button]), live_words(thread), self._said])

    def _once(self, do: Callable[[], None]) -> None:
        """Do what the first click asks for; whatever is clicked while it is done is nothing."""
        if not self._is_locked:
            self.lock()
            do()

    def _put(self, parts: list[w.Widget]) -> None:
        if self._box is None:
            self._box = w.VBox(parts).add_class(LIVE)
            # Viewers without widgets (GitHub, PDF) show the text.
            display({**self._box._repr_mimebundle_(), "text/plain": _WITHOUT}, raw=True)
        else:
            self._box.children = parts
            self._box.remove_class(LOCKED)

    def _phrase_box(self, panel: PausePanel) -> w.Text:
        self._phrase = w.Text(
            placeholder=panel.phrase,
            description=f"Type “{panel.phrase}” to approve:",
            continuous_update=True,
            style={"description_width": "initial"},
            layout=w.Layout(width="44rem", max_width="98%"),
        )
        return self._phrase

    def _choices(self, pause: Pause, fields: Sequence[Field], hold_s: float | None) -> w.Box:
        options = _clickable(pause)
        parts: list[w.Widget] = []
        if pause.kind == "input_question":
            options = self._typed(pause, options, parts)
        for option in options:
            parts.append(self._button(pause, option.id, option.description, fields))
        if self._editor is not None and pause.option("modify") is None:
            parts.append(self._editing_button())
        if hold_s is not None:
            self._hold = self._plain_button(f"Hold ({hold_s:.0f} s)", "Stop the countdown")
            self._hold.on_click(lambda _: self._on_hold())
            parts.append(self._hold)
        self._watch_phrase(pause)
        return w.HBox(parts, layout=w.Layout(flex_flow="row wrap"))

    def _typed(
        self, pause: Pause, options: tuple[Option, ...], parts: list[w.Widget]
    ) -> tuple[Option, ...]:
        """Put a box where a value is asked for; return the options that get buttons beside it."""
        named = [o.id for o in options if o.id not in _EXPLAINED and o.id != "other"]
        is_closed = pause.option("other") is None
        is_many = len(options) > _MOST_BUTTONS
        if is_closed and not is_many:
            return options
        asked = ValueBox(pause.present, named, is_closed, lambda v: self._value(pause, named, v))
        self._buttons.append(asked.button)
        parts.append(asked.box)
        boxed = {"other", *(named if is_many else ())}
        return tuple(option for option in options if option.id not in boxed)

    def _value(self, pause: Pause, named: Sequence[str], typed: str) -> None:
        if not typed:
            self.complain("Type a value first, or pick one from the list.")
            self.unlock()
        elif typed in named:
            self._say(GivenAnswer(typed))
        else:
            self._say(GivenAnswer("other", values={input_of(pause): typed}))

    def _button(
        self, pause: Pause, option_id: str, description: str, fields: Sequence[Field]
    ) -> w.Button | AnswerButton:
        opens = self._opening(pause, option_id, fields)
        text = option_label(option_id)
        if opens is None:
            button = AnswerButton(text, description, lambda: self._choose(option_id))
        else:
            button = self._plain_button(f"{text}…", description)
            button.on_click(lambda _: opens())
        if option_id in _PROPOSALS:
            button.button_style = "danger" if pause.severity == "critical" else "primary"
        button.skill_choice = option_id
        self._buttons.append(button)
        return button

    def _editing_button(self) -> w.Button:
        """Return the button of the editor where no option stands for it."""
        button = self._plain_button("Edit the plan…", "Change the steps and propose them again")
        button.on_click(lambda _: self._open_editor(()))
        self._buttons.append(button)
        return button

    def _plain_button(self, text: str, tooltip: str) -> w.Button:
        layout = w.Layout(width="auto", min_width="6rem")
        seen, tip = visible(text), visible(tooltip or text)
        return w.Button(description=seen, tooltip=tip, layout=layout)

    def _opening(
        self, pause: Pause, option_id: str, fields: Sequence[Field]
    ) -> Callable[[], None] | None:
        """Return what opens the form that a choice needs, or None where a click is enough."""
        if option_id == "modify" and self._editor is not None:
            inputs = tuple(entry for entry in fields if not entry.is_long)
            return lambda: self._open_editor(inputs)
        if option_id == "modify" and fields:
            return lambda: self._open(Form(fields, "Apply changes", self._modified))
        if option_id in _ASKS_WORDS:
            words = (Field("goal", "What do you want instead, in your own words?"),)
            return lambda: self._open(
                Form(words, "Find another way", lambda v: self._other_way(option_id, v))
            )
        return None

    def _open(self, form: Form) -> None:
        self._form.children = [form.box]

    def _open_editor(self, inputs: Sequence[Field]) -> None:
        assert self._editor is not None, "asked for where there is one"
        form = [Form(inputs, "Apply changes", self._modified).box] if inputs else []
        self._form.children = [*form, self._editor.box]

    def _watch_phrase(self, pause: Pause) -> None:
        if self._phrase is None:
            return
        approve = next(x for x in self._buttons if getattr(x, "skill_choice", "") == "approve")
        approve.disabled = True

        option = pause.option("approve")

        def compare(change: Any) -> None:
            approve.disabled = option is None or not option.is_confirmed_by(change["new"])

        self._phrase.observe(compare, "value")

    # ---- saying

    def _choose(self, option_id: str) -> None:
        typed = self._phrase.value if self._phrase is not None else None
        self._say(GivenAnswer(option_id, phrase=typed))

    def _modified(self, values: dict[str, Any]) -> None:
        if not values:
            self.complain("Nothing was changed yet.")
            return
        self._say(GivenAnswer("modify", values=values))

    def _other_way(self, option_id: str, values: dict[str, Any]) -> None:
        self._say(GivenAnswer(option_id, comment=values.get("goal")))

    def _say(self, said: GivenAnswer) -> None:
        self._once(lambda: self._on_said(said))

    # ---- afterwards

    def lock(self) -> None:
        """Disable everything at once, so that a second click cannot be a second answer."""
        self._is_locked = True
        self._enabled(False)
        if self._box is not None:
            self._box.add_class(LOCKED)

    def unlock(self) -> None:
        """Let the person choose again; a critical approval still needs its phrase."""
        self._is_locked = False
        if self._box is not None:
            self._box.remove_class(LOCKED)
        for button in self._buttons:
            if isinstance(button, AnswerButton):
                button.release()
        self._enabled(True)
        if self._phrase is not None:
            typed = self._phrase.value
            self._phrase.value = ""
            self._phrase.value = typed

    def _enabled(self, is_enabled: bool) -> None:
        for button in self._buttons:
            button.disabled = not is_enabled
        if self._hold is not None:
            self._hold.disabled = not is_enabled

    def count_down(self, left_s: float) -> None:
        """Show how long an info checkpoint still waits."""
        if self._hold is not None:
            self._hold.description = f"Hold ({left_s:.0f} s)" if left_s >= 1 else "Hold"

    def held(self) -> None:
        """Say that nothing happens by itself any more."""
        if self._hold is not None:
            self._hold.disabled = True
        self.say("Held. Nothing happens until you choose.")

    def say(self, text: str) -> None:
        """Show words beneath the buttons."""
        self._said.value = f'<span role="status" style="white-space:pre-line">{escape(text)}</span>'

    def complain(self, text: str) -> None:
        """Show what is wrong beneath the buttons."""
        self._said.value = f'<span role="alert" style="white-space:pre-line">{escape(text)}</span>'

    def close(self) -> None:
        """Take the controls away for good."""
        if self._box is not None:
            self._box.close()
            self._box = None


def _clickable(pause: Pause) -> tuple[Option, ...]:
    """Return the options that get a button: none goes past a critical checkpoint unconfirmed."""
    if pause.severity != "critical":
        return pause.options
    return tuple(option for option in pause.options if option.id != "approve_remaining")


def _place(card: ThreadCard | None) -> str:
    """Say beside the buttons which account they act on; loudly where people depend on it."""
    if card is None or not card.badge:
        return ""
    if not card.is_production:
        return f"<div><small>{escape(card.badge)}</small></div>"
    return (
        '<div role="alert" style="border:3px double currentColor;padding:2px 8px;'
        f'font-weight:700">! PRODUCTION: {escape(card.badge)}</div>'
    )


def _head(panel: PausePanel) -> str:
    """Say again what is asked: after a reload the card above can be stale, this never is."""
    text = f" {escape(panel.text)}" if panel.tone == "critical" else ""
    stop = "" if panel.title.endswith("?") else "."
    return (
        f'<div role="status"><strong>{SIGNS[panel.tone]} {escape(panel.word)}</strong> '
        f"{escape(panel.title)}{stop}{text}</div>"
    )


def _rows(seen: Sequence[SeenRows]) -> w.HTML:
    """Return rows that may be looked at and are not kept: an output would be saved."""
    sheet = Sheet("Sample rows", blocks=tuple(seen_blocks(seen)))
    return w.HTML(to_html(sheet, PROMPT, root="sk-rows"))


def _legend(panel: PausePanel) -> list[w.Widget]:
    """Say what a step's own options do; the usual ones need no words."""
    said = [c for c in panel.options if c.id not in _EXPLAINED and c.description]
    if not said:
        return []
    lines = "<br>".join(
        f"<b>{escape(option_label(c.id))}</b>: {escape(c.description)}" for c in said
    )
    return [w.HTML(f"<div>{lines}</div>")]
