"""The forms of a linter's answer: text with code frames, JSON, SARIF 2.1.0.

Room: lint. Same diagnostics, same order, no colour, no clock.
"""

from __future__ import annotations

from skills_nb.lint.output.json_form import to_json
from skills_nb.lint.output.sarif import to_sarif
from skills_nb.lint.output.text import to_text

__all__ = ["to_json", "to_sarif", "to_text"]
