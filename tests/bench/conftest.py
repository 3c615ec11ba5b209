"""The room's own tasks, small enough to run in every test."""

from pathlib import Path

import pytest

from skills_nb.bench.tasks import load_tasks

TASKS = Path(__file__).parent / "tasks"


@pytest.fixture(scope="session")
def mask_emails():
    """A Snowflake task with gold, a mutant, invariants and a scaled fixture."""
    (task,) = load_tasks(TASKS / "mask-emails").tasks
    return task
