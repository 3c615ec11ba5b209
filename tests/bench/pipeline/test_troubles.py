"""What is said to check where a stage fails."""

import pytest

from skills_nb.bench.pipeline.stage_advice import CHECKS, advice
from skills_nb.bench.tasks.task_values import TaskType


@pytest.mark.parametrize("stage", CHECKS)
@pytest.mark.parametrize("kind", [None, *TaskType])
def test_every_check_comes_with_its_command(stage, kind):
    for line in advice(stage, kind, run="results/r", task="t", attempt=2):
        what, _, command = line.removeprefix("check ").rpartition(": ")
        assert what
        assert command
        assert "{" not in command


def test_a_commands_own_places_are_filled_in():
    assert advice("deployment", TaskType.APEX, run="results/r", task="t", attempt=2)[0] == (
        "check patch format: a valid git diff: git apply --check results/r/solutions/t/2/answer.txt"
    )


@pytest.mark.parametrize("kind", [TaskType.SNOWFLAKE, TaskType.ROUTING, TaskType.PLAYBOOK])
def test_nobody_is_sent_to_an_org_over_what_runs_elsewhere(kind):
    assert [line for line in advice("validation", kind) if "sf " in line] == []
