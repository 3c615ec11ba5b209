"""Text measured as a terminal shows it: a Japanese character takes two columns.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import category, east_asian_width

_JOINER = "\u200d"
"""Makes one picture of two; a terminal that knows it not shows both."""


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
            head, line = _split(line, columns)
            yield head
    yield line


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
