"""LWC's Jest tests: real, without an org.

Room: work (bench). The flags for Jest go after the `--` of `sfdx-lwc-jest`. A pass needs the
expected tests by name and a positive count.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from skills_nb.bench.salesforce import sf_cli
from skills_nb.bench.salesforce.sf_cli import CliError, CommandResult
from skills_nb.bench.scoring import Component, Evidence, State, failed, graded, unmeasured
from skills_nb.bench.tasks.task_values import RepositoryTask

_REPORT = ".skills-nb-jest.json"


def jest(task: RepositoryTask, tree: Path) -> Component:
    """Return what the component's Jest tests say.

    Raises:
        CliError: the packages cannot be installed, or Jest did not come to its end.
    """
    if shutil.which("npm") is None:
        return unmeasured(State.NOT_RUN, "there is no npm")
    if not (tree / "node_modules").exists():
        _install(tree, task.setup_timeout_s)
    words = jest_command(task)
    report = tree / _REPORT
    ran = sf_cli.run(words, tree, task.run_timeout_s)
    try:
        document = json.loads(report.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        said = (ran.stderr or ran.stdout).strip().split("\n")[-1][:200]
        raise CliError(f"Jest wrote no report: {said}") from problem
    finally:
        report.unlink(missing_ok=True)
    return jest_component(task, document, ran)


def jest_command(task: RepositoryTask) -> tuple[str, ...]:
    """Return the command that runs the task's tests and writes a report."""
    flags = ("--json", f"--outputFile={_REPORT}", "--ci", "--testPathPattern")
    return ("npx", "--no-install", "sfdx-lwc-jest", "--", *flags, "|".join(task.jest_paths) or ".")


def _install(tree: Path, timeout_s: int) -> None:
    is_locked = (tree / "package-lock.json").exists()
    words = ("npm", "ci" if is_locked else "install", "--ignore-scripts", "--no-audit", "--no-fund")
    ran = sf_cli.run(words, tree, timeout_s)
    if ran.exit_status:
        raise CliError(f"{ran.line}: {ran.stderr.strip()[-200:]}", hint="check: npm ping")


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
    return graded(len(good), len(outcomes), f"failed: {', '.join(bad)}", proof)


def _outcomes(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the full names of tests that ran, and how they ended; skipped ones did not run."""
    for suite in document.get("testResults") or ():
        listed = suite.get("assertionResults") or ()
        for test in listed:
            if test.get("status") in ("passed", "failed"):
                yield str(test.get("fullName")), str(test["status"])
        if not listed and suite.get("status") == "failed":
            yield f"{Path(str(suite.get('name'))).name} (cannot be loaded)", "failed"
