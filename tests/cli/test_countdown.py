"""An `info` checkpoint at a terminal: shown, waited for, held, or gone past."""

from types import SimpleNamespace

import pytest

from skills_nb.cli import terminal as cli
from skills_nb.commands import Reply
from skills_nb.commands.verbs import answer_verbs
from skills_nb.errors import ThreadError
from skills_nb.model.state import Pause
from skills_nb.views import message

INFO = Pause("checkpoint", "2", "info", "3 tables\x1b[2J found", step="2")
REVIEW = Pause("checkpoint", "3", "review", "look", step="3")


def reply(pause, text):
    return Reply(message(text), {}, 3, "thr", pause)


@pytest.fixture
def waited(monkeypatch):
    """Note the seconds that were waited, and answer for the timer."""
    seconds = []
    monkeypatch.setattr(cli.time, "sleep", seconds.append)
    monkeypatch.setattr(cli, "_human", lambda: SimpleNamespace(is_present=lambda: True))
    monkeypatch.setattr(
        answer_verbs, "approve_by_timer", lambda app, before: reply(REVIEW, "further")
    )
    return seconds


def test_it_is_shown_and_waited_for_three_seconds(waited, capsys):
    last = cli._counted_down(None, reply(INFO, "here\x1b[2J"), is_json=False)

    assert (waited, last.pause) == ([3], REVIEW)
    said = capsys.readouterr()
    assert "here\\x1b[2J" in said.err + said.out
    assert "Going on in 3 s" in said.err


def test_it_can_be_held(waited, capsys, monkeypatch):
    def interrupted(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.time, "sleep", interrupted)
    last = cli._counted_down(None, reply(INFO, "here"), is_json=False)

    assert last.pause is INFO
    assert "Held" in capsys.readouterr().err


def test_it_does_not_wait_at_any_other_pause_or_where_nobody_is(waited, monkeypatch):
    assert cli._counted_down(None, reply(REVIEW, "x"), is_json=False).pause is REVIEW
    monkeypatch.setattr(cli, "_human", lambda: SimpleNamespace(is_present=lambda: False))
    assert cli._counted_down(None, reply(INFO, "x"), is_json=False).pause is INFO
    assert waited == []


def test_json_stays_json(waited, capsys):
    cli._counted_down(None, reply(INFO, "here"), is_json=True)
    said = capsys.readouterr()

    assert said.out == ""
    assert "here" in said.err


def test_where_somebody_else_was_first_the_thread_is_shown(waited, monkeypatch):
    def late(app, before):
        raise ThreadError("nothing waits")

    monkeypatch.setattr(answer_verbs, "approve_by_timer", late)
    app = SimpleNamespace(invoke=lambda words: reply(None, " ".join(words)))

    assert cli._counted_down(app, reply(INFO, "x"), is_json=False).view == message("status thr")


def test_looking_at_a_thread_starts_no_countdown():
    assert not {"status", "show", "threads", "compact", "cleanup"} & cli._GOING_ON
