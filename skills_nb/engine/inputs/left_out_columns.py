"""Columns that a goal wants left out of what is written: `unload STAFF without salary and e-mail`.

Room: laws. What stands behind `without` is a column that is left out where a plan can leave some
out; elsewhere it may say which rows are meant.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from skills_nb.engine.inputs.wording.named_choices import mentions, spoken_key
from skills_nb.sql.identifiers import split_name

LEFT_OUT = "left_out"
"""The input that holds them."""
_BEFORE = re.compile(
    r"\b(?:without|except(?: for)?|excluding|exclude|leav(?:e|ing) (?:out|off)|omit(?:ting)?"
    r"|but not|but no|skip(?:ping)?|minus)(?: (?:the|any|its|their|columns?|of))* \"?$",
    re.IGNORECASE,
)
_NEXT = re.compile(r'"?(?:,| and| or|, and|,? nor)(?: (?:the|any|its|their|columns?))* "?', re.I)


def columns_left_out(goal: str, columns: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that a goal leaves out, as SQL."""
    return tuple(dict.fromkeys(column for _, _, column in _said(goal, columns)))


def stretches_left_out(goal: str, columns: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where a goal says what it leaves out: start and end."""
    yield from ((start, end) for start, end, _ in _said(goal, columns))


def _said(goal: str, columns: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    ended = -1
    by_key = {spoken_key(split_name(column)[-1]): column for column in columns}
    for start, end, column in mentions(goal, by_key):
        led = _BEFORE.search(goal[:start])
        if led is not None:
            begun = led.start()
        elif ended >= 0 and _NEXT.fullmatch(goal, ended, start) is not None:
            begun = ended
        else:
            continue
        yield begun, end, column
        ended = end
