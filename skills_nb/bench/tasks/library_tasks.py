"""Tasks about the library itself: labelled intents, and playbooks by what they leave behind.

Room: work (bench). An intents file has one JSON object a line (`id`, `intent`, `mode`, `domains`,
`targets`, and optionally `accept_modes`, `accept_domains`, `paraphrases`); a playbooks file is a
YAML list of `{id, title, playbook, inputs, setup, requirements, bulk}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from skills_nb.bench.tasks.fields import Fields
from skills_nb.bench.tasks.task_folders import bulk_of, checks_of
from skills_nb.bench.tasks.task_values import InvalidTask, PlaybookTask, RoutingTask, Task, TaskType
from skills_nb.errors import UsageError

MODES = frozenset({"playbook", "guided", "reference", "chain", "clarify"})


def read_intents(path: Path) -> Iterator[Task | InvalidTask]:
    """Yield the routing tasks of a file, one a line."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            yield _intent(line, f"line {number}")


def _intent(line: str, place: str) -> Task | InvalidTask:
    try:
        entry = json.loads(line)
    except ValueError as problem:
        return InvalidTask(place, (f"is not JSON: {problem}",))
    if not isinstance(entry, Mapping):
        return InvalidTask(place, ("is not a mapping",))
    fields = Fields(entry)
    fields.asked |= {"source", "style"}
    name, intent, mode = fields.need_id("id"), fields.need("intent"), fields.need("mode")
    accepted = fields.texts("accept_modes") or (mode,)
    for said in {mode, *accepted} - MODES:
        fields.note("mode", f"'{said}' is not one of {', '.join(sorted(MODES))}")
    body = RoutingTask(
        intent=intent,
        mode=mode,
        targets=_targets(fields),
        domains=fields.texts("domains"),
        accept_modes=accepted,
        accept_domains=_domain_lists(fields),
        paraphrases=fields.texts("paraphrases"),
    )
    fields.refuse_unknown()
    if fields.reasons:
        return InvalidTask(name or place, tuple(fields.reasons))
    return Task(name, TaskType.ROUTING, intent, body, title=intent, domain=", ".join(body.domains))


def _targets(fields: Fields) -> tuple[str | None, ...]:
    listed = fields.get("targets", list, [])
    if all(item is None or isinstance(item, str) for item in listed):
        return tuple(listed)
    fields.note("targets", "is not a list of names")
    return ()


def _domain_lists(fields: Fields) -> tuple[tuple[str, ...], ...]:
    listed = fields.get("accept_domains", list, [])
    if all(isinstance(item, list) for item in listed):
        return tuple(tuple(map(str, item)) for item in listed)
    fields.note("accept_domains", "is not a list of lists")
    return ()


# ---- playbooks


def read_playbooks(path: Path) -> Iterator[Task | InvalidTask]:
    """Yield the playbook tasks of a file.

    Raises:
        UsageError: the file is not a YAML list.
    """
    from skills_nb.reading.yaml_data import parse_yaml

    data, problems = parse_yaml(path.read_text(encoding="utf-8"), path.name)
    if data is None or problems or not isinstance(data.value, list):
        said = "; ".join(f"line {p.span.line}: {p.message}" for p in problems)
        raise UsageError(f"{path}: {said or 'a list of playbook tasks is needed'}")
    for number, entry in enumerate(data.value):
        yield _playbook(entry, f"[{number}]", path.parent)


def _playbook(entry: Any, place: str, folder: Path) -> Task | InvalidTask:
    if not isinstance(entry, Mapping):
        return InvalidTask(place, ("is not a mapping",))
    fields = Fields(entry, folder=folder)
    name, playbook = fields.need_id("id"), fields.need("playbook")
    requirements = checks_of(fields, "requirements")
    if not requirements:
        fields.note("requirements", "there must be at least one")
    body = PlaybookTask(
        playbook=playbook.removeprefix("playbooks/"),
        inputs={str(k): str(v) for k, v in fields.get("inputs", dict, {}).items()},
        setup=fields.script("setup"),
        requirements=requirements,
        bulk=bulk_of(fields) if "bulk" in entry else None,
    )
    title = fields.get("title", str, "") or playbook
    limit = fields.get("time_limit_s", int, 300)
    domain = fields.get("domain", str, "")
    fields.refuse_unknown()
    if fields.reasons:
        return InvalidTask(name or place, tuple(fields.reasons))
    return Task(name, TaskType.PLAYBOOK, title, body, title, domain, time_limit_s=limit)
