"""The shipped Snowflake tasks, open and sealed: what each brings, and that it measures."""

from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from skills_nb.bench.prompts import messages_for
from skills_nb.bench.snowflake.embedded_sandboxes import EmbeddedSandboxes
from skills_nb.bench.task_gate import GOLD_RUNS, examine_task
from skills_nb.bench.tasks import load_tasks, shipped_tasks
from skills_nb.bench.tasks.scripted_turns import scripted_turns

SET = load_tasks("snowflake")
SEALED = load_tasks("sealed")
LIBRARY = Path(str(files("skills_nb"))).parent / "library"
DOMAINS = {folder.name for folder in (LIBRARY / "routers").iterdir()}
FEWEST_TASKS, FEWEST_SEALED = 68, 60
FEWEST_RIGHTS = 3
FEWEST_MUTANTS = 4
LONGEST_LINE = 160

each_task = pytest.mark.parametrize("task", [*SET.tasks, *SEALED.tasks], ids=lambda task: task.id)


@pytest.mark.parametrize("tasks", [SET, SEALED], ids=["open", "sealed"])
def test_every_folder_of_a_pack_holds_a_task_that_can_be_read(tasks):
    folders = {path.name for path in tasks.root.iterdir()}
    assert (tasks.invalid, {task.id for task in tasks.tasks}) == ((), folders)


def test_sealed_tasks_are_other_tasks_and_marked():
    assert all(task.is_sealed for task in SEALED.tasks)
    assert not any(task.is_sealed for task in SET.tasks)
    assert not {task.id for task in SEALED.tasks} & {task.id for task in SET.tasks}
    assert not load_tasks(shipped_tasks()).sealed
    assert len(SET.tasks) >= FEWEST_TASKS
    assert len(SEALED.tasks) >= FEWEST_SEALED


def test_the_pack_covers_every_domain_of_the_library_and_nothing_else():
    assert {task.domain for task in SET.tasks} == DOMAINS


def test_each_level_has_its_share():
    levels = Counter(task.level for task in SET.tasks)
    assert set(levels) == {1, 2, 3, 4}
    assert min(levels[level] for level in (1, 2, 3)) >= len(SET.tasks) // 8
    assert levels[3] + levels[4] >= len(SET.tasks) // 3


@each_task
def test_a_task_names_its_traps_and_brings_answers_that_fall_into_them(task):
    assert len(task.traps) >= 2
    assert len(task.body.mutants) >= FEWEST_MUTANTS
    assert len(task.body.rights) >= FEWEST_RIGHTS
    for mutant in task.body.mutants:
        assert mutant.text.startswith("-- "), f"{mutant.name} does not say what is wrong with it"
        assert mutant.text != task.body.gold


@each_task
def test_a_task_looks_at_what_changed_and_at_what_must_not(task):
    body = task.body
    assert len(body.requirements) >= 2
    assert body.invariants
    assert body.checks
    assert body.bulk is not None
    assert body.bulk.rows >= 2000


@each_task
def test_what_the_model_is_told_holds_nothing_of_how_it_is_measured(task):
    told = "\n".join(message["content"] for message in messages_for(task))
    body = task.body
    looks = (*body.requirements, *body.checks, *body.bulk.checks)
    hidden = {look.sql for look in looks} | {look.says for look in looks}
    hidden |= {body.gold.strip()} | {mutant.name for mutant in body.mutants}
    assert task.prompt.strip() in told
    assert [text for text in hidden if text in told] == []


@each_task
def test_a_task_begins_where_it_says_and_ends_its_scripts(task):
    scripts = (task.body.setup, task.body.gold, *(m.text for m in task.body.mutants))
    assert all(script.rstrip().endswith(";") for script in scripts)
    shown = f"{task.body.setup}\n{task.body.gold}".splitlines()
    assert [line for line in shown if len(line) > LONGEST_LINE] == []


@each_task
def test_a_task_owns_the_databases_and_roles_that_its_scripts_make(task):
    """A real account is rid of them afterwards; a share is nobody's to drop, so it owns nothing."""
    words = f"{task.body.setup}\n{task.body.gold}".split()
    made = {
        kind: {
            words[i + 2].rstrip(";")
            for i in range(len(words) - 2)
            if words[i] == "CREATE" and words[i + 1] == singular
        }
        for kind, singular in (("databases", "DATABASE"), ("roles", "ROLE"))
    }
    made["databases"].discard("ROLE")
    if "SHARE" in words:
        assert dict(task.body.owns) == {}
    else:
        assert {kind: names for kind, names in made.items() if names} == {
            kind: set(task.body.owns[kind])
            for kind in ("databases", "roles")
            if kind in task.body.owns and made[kind]
        }


SEVERAL = [task for task in (*SET.tasks, *SEALED.tasks) if task.turns > 1]


@pytest.mark.parametrize("task", SEVERAL, ids=lambda task: task.id)
def test_a_task_of_several_turns_has_to_be_looked_at(task):
    told = "\n".join(message["content"] for message in messages_for(task))
    assert "CREATE " not in told
    assert "INSERT " not in told
    assert task.level >= 3
    assert len(scripted_turns(task.body.gold)) > 1, "gold itself looks first"
    rights = [scripted_turns(right.text) for right in task.body.rights]
    assert {len(turns) > 1 for turns in rights} >= {True}
    assert all(len(turns) <= task.turns for turns in rights)


def test_tasks_of_several_turns_are_of_several_domains_open_and_sealed():
    assert {task.is_sealed for task in SEVERAL} == {True, False}
    assert {task.domain for task in SEVERAL} == DOMAINS
    assert len(SEVERAL) >= 20


@pytest.mark.exhaustive
@pytest.mark.slow
@each_task
def test_a_task_passes_the_gate(task):
    row = examine_task(task, EmbeddedSandboxes())
    assert row.troubles == ()
    scores = {trial.answer: trial.lower for trial in row.trials if trial.answer != "gold"}
    gold = [trial.lower for trial in row.trials if trial.answer == "gold"]
    assert gold == [100.0] * GOLD_RUNS
    assert scores["empty"] == 0
    assert scores["no-op"] < 60
    below = {answer for answer, lower in scores.items() if lower < 100}
    assert {mutant.name for mutant in task.body.mutants} <= below
