"""Score routing on labelled intents.

`python tests/routing/score.py [--library DIR] [--half even|odd] [-v] FILE…`

Of the files in `LOCKED` the odd half is never read, only scored: who has read it can no longer tell
how new intents are answered. `-v`, which prints intents, refuses it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from skills_nb.model.library import Library
from skills_nb.reading import open_library
from skills_nb.routing import resolve

HERE = Path(__file__).parent
SHIPPED = HERE.parent.parent / "library"
LOCKED = frozenset(f"{name}_intents.jsonl" for name in ("fresh", "overheard", "spoken", "voiced"))
"""Files of which only the even half may be read."""


def read_intents(path: Path, half: str = "") -> list[dict[str, Any]]:
    """Return the rows of a file; `half` keeps those whose number is even or odd."""
    rows = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    wanted = {"even": 0, "odd": 1}.get(half)
    return [row for number, row in enumerate(rows) if wanted is None or number % 2 == wanted]


def judge(row: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, bool]:
    """Return which parts of an answer are right."""
    wanted = [row["domains"], *row.get("accept_domains", [])]
    clear = row["mode"] != "clarify"
    target = not clear or (bool(answer["targets"]) and answer["targets"][0] in row["targets"])
    mode = answer["mode"] in row["accept_modes"]
    domains = answer["domains"] in wanted
    return {
        "clear": clear,
        "target": target and (clear or answer["mode"] == "clarify"),
        "mode": mode,
        "domains": domains,
        "all": mode and domains and target,
        "asked": answer["mode"] == "clarify",
    }


def share(values: Iterable[bool]) -> float:
    """Return how many are true, 0 to 1; 1 of nothing."""
    seen = list(values)
    return sum(seen) / len(seen) if seen else 1.0


def measure(rows: Sequence[Mapping[str, Any]], library: Library) -> dict[str, float]:
    """Return the figures of a set of intents."""
    found = [(row, judge(row, resolve(row["intent"], library).to_dict())) for row in rows]
    clear = [verdict for _, verdict in found if verdict["clear"]]
    chains = [verdict for row, verdict in found if row["mode"] == "chain"]
    vague = [verdict for _, verdict in found if not verdict["clear"]]
    return {
        "intents": len(found),
        "target": share(verdict["target"] for verdict in clear),
        "mode": share(verdict["mode"] for _, verdict in found),
        "domains": share(verdict["domains"] for _, verdict in found),
        "all": share(verdict["all"] for _, verdict in found),
        "all_clear": share(verdict["all"] for verdict in clear),
        "chain_order": share(verdict["mode"] and verdict["domains"] for verdict in chains),
        "vague_asked": share(verdict["asked"] for verdict in vague),
        "clear_asked": share(verdict["asked"] for verdict in clear),
    }


def main(arguments: Sequence[str]) -> None:
    """Print the figures, and with `-v` what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--half", default="", choices=["", "even", "odd"])
    parser.add_argument("--library", type=Path, default=SHIPPED)
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args(arguments)
    if options.v and options.half != "even" and any(path.name in LOCKED for path in options.files):
        parser.error("the odd half of these intents is never read: add --half even, or drop -v")
    library = open_library(options.library)
    for path in options.files:
        rows = read_intents(path, options.half)
        figures = measure(rows, library)
        print(path.name, *(f"{name}={value:.3g}" for name, value in figures.items()))
        print(f"  p50 {median_ms(rows, library):.2f} ms")
        if options.v:
            report_wrong(rows, library)


def median_ms(rows: Sequence[Mapping[str, Any]], library: Library) -> float:
    """Return the median time of an answer."""
    times = []
    for row in rows:
        start = time.perf_counter()
        resolve(row["intent"], library)
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2] * 1000


def report_wrong(rows: Sequence[Mapping[str, Any]], library: Library) -> None:
    """Print every intent whose answer is not right in all parts."""
    for row in rows:
        answer = resolve(row["intent"], library).to_dict()
        if not judge(row, answer)["all"]:
            print(f"- {row['intent']}\n    want {row['mode']} {row['domains']} {row['targets']}")
            got = [answer[part] for part in ("mode", "domains", "targets", "confidence")]
            print("    got ", *got, "|", *answer["why"][:1])


if __name__ == "__main__":
    main(sys.argv[1:])
