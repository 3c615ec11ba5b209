"""Every template, condition and message of the shipped playbooks stands on names that are known.

Known in a step: the inputs, what earlier steps bind, the step's own loop name and results.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.model.skills import Playbook, Step
from skills_nb.reading import open_library, skill_problems
from skills_nb.sql.conditions import check as check_condition
from skills_nb.sql.templates import check, check_message

LIBRARY = open_library(Path(__file__).parents[2] / "library")
PROBE_NAMES = {"count", "result", "account", "role", "expected_account"}

each_playbook = pytest.mark.parametrize("name", sorted(LIBRARY.playbooks))


def _steps(playbook: Playbook) -> Iterator[tuple[Step, set[str]]]:
    known = {spec.name for spec in playbook.inputs}
    for step in playbook.steps:
        own = {step.for_each.name} if step.for_each is not None else set[str]()
        yield step, known | own
        known |= set(step.binds)


def test_reading_the_library_finds_nothing_to_report() -> None:
    refs = [f"playbooks/{name}" for name in LIBRARY.playbooks]
    refs += [f"primitives/{name}" for name in LIBRARY.primitives]
    found = [problem for ref in refs for problem in skill_problems(LIBRARY, ref)]
    assert [*LIBRARY.diagnostics, *found] == []


@each_playbook
def test_sql_templates_use_known_names_only(name: str) -> None:
    problems = [
        (step.id, problem)
        for step, known in _steps(LIBRARY.playbooks[name])
        for text in (*(block.text for block in step.sql), step.verify or "")
        for problem in check(text, known)
    ]
    assert problems == []


@each_playbook
def test_conditions_of_steps_use_known_names_only(name: str) -> None:
    problems = []
    for step, known in _steps(LIBRARY.playbooks[name]):
        if step.when is not None:
            problems += [(step.id, found) for found in check_condition(step.when, known)]
        for option in step.checkpoint.options if step.checkpoint is not None else ():
            if option.when is not None:
                after = known | set(step.binds)
                problems += [(step.id, found) for found in check_condition(option.when, after)]
    assert problems == []


@each_playbook
def test_messages_use_known_names_only(name: str) -> None:
    problems = []
    for step, known in _steps(LIBRARY.playbooks[name]):
        after = known | set(step.binds)
        texts = [error.recovery for error in step.expected_errors]
        if step.checkpoint is not None:
            texts += [step.checkpoint.present, step.checkpoint.phrase or ""]
        problems += [(step.id, found) for text in texts for found in check_message(text, after)]
    assert problems == []


@each_playbook
def test_probe_queries_use_inputs_only(name: str) -> None:
    playbook = LIBRARY.playbooks[name]
    known = {spec.name for spec in playbook.inputs if spec.phase == "before_start"}
    problems = [
        (probe.id, problem) for probe in playbook.probes for problem in check(probe.query, known)
    ]
    assert problems == []


@each_playbook
def test_loops_and_outputs_come_from_something_that_a_step_or_an_input_gives(name: str) -> None:
    playbook = LIBRARY.playbooks[name]
    for step, known in _steps(playbook):
        if step.for_each is not None:
            parts = step.for_each.path.strip("[]").split(",")
            assert {part.strip() for part in parts} <= known, step.id
    steps = {f"step_{step.id}" for step in playbook.steps}
    assert {output.source.split(".")[0] for output in playbook.produces} <= steps
