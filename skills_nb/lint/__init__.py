"""Rules about library text: one function each, a runner, and the forms of its answer.

Room: lint. Takes documents and library as values; reads no skill file itself.
"""

from __future__ import annotations

from skills_nb.lint.cache import LintCache, cache_key
from skills_nb.lint.explain import explain_rule
from skills_nb.lint.output import to_json, to_sarif, to_text
from skills_nb.lint.registry import RULES, Rule
from skills_nb.lint.runner import lint, selected_rules

__all__ = [
    "RULES",
    "LintCache",
    "Rule",
    "cache_key",
    "explain_rule",
    "lint",
    "selected_rules",
    "to_json",
    "to_sarif",
    "to_text",
]
