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
_SMALL = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORDS = {word: str(number) for number, word in enumerate(_SMALL, 2)} | {"twelve": "12"}
NUMBER = rf"\d{{1,5}}|{'|'.join(_WORDS)}"
"""A number as it is said, in digits or in a word."""
_COUNT = re.compile(
    rf"\b(?:{_ORDERED}) ({NUMBER})\b(?![ -](?:hour|day|week|month|quarter|year)s?\b)"
    rf"|(?<![\w.-])({NUMBER}) (?:(?:{_ORDERED})\b|rows\b)"
)


def counts_said(words: str) -> Iterator[tuple[int, int]]:
    """Yield where a text in small letters says how many rows are wanted: start and end."""
    for found in _COUNT.finditer(words):
        yield found.span(found.lastindex or 0)


def number_said(count: str) -> str:
    """Return a count in digits, whether it is said in words or in digits."""
    return _WORDS.get(count, count)
