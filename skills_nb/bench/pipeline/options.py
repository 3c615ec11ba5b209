"""What a run is about.

Room: work (bench). Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skills_nb.bench.models.answers import Generator
from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.tasks.loading import TaskSet
from skills_nb.bench.tasks.task_values import Task
from skills_nb.ports import Clock
from skills_nb.version import __version__


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at one task."""

    task: Task
    """The task that is answered and measured."""
    attempt: int
    """From 1 to the number that each task gets."""

    @property
    def key(self) -> tuple[str, int]:
        """Return what the journal knows it by."""
        return self.task.id, self.attempt

    @property
    def name(self) -> str:
        """Return what the savepoint knows it by."""
        return self.task.id if self.attempt == 1 else f"{self.task.id}#{self.attempt}"


@dataclass(frozen=True, slots=True)
class Options:
    """A run as it was asked for."""

    model: str
    """As it was asked for, and as the report names it."""
    tasks: TaskSet
    """What is answered and measured."""
    generator: Generator
    """Who answers."""
    output: Path
    """The run's own folder; an earlier run that it holds is gone on with."""
    evaluation_id: str
    """Name of the run; one that goes on keeps its own."""
    setting: RunSetting
    """What measuring needs to know."""
    clock: Clock
    """Dates the run and its parts."""
    attempts: int = 1
    """How many answers each task gets."""
    workers: int = 2
    """How many instances are answered or measured at a time."""
    is_resume_required: bool = False
    """Whether a run that is not there yet is refused, not begun."""
    knowledge: Callable[[Task], str] = field(default=lambda task: "")
    """Pages of the skill library to answer a task with; empty: skills are off."""
    executor: Executor | None = None
    """Where instances are measured; processes of this machine by default."""
    tell: Callable[[str], None] = field(default=print)
    """Where progress is said."""
    tries: int = 2
    """How often an instance is measured where something around it breaks."""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    """How the model is to answer, by name; what is left to the endpoint is not in it."""
    endpoint: str = ""
    """Where the model is asked, without any secret; empty where nobody is."""
    prices: tuple[float, float] | None = None
    """USD for a token asked and a token answered; None where a person does not say."""

    def items(self) -> tuple[Attempt, ...]:
        """Return all attempts, task by task."""
        return tuple(
            Attempt(task, attempt)
            for task in self.tasks.tasks
            for attempt in range(1, self.attempts + 1)
        )

    def identity(self) -> dict[str, object]:
        """Return what may not change when a run goes on."""
        return {
            "model": self.model,
            "provider": self.generator.provider,
            "tasks": self.tasks.digest,
            "backend": self.setting.backend(self.tasks),
            "functional": self.setting.functional,
            "attempts": self.attempts,
            "skills": self.setting.skills,
            "sampling": dict(self.sampling) or None,
        }

    def about(self) -> dict[str, object]:
        """Return what a report says of a run beside what it is about."""
        return {
            "task_set": self.tasks.name,
            "sealed": self.tasks.sealed,
            "version": __version__,
            "endpoint": self.endpoint,
            "contained": not self.setting.is_uncontained,
        }
