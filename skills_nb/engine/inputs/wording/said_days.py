"""Over how many days a person wants to look back, as people say it.

Room: laws. `the last 14 days`, `since yesterday`, `this quarter`. A number that counts something
else, as in `top 10` or `over 30 minutes`, says nothing about days.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_DAYS = {"day": 1, "week": 7, "month": 30, "quarter": 90, "year": 365}
"""Days that each span has, roughly."""
_COUNTED = re.compile(rf"(?<![\w.,:/-])(\d{{1,4}})[ -](hour|{'|'.join(_DAYS)})s?\b")
_NAMED = re.compile(rf"\b(?:last|this|past|previous) ({'|'.join(_DAYS)})\b")
_SINCE_YESTERDAY = re.compile(r"\b(?:yesterday|last night|overnight|today)\b")
_HOURS = 24


def days_said(words: str) -> Iterator[str]:
    """Yield how many days a text speaks of, at most once; nothing where it names two spans."""
    text = words.lower()
    counted = {_days(int(number), span) for number, span in _COUNTED.findall(text)}
    named = {_DAYS[span] for span in _NAMED.findall(text)}
    since = {1} if _SINCE_YESTERDAY.search(text) else set()
    found = counted or named or since
    if len(found) == 1:
        yield str(found.pop())


def _days(number: int, span: str) -> int:
    return -(-number // _HOURS) if span == "hour" else number * _DAYS[span]
