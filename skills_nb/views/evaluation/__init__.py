"""An evaluation's report as a page: filters, cells that tell *not run* from 0, diffs and logs.

Room: laws (views). Pure: the report's documents in, one self-contained page out. Nothing in it
runs: the filters are form controls and style rules, so they work wherever HTML is shown.
"""

from skills_nb.views.evaluation.page import report_page
from skills_nb.views.evaluation.report_view import EvaluationReport, evaluation_report

__all__ = ["EvaluationReport", "evaluation_report", "report_page"]
