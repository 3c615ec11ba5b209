"""The report in a notebook's cell and in a terminal.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skills_nb.views.evaluation.page import report_fragment
from skills_nb.views.sheets import blocks as b


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """A run's report: a page where pages are shown, its summary everywhere."""

    report: Mapping[str, Any]
    """`report.json`."""
    results: Sequence[Mapping[str, Any]]
    """The results that it sums up, one for each attempt."""
    summary: str
    """The report as text."""
    place: str = ""
    """The run directory."""


def evaluation_report(
    report: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]],
    summary: str,
    place: str = "",
) -> EvaluationReport:
    """Return the view of a report."""
    return EvaluationReport(report, tuple(results), summary, place)


def lay_out_evaluation(view: EvaluationReport) -> b.Sheet:
    """Return the blocks: the page, and beneath it the same in words."""
    words = b.Fold("In words", (b.Verbatim(view.summary),), in_text=True)
    place = (b.Paragraph(f"In `{view.place}`: report.html, results.jsonl, summary.md"),)
    page = b.Picture(report_fragment(view.report, view.results))
    return b.Sheet("Evaluation", tone="info", blocks=(page, words, *(place if view.place else ())))
