"""A run that is killed at any point ends with the report of a run that never was."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skills_nb.bench.journal import read_journal
from skills_nb.bench.schemas import savepoint_of
from tests.bench.pipeline.conftest import GOLD, TASKS

RUNNER = Path(__file__).parent / "runner.py"
REPORTS = ("report.json", "report.html", "results.jsonl", "summary.md", "predictions.jsonl")
KILLS = int(os.environ.get("SKILLS_NB_KILLS", "4"))
"""50 in a longer run; each costs a start of Python."""


def _start(output, solutions, workers=1):
    words = [sys.executable, RUNNER, TASKS / "mask-emails", solutions, output, str(workers)]
    root = Path(__file__).parents[3]
    return subprocess.Popen(
        [str(word) for word in words],
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _reports(folder):
    return {name: (folder / name).read_bytes() for name in REPORTS}


@pytest.fixture
def answers(tmp_path):
    folder = tmp_path / "solutions"
    (folder / "mask-emails").mkdir(parents=True)
    (folder / "mask-emails.sql").write_text(GOLD)
    (folder / "mask-emails" / "2.sql").write_text("CREATE ROLE R;")
    (folder / "mask-emails" / "3.sql").write_text("")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_killed_runs_lose_nothing_and_report_the_same(tmp_path, answers, workers):
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    begin = time.monotonic()
    assert _start(undisturbed, answers, workers).wait() == 0
    whole_s = time.monotonic() - begin
    kept = 0
    for number in range(KILLS):
        process = _start(killed, answers, workers)
        # Spread over the whole of a run: start-up, generation, execution, reports.
        time.sleep(whole_s * (0.25 + 0.75 * number / KILLS))
        process.send_signal(signal.SIGKILL)
        process.wait()
        if (killed / "journal.jsonl").exists():
            entries = read_journal(killed)
            assert len(entries) >= kept, "an acknowledged entry is gone"
            kept = len(entries)
        if (killed / "checkpoint.json").exists():
            savepoint_of((killed / "checkpoint.json").read_text())
    assert _start(killed, answers, workers).wait() == 0
    assert _reports(killed) == _reports(undisturbed)
    keys = [
        (e["kind"], e["task"], e["attempt"]) for e in read_journal(killed) if e["kind"] != "begun"
    ]
    assert len(keys) == len(set(keys)), "an answer was asked for twice"
