"""The whole shipped pack, gold and empty answers: how long it takes, and that kills cost nothing.

python -m pytest -m benchmark -s tests/benchmarks/test_pack_under_fire.py
"""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from skills_nb.bench.journal import read_journal
from skills_nb.bench.schemas import savepoint_of
from skills_nb.bench.tasks import load_tasks
from tests.bench.pipeline.runs import keys_of, reports, started

KILLS = 50
LONGEST_S = 300.0
"""Most that an undisturbed run may take on two cores."""
EARLY_EVERY = 5
"""Each fifth life ends somewhere in its start; the others after they got something done."""


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    folder = tmp_path / "solutions"
    for task in load_tasks("snowflake").tasks:
        (folder / task.id).mkdir(parents=True)
        (folder / task.id / "1.sql").write_text(task.body.gold)
        (folder / task.id / "2.sql").write_text("")
    return folder


def _entries(folder: Path) -> int:
    path = folder / "journal.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _killed_late(process: subprocess.Popen[bytes], folder: Path, dice: random.Random) -> None:
    """Let it get one or two things done, and a little further, then kill it."""
    goal = _entries(folder) + dice.choice((1, 1, 2))
    while process.poll() is None and _entries(folder) < goal:
        time.sleep(0.005)
    time.sleep(dice.random() * 0.3)
    process.send_signal(signal.SIGKILL)


def _killed_early(process: subprocess.Popen[bytes], dice: random.Random) -> None:
    time.sleep(dice.random() * 2)
    process.send_signal(signal.SIGKILL)


def test_fifty_kills_leave_the_report_of_an_undisturbed_run(tmp_path: Path, answers: Path) -> None:
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    begin = time.monotonic()
    assert started("snowflake", answers, undisturbed, workers=2, attempts=2).wait() == 0
    whole_s = time.monotonic() - begin
    dice = random.Random(7)
    kept = 0
    for number in range(KILLS):
        process = started("snowflake", answers, killed, workers=2, attempts=2)
        if number % EARLY_EVERY == 0:
            _killed_early(process, dice)
        else:
            _killed_late(process, killed, dice)
        assert process.wait() == -signal.SIGKILL, "it came to its end before all kills were spent"
        if (killed / "journal.jsonl").exists():
            entries = len(read_journal(killed))
            assert entries >= kept, "an acknowledged entry is gone"
            kept = entries
        if (killed / "checkpoint.json").exists():
            savepoint_of((killed / "checkpoint.json").read_text())
    assert started("snowflake", answers, killed, workers=2, attempts=2).wait() == 0
    print(f"\nundisturbed {whole_s:.0f} s; {KILLS} kills; {kept} entries before the last life")
    assert reports(killed) == reports(undisturbed)
    keys = keys_of(killed)
    assert len(keys) == len(set(keys)), "something was asked for or written twice"
    assert whole_s < LONGEST_S
