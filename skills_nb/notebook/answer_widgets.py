"""What an answer is given with: a button that shows at once that it was clicked, a box to type in.

Room: doors (notebook). What has to be seen while the kernel is busy, or when it is gone, is done by
the page alone: a pressed button and a lost one need no message from the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as w

from skills_nb.visible import visible
from skills_nb.visible import visible_html as escape

_FITS = w.Layout(width="auto", min_width="6rem")
LIVE = "sk-live"
"""The class of the box that holds the widgets of a pause."""
LOCKED = "sk-locked"
"""The class of that box while an answer is worked on: nothing in it takes a click."""
_STYLE = """<style>
.sk-live .sk-go.mod-active::after{content:" …" / ""}
.sk-live .sk-go.mod-active{opacity:1;outline:2px solid currentColor;outline-offset:-4px}
.sk-live:has(.sk-go.mod-active) button{pointer-events:none}
.sk-live:has(.sk-go.mod-active) button:not(.mod-active){opacity:.5}
.sk-live.sk-locked :is(button,input,select,textarea){pointer-events:none}
.sk-live.sk-locked :is(button,input,select,textarea):not(.mod-active){opacity:.5}
.sk-live .sk-sent,.sk-live .sk-lost{display:none}
.sk-live:has(.sk-go.mod-active):not(.jupyter-widgets-disconnected) .sk-sent{display:block}
.sk-live.jupyter-widgets-disconnected .sk-lost{display:block;border:1px solid currentColor;
border-radius:3px;padding:4px 8px;margin:4px 0}
.sk-live.jupyter-widgets-disconnected :is(button,input,select,textarea){pointer-events:none;
opacity:.45}
</style>"""


class AnswerButton(w.ToggleButton):  # type: ignore[misc]
    """A button that answers: one click presses it in the page, and a second one is nothing.

    A toggle, because the page changes it by itself, however busy the kernel is.
    """

    def __init__(self, text: str, tooltip: str, do: Callable[[], None]) -> None:
        """Build it.

        Args:
            text: what stands on it.
            tooltip: what it does.
            do: called when it is pressed.
        """
        super().__init__(description=visible(text), tooltip=visible(tooltip or text), layout=_FITS)
        self.add_class("sk-go")
        self._do = do
        self.observe(self._pressed, "value")

    def _pressed(self, change: Any) -> None:
        if change["new"]:
            self._do()

    def click(self) -> None:
        """Press it, as a person would."""
        self.value = True

    def release(self) -> None:
        """Let it be pressed again."""
        self.value = False
        self.disabled = False


class ValueBox:
    """An input box that offers choices while one types."""

    def __init__(
        self,
        question: str,
        choices: Sequence[str],
        is_closed: bool,
        on_value: Callable[[str], None],
    ) -> None:
        """Build the widgets.

        Args:
            question: what is asked; it names the box for a screen reader.
            choices: what is offered.
            is_closed: whether nothing else may be typed.
            on_value: called with what was typed or chosen.
        """
        hint = "type, or pick from the list" if choices else "type a value"
        self.text = w.Combobox(
            options=[visible(choice) for choice in choices],
            # A tooltip alone is no label: who listens to the page hears it last, if at all.
            description="Your answer",
            style={"description_width": "initial"},
            placeholder=hint,
            tooltip=visible(question),
            ensure_option=is_closed,
            layout=w.Layout(width="26rem", max_width="98%"),
        )
        self._choices = {visible(choice): choice for choice in choices}
        self._on_value = on_value
        self.button = AnswerButton("Use this value", question, self._take)
        self.box = w.HBox([self.text, self.button], layout=w.Layout(flex_flow="row wrap"))

    def _take(self) -> None:
        typed = self.text.value.strip()
        self._on_value(self._choices.get(typed, typed))


def live_words(thread: str) -> w.HTML:
    """Return what the page shows by itself: that a click is on its way, that the kernel is gone."""
    resume = escape(f"%skill resume {thread}".rstrip())
    return w.HTML(
        f'{_STYLE}<div class="sk-sent" role="status">Sent. It is done as soon as the kernel is '
        'free.</div><div class="sk-lost" role="status">The kernel was restarted, so these buttons '
        "do nothing any more. Nothing is lost: run the cell that loads <code>skills_nb</code> "
        f"again, then <code>{resume}</code>.</div>"
    )
