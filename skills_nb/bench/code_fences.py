"""What stands around an answer: a model's thoughts, code fences, and the word that it is done.

Room: work (bench). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_FENCE = re.compile(
    r"^(?P<mark>`{3,}|~{3,})[ \t]*(?P<word>[\w+-]*)[^\n]*\r?\n(?P<text>.*?)^(?P=mark)[ \t]*\r?$",
    re.DOTALL | re.MULTILINE,
)


DONE = "DONE"
"""How a model says that nothing is left to do."""
_DONE = re.compile(rf"(?:\A|\n)[ \t*_`]*{DONE}[ \t*_`.!]*\s*\Z")
_THOUGHTS = re.compile(r"\A\s*(?:<think(?:ing)?>)?.*?(?:</think(?:ing)?>|\Z)\s*", re.DOTALL)
_MARKS = re.compile(r"\A\s*<think(?:ing)?>|</think(?:ing)?>")


def without_thoughts(answer: str) -> str:
    """Return an answer without what a model thought before it, between `<think>` and `</think>`.

    Some endpoints leave the first mark out. Thoughts that do not end are followed by no answer.
    """
    while _MARKS.search(answer):
        answer = _THOUGHTS.sub("", answer, count=1)
    return answer


def strip_fences(answer: str, is_wanted: Callable[[str, str], bool]) -> str:
    """Return the wanted fenced blocks of an answer, one after the other; all of it without any.

    Args:
        answer: what a model said.
        is_wanted: given a block's language and text, tells whether the answer is in it.
    """
    answer = without_thoughts(answer)
    return "".join(_blocks(answer, is_wanted)) or answer


def _blocks(answer: str, is_wanted: Callable[[str, str], bool]) -> list[str]:
    return [
        found["text"]
        for found in _FENCE.finditer(answer)
        if is_wanted(found["word"].lower(), found["text"])
    ]


def sql_of(answer: str) -> str:
    """Return the SQL script of an answer; one that says it is done may hold no block, and none."""
    said = without_thoughts(answer)
    blocks = _blocks(said, lambda word, text: word in ("", "sql", "snowflake", "snowsql"))
    if not blocks and says_done(said):
        return ""
    return "".join(blocks) or said


def says_done(answer: str) -> bool:
    """Return whether the last line of an answer says that nothing is left to do."""
    return _DONE.search(without_thoughts(answer)) is not None
