"""Runs in processes of their own, for tests that kill them."""

import os
import re
import subprocess
import sys
from pathlib import Path

from skills_nb.bench.journal import read_journal

RUNNER = Path(__file__).parent / "runner.py"
_TIMES = re.compile(
    rb'\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+]00:00)?|"seconds(?:_measuring)?": ?[\d.]+|'
    rb"[\d.]+ s of"
)
REPORTS = ("report.json", "report.html", "results.jsonl", "summary.md", "predictions.jsonl")


def started(tasks, solutions, output, *, workers=1, attempts=3):
    """Start a run; the same words go on where one was killed."""
    words = [sys.executable, RUNNER, tasks, solutions, output, workers, attempts]
    root = Path(__file__).parents[3]
    return subprocess.Popen(
        [str(word) for word in words],
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def reports(folder):
    """Return what a run has to say, byte for byte but for when it was and how long it took."""
    return {name: _TIMES.sub(b"_", (folder / name).read_bytes()) for name in REPORTS}


def keys_of(folder):
    """Return what the journal's entries are about; each but the beginning comes once."""
    entries = read_journal(folder)
    begun = [e for e in entries if e["kind"] != "begun"]
    return [(e["kind"], e["task"], e["attempt"], e.get("turn")) for e in begun]
