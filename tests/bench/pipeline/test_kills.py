"""A run that is killed at any point ends with the report of a run that never was."""

import signal
import time

import pytest

from skills_nb.bench.journal import read_journal
from skills_nb.bench.schemas import savepoint_of
from tests.bench.pipeline.conftest import GOLD, TASKS
from tests.bench.pipeline.runs import keys_of, reports, started

MASKING = TASKS / "mask-emails"
KILLS = 4
"""Fifty, over the whole pack, are fired in tests/benchmarks/test_pack_under_fire.py."""


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
    assert started(MASKING, answers, undisturbed, workers=workers).wait() == 0
    whole_s = time.monotonic() - begin
    kept = 0
    for number in range(KILLS):
        process = started(MASKING, answers, killed, workers=workers)
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
    assert started(MASKING, answers, killed, workers=workers).wait() == 0
    assert reports(killed) == reports(undisturbed)
    keys = keys_of(killed)
    assert len(keys) == len(set(keys)), "an answer was asked for twice"
