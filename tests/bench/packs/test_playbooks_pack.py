"""The shipped tasks of playbooks: what they cover, and that the shipped library passes them."""

from importlib.resources import files
from pathlib import Path

import pytest

from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.skills.library_measurement import measure_library
from skills_nb.bench.tasks import load_tasks

SET = load_tasks("playbooks")
LIBRARY = Path(str(files("skills_nb"))).parent / "library"
SETTING = RunSetting(functional=True, library=str(LIBRARY))

each_task = pytest.mark.parametrize("task", SET.tasks, ids=lambda task: task.id)


def test_every_task_can_be_read_and_brings_a_wide_fixture():
    assert SET.invalid == ()
    assert [task.id for task in SET.tasks if task.body.bulk is None] == []


@each_task
def test_a_task_is_of_its_playbooks_domain(task):
    text = (LIBRARY / "playbooks" / task.body.playbook / "playbook.md").read_text()
    assert f"\ndomain: {task.domain}\n" in text


@pytest.mark.exhaustive
@pytest.mark.slow
@each_task
def test_the_shipped_library_does_all_of_it(task):
    card = measure_library(task, SETTING)
    assert {name: (part.state.value, part.reason) for name, part in card.parts()} == {
        name: ("pass", "") for name, _ in card.parts()
    }
