"""How many rows a person wants to see: `the top 5`, `10 newest orders`, `the first 20 rows`.

Room: laws. Any other number says something else: a bound, a day, an identifier.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ORDERED = (
    "top|first|last|bottom|newest|latest|oldest|earliest|highest|lowest|largest|smallest|biggest"
    "|longest|shortest|cheapest|most expensive|most recent"
)
_COUNT = re.compile(
    rf"\b(?:{_ORDERED}) (\d{{1,5}})\b|(?<![\w.-])(\d{{1,5}}) (?:(?:{_ORDERED})\b|rows\b)"
)


def counts_said(words: str) -> Iterator[tuple[int, int]]:
    """Yield where a text in small letters says how many rows are wanted: start and end."""
    for found in _COUNT.finditer(words):
        yield found.span(found.lastindex or 0)
