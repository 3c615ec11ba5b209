"""The report files of a run directory, each written whole.

Room: work (bench).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from skills_nb.bench.journal import write_whole
from skills_nb.bench.reports.results import lines, predictions
from skills_nb.bench.reports.summary import report_document, summary_markdown
from skills_nb.bench.schemas import Result
from skills_nb.errors import UsageError
from skills_nb.views.evaluation import report_page
from skills_nb.visible import visible_json, visible_page

RESULTS = "results.jsonl"


def write_reports(
    folder: Path,
    identity: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]],
    invalid: Sequence[Mapping[str, Any]],
) -> tuple[dict[str, Any], str]:
    """Write results, predictions and reports; return the report and its summary."""
    report = report_document(identity, results, invalid)
    summary = visible_page(summary_markdown(report))
    texts = {
        RESULTS: lines(results),
        "predictions.jsonl": lines(predictions(results)),
        "report.json": visible_json(report) + "\n",
        "summary.md": summary,
        "report.html": report_page(report, results),
    }
    for name, text in texts.items():
        write_whole(folder / name, text.encode())
    return report, summary


def read_results(place: Path) -> list[dict[str, Any]]:
    """Return the results of a run directory, or of a file of them, their shape checked.

    Raises:
        UsageError: there are none, or one is not a result.
    """
    path = place / RESULTS if place.is_dir() else place
    if not path.is_file():
        raise UsageError(f"{place} holds no {RESULTS}", hint="finish the run first")
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found.append(Result.model_validate_json(line).model_dump())
        except ValueError as problem:
            said = " ".join(str(problem).split())
            raise UsageError(f"{path}:{number} is not a result: {said}") from problem
    return found
