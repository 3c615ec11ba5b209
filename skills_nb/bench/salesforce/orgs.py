"""Scratch orgs: one for each instance, noted before it is used, deleted afterwards.

Room: work (bench). `cleanup.jsonl` says what was made and what was deleted; an org that is not in
it as ours is never deleted, so a person's own never is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from skills_nb.bench.cleanup import CLEANUP, note
from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.salesforce import sf_cli
from skills_nb.bench.salesforce.predicates import trouble_of
from skills_nb.bench.salesforce.sf_cli import CliError

_DEFINITION = "config/project-scratch-def.json"
_MINUTES = 20


@contextmanager
def org_for(setting: RunSetting, task: str, attempt: int, tree: Path) -> Iterator[str]:
    """Yield the org of an instance: a new scratch org, or the one that the person named.

    Raises:
        CliError: it cannot be made.
    """
    if not setting.dev_hub:
        yield setting.target_org
        return
    alias = alias_of(setting.evaluation_id, task, attempt)
    note(Path(setting.folder), "intended", alias=alias)
    words = sf_cli.create_scratch(setting.dev_hub, alias, _DEFINITION, _MINUTES)
    ran = sf_cli.run(words, tree, (_MINUTES + 2) * 60)
    if ran.exit_status != 0 or not isinstance(ran.result, Mapping) or "username" not in ran.result:
        raise trouble_of(ran)
    username = str(ran.result["username"])
    note(
        Path(setting.folder),
        "created",
        alias=alias,
        username=username,
        org_id=str(ran.result.get("orgId")),
    )
    try:
        yield username
    finally:
        delete(Path(setting.folder), username)


def alias_of(evaluation_id: str, task: str, attempt: int) -> str:
    """Return the alias of an instance's org: the same on every try, and nobody else's."""
    name = f"{evaluation_id} {task} {attempt}"
    return f"skills-nb-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def own_orgs(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the orgs that this run made and has not deleted, by alias."""
    path = folder / CLEANUP
    found: dict[str, dict[str, Any]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        entry = json.loads(line)
        if "alias" not in entry and "username" not in entry:
            continue
        if entry["kind"] == "deleted":
            found = {a: e for a, e in found.items() if e.get("username") != entry["username"]}
        else:
            found[entry["alias"]] = entry
    return found


def delete(folder: Path, username: str) -> bool:
    """Delete a scratch org of this run; return whether it is gone.

    Raises:
        CliError: it is not one that this run made.
    """
    if username not in {entry.get("username") for entry in own_orgs(folder).values()}:
        raise CliError(f"'{username}' was not made by this run, so it is not deleted by it")
    try:
        ran = sf_cli.run(sf_cli.delete_scratch(username), folder, 300)
    except CliError:
        # It stays noted as ours: the next run of this directory tries again.
        return False
    if ran.exit_status != 0:
        return False
    note(folder, "deleted", username=username)
    return True


def delete_left_over(folder: Path, known: Mapping[str, str]) -> list[str]:
    """Delete what an earlier process of this run left behind; return what could not be.

    Args:
        folder: the run directory.
        known: usernames by alias, as the command line lists its scratch orgs: an org whose maker
            died before it heard of it is found by its alias.
    """
    left = []
    for alias, entry in own_orgs(folder).items():
        username = entry.get("username") or known.get(alias)
        if username is None:
            continue
        if "username" not in entry:
            note(folder, "created", alias=alias, username=username)
        if not delete(folder, username):
            left.append(username)
    return left
