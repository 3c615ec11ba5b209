"""The packages that a repository's tests run with, from the repository as it was before the answer.

Room: work (bench). They are installed once for what asks for them, outside of every working tree,
without any script of theirs.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from skills_nb.bench.contained.enclosure import clean_environment
from skills_nb.bench.patches import git
from skills_nb.bench.salesforce.sf_cli import CliError

_ASKING = ("package.json", "package-lock.json", "npm-shrinkwrap.json", ".npmrc")


@cache
def _own_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="skills-nb-packages-"))


def is_npm_there() -> bool:
    """Tell whether this machine has npm, and so Node."""
    return shutil.which("npm") is not None and shutil.which("node") is not None


def packages_of(tree: Path, kept: Path | None, timeout_s: int) -> Path:
    """Return the folder of packages that the repository's base commit asks for.

    Args:
        tree: a working tree of the repository.
        kept: where installed packages stay, such as the run's folder; None: with this process.
        timeout_s: seconds for installing.

    Raises:
        CliError: they cannot be installed.
    """
    asked = {name: git(tree, "show", f"HEAD:{name}", check=False) for name in _ASKING}
    files = {name: shown.stdout for name, shown in asked.items() if shown.returncode == 0}
    if "package.json" not in files:
        raise CliError("the repository has no package.json, so its tests cannot be run")
    said = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:24]
    home = (kept or _own_folder()) / said
    if not (home / "node_modules").is_dir():
        _install(files, home, timeout_s)
    return home / "node_modules"


def _install(files: dict[str, bytes], home: Path, timeout_s: int) -> None:
    home.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=home.parent))
    try:
        for name, content in files.items():
            (made / name).write_bytes(content)
        _npm(made, timeout_s, is_locked="package-lock.json" in files)
        try:
            made.rename(home)
        except OSError:
            # Another process was quicker; its packages are the same.
            if not (home / "node_modules").is_dir():
                raise
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _npm(folder: Path, timeout_s: int, *, is_locked: bool) -> None:
    words = ["npm", "ci" if is_locked else "install"]
    words += ["--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        ran = subprocess.run(
            words, cwd=folder, env=clean_environment(), capture_output=True, timeout=timeout_s
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise CliError(f"{' '.join(words)}: {problem}") from problem
    if ran.returncode:
        said = ran.stderr.decode(errors="replace").strip()[-200:]
        raise CliError(f"{' '.join(words)}: {said}", hint="check: npm ping")
