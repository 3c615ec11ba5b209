"""What a run is about.

Room: work (bench). Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

from skills_nb.bench.models.values import Generator
from skills_nb.bench.setting import Setting
from skills_nb.bench.tasks.loading import TaskSet
from skills_nb.bench.tasks.values import Task
from skills_nb.ports import Clock


@dataclass(frozen=True, slots=True)
class Item:
    """One attempt at one task."""

    task: Task
    attempt: int

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
    tasks: TaskSet
    generator: Generator
    output: Path
    evaluation_id: str
    setting: Setting
    clock: Clock
    attempts: int = 1
    workers: int = 2
    is_resume_required: bool = False
    knowledge: Callable[[Task], str] = field(default=lambda task: "")
    """Pages of the skill library to answer a task with; empty: skills are off."""
    executor: Executor | None = None
    """Where instances are measured; processes of this machine by default."""
    tell: Callable[[str], None] = field(default=print)
    """Where progress is said."""
    tries: int = 2
    """How often an instance is measured where something around it breaks."""

    def items(self) -> tuple[Item, ...]:
        """Return all attempts, task by task."""
        return tuple(
            Item(task, attempt)
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
        }
