"""Threads kept as they were told: the same answers give the same events, and old ones fold."""

import pytest
import yaml

from skills_nb.commands.exports.thread_exchange import from_yaml
from skills_nb.engine.decide import decide
from skills_nb.engine.evolve import fold
from skills_nb.model.state import ThreadState
from tests.builders import library
from tests.engine.golden import FOLDER, READERS, SCENARIOS, VIEWS, told

ENDS = {
    "abort_with_a_partial_cleanup": ("failed", "wrong teams"),
}


def text_of(name):
    return (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")


def types_in(name):
    return [event["type"] for event in yaml.safe_load(text_of(name))["events"]]


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_same_answers_give_the_same_thread(name):
    assert told(SCENARIOS[name].play()) == text_of(name)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_golden_thread_folds_and_asks_for_nothing_more(path):
    state = fold(from_yaml(path.read_text(encoding="utf-8")), ThreadState(thread_id="t"))
    assert (state.status, state.failure) == ENDS.get(path.stem, ("completed", ""))
    assert decide(state, library(READERS, VIEWS)) == ()


def test_every_scenario_has_its_thread_and_no_thread_is_left_over():
    assert {path.stem for path in FOLDER.glob("*.yaml")} == set(SCENARIOS)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("happy_path", "thread_completed"),
        ("modify_twice_then_approve", "step_started"),
        ("transient_error_recovered", "step_failed"),
        ("permission_error_resumed_after_the_grant", "error_escalated"),
        ("abort_with_a_partial_cleanup", "cleanup_executed"),
        ("conditional_step_skipped", "step_skipped"),
        ("different_approach", "rerouted"),
        ("resumed_on_the_wrong_account", "error_escalated"),
        ("chain_that_grows_and_changes_its_way", "context_mapped"),
        ("chain_that_grows_and_changes_its_way", "rerouted"),
        ("taken_over_from_a_dead_process", "thread_taken_over"),
        ("guided_plan_refused_changed_and_done", "plan_rejected"),
        ("guided_plan_refused_changed_and_done", "plan_approved"),
    ],
)
def test_a_golden_thread_shows_what_it_is_named_for(name, expected):
    assert expected in types_in(name)
