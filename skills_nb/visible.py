r"""Characters that are not seen, made visible: what is approved is what is on the screen.

Room: ground, below everything. Rules of this file:
- Here, and nowhere else, is decided which characters a person would not see, or would see in
  another place than where they stand: controls, escapes, bidirectional marks, blanks of no width,
  selectors, private and unpaired code points, accents that pile up or strike out.
- Each becomes a mark of plain ASCII (`\x1b`, `\u202e`), which is also what YAML and, but for the
  short ones, JSON write for it. A text that is visible stays as it is, so a second pass is none.
- Letters of any script stay; so do the joiner and the selector that make an emoji.
Source: The Unicode Standard, General_Category and Default_Ignorable_Code_Point; UTS #51, Emoji.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from unicodedata import category, normalize

_MOST_ACCENTS = 4
"""Accents that one letter carries; more of them reach into the lines above and below."""
_MOST_BLANKS = 100
"""Blanks in a row that a text may hold before they are counted instead."""
_MOST_EMPTY = 5
"""Empty lines in a row that a text may hold before they are counted instead."""

_SEEN = (
    " -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2500-\u257f"
    "\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3"
)
"""Ranges that need no second look, so that ordinary text costs nothing."""
_SUSPECT = re.compile(f"[^{_SEEN}]")
_IN_JSON = re.compile(f"[^{_SEEN}\n]")
_BLANKS = re.compile(rf" {{{_MOST_BLANKS},}}")
_EMPTY = re.compile(rf"\n(?:[ ]*\n){{{_MOST_EMPTY + 1},}}")

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Printable by their category, yet nothing is seen of them."""
_STRIKES = frozenset("\u0334\u0335\u0336\u0337\u0338\u20d2\u20d3\u20e5\u20e6\u20ea\u20eb")
"""Strokes through what stands before them: a text would look taken back."""
_SPACES = frozenset("\u00a0\u202f\u3000")
"""Spaces that people type between words; elsewhere they only look like blanks."""
_KEYCAP, _JOINER, _SELECTORS = "\u20e3", "\u200d", "\ufe0e\ufe0f"
_EMOJI = re.compile(
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_KEYS = frozenset("0123456789#*")


def visible(text: str) -> str:
    """Return a text for a place of one line: what breaks the line is a mark, too."""
    return _SUSPECT.sub(_marked, text)


def visible_lines(text: str) -> str:
    """Return a text of several lines: its lines stay, and no blanks push a part out of sight."""
    lines = text.replace("\r\n", "\n").expandtabs(4).split("\n")
    return _counted("\n".join(map(visible, lines)))


def visible_page(text: str) -> str:
    """Return a text that is laid out already: its lines and blanks stay, all else is marked."""
    return "\n".join(map(visible, text.split("\n")))


def visible_typed(text: str) -> str:
    """Return what a person types to confirm a text; it is compared with this, and this is shown.

    Stricter than `visible`: no joiner, no selector, and no space but the plain one is left; an
    accent is one with its letter.
    """
    seen = visible(normalize("NFC", text)).strip()
    return "".join(c if c.isprintable() and not _is_hidden(c) else _mark(c) for c in seen)


def is_visible(text: str) -> bool:
    """Return whether nothing in a line of text would have to be marked."""
    return visible(text) == text


def unseen_marks(text: str) -> tuple[str, ...]:
    """Return the marks of what is not seen in a text of several lines, each once, in its order."""
    return tuple(dict.fromkeys(_mark(text[place]) for place in unseen_places(text)))


def unseen_places(text: str) -> Iterator[int]:
    """Yield where in a text of several lines a character stands that is not seen."""
    found = (m for m in _SUSPECT.finditer(text) if m[0] not in "\n\t" and _marked(m) != m[0])
    return (match.start() for match in found)


def visible_html(text: str) -> str:
    """Return a text as HTML shows it: markup escaped, what is not seen marked, lines kept."""
    return escape(visible_lines(text), quote=True)


def visible_label(text: str) -> str:
    """Return a text as one line of HTML or SVG shows it, whatever breaks lines marked, too."""
    return escape(visible(text), quote=True)


def visible_json(document: object, indent: int | None = 2) -> str:
    """Return a document as JSON that reads the same everywhere: what is not seen is escaped."""
    text = json.dumps(document, ensure_ascii=False, indent=indent)
    return _IN_JSON.sub(lambda found: _escaped(found, _marked(found)), text)


def visible_values(value: object) -> object:
    """Return a document of plain values with every text in it visible, names of fields too."""
    match value:
        case str():
            return visible_page(value)
        case dict():
            return {visible_values(name): visible_values(member) for name, member in value.items()}
        case list() | tuple():
            return [visible_values(member) for member in value]
        case _:
            return value


def _escaped(found: re.Match[str], mark: str) -> str:
    return found[0] if mark == found[0] else json.dumps(found[0])[1:-1]


def _counted(text: str) -> str:
    """Return a text in which long stretches of nothing are told by their length."""
    text = _EMPTY.sub(lambda found: f"\n⋯ {found[0].count(chr(10)) - 1} empty lines ⋯\n", text)
    return _BLANKS.sub(lambda found: f" ⋯ {len(found[0])} blanks ⋯ ", text)


# ---- one character


def _marked(found: re.Match[str]) -> str:
    char = found[0]
    return char if _is_seen(char, found.string, found.start()) else _mark(char)


def _mark(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _is_seen(char: str, text: str, at: int) -> bool:
    if char == _JOINER:
        return _is_joined(text, at)
    if char in _SELECTORS:
        return _is_selected(text, at)
    if char in _SPACES:
        return _is_between_words(text, at)
    if _is_accent(char):
        return not _is_hidden(char) and _is_carried(char, text, at)
    return not _is_hidden(char) and (char.isprintable() or _is_new(char))


def _is_hidden(char: str) -> bool:
    """Return whether a character is not seen, wherever it stands."""
    code = ord(char)
    is_selector = 0xFE00 <= code <= 0xFE0F or 0xE0000 <= code <= 0xE0FFF
    return is_selector or char in _BLANK or char in _STRIKES


def _is_new(char: str) -> bool:
    """Return whether a character is a symbol that this Python's tables do not know yet."""
    return category(char) == "Cn" and _EMOJI.match(char) is not None


def _is_joined(text: str, at: int) -> bool:
    """Return whether a joiner stands between two pictures, as in a family."""
    after = text[at + 1 : at + 2]
    return bool(_EMOJI.fullmatch(_before(text, at)) and _EMOJI.fullmatch(after))


def _before(text: str, at: int) -> str:
    """Return the character before a place, and before its selector."""
    return text[max(0, at - 2) : at].removesuffix(_SELECTORS[1])[-1:]


def _is_selected(text: str, at: int) -> bool:
    """Return whether a selector stands right behind a picture, or before a key's cap."""
    before, after = text[max(0, at - 1) : at], text[at + 1 : at + 2]
    return bool(_EMOJI.fullmatch(before)) or (before in _KEYS and after == _KEYCAP)


def _is_between_words(text: str, at: int) -> bool:
    around = (text[max(0, at - 1) : at], text[at + 1 : at + 2])
    return all(c and c.isprintable() and not c.isspace() for c in around)


def _is_carried(char: str, text: str, at: int) -> bool:
    """Return whether an accent stands on a letter, with few others."""
    if category(char) == "Me":
        return char == _KEYCAP and _before(text, at) in _KEYS
    start = at
    while start and at - start < _MOST_ACCENTS - 1 and _is_accent(text[start - 1]):
        start -= 1
    base = category(text[start - 1]) if start else ""
    return base[:1] in ("L", "N") or base == "So"


def _is_accent(char: str) -> bool:
    return category(char)[0] == "M"
