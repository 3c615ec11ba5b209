"""Forms of words that say what is wanted of a table, whatever its name reminds of.

Room: work. `let ANALYST look at ANIMALS`, `clone VISITS for testing` and `which ward has the most
visits` each want one thing, once the account has told that there is such a table.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re

_PLEASE = r"\W*(?:please |can you |could you |i want (?:you )?to )*"
_READ = r"(?:read|see|look (?:at|into)|query|select|view|access)\b"
_LETS_READ = re.compile(
    rf"{_PLEASE}(?:let|allow|permit|enable)\b [^,;:]{{1,60}}?(?:to )?{_READ}"
    rf"|(?!\W*(?:who|which|what|why|how|does|do|is|i|we)\b)[^,;:?]{{1,60}}?\b(?:needs?|has|have"
    rf"|should be able|must be able|is supposed) to {_READ}",
    re.IGNORECASE,
)
_COPIES = re.compile(
    rf"{_PLEASE}(?:clone|copy|duplicate|back ?up|(?:make|create|take|give)(?: me| us)? an? "
    r"(?:\w+ )?(?:copy|clone|backup) of)\b(?!.*\b(?:stages?|files?|csv|json|parquet|s3|mask\w*"
    r"|anonym\w*|developers?|environment|sandbox|schema|database|ago|yesterday|before)\b)",
    re.IGNORECASE | re.DOTALL,
)
_RANKS = re.compile(
    rf"{_PLEASE}(?:which|what|who|whose)\b.*\b(?:most|fewest|least|highest|lowest|largest|smallest"
    r"|biggest|heaviest|lightest|longest|shortest|oldest|cheapest|newest)\b",
    re.IGNORECASE | re.DOTALL,
)
_KEEPS = re.compile(
    rf"{_PLEASE}(?:keep|maintain|have)\b.*\btable\b.*\b(?:per|by|for each)\b",
    re.IGNORECASE | re.DOTALL,
)
_FORMS = (
    (_LETS_READ, "let a role read a table"),
    (_COPIES, "clone a table"),
    (_RANKS, "show the rows of a table"),
    (_KEEPS, "create a dynamic table"),
)


def wanted_by_form(words: str) -> str | None:
    """Return words that lead where a form of words is served; None where it is none of them."""
    return next((leads for form, leads in _FORMS if form.match(words) is not None), None)
