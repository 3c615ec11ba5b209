"""The workflow that runs README's test command on three systems."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"


def job():
    return yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["tests"]


def test_it_runs_on_three_systems_with_the_oldest_and_the_newest_python():
    matrix = job()["strategy"]["matrix"]
    assert matrix["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    assert matrix["python"] == ["3.11", "3.13"]
    assert job()["runs-on"] == "${{ matrix.system }}"


def test_it_runs_the_command_that_the_readme_names():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ran = " && ".join(step["run"] for step in job()["steps"] if "run" in step)
    assert f"\n{ran}\n" in readme


def test_actions_are_pinned_to_a_major_version():
    used = [step["uses"] for step in job()["steps"] if "uses" in step]
    assert used
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", one) for one in used)
