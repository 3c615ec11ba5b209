"""What to check when a stage fails, with the command. Spec: Troubleshooting Evaluations.

Room: work (bench). Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from skills_nb.bench.run_setting import OWN
from skills_nb.bench.tasks.task_values import TaskType

Stage = Literal["preflight", "generation", "deployment", "validation"]
Checks = Mapping[Stage, tuple[tuple[str, str], ...]]

CHECKS: Checks = {
    "preflight": (
        ("API key environment variables", "env | grep -c _API_KEY"),
        ("DevHub authentication", "sf org list --all"),
        ("scratch org limits", "sf org list limits --target-org <devhub>"),
    ),
    "generation": (
        ("the model is available via the provider", "curl <base-url>/models"),
        ("API key permissions", "env | grep -c _API_KEY"),
        ("rate limit status: what was answered is kept", "skills-nb eval … --output {run}"),
    ),
    "deployment": (
        (
            "patch format: a valid git diff",
            "git apply --check {run}/solutions/{task}/{attempt}/answer.txt",
        ),
        ("the platform's error messages", "less {run}/instances/{task}/{attempt}/card.json"),
        ("the scratch org is active", "sf org display -o <alias>"),
    ),
    "validation": (
        ("test assertions", "sf apex run test -o <alias> -n <TestClass> -r human"),
        ("the functional validation script", "sf apex run -o <alias> -f test-script.apex"),
        ("test data setup: the task's own answers pass its gate", "skills-nb eval --self-check"),
    ),
}
"""By stage: what to look at, and the command that shows it."""

_SNOWFLAKE: Checks = {
    "deployment": (
        (
            "the answer: SQL and nothing else",
            "less {run}/solutions/{task}/{attempt}/answer.txt",
        ),
        ("the account's error messages", "less {run}/instances/{task}/{attempt}/card.json"),
        ("what the embedded account supports", "skills-nb account support"),
    ),
    "validation": (
        (
            "test assertions and requirements, each with what was found",
            "less {run}/instances/{task}/{attempt}/card.json",
        ),
        (
            "test data setup: the task's own answers pass its gate",
            "skills-nb eval --self-check --tasks <tasks> --only {task}",
        ),
    ),
}
_LIBRARY: Checks = {
    "validation": (
        ("what was found", "less {run}/instances/{task}/{attempt}/card.json"),
        ("the library itself", "skills-nb lint"),
    ),
}


def advice(
    stage: Stage,
    kind: TaskType | None = None,
    *,
    run: str = "<run>",
    task: str = "<task>",
    attempt: int = 1,
) -> tuple[str, ...]:
    """Return a line for each thing to check.

    Args:
        stage: what failed.
        kind: what the task is about; None for a whole run.
        run: the run directory, for the commands.
        task: the task's id.
        attempt: which answer.
    """
    own: Checks = {}
    if kind is TaskType.SNOWFLAKE:
        own = _SNOWFLAKE
    elif kind in OWN:
        own = _LIBRARY
    return tuple(
        f"check {what}: {command.format(run=run, task=task, attempt=attempt)}"
        for what, command in own.get(stage, CHECKS[stage])
    )
