"""The example of a job that rehearses a playbook: its own words, run in a shell."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "notebooks" / "dry-run-on-pull-request.yml"
_NAMES = ("account", "user", "password", "host", "port", "protocol", "role", "warehouse")


@pytest.fixture
def shell(app, tmp_path):
    """Run the script of a step of the job; the account is the demo's, over HTTP."""
    path = app.invoke(["account", "address"]).document["connections"]
    told = tomllib.loads(Path(path).read_text(encoding="utf-8"))["embedded"]
    command = tmp_path / "bin" / "skills-nb"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m skills_nb.cli "$@"\n')
    command.chmod(0o755)
    env = {
        **os.environ,
        **{f"SNOWFLAKE_{name.upper()}": str(told[name]) for name in _NAMES},
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "SKILLS_NB_HOME": str(tmp_path / "home"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "NO_PROXY": "127.0.0.1",
    }

    def run(step, **more):
        return subprocess.run(
            ["bash", "-e", "-c", step["run"]],
            cwd=tmp_path,
            env={**env, **more},
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )

    return run


@pytest.fixture(scope="module")
def job():
    return yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))["jobs"]["dry-run"]


def named(job, name):
    return next(step for step in job["steps"] if step.get("name") == name)


@pytest.mark.slow
def test_the_job_connects_and_leaves_the_plan_in_its_summary(job, shell, tmp_path):
    given = {name: job["env"][name] for name in ("PLAYBOOK", "SCOPE")}
    connected = shell(named(job, "Connect"))
    assert connected.returncode == 0, connected.stdout + connected.stderr
    rehearsed = shell(named(job, "Rehearse"), **given)
    assert rehearsed.returncode == 0, rehearsed.stdout + rehearsed.stderr
    summary = (tmp_path / "summary.md").read_text()
    assert "PROD.CUSTOMER_DATA" in summary
    assert "dry run" in summary


@pytest.mark.slow
def test_the_job_fails_where_there_is_nothing_to_rehearse(job, shell):
    shell(named(job, "Connect"))
    refused = shell(named(job, "Rehearse"), PLAYBOOK="playbooks/nowhere", SCOPE="X")
    assert refused.returncode != 0


def test_the_job_holds_no_secret(job):
    values = [str(value) for value in job["env"].values()]
    assert not [value for value in values if "secrets." in value]
