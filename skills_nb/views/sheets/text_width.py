"""Text measured as a terminal shows it: a Japanese character takes two columns.

Room: laws (views).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import category, east_asian_width

_JOINER = "\u200d"
"""Makes one picture of two; a terminal that knows it not shows both."""
_NAME = re.compile(r'[\w$."-]+')
_PARTS = re.compile(r"[^._-]*[._-]*")
"""A name comes apart behind its dots, hyphens and underscores."""
_BREAK = re.compile(r"[./_-]+(?=\w)|[./_-]+$")
_MOST_LINES = 3
"""So many lines a name may take in a table; a longer one is a value."""


def width(text: str) -> int:
    """Return how many columns the text takes."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if _goes_along(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def pad(text: str, columns: int) -> str:
    """Return the text filled with blanks up to a width."""
    return text + " " * max(0, columns - width(text))


def cut(text: str, columns: int) -> str:
    """Return the text, shortened with an ellipsis where it is wider."""
    if width(text) <= columns:
        return text
    head, _ = _split(text, columns - 1)
    return head.rstrip() + "…"


def cut_name(text: str, columns: int) -> str:
    """Return the text shortened: a dotted name in its middle, because its end tells it apart."""
    is_name = "." in text and not set(text) & set(" @:")
    if not is_name or width(text) <= columns or not text.isascii():
        return cut(text, columns)
    tail = (columns - 1) * 2 // 3
    return f"{text[: columns - 1 - tail]}…{text[len(text) - tail :]}"


def wrap_name(text: str, columns: int) -> list[str]:
    """Return a table's cell as lines: a name is wrapped rather than cut, a value is cut."""
    if width(text) <= columns or _NAME.fullmatch(text) is None:
        return [cut_name(text, columns)]
    lines = [""]
    for part in _PARTS.findall(text):
        if width(lines[-1] + part) > columns and lines[-1]:
            lines.append("")
        lines[-1] += part
        while width(lines[-1]) > columns:
            lines[-1:] = _split(lines[-1], columns)
    return lines if len(lines) <= _MOST_LINES else [cut_name(text, columns)]


def wrap(text: str, columns: int) -> list[str]:
    """Return the text as lines no wider than that; its own line breaks are kept."""
    return [line for part in text.split("\n") for line in _wrapped(part, max(columns, 10))]


def _wrapped(text: str, columns: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if width(joined) <= columns:
            line = joined
            continue
        if line:
            yield line
        line = word
        while width(line) > columns:
            head, line = _split_word(line, columns)
            yield head
    yield line


def _split_word(word: str, columns: int) -> tuple[str, str]:
    """Split a word that fills a line: a name behind one of its parts, where one ends in reach."""
    head, rest = _split(word, columns)
    end = max((found.end() for found in _BREAK.finditer(head)), default=0)
    # Not where that would take one more line.
    takes_more = width(rest) <= columns < width(word[end:])
    if width(head[:end]) * 2 < columns or takes_more:
        return head, rest
    return word[:end], word[end:]


def _split(text: str, columns: int) -> tuple[str, str]:
    taken = 0
    for position, character in enumerate(text):
        taken += _columns(character)
        if taken > columns:
            whole = _start_of(text, position) or position
            return text[:whole], text[whole:]
    return text, ""


def _start_of(text: str, position: int) -> int:
    """Return where the sign begins that a place lies in: accents and joined pictures stay whole."""
    while position and (_goes_along(text[position]) or text[position - 1] == _JOINER):
        position -= 1
    return position


def _goes_along(character: str) -> bool:
    return category(character) in ("Mn", "Me") or character == _JOINER
