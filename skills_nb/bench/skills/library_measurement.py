"""Measuring the library on one task.

Room: work (bench).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.scoring import Scorecard
from skills_nb.bench.tasks.task_values import PlaybookTask, RoutingTask, Task
from skills_nb.errors import UsageError

if TYPE_CHECKING:
    from skills_nb.model.library import Library


def measure_library(task: Task, setting: RunSetting) -> Scorecard:
    """Return the components of what the library does with a task.

    Raises:
        UsageError: the task is of another type than those of the library.
    """
    library = library_of(setting.library, setting.overlay)
    if isinstance(task.body, RoutingTask):
        from skills_nb.bench.skills.routing_measurement import measure_route

        return measure_route(task.body, library)
    if isinstance(task.body, PlaybookTask):
        from skills_nb.bench.skills.playbook_measurement import measure_playbook

        return measure_playbook(task.body, library, functional=setting.functional)
    raise UsageError(f"'{task.id}' is not a task of the library")


@cache
def library_of(folder: str, overlay: str) -> Library:
    """Return a library, read once in each process."""
    from skills_nb.reading import open_library

    return open_library(Path(folder), Path(overlay) if overlay else None)
