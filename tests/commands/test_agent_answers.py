"""What an agent may answer: a table, each row an allowance or a refusal."""

import pytest

from skills_nb.commands.agent_answers import needs_person
from skills_nb.model.skills import InputSpec
from skills_nb.model.state import Pause
from tests.builders import playbook


def pause(kind, severity="review", present=""):
    return Pause(kind, "3", severity, present)


ALWAYS = [
    pause("plan_proposed"),
    pause("plan_rejected"),
    pause("cleanup_proposed"),
    pause("checkpoint", "critical"),
    pause("probe_checkpoint", "critical"),
    pause("error_escalated", present="it cannot be told whether this statement ran: DROP TABLE T"),
]
FOR_REVIEW = [
    pause("checkpoint"),
    pause("probe_checkpoint"),
    pause("dry_run_summary"),
    pause("error_escalated"),
    pause("staleness_warning"),
]
FREE = [pause("input_question"), pause("routing_ambiguous"), pause("checkpoint", "info")]


@pytest.mark.parametrize("waits", ALWAYS, ids=lambda p: f"{p.kind}-{p.severity}")
@pytest.mark.parametrize("choice", ["approve", "modify", "approve_remaining", "retry"])
def test_a_persons_decision_is_never_an_agents(waits, choice):
    assert needs_person(waits, choice, is_delegated=True) is not None


@pytest.mark.parametrize("waits", FOR_REVIEW, ids=lambda p: p.kind)
def test_what_is_for_review_is_an_agents_only_where_it_was_delegated(waits):
    assert needs_person(waits, "approve", is_delegated=False) is not None
    assert needs_person(waits, "approve", is_delegated=True) is None


@pytest.mark.parametrize("waits", FREE, ids=lambda p: p.kind)
def test_questions_are_anybodys(waits):
    assert needs_person(waits, "approve", is_delegated=False) is None


def test_a_secret_is_told_to_a_terminal_and_never_by_an_agent():
    book = playbook(inputs=(InputSpec("key", secret=True), InputSpec("name")))
    key, name = (Pause("input_question", f"input:{n}") for n in ("key", "name"))
    assert needs_person(key, "other", is_delegated=True, playbook=book) is not None
    assert needs_person(name, "other", is_delegated=False, playbook=book) is None


def test_reviews_to_come_are_not_approved_at_an_earlier_pause():
    waits = pause("checkpoint", "info")
    assert needs_person(waits, "approve_remaining", is_delegated=False) is not None


@pytest.mark.parametrize("waits", [*ALWAYS, *FOR_REVIEW, *FREE], ids=lambda p: p.kind)
def test_stopping_is_always_allowed(waits):
    assert needs_person(waits, "abort", is_delegated=False) is None
