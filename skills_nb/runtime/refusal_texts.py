"""What an account says when it refuses: its number, and its words with nothing around.

Room: work. Pure. The connector writes number, state and sometimes the query id in front of the
words, depending on its log level; they are fields of a `SqlError` and not repeated in the text.
"""

from __future__ import annotations

import re

_PREFIX = re.compile(
    r"^\s*(?:\([^)]*\):\s*)?(?:\d{6,}|-\d{5})(?:\s\([0-9A-Z]{5}\))?:\s*(?:[0-9a-f-]{36}:\s*|\d+:\s*)?"
)

_RAISED = range(-20_999, -19_999)
"""Numbers of the exceptions that a procedure declares and raises.

Source: the manual's Snowflake Scripting, Handling exceptions.
"""


def words_of(message: str) -> str:
    """Return a message without the connector's prefixes, however many there are."""
    shorter = _PREFIX.sub("", message, count=1)
    return shorter.strip() if shorter == message else words_of(shorter)


def number_of(told: object) -> int | None:
    """Return an error's number; other numbers below zero than a procedure's own mean none."""
    text = str(told)
    if not text.isascii() or not text.removeprefix("-").isdecimal():
        return None
    number = int(text)
    return number if number >= 0 or number in _RAISED else None
