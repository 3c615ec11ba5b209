"""What commands cost before anything happens in the account, against a bare Python in the same run.

Seconds of one core, the program's own and the system's, of processes taken in turn.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

resource = pytest.importorskip("resource", reason="needs POSIX: what a child has cost")

pytestmark = pytest.mark.benchmark

ROUNDS = 5
BARE = ("-c", "pass")
GOAL = "secure my data"
SCOPE = "target_scope=PROD.CUSTOMER_DATA"
BARS = {
    # A Python takes 16 ms where these were set, so 25 is 0.4 s.
    ("route", GOAL): 25,
    ("status",): 40,
    ("threads",): 20,
    ("sql", "SELECT 1"): 80,
    ("run", GOAL, "--input", SCOPE, "--no-input"): 125,
    ("run", GOAL, "--input", SCOPE, "--dry-run", "--no-input"): 400,
}
"""A command to how many bare Pythons it may cost."""


def cost(words: tuple[str, ...], folder: Path) -> float:
    """Return the seconds that a process was at work."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env=env,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An account with a thread that waits."""
    folder = tmp_path_factory.mktemp("commands")
    program = ("-m", "skills_nb.cli")
    cost((*program, "connect", "--embedded"), folder)
    cost((*program, "run", GOAL, "--input", SCOPE, "--no-input"), folder)
    return folder


@pytest.mark.parametrize(("words", "bar"), BARS.items(), ids=lambda one: str(one)[:40])
def test_a_command_costs_few_bare_pythons(home, words, bar):
    command = ("-m", "skills_nb.cli", *words)
    cost(command, home)
    pairs = [(cost(BARE, home), cost(command, home)) for _ in range(ROUNDS)]
    bare, found = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{' '.join(words)}: {found:.2f} s, {found / bare:.0f} bare Pythons, bar {bar}")
    assert found <= bar * bare
