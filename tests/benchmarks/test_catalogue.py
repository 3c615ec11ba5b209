"""What an account of 2,000 tables tells of itself, beside what a peer takes for it.

Run with `python -m pytest -m benchmark -s tests/benchmarks/test_catalogue.py` to see the table. All
of it is measured in the process of the client, whose own part (typing rows and instants) grows with
the columns: Snowflake's TABLES has 20 where the peer's has fewer, so what lists everything has a
bar of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LOAD = Path(__file__).with_name("catalogue_load.py")
BAR, BAR_LISTED = 1.0, 2.5
"""CPU over the peer's: of a question about a part, and of one that lists everything."""
LISTED = ("all tables", "all columns", "show tables")


def _load(python: str, which: str) -> dict[str, float]:
    done = subprocess.run([python, LOAD, which], capture_output=True, text=True, check=True)
    line = next(line for line in done.stdout.splitlines() if line.startswith("{"))
    found: dict[str, float] = json.loads(line)
    return found


def test_an_account_of_2000_tables_answers_as_soon_as_the_peer(peer: str) -> None:
    ours, theirs = _load(sys.executable, "embedded"), _load(peer, "fakesnow")
    shares = {question: ours[question] / theirs[question] for question in ours}
    for question, share in shares.items():
        ms = f"{ours[question] * 1000:7.1f} ms {theirs[question] * 1000:7.1f} ms"
        print(f"{question:22}{ms}{share:6.2f}")
    assert {q: share for q, share in shares.items() if share > BAR and q not in LISTED} == {}
    assert {q: shares[q] for q in LISTED if shares[q] > BAR_LISTED} == {}
