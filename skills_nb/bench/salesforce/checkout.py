"""Bringing a repository to a working tree, at a commit that cannot move.

Room: work (bench). A relative address is a folder beside the task file: it becomes a repository
of one commit with a fixed author and date, so that its SHA is its content's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from skills_nb.bench.contained.enclosure import clean_environment
from skills_nb.bench.patches import git
from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.salesforce.sf_cli import CliError
from skills_nb.bench.tasks.task_values import RepositoryTask

_FIXED = {
    "GIT_AUTHOR_NAME": "skills_nb",
    "GIT_AUTHOR_EMAIL": "tasks@example.com",
    "GIT_AUTHOR_DATE": "2026-01-05T08:00:00Z",
    "GIT_COMMITTER_NAME": "skills_nb",
    "GIT_COMMITTER_EMAIL": "tasks@example.com",
    "GIT_COMMITTER_DATE": "2026-01-05T08:00:00Z",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}
_SHOWN = frozenset({".cls", ".trigger", ".js", ".html", ".xml", ".json", ".css", ".apex", ".md"})
_MOST_BYTES = 60_000


def check_out(task: RepositoryTask, setting: RunSetting, place: Path) -> None:
    """Make a working tree of the task's repository at its base commit.

    Raises:
        CliError: the repository cannot be reached, or holds no such commit.
    """
    local = Path(setting.tasks_root) / task.repo_url
    try:
        if "://" not in task.repo_url and local.is_dir() and not (local / ".git").exists():
            made = commit_of_folder(local, place)
            if made != task.base_commit:
                raise CliError(f"'{task.repo_url}' is at {made}, the task wants {task.base_commit}")
            return
        _fetch(str(local) if local.exists() else task.repo_url, task, place)
    except subprocess.CalledProcessError as problem:
        said = problem.stderr.decode(errors="replace").strip().split("\n")[-1]
        raise CliError(f"{task.repo_url}: {said[:200]}", hint="check: git ls-remote") from problem


def commit_of_folder(folder: Path, place: Path) -> str:
    """Copy a folder into a new repository of one commit; return the commit's SHA."""
    shutil.copytree(folder, place, dirs_exist_ok=True)
    _plain_git(place, "init", "--quiet", "--initial-branch=main", "--object-format=sha1")
    _plain_git(place, "-c", "core.autocrlf=false", "add", "--all", "--force")
    _plain_git(place, "commit", "--quiet", "--no-verify", "--message", "Base")
    return git(place, "rev-parse", "HEAD").stdout.decode().strip()


def _plain_git(place: Path, *words: str) -> None:
    subprocess.run(
        ["git", *words],
        cwd=place,
        env={**clean_environment("GIT_", "SSH_"), **_FIXED},
        capture_output=True,
        check=True,
    )


def _fetch(address: str, task: RepositoryTask, place: Path) -> None:
    place.mkdir(parents=True, exist_ok=True)
    git(place, "init", "--quiet")
    shallow = git(place, "fetch", "--quiet", "--depth=1", address, task.base_commit, check=False)
    if shallow.returncode:
        # Not every server gives a commit by its name; all of the history holds it.
        git(place, "fetch", "--quiet", address, "+refs/*:refs/remotes/origin/*")
    git(place, "checkout", "--quiet", "--detach", task.base_commit)
    found = git(place, "rev-parse", "HEAD").stdout.decode().strip()
    if found != task.base_commit:
        raise CliError(f"{task.repo_url} is at {found}, the task wants {task.base_commit}")


def files_of(task: RepositoryTask, setting: RunSetting) -> dict[str, str]:
    """Return the text files of a repository at its base commit, for a model to read."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "repository"
        check_out(task, setting, place)
        listed = git(place, "ls-files", "-z").stdout.decode().split("\0")
        found = {}
        for name in filter(None, listed):
            path = place / name
            is_shown = path.suffix in _SHOWN and not path.is_symlink()
            if is_shown and path.stat().st_size <= _MOST_BYTES:
                found[name] = path.read_text(encoding="utf-8", errors="replace")
        return found
