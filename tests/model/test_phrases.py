"""A phrase is one text: shown, typed, compared and written into a command the same way."""

import shlex

import pytest
from hypothesis import given

from skills_nb.engine.pauses import checkpoint_options
from skills_nb.model.events import Option
from skills_nb.visible import visible
from tests.test_visible import ANY


@given(ANY)
def test_a_phrase_is_confirmed_by_what_is_shown_and_survives_its_command(text):
    approve, *_ = checkpoint_options("critical", text)
    flag, quoted = approve.confirmation

    assert visible(approve.phrase) == approve.phrase
    assert approve.is_confirmed_by(approve.phrase)
    assert approve.is_confirmed_by(f" {approve.phrase}\n".strip("\n"))
    assert (flag, shlex.split(quoted)) == ("--phrase", [approve.phrase])
    assert Option.model_validate_json(approve.model_dump_json()) == approve


@pytest.mark.parametrize("typed", [None, "", " ", "protect A", "Protect a", "protect a\u200b b"])
def test_anything_else_confirms_nothing(typed):
    approve, *_ = checkpoint_options("critical", "protect a b")
    assert not approve.is_confirmed_by(typed)


def test_an_empty_phrase_is_not_confirmed_by_silence():
    approve, *_ = checkpoint_options("critical", " \u00a0".strip("\u00a0"))
    assert approve.phrase == "approve"
    assert not approve.is_confirmed_by("")
    assert not Option(id="approve", requires_confirmation=True, phrase="").is_confirmed_by("")


def test_a_command_that_is_copied_runs_nothing_else():
    approve, *_ = checkpoint_options("critical", 'protect $(rm -rf ~) `x` "y" !z')
    assert approve.confirmation == ("--phrase", "'protect $(rm -rf ~) `x` \"y\" !z'")
