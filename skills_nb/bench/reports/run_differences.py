"""What two runs differ in beside their model: a comparison says something about that, too.

Room: work (bench).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from skills_nb.errors import UsageError

MANIFEST = "manifest.json"
_MEASURING = {"backend": "the backend", "functional": "--functional"}
"""What decides what a score means: runs that differ in it have no scores to compare."""
_ASKING = {
    "sampling": "how the model answers",
    "attempts": "answers to each task",
    "skills": "the library's pages",
    "version": "the version of skills_nb",
    "contained": "whether answers' code was contained",
}


def differences(first: Path, second: Path) -> tuple[str, ...]:
    """Return what two runs differ in beside their model, a sentence each.

    Raises:
        UsageError: their scores do not mean the same.
    """
    manifests = _manifest(first), _manifest(second)
    missing = [place for place, m in zip((first, second), manifests, strict=True) if m is None]
    if missing:
        return tuple(f"what nobody can tell: {place} has no {MANIFEST}" for place in missing)
    one, two = (manifest or {} for manifest in manifests)
    _require_same_tasks(one, two)
    said = _said(one), _said(two)
    _require_same_measure(*said)
    return tuple(_differing(*said, _ASKING))


def _manifest(place: Path) -> Mapping[str, Any] | None:
    path = (place if place.is_dir() else place.parent) / MANIFEST
    try:
        found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found


def _said(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**manifest.get("identity", {}), **manifest.get("about", {})}


def _differing(
    one: Mapping[str, Any], two: Mapping[str, Any], names: Mapping[str, str]
) -> Iterator[str]:
    for name, words in names.items():
        if one.get(name) != two.get(name):
            yield f"{words}: {_shown(one.get(name))} before, {_shown(two.get(name))} after"


def _shown(value: Any) -> str:
    match value:
        case None:
            return "nothing said"
        case bool():
            return "on" if value else "off"
        case Mapping():
            return ", ".join(f"{k} {v}" for k, v in sorted(value.items()))
        case _:
            return str(value)


def _require_same_tasks(one: Mapping[str, Any], two: Mapping[str, Any]) -> None:
    before, after = one.get("task_digests", {}), two.get("task_digests", {})
    changed = sorted(n for n in before.keys() & after.keys() if before[n] != after[n])
    if changed:
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        raise UsageError(
            f"the runs cannot be compared: {', '.join(changed[:3])}{more} "
            "asked for something else, or was measured otherwise",
            hint="measure the older answers again: eval --solutions RUN/solutions",
        )


def _require_same_measure(one: Mapping[str, Any], two: Mapping[str, Any]) -> None:
    said = "; ".join(_differing(one, two, _MEASURING))
    if said:
        raise UsageError(
            f"the runs cannot be compared: {said}",
            hint="measure the older answers again: eval --solutions RUN/solutions",
        )
