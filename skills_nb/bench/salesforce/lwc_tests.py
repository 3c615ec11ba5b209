"""LWC's Jest tests: real, without an org.

Room: work (bench). A pass needs the expected tests by name and a positive count, and a report that
the answer's own code cannot have written.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from skills_nb.bench.contained.enclosure import CannotContainError, require_enclosures
from skills_nb.bench.patches import git
from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.salesforce.jest_runner import JestRun, is_test_file, run_jest
from skills_nb.bench.salesforce.node_packages import is_npm_there, packages_of
from skills_nb.bench.salesforce.sf_cli import CliError, CommandResult
from skills_nb.bench.scoring import (
    Component,
    Difference,
    Evidence,
    State,
    failed,
    graded,
    unmeasured,
)
from skills_nb.bench.tasks.task_values import RepositoryTask

PACKAGES = "packages"
"""Where a run's folder keeps what tests run with."""


@dataclass(frozen=True, slots=True)
class JestFound:
    """What Jest says of an answer."""

    component: Component
    """What the tests are worth, or why they were not run."""
    forged: str = ""
    """How the answer tried to write its own result; empty where it did not."""


def jest(task: RepositoryTask, tree: Path, setting: RunSetting) -> JestFound:
    """Return what the component's Jest tests say.

    Raises:
        CliError: the packages cannot be installed, or Jest does not come to its end even without
            the answer.
    """
    if not is_npm_there():
        return JestFound(unmeasured(State.NOT_RUN, "npm is not installed"))
    if not setting.is_uncontained:
        try:
            require_enclosures()
        except CannotContainError as problem:
            return JestFound(unmeasured(State.NOT_RUN, f"{problem.message}; {problem.hint}"))
    ran = _ran(task, tree, setting)
    said = CommandResult(ran.words, ran.exit_status, ran.output)
    if ran.forged:
        reason = f"the report is not what the tests said: {ran.forged}"
        return JestFound(failed(reason, _proof(said, "the report was refused")), ran.forged)
    if ran.document is None:
        return JestFound(_silent(task, tree, setting, said))
    # The controls fail, so Jest's own word is always that something did.
    outcomes = dict(_outcomes(ran.document))
    is_good = bool(outcomes) and set(outcomes.values()) == {"passed"}
    told = {**ran.document, "success": is_good}
    return JestFound(jest_component(task, told, CommandResult(ran.words, not is_good, "")))


def _ran(task: RepositoryTask, tree: Path, setting: RunSetting) -> JestRun:
    kept = Path(setting.folder) / PACKAGES if setting.folder else None
    packages = packages_of(tree, kept, task.setup_timeout_s)
    ours = tests_of_ours(task, tree)
    try:
        return run_jest(
            tree,
            packages,
            task.jest_paths,
            ours,
            timeout_s=task.run_timeout_s,
            is_enclosed=not setting.is_uncontained,
        )
    except TimeoutError as problem:
        # Whoever never ends is as silent as whoever ends the process.
        return JestRun(None, ("jest",), -9, str(problem))


def tests_of_ours(task: RepositoryTask, tree: Path) -> tuple[str, ...]:
    """Return the test files that the answer did not write: the base commit's, and hidden ones."""
    listed = git(tree, "ls-tree", "-r", "-z", "--name-only", "HEAD").stdout.decode().split("\0")
    known = [name for name in listed if is_test_file(name) and (tree / name).is_file()]
    return tuple(sorted({*known, *filter(is_test_file, task.hidden_files)}))


def _silent(
    task: RepositoryTask, tree: Path, setting: RunSetting, said: CommandResult
) -> Component:
    """Return whose fault it is that nothing was told, shown by the tree without the answer."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(shutil.copytree(tree, Path(folder) / "control"))
        git(place, "reset", "--quiet", "--hard", "HEAD")
        control = _ran(task, place, setting)
    last = said.stdout.strip().rpartition("\n")[2][:200]
    if control.document is None:
        raise CliError(f"Jest told nothing, with the answer and without it: {last}")
    return failed(
        f"the answer ended Jest before it could report: {last}", _proof(said, "no report")
    )


def _proof(said: CommandResult, what: str) -> Evidence:
    digest = hashlib.sha256(said.stdout.encode()).hexdigest()
    return Evidence(what, said.line, said.exit_status, digest, 0)


def jest_component(
    task: RepositoryTask, document: Mapping[str, Any], ran: CommandResult
) -> Component:
    """Return the component of a Jest report."""
    outcomes = dict(_outcomes(document))
    good = [name for name, outcome in outcomes.items() if outcome == "passed"]
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    said = f"{len(outcomes)} Jest tests ran, {len(good)} passed"
    proof = Evidence(said, ran.line, ran.exit_status, digest, len(outcomes))
    if not outcomes:
        return failed("no test ran", proof)
    missing = [name for name in task.jest_tests if not any(name in found for found in outcomes)]
    if missing:
        return failed(f"tests that did not run: {', '.join(missing)}", proof)
    bad = sorted(outcomes.keys() - set(good))
    if not bad and (ran.exit_status or document.get("success") is not True):
        return failed(f"Jest ended with {ran.exit_status}", proof)
    made = graded(len(good), len(outcomes), f"failed: {', '.join(bad)}", proof)
    return replace(made, differences=tuple(_differences(document)))


_SAID = re.compile(r"^\s*(Expected|Received)[^:\n]*: (.*)$", re.MULTILINE)
_COLOURS = re.compile("\x1b\\[[0-9;]*m")


def _differences(document: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield what failed tests expected and received, as Jest tells it."""
    for suite in document.get("testResults") or ():
        for test in suite.get("assertionResults") or ():
            if test.get("status") == "failed":
                said = _COLOURS.sub("", str(test.get("message") or ""))
                found = dict(_SAID.findall(said))
                line = said.strip().partition("\n")[0][:200] or "failed"
                name = str(test.get("fullName"))
                values = found.get("Expected", ""), found.get("Received", "")
                yield Difference(name, name, line, *values)


def _outcomes(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the full names of tests that ran, and how they ended; skipped ones did not run."""
    for suite in document.get("testResults") or ():
        listed = suite.get("assertionResults") or ()
        for test in listed:
            if test.get("status") in ("passed", "failed"):
                yield str(test.get("fullName")), str(test["status"])
        if not listed and suite.get("status") == "failed":
            yield f"{Path(str(suite.get('name'))).name} (cannot be loaded)", "failed"
