"""The widgets of a pause show what they are told, and obey none of it."""

import pytest

from skills_nb.model.events import Option
from skills_nb.model.state import Pause
from skills_nb.notebook import controls
from skills_nb.notebook.controls import Controls
from skills_nb.notebook.forms import Field, Form
from tests.notebook.test_plan_editor import parts
from tests.test_visible import is_harmless

NOTHING = "\u200b"
"""What an empty placeholder is, by the front end's own wish."""
BAD = "a\x1b[2K\r\u202eb\x07\u200b"
SHOWN = ("description", "tooltip", "placeholder")


def texts(box):
    for part in parts(box):
        if type(part).__name__ == "HTML":
            yield part.value
        told = (getattr(part, name, "") or "" for name in SHOWN)
        yield from (text for text in told if text != NOTHING)
        yield from getattr(part, "_options_labels", ())


@pytest.fixture
def shown(monkeypatch):
    """Show the controls of a pause and return their box and what was displayed."""
    displayed = []
    monkeypatch.setattr(controls, "display", lambda bundle, raw: displayed.append(bundle))

    def show(pause, *fields):
        live = Controls(lambda said: None, lambda: None, lambda card: None)
        live.show(pause, fields, 3.0)
        live.complain(BAD)
        return live, displayed

    return show


def critical():
    options = (
        Option(id="approve", requires_confirmation=True, phrase=f"protect {BAD}"),
        Option(id=BAD, description=BAD),
        Option(id="modify"),
    )
    return Pause("checkpoint", "2", "critical", f"{BAD}\n{BAD}", options, "2", (BAD,))


def test_nothing_hostile_reaches_a_widget(shown):
    field = Field(BAD, BAD, "x", (BAD, "x"), is_closed=True)
    live, displayed = shown(critical(), field)
    form = Form((field, Field(BAD, BAD)), "Go", lambda values: None)

    assert all(map(is_harmless, "\n".join([*texts(live._box), *texts(form.box)]).split("\n")))
    assert is_harmless(displayed[0]["text/plain"])


def test_the_phrase_that_is_shown_is_the_phrase_that_approves(shown):
    live, _ = shown(critical())
    approve = next(b for b in live._buttons if getattr(b, "skill_choice", "") == "approve")
    phrase = live._phrase

    assert r"protect a\x1b[2K\r\u202eb\x07\u200b" in phrase.description
    phrase.value = f"protect {BAD}x"
    assert approve.disabled
    phrase.value = r"protect a\x1b[2K\r\u202eb\x07\u200b"
    assert not approve.disabled
