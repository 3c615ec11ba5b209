"""A rule's page, for people.

Room: lint.
"""

from __future__ import annotations

from skills_nb.errors import UsageError
from skills_nb.lint.registry import Rule
from skills_nb.lint.rules import RULES


def explain_rule(code: str) -> str:
    """Return the page of a rule as Markdown: what it holds, what fails, what passes, its source.

    Raises:
        UsageError: there is no rule of that code or name.
    """
    rule = _find(code)
    severity = "an error" if rule.severity == "error" else "a warning"
    lines = [
        f"# {rule.code} {rule.name}",
        "",
        rule.page,
        "",
        f"Reported as {severity}. Spec: {rule.spec}.",
    ]
    if rule.requires:
        lines += ["", f"Silent about a file for which {', '.join(rule.requires)} is reported."]
    return "\n".join(lines) + "\n"


def _find(code: str) -> Rule:
    wanted = code.strip()
    for rule in RULES.values():
        if wanted.upper() == rule.code or wanted.lower() == rule.name:
            return rule
    hint = f"Codes run from {min(RULES)} to {max(RULES)}."
    raise UsageError(f"'{code}' is no rule", hint=hint)
