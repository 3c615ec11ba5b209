r"""Text that is not what it looks like: characters that nobody sees, letters that pass for others.

Room: sql. Two judgements: what a file may hold anywhere, prose included, and what the code of a
playbook may hold. Letters of any script stay in prose, in literals, in quoted names and comments.
Source: Unicode Technical Report #36, Unicode Security Considerations; Technical Standard #39.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from unicodedata import bidirectional, name, normalize

from skills_nb.sql.template_problems import TemplateProblem, at_offset
from skills_nb.sql.tokens import TokenKind, scan
from skills_nb.visible import unseen_marks, unseen_places

_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
"""What no text needs: controls, embeddings and overrides of direction, tags."""
_NARROW = re.compile("[\u061c\u180e\u200b-\u200f\u2060-\u2065\ufeff]")
"""Without a width: the writing of some languages needs them between its letters, ours does not."""
_FOREIGN = re.compile("[\u0590-\u1fff\u3040-\u9fff\ua000-\ud7ff\U00010000-\U0003ffff]")
"""Letters of scripts that are joined, run from right to left, or are set without blanks."""
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_MEANT = (TokenKind.WORD, TokenKind.VARIABLE, TokenKind.NUMBER, TokenKind.SYMBOL)
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_MOST = 100
"""Characters of one file that are told; who deletes so many sees the rest next time."""
_HINT = "Delete it; where a text literal needs it, write it there as an escape."
_LOOKALIKES = frozenset("аеорсухіјѕһԁԛԝгпАВЕЗІЈКМНОРСТУХЅԌαικνορυχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
"""Letters of other alphabets that are drawn like those of ours."""


def unseen_in_text(text: str) -> Iterator[TemplateProblem]:
    """Yield, once a line, what no file holds honestly, in prose neither."""
    last = 0
    for offset, char in islice(_suspects(text), _MOST):
        problem = at_offset(text, offset, _says(char), _HINT)
        if problem.line != last:
            last = problem.line
            yield problem


def _suspects(text: str) -> Iterator[tuple[int, str]]:
    found = {one.start(): one[0] for one in _CONTROLS.finditer(text)}
    for one in _NARROW.finditer(text):
        around = text[max(0, one.start() - 1) : one.start()] + text[one.end() : one.end() + 1]
        is_joiner = one[0] == "\u200d" and not unseen_marks(text[_word_of(text, one.start())])
        if not _FOREIGN.search(around) and not is_joiner:
            found[one.start()] = one[0]
    return iter(sorted(found.items()))


def _word_of(text: str, at: int) -> slice:
    return slice(max(0, at - 4), at + 4)


def unseen_in_code(text: str) -> TemplateProblem | None:
    """Find the first character of a statement, a command or a value that nobody would see.

    What writing needs between and behind its letters stays: a joiner, a variant of an ideograph.
    """
    places = (at for at in unseen_places(text) if not _is_written(text, at))
    offset = next(places, None)
    return None if offset is None else at_offset(text, offset, _says(text[offset]), _HINT)


def _is_written(text: str, at: int) -> bool:
    before, after = text[max(0, at - 1) : at], text[at + 1 : at + 2]
    if "\U000e0100" <= text[at] <= "\U000e01ef":
        return name(before or " ", "").startswith("CJK ")
    joins = text[at] in "\u200c\u200d"
    return joins and all(each and _FOREIGN.match(each) for each in (before, after))


def lookalike_in_sql(template: str) -> TemplateProblem | None:
    """Find the first word of SQL that passes for another, or is read from right to left."""
    if template.isascii():
        return None
    text = _COMMENT.sub(lambda found: " " * len(found[0]), template)
    for token in scan(text):
        if token.kind in _MEANT and not token.text.isascii() and (why := _why(token.text)):
            hint = "Write plain letters; put a name that has others in double quotes."
            return at_offset(text, token.start, f"'{token.text[:40]}' {why}", hint)
    return None


def _why(word: str) -> str | None:
    """Return what is wrong with a word outside of quotes, or None."""
    if any(bidirectional(char) in _RIGHT_TO_LEFT for char in word):
        return "is read from right to left"
    others = [char for char in word if not char.isascii()]
    if any(map(_is_drawn_plain, others)):
        return f"only looks like '{normalize('NFKC', word).upper()[:40]}'"
    scripts = {name(char, "?").split()[0] for char in word if char.isalpha()}
    if len(scripts) > 1 and scripts & {"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"}:
        return f"mixes letters: {' and '.join(sorted(map(str.title, scripts)))}"
    if others and all(char in _LOOKALIKES for char in others):
        return "only looks like plain letters"
    return None


def _is_drawn_plain(char: str) -> bool:
    """Return whether a letter is one of ours in another form: wide, bold, long or without a dot."""
    plain = normalize("NFKC", char)
    return plain.isascii() or (len(plain.upper()) == 1 and plain.upper().isascii())


def _says(char: str) -> str:
    called = name(char, "a control character")
    return f"a character that nobody sees: U+{ord(char):04X}, {called.lower()}"
