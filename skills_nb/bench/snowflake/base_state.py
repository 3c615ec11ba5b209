"""The state of an account before an answer, looked at in a sandbox that no answer sees.

Room: work (bench). Once for a task: the sandboxes of an account in memory all begin alike, and
whoever looks leaves traces, such as a query's id, that an answer must not come upon.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from skills_nb.bench.snowflake.conversations import FixtureError, prepare
from skills_nb.bench.snowflake.sandbox_checks import GapError, problem_of, run_check_statement
from skills_nb.bench.snowflake.sandboxes import Sandbox, Sandboxes
from skills_nb.bench.tasks.expectations import one_line
from skills_nb.bench.tasks.task_values import Invariant, SnowflakeTask
from skills_nb.errors import SqlError
from skills_nb.ports import QueryRows


@dataclass(frozen=True, slots=True)
class BaseState:
    """What was there."""

    answers: Mapping[str, QueryRows]
    """What the invariants find, by id."""
    holding: tuple[str, ...] = ()
    """Requirements that hold already, by id: they prove nothing."""
    lacking: str = ""
    """What the backend lacks to look at the requirements; empty where it lacks nothing."""


_states: dict[str, BaseState] = {}
"""What there was, by backend and task."""


def base_state(
    task: SnowflakeTask, sandboxes: Sandboxes, *, is_functional: bool = True
) -> BaseState:
    """Return the state before.

    Args:
        task: whose setup makes it.
        sandboxes: where.
        is_functional: whether the requirements are looked at.

    Raises:
        GapError: the backend lacks what the setup or an invariant needs.
        FixtureError: the setup or an invariant fails.
    """
    key = f"{task_key(task, sandboxes)} {is_functional}"
    if key not in _states:
        _states[key] = _looked_at(task, sandboxes, is_functional=is_functional)
    return _states[key]


def _looked_at(task: SnowflakeTask, sandboxes: Sandboxes, *, is_functional: bool) -> BaseState:
    with sandboxes.open(task) as sandbox:
        prepare(sandbox, sandboxes, task.setup)
        answers = {i.id: _found(sandbox, sandboxes, i) for i in task.invariants}
        looks = task.requirements if is_functional else ()
        try:
            found = [look.id for look in looks if not problem_of(sandbox, sandboxes, look)]
        except GapError as gap:
            return BaseState(answers, lacking=str(gap))
        return BaseState(answers, tuple(found))


def _found(sandbox: Sandbox, sandboxes: Sandboxes, invariant: Invariant) -> QueryRows:
    found = run_check_statement(sandbox, sandboxes, invariant.sql, invariant.role)
    if isinstance(found, SqlError):
        raise FixtureError(f"invariant '{invariant.id}': {one_line(found.message)}")
    return found


def holding_before(task: SnowflakeTask, sandboxes: Sandboxes) -> tuple[str, ...]:
    """Return the ids of requirements that hold before anything is done: they prove nothing.

    Raises:
        GapError: the backend lacks what looking at them needs.
        FixtureError: the setup or an invariant fails.
    """
    found = base_state(task, sandboxes)
    if found.lacking:
        raise GapError(found.lacking)
    return found.holding


def task_key(task: SnowflakeTask, sandboxes: Sandboxes) -> str:
    """Return what a task is known by on a backend."""
    return f"{sandboxes.backend} {hashlib.sha256(repr(task).encode()).hexdigest()}"
