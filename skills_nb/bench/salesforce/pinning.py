"""Pinning: each entry of a file of tasks gets the commit that its branch or tag stands at.

Room: work (bench). A branch moves, and with it what a task asks for; an entry that says a full SHA
stays as it is. What an entry lacks beside that is said, one sentence each.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skills_nb.bench.contained.enclosure import clean_environment
from skills_nb.bench.salesforce.checkout import commit_of_folder
from skills_nb.bench.tasks.fields import Fields
from skills_nb.bench.tasks.sfbench import repository_task
from skills_nb.bench.tasks.task_values import InvalidTask, RepositoryTask, Task
from skills_nb.errors import UsageError

_SHA = re.compile(r"[0-9a-f]{40}\Z")
_ASKS_S = 60
_USUAL = "HEAD"


@dataclass(frozen=True, slots=True)
class PinnedEntry:
    """One entry of a file of tasks."""

    name: str
    """Its id, or where it stands."""
    document: Mapping[str, Any]
    """The entry with its commit."""
    said: str
    """What stood there: a branch, a tag, a SHA, or nothing."""
    commit: str
    """A full SHA; empty where none was found."""
    lacks: tuple[str, ...]
    """Why it cannot be used, or what cannot be measured of it."""
    is_usable: bool
    """Whether it is a valid task with this commit."""


def pin_file(path: Path) -> tuple[PinnedEntry, ...]:
    """Return the entries of a file, each with its commit.

    Raises:
        UsageError: it is no list of tasks.
    """
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise UsageError(f"{path} is not JSON: {problem}") from problem
    listed = listed.get("tasks") if isinstance(listed, Mapping) else listed
    if not isinstance(listed, list) or not all(isinstance(entry, Mapping) for entry in listed):
        raise UsageError(f"{path}: a list of tasks is needed")
    asked: dict[tuple[str, str], tuple[str, str]] = {}
    return tuple(_pinned(entry, f"[{n}]", path.parent, asked) for n, entry in enumerate(listed))


def _pinned(
    entry: Mapping[str, Any],
    place: str,
    folder: Path,
    asked: dict[tuple[str, str], tuple[str, str]],
) -> PinnedEntry:
    if str(entry.get("task_type", "")).upper() == "SNOWFLAKE":
        name = str(entry.get("instance_id") or place)
        return PinnedEntry(name, entry, "", "", (), True)
    said = str(entry.get("base_commit") or "")
    commit, trouble = said, ""
    if not _SHA.match(said):
        url = Fields(entry, folder=folder).need_address("repo_url")
        key = (url, said or _USUAL)
        if key not in asked:
            asked[key] = _commit_of(*key, folder)
        commit, trouble = asked[key]
    document = {**entry, "base_commit": commit or said}
    found = repository_task(document, place, folder)
    lacks = (trouble,) if trouble else ()
    if isinstance(found, InvalidTask):
        rest = [reason for reason in found.reasons if not (trouble and "base_commit" in reason)]
        return PinnedEntry(found.task, document, said, commit, (*lacks, *rest), False)
    return PinnedEntry(found.id, document, said, commit, (*lacks, *_lacking(found, entry)), True)


def _lacking(task: Task, entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield what of a valid task cannot be measured, or cannot be believed."""
    body = task.body
    assert isinstance(body, RepositoryTask), "entries with a commit are about repositories"
    if not body.apex_tests and not body.jest_paths:
        yield "no tests: deploying is all that is measured of them"
    elif not body.hidden_files and not body.protected:
        yield "no hidden or protected tests: an answer could write its own"
    if body.jest_paths and not body.jest_tests:
        yield "no names of Jest tests that must run"
    if not body.outcomes and not (body.jest_paths and body.jest_tests):
        yield "no functional validation: half of the score is never measured"
    if not body.bulk_script and not body.jest_paths:
        yield "no bulk script"
    if not body.gold:
        yield "no gold: nobody has shown that it can be solved"
    if not body.mutants:
        yield "no mutants: nobody has shown that wrong answers fail"
    checks = entry.get("validation", {}).get("code_checks") or ()
    if checks:
        yield f"{len(checks)} code checks in words, which nothing measures"


# ---- commits


def _commit_of(url: str, name: str, folder: Path) -> tuple[str, str]:
    """Return the commit that a branch or tag stands at, or why there is none."""
    if not url:
        return "", "base_commit: without an address nobody knows where to look"
    local = folder / url
    if "://" not in url and local.is_dir() and not (local / ".git").exists():
        with tempfile.TemporaryDirectory() as made:
            return commit_of_folder(local, Path(made) / "copy"), ""
    names = [name] if name == _USUAL else [f"refs/heads/{name}", f"refs/tags/{name}*"]
    address = str(local.resolve()) if "://" not in url else url
    listed, trouble = _listed(address, names)
    if trouble:
        return "", f"base_commit: {url} cannot be asked: {trouble}"
    for wanted in (_USUAL, f"refs/heads/{name}", f"refs/tags/{name}^{{}}", f"refs/tags/{name}"):
        if wanted in listed:
            return listed[wanted], ""
    return "", f"base_commit: {url} has no branch or tag '{name}'"


def _listed(address: str, names: Sequence[str]) -> tuple[dict[str, str], str]:
    words = ["git", "ls-remote", "--", address, *names]
    quiet = {**clean_environment(), "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_GLOBAL": os.devnull}
    try:
        ran = subprocess.run(words, capture_output=True, timeout=_ASKS_S, env=quiet)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return {}, str(problem)
    if ran.returncode:
        return {}, ran.stderr.decode(errors="replace").strip().split("\n")[-1][:200]
    pairs = [line.split("\t", 1) for line in ran.stdout.decode(errors="replace").splitlines()]
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2 and _SHA.match(pair[0])}, ""
