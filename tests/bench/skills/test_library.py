"""The library as what is measured."""

from dataclasses import replace

import pytest

from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.scoring import State
from skills_nb.bench.skills.library_measurement import measure_library
from skills_nb.bench.skills.routing_measurement import paraphrases
from skills_nb.bench.tasks import Task, TaskType, load_tasks
from skills_nb.bench.tasks.task_values import RoutingTask
from skills_nb.commands.wiring import shipped_library
from tests.bench.conftest import TASKS

SETTING = RunSetting(functional=True, library=str(shipped_library()))


def _routed(**changes):
    body = RoutingTask(
        "secure my data", "playbook", ("playbooks/secure-sensitive-data",), ("data-security",)
    )
    body = replace(body, **changes)
    return measure_library(Task("r", TaskType.ROUTING, body.intent, body), SETTING)


def test_a_right_route_earns_everything():
    card = _routed()
    assert (card.lower, card.coverage, card.verdict) == (100, 100, "pass")


@pytest.mark.parametrize(
    ("changes", "failing"),
    [
        ({"targets": ("playbooks/other",)}, {"tests", "functional"}),
        ({"mode": "reference"}, {"functional"}),
        ({"domains": ("cost-operations",)}, {"functional"}),
        ({"paraphrases": ("what is a masking policy?",)}, {"bulk"}),
    ],
    ids=["target", "mode", "domain", "paraphrase"],
)
def test_each_component_looks_at_its_own_part(changes, failing):
    card = _routed(**changes)
    assert {n for n, part in card.parts() if part.state is not State.PASS} == failing


def test_other_accepted_answers_are_right():
    accepted = _routed(
        mode="guided",
        accept_modes=("guided", "playbook"),
        domains=("x",),
        accept_domains=(("data-security",),),
    )
    assert accepted.lower == 100


def test_a_question_is_right_where_one_is_wanted():
    card = _routed(intent="what a nice day", mode="clarify", targets=(), domains=())
    assert (card.tests.state, card.functional.state) == (State.PASS, State.PASS)


def test_an_intent_is_said_in_other_words():
    body = RoutingTask("Secure my  data", "playbook", ())
    assert paraphrases(body) == (
        "secure my  data",
        "please secure my  data",
        "Secure  my  data",
        "Secure my  data thanks",
    )


@pytest.mark.slow
def test_a_playbook_is_rehearsed_done_and_done_again():
    (task,) = load_tasks(TASKS / "playbooks.yaml").tasks
    card = measure_library(task, SETTING)
    assert {name: part.state.value for name, part in card.parts()} == {
        "deploy": "pass",
        "tests": "pass",
        "functional": "pass",
        "bulk": "not_applicable",
        "no_tweaks": "pass",
    }


def test_a_playbook_that_is_not_there_fails():
    (task,) = load_tasks(TASKS / "playbooks.yaml").tasks
    gone = replace(task, body=replace(task.body, playbook="no-such-playbook"))
    card = measure_library(gone, SETTING)
    assert (card.upper, card.deploy.reason) == (0, "there is no playbook 'no-such-playbook'")


def test_a_playbook_whose_scope_is_not_there_fails_and_says_where():
    (task,) = load_tasks(TASKS / "playbooks.yaml").tasks
    lost = replace(task, body=replace(task.body, inputs={"target_scope": "NO.WHERE"}))
    card = measure_library(lost, replace(SETTING, functional=False))
    assert card.tests.state is State.FAIL
    assert card.functional.state is State.NOT_RUN
