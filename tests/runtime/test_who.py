"""Every event of a team's thread says who did it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skills_nb.commands.home.configuration import Configuration, person_of
from skills_nb.engine.respond import Answer
from skills_nb.errors import UsageError
from skills_nb.runtime.conductor import Conductor
from tests.builders import checkpoint, playbook, step, text_input
from tests.engine.driving import Drive


def drive():
    asks = step("1", "CREATE TABLE T (A INT)", checkpoint=checkpoint())
    return Drive(playbook(asks, inputs=(text_input("name"),)), name="x")


def as_person(drive, person):
    return Conductor(drive.library, replace(drive.conductor._ports, person=person))


def deeds(drive):
    """Return what was done by somebody, and by whom."""
    events = drive.store.load(drive.id)
    return [(event.type, event.actor) for event in events if event.actor != "engine"]


def test_whoever_starts_and_answers_is_named():
    driven = drive()
    ada, bob = as_person(driven, "human:ada"), as_person(driven, "human:bob")
    ada.start(driven.goal, driven.inputs, thread_id="t")
    ada.advance("t")
    bob.answer("t", Answer("approve"))
    bob.advance("t")
    assert deeds(driven) == [
        ("thread_started", "human:ada"),
        ("input_gathered", "human:ada"),
        ("human_response", "human:bob"),
    ]


def test_a_timer_stays_a_timer_whoever_runs_it():
    driven = drive()
    ada = as_person(driven, "human:ada")
    ada.start(driven.goal, driven.inputs, thread_id="t")
    ada.advance("t")
    ada.answer("t", Answer("approve", actor="timer"))
    assert deeds(driven)[-1] == ("human_response", "timer")


def test_what_was_told_elsewhere_keeps_its_names():
    driven = drive()
    as_person(driven, "human:ada").start(driven.goal, driven.inputs, thread_id="t")
    told = [replaced.model_copy(update={"seq": 0}) for replaced in driven.store.load("t")]
    as_person(driven, "human:bob").restore(told, "copy")
    assert [e.actor for e in driven.store.load("copy")] == [e.actor for e in driven.store.load("t")]


def test_where_nobody_is_named_a_person_is_local():
    driven = drive()
    driven.run()
    driven.respond("approve")
    assert deeds(driven) == [("input_gathered", "human:local"), ("human_response", "human:local")]


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (Configuration(), ""),
        (Configuration(store="home"), ""),
        (Configuration(store="postgresql+psycopg://h/d"), "ada"),
        (Configuration(store="postgresql+psycopg://h/d", person="bob"), "bob"),
        (Configuration(person="bob"), "bob"),
    ],
)
def test_a_team_knows_its_people_by_their_logins(settings, name, monkeypatch):
    monkeypatch.setenv("LOGNAME", "ada")
    assert person_of(settings) == name


def test_a_machine_that_does_not_tell_who_works_is_refused_for_a_team(monkeypatch):
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 2**31 - 7)
    with pytest.raises(UsageError, match="say who did what") as caught:
        person_of(Configuration(store="postgresql+psycopg://h/d"))
    assert caught.value.hint == "export SKILLS_NB_PERSON=NAME"
