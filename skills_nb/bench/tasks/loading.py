"""Finding and reading tasks: a file, a folder, a pack of folders, or a name of ours.

Room: work (bench).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from skills_nb.bench.tasks import sfbench, task_folders
from skills_nb.bench.tasks.fields import Fields
from skills_nb.bench.tasks.task_values import InvalidTask, Task
from skills_nb.errors import UsageError


@dataclass(frozen=True, slots=True)
class TaskSet:
    """The tasks of one source, and those that cannot be used."""

    name: str
    """What the report calls it: the source's own name."""
    root: Path
    """What relative repositories of tasks are relative to."""
    tasks: tuple[Task, ...]
    """In the order of the source."""
    invalid: tuple[InvalidTask, ...] = ()
    """What was left out, in the order of the source."""

    @property
    def digest(self) -> str:
        """Return the set's identity: a hash over its tasks, in any order."""
        listed = "\n".join(sorted(f"{task.id} {task.digest}" for task in self.tasks))
        return "sha256:" + hashlib.sha256(listed.encode()).hexdigest()

    @property
    def sealed(self) -> int:
        """Return how many of its tasks are used only where they are asked for by name."""
        return sum(task.is_sealed for task in self.tasks)

    def only(self, ids: Iterable[str]) -> TaskSet:
        """Return the set with these tasks alone.

        Raises:
            UsageError: an id is not in the set.
        """
        wanted = set(ids)
        unknown = wanted - {task.id for task in self.tasks}
        if unknown:
            raise UsageError(
                f"no valid task '{min(unknown)}' in {self.name}",
                hint="valid are: " + ", ".join(task.id for task in self.tasks[:8]),
            )
        kept = tuple(task for task in self.tasks if task.id in wanted)
        return TaskSet(self.name, self.root, kept, ())


_COMPLETE = "complete"
"""All Snowflake tasks, open and sealed."""


def shipped_tasks() -> Path:
    """Return the folder of the tasks that travel with the package."""
    package = Path(str(files("skills_nb")))
    packed = package / "_tasks"
    return packed if packed.is_dir() else package.parent / "data" / "tasks"


def load_tasks(source: str | Path) -> TaskSet:
    """Read tasks.

    Args:
        source: a JSON file in SF-Bench's shape, a `.jsonl` of routing intents, a YAML file of
            playbook tasks, a task folder, a folder with task folders anywhere in it, or the name
            of a shipped set (`verified`, `realistic`, `snowflake`, `playbooks`, `sealed`, or
            `complete` for `snowflake` and `sealed` together). Sealed tasks are left out where the
            folder holds others too: nobody asked for them by name.

    Raises:
        UsageError: there is nothing to read there, or two tasks have one id.
    """
    path = _place(source)
    found = [task for part in _parts(source, path) for task in _read(part)]
    tasks = tuple(task for task in found if isinstance(task, Task))
    invalid = tuple(task for task in found if isinstance(task, InvalidTask))
    ids = [task.id for task in tasks]
    twice = sorted({i for i in ids if ids.count(i) > 1})
    if twice:
        raise UsageError(f"{path}: two tasks are called '{twice[0]}'")
    if not found:
        raise UsageError(f"{path} holds no task")
    name = _COMPLETE if str(source) == _COMPLETE else path.name
    return TaskSet(name, path if path.is_dir() else path.parent, tasks, invalid)


def _parts(source: str | Path, path: Path) -> list[Path]:
    """Return the sets that a source holds: itself, unless it is the name of several."""
    is_several = str(source) == _COMPLETE and path == shipped_tasks()
    return [_place(name) for name in ("snowflake", "sealed")] if is_several else [path]


def _place(source: str | Path) -> Path:
    path = Path(source)
    if path.exists():
        return path
    if str(source) == _COMPLETE:
        return shipped_tasks()
    for place in (f"{source}.json", f"{source}/{source}.yaml", str(source)):
        if path.parent == Path() and (shipped_tasks() / place).exists():
            return shipped_tasks() / place
    raise UsageError(
        f"there are no tasks at '{source}'",
        hint="a file, a folder, or one of: verified, realistic, snowflake, playbooks, sealed, "
        "complete",
    )


def _read(path: Path) -> Iterable[Task | InvalidTask]:
    if path.is_dir():
        return _folders(path)
    if path.suffix == ".json":
        return _json(path)
    if path.suffix in (".jsonl", ".yaml", ".yml"):
        from skills_nb.bench.tasks import library_tasks

        return (
            library_tasks.read_intents(path)
            if path.suffix == ".jsonl"
            else library_tasks.read_playbooks(path)
        )
    raise UsageError(f"{path} is neither JSON nor YAML nor a folder")


def _folders(path: Path) -> Iterable[Task | InvalidTask]:
    if (path / task_folders.FILE).is_file():
        return [task_folders.read_folder(path)]
    inside = sorted(found.parent for found in path.rglob(task_folders.FILE))
    found = [task_folders.read_folder(folder) for folder in inside]
    is_open = [not (isinstance(task, Task) and task.is_sealed) for task in found]
    return [t for t, is_kept in zip(found, is_open, strict=True) if is_kept or not any(is_open)]


def _json(path: Path) -> Iterable[Task | InvalidTask]:
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as problem:
        raise UsageError(f"{path} is not JSON: {problem}") from problem
    if isinstance(listed, dict):
        listed = listed.get("tasks")
    if not isinstance(listed, list):
        raise UsageError(f"{path}: a list of tasks is needed")
    return [_entry(entry, number, path.parent) for number, entry in enumerate(listed)]


def _entry(entry: Any, number: int, folder: Path) -> Task | InvalidTask:
    place = f"[{number}]"
    if not isinstance(entry, Mapping):
        return InvalidTask(place, ("is not a mapping",))
    if str(entry.get("task_type", "")).upper() == "SNOWFLAKE":
        return _snowflake_entry(entry, place, folder)
    return sfbench.repository_task(entry, place, folder)


def _snowflake_entry(entry: Mapping[str, Any], place: str, folder: Path) -> Task | InvalidTask:
    """Return a Snowflake task of a JSON file: `{instance_id, task_type, folder}`."""
    fields = Fields(entry)
    name, said = fields.need_id("instance_id"), fields.need("folder")
    fields.need("task_type")
    fields.refuse_unknown()
    if said and (said.startswith("/") or ".." in said.split("/")):
        fields.note("folder", f"'{said}' leads out of the folder of the tasks")
    elif said and not (folder / said / task_folders.FILE).is_file():
        fields.note("folder", f"there is no task in '{said}'")
    if fields.reasons:
        return InvalidTask(name or place, tuple(fields.reasons))
    task = task_folders.read_folder(folder / said)
    if isinstance(task, Task) and task.id != name:
        return InvalidTask(name, (f"folder: '{said}' holds the task '{task.id}'",))
    return task
