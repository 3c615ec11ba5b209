"""Running `sf`: an argument list, never a shell; a process group that is killed whole.

Room: work (bench). Nothing here changes what the person's own command line has as its default.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skills_nb.bench.contained.enclosure import clean_environment
from skills_nb.errors import SkillsError, UsageError
from skills_nb.system import processes

_FORBIDDEN = ("--set-default", "--set-default-dev-hub", "-s", "-d")
_CLEAN = {"SF_DISABLE_TELEMETRY": "true", "SF_AUTOUPDATE_DISABLE": "true", "NO_COLOR": "1"}


class CliError(SkillsError):
    """The command line, the network or the org broke: not the answer's fault."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """A command that ended."""

    words: tuple[str, ...]
    """The command by its argument vector."""
    exit_status: int
    """0 for success."""
    stdout: str
    """Decoded; what is no UTF-8 is replaced."""
    stderr: str = ""
    """Decoded; what is no UTF-8 is replaced."""

    @property
    def line(self) -> str:
        """Return the command as a shell would take it."""
        return shlex.join(self.words)

    @property
    def document(self) -> Mapping[str, Any]:
        """Return what `--json` printed; empty where that is no JSON object."""
        try:
            found = json.loads(self.stdout)
        except ValueError:
            return {}
        return found if isinstance(found, Mapping) else {}

    @property
    def result(self) -> Any:
        """Return the `result` of the document; that there is one says nothing of success."""
        return self.document.get("result")


def run(words: Sequence[str], folder: Path, timeout_s: float) -> CommandResult:
    """Run a command and everything that it starts, for as long as it may take.

    Raises:
        CliError: there is no such program, or it took too long; its whole group is dead then.
        UsageError: it would change the person's defaults.
    """
    require_harmless(words)
    try:
        process = subprocess.Popen(
            list(words),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**clean_environment("SF_", "SFDX_", "NODE_"), **_CLEAN},
        )
    except OSError as problem:
        raise CliError(f"{words[0]} cannot be run: {problem.strerror}") from problem
    with process:
        try:
            out, errors = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired as problem:
            raise CliError(f"{shlex.join(words[:4])} took longer than {timeout_s:g} s") from problem
        finally:
            processes.end_all(process)
    return CommandResult(
        tuple(words),
        process.returncode,
        out.decode(errors="replace"),
        errors.decode(errors="replace"),
    )


def require_harmless(words: Sequence[str]) -> None:
    """Refuse what changes the person's own settings.

    Raises:
        UsageError: it does.
    """
    is_sf = words[:1] == ["sf"] or words[:1] == ("sf",)
    is_setting = tuple(words[1:3]) in {("config", "set"), ("config", "unset"), ("alias", "set")}
    is_login = tuple(words[1:3]) in {("org", "create"), ("org", "login")}
    if is_sf and (is_setting or (is_login and any(w in _FORBIDDEN for w in words))):
        raise UsageError(f"'{shlex.join(words)}' changes the defaults of whoever runs this")


# ---- the commands that are used


def deploy(org: str, source_dirs: Sequence[str], minutes: int) -> tuple[str, ...]:
    """Return the command that deploys folders to an org and waits for it."""
    sources = [word for name in source_dirs for word in ("--source-dir", name)]
    return ("sf", "project", "deploy", "start", *sources, *_to(org, minutes))


def apex_tests(org: str, tests: Sequence[str], minutes: int) -> tuple[str, ...]:
    """Return the command that runs test classes or methods and waits for their results."""
    if list(tests) == ["*"]:
        chosen = ["--test-level", "RunLocalTests"]
    else:
        flags = [("--tests" if "." in name else "--class-names", name) for name in tests]
        chosen = [word for pair in flags for word in pair]
    return ("sf", "apex", "run", "test", *chosen, "--result-format", "json", *_to(org, minutes))


def apex_script(org: str, path: str) -> tuple[str, ...]:
    """Return the command that runs anonymous Apex."""
    return ("sf", "apex", "run", "--file", path, "--target-org", org, "--json")


def query(org: str, soql: str) -> tuple[str, ...]:
    """Return the command that runs SOQL."""
    return ("sf", "data", "query", "--query", soql, "--target-org", org, "--json")


def create_scratch(hub: str, alias: str, definition: str, minutes: int) -> tuple[str, ...]:
    """Return the command that makes a scratch org which is nobody's default."""
    return (
        "sf", "org", "create", "scratch", "--target-dev-hub", hub, "--alias", alias,
        "--definition-file", definition, "--duration-days", "1", "--wait", str(minutes), "--json",
    )  # fmt: skip


def delete_scratch(username: str) -> tuple[str, ...]:
    """Return the command that deletes a scratch org of ours."""
    return ("sf", "org", "delete", "scratch", "--target-org", username, "--no-prompt", "--json")


def _to(org: str, minutes: int) -> tuple[str, ...]:
    return ("--target-org", org, "--wait", str(minutes), "--json")
