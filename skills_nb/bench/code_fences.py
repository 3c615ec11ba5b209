"""Code fences of an answer: taken off, and nothing else is.

Room: work (bench). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_FENCE = re.compile(
    r"^(?P<mark>`{3,}|~{3,})[ \t]*(?P<word>[\w+-]*)[^\n]*\r?\n(?P<text>.*?)^(?P=mark)[ \t]*\r?$",
    re.DOTALL | re.MULTILINE,
)


def strip_fences(answer: str, is_wanted: Callable[[str, str], bool]) -> str:
    """Return the wanted fenced blocks of an answer, one after the other; all of it without any.

    Args:
        answer: what a model said.
        is_wanted: given a block's language and text, tells whether the answer is in it.
    """
    blocks = [
        found["text"]
        for found in _FENCE.finditer(answer)
        if is_wanted(found["word"].lower(), found["text"])
    ]
    return "".join(blocks) if blocks else answer


def sql_of(answer: str) -> str:
    """Return the SQL script of an answer."""
    return strip_fences(answer, lambda word, text: word in ("", "sql", "snowflake", "snowsql"))
