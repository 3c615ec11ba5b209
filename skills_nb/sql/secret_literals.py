"""Takes the secrets out of SQL by its tokens: options, variables, statements within literals.

Room: sql. Never raises. What stands in a literal (dynamic SQL, a block, a body, however deep) and
in a comment is read as a text of its own; `secret_patterns` then looks at secrets' shapes.
Source: the manual's CREATE USER, CREATE SECRET, SET, LET, EXECUTE IMMEDIATE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from skills_nb.sql.secret_columns import Layout, may_be_secret, texts_for_secrets
from skills_nb.sql.secret_patterns import (
    REDACTED,
    is_pin_name,
    is_secret_name,
    without_members,
    without_shapes,
)
from skills_nb.sql.tokens import Token, TokenKind, literal, scan

_DEEPEST = 12
"""Levels of literals within literals; what lies deeper is left out as a whole."""
_HINT = re.compile(
    r"pass(?:word|wd|phrase|code|_|\b)|\bp[as]\w*d\b|pw|secret|token|api_?key|_key|credential|authorization|"
    r"connection_string|\bpin\b|\bidentified\b|-----BEGIN|eyJ|://|Bearer|Basic\s|gh[pousr]_|"
    r"github_pat_|sk-|xox[abprs]-|AKIA|ASIA|AIza|access_?key|account_?key|crypt|ver:\d|[rs]k_|"
    r"glpat-|hf_|SG\.|ya29\.|xapp-|npm_|dapi|pypi-|_pin|pin_?code|curl|wget",
    re.IGNORECASE,
)
"""In every text that may hold a secret; most statements hold none of it."""
_SHORT_NAMES = re.compile(r"(?:.*_)?(?:pw|pass|pin)", re.IGNORECASE)
_OPTION = re.compile(
    r"(?!must_change|has_|is_|min_|max_)(?:\w*password|\w*passphrase|\w*secret_string|"
    r"\w*client_secret|\w*refresh_token|\w*access_token|bearer_token|aws_secret_key|"
    r"aws_secret_access_key|aws_token|aws_key_id|azure_sas_token|master_key|\w*private_key|"
    r"\w*api_key)",
    re.IGNORECASE,
)
_ASSIGNS = frozenset({"=", "=>", ":=", ":"})
_TEXTS = frozenset({TokenKind.STRING, TokenKind.DOLLAR, TokenKind.BROKEN})
_NAMES_OR_TEXTS = frozenset({TokenKind.WORD, TokenKind.QUOTED, TokenKind.STRING, TokenKind.DOLLAR})
_SILENT = frozenset({TokenKind.SPACE, TokenKind.COMMENT})
_READING = frozenset({"SELECT", "WITH", "INSERT", "UPDATE", "MERGE", "DELETE", "WHERE", "ON"})
_UNSETTING = frozenset({"WHERE", "FROM", "WHEN", "SELECT"})
_COMPARES = frozenset({"<>", "!=", "LIKE", "ILIKE", "RLIKE", "IN", "NOT", "ANY", "("})
_KEEPERS = frozenset({"USER", "SECRET"})
_MISSPELT = ("password", "secret_string")
"""A statement that is refused for a slip in an option's name has the secret all the same."""
_NO_SECRET = frozenset({"NULL", "TRUE", "FALSE", "DEFAULT"})
_SAID = re.compile(
    r"(\b(?:\w*_)?"
    r"(?:password|passphrase|passwd|passcode|pwd|pw|api[ _-]?key|secret(?:[ _-]key)?|token)\b"
    r"(?:\s+(?:is|to|as|of|for\s+\S+\s+is|was|be)\b\s*[:=]?|\s*[:=]+|(?=\s))\s*['\"`]?)"
    r"(?=[^\s'\"`]*\d)(?=[^\s'\"`]*[^\W\d_])(?!«)[^\s'\"`]{5,}",
    re.IGNORECASE,
)
"""Prose that tells a secret: a word of letters and digits behind `password is`."""
_SAID_PLAINLY = re.compile(
    _SAID.pattern.replace(r"|(?=\s))", ")"),
    re.IGNORECASE,
)
"""The same where prose is a value, which may be about passwords: `is` or a colon is there."""
_SAID_PIN = re.compile(
    r"(\bpin(?:[ _-]?code)?\b(?:\s+(?:is|to|as|of|was)\b\s*[:=]?|\s*[:=]+)\s*['\"`]?)\d{4,}",
    re.IGNORECASE,
)

_CONNECTION = re.compile(
    r"(?:(?<=[;&?,\s])|\A)((?:\w*password|passwd|pwd|accountkey|sharedaccesskey)=)"
    r"(?=[^\s;'\"&]*\d|[^\s'\"&]*;)(?!«)[^\s;'\"&.()]{4,}(?=[;&\s]|\Z)",
    re.IGNORECASE,
)
"""A member of a connection string: `Server=x;Password=…;`."""
_OPENS = re.compile(rf"(?:{_OPTION.pattern}|pwd?)\s*=>?\s*'\Z", re.IGNORECASE)
"""How a literal ends that a secret is put behind by `||`."""


def without_secrets(text: str) -> str:
    """Return SQL, or a text that is none, without the secrets in it."""
    return without_shapes(_cleaned(text, 0)) if _HINT.search(text) else text


def without_secrets_of_value(text: str) -> str:
    """Return what is no statement but a text that one is given, without the secrets in it."""
    return _without_members(without_secrets(text))


def _without_members(text: str) -> str:
    plain = _CONNECTION.sub(rf"\1{REDACTED}", without_members(text))
    return _SAID_PLAINLY.sub(rf"\1{REDACTED}", plain)


def without_said(prose: str) -> str:
    """Return prose without a secret that it tells: `the password is …`."""
    return _SAID_PIN.sub(rf"\1{REDACTED}", _SAID.sub(rf"\1{REDACTED}", prose))


@lru_cache(maxsize=256)
def _cleaned(text: str, depth: int) -> str:
    if depth > _DEEPEST:
        return REDACTED
    tokens = list(scan(text))
    secret = _Places(tokens).secret()
    pieces, last = [], -1
    for index, token in enumerate(tokens):
        if index not in secret:
            pieces.append(_within(token, depth))
        elif index - 1 != last or may_be_secret(token):
            pieces.append(_hidden(token))
        last = index if index in secret else last
    return "".join(pieces)


def _hidden(token: Token) -> str:
    if REDACTED in token.text:
        return token.text
    if token.text.startswith("$$"):
        return f"$${REDACTED}$$"
    return f'"{REDACTED}"' if token.text.startswith('"') else f"'{REDACTED}'"


def _within(token: Token, depth: int) -> str:
    """Return a token without the secrets that its own text holds."""
    if token.kind is TokenKind.COMMENT:
        return without_said(_inner(token.text[2:], depth, token.text[:2]))
    if token.kind not in _TEXTS or not _HINT.search(token.text):
        return token.text
    inside = token.value
    if token.kind is TokenKind.BROKEN:
        mark = 1 if token.text[0] in "'\"" else 2
        return _inner(token.text[mark:], depth, token.text[:mark])
    cleaned = _without_members(_cleaned(inside, depth + 1))
    if cleaned == inside:
        return token.text
    if token.kind is TokenKind.DOLLAR:
        return f"$${cleaned}$$"
    if "\\'" in token.text and "''" not in token.text[1:-1]:
        return "'" + cleaned.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return literal(cleaned)


def _inner(text: str, depth: int, mark: str) -> str:
    return mark + (_cleaned(text, depth + 1) if _HINT.search(text) else text)


@dataclass(frozen=True, slots=True)
class _Head:
    """What the words of a statement have said so far."""

    first: tuple[str, ...] = ()
    """Its first five words."""
    before: str = ""
    """The last word but one."""
    last: str = ""
    """The last word."""
    is_reading: bool = False
    """True behind a word of a query, where names in quotes are columns."""
    is_setting: bool = False
    """True behind the SET of an UPDATE, up to its WHERE or FROM."""

    @property
    def is_keeper(self) -> bool:
        """Tell whether what is made or altered keeps a secret."""
        return self.first[:1] in (("CREATE",), ("ALTER",)) and not _KEEPERS.isdisjoint(self.first)

    def with_word(self, word: str) -> _Head:
        """Return what is known with one more word."""
        is_reading = self.is_reading or word in _READING
        is_setting = word == "SET" or (self.is_setting and word not in _UNSETTING)
        return _Head((*self.first, word)[:5], self.last, word, is_reading, is_setting)


class _Places:
    """Finds the tokens of one text that are secrets."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        """Take every token, spaces too."""
        self._tokens = tokens
        self._said = [i for i, token in enumerate(tokens) if token.kind not in _SILENT]
        self._computed_to = 0
        self._layout = Layout.of([tokens[place] for place in self._said])

    def secret(self) -> set[int]:
        """Return the places of tokens that are secrets."""
        found = {self._said[at] for at in texts_for_secrets(self._layout)}
        head = _Head()
        for at, place in enumerate(self._said):
            token = self._tokens[place]
            if token.text == ";":
                head = _Head()
            elif token.word:
                head = head.with_word(token.word)
            found.update(self._behind(at, token, head))
        return found

    def _behind(self, at: int, token: Token, head: _Head) -> Iterator[int]:
        name = token.text.strip("\"'")
        if token.kind not in _NAMES_OR_TEXTS:
            return
        if token.word == "SET" and self._text(at + 1) == "(":
            yield from self._variables(at + 2)
        if self._text(at + 1) == "]" and self._text(at + 2) in _ASSIGNS and is_secret_name(name):
            yield from self._texts(at + 3, or_quoted=True)
        is_given = head.is_keeper and token.word == "BY" and head.before == "IDENTIFIED"
        is_named = is_secret_name(name) or bool(_SHORT_NAMES.fullmatch(name))
        if head.is_keeper and not is_named and self._text(at + 1) == "=":
            is_named = bool(get_close_matches(name.lower(), _MISSPELT, 1, 0.75))
        if token.kind in _TEXTS:
            is_opened = self._text(at + 1) == "||" and bool(_OPENS.search(token.value))
            if is_opened or (is_named and self._text(at + 1) in _ASSIGNS):
                yield from self._texts(at + 2, or_quoted=False)
        elif is_given or (is_named and self._is_assigned(name, at, head)):
            value = self._value_at(at)
            yield from self._texts(value, or_quoted=not head.is_reading)
            yield from self._computed(value, name, head)
            if head.is_keeper:
                yield from self._word(value)
        if head.is_reading and (_OPTION.fullmatch(name) or self._is_pin(name, at)):
            yield from self._compared(at)

    def _is_pin(self, name: str, at: int) -> bool:
        """Tell whether a name is that of a PIN, and a number long enough stands beside it."""
        near = self._said[max(at - 3, 0) : at + 4] if is_pin_name(name) else ()
        return any(
            self._tokens[place].kind is TokenKind.NUMBER and may_be_secret(self._tokens[place])
            for place in near
        )

    def _is_assigned(self, name: str, at: int, head: _Head) -> bool:
        if self._text(at + 1) == ":" and self._tokens[self._said[at]].kind is TokenKind.QUOTED:
            return False  # A member of JSON, whose texts have rules of their own: a shape.
        if not head.is_reading or head.is_setting:
            return True
        is_sure = bool(_OPTION.fullmatch(name)) or self._is_pin(name, at)
        return is_sure or self._text(at + 1) in ("=>", ":=")

    def _value_at(self, at: int) -> int:
        """Return where the value may stand that a name is given: `PW VARCHAR(9) DEFAULT …`."""
        if self._text(at + 1) == ":" and self._text(at + 3) == "=":
            return at + 4  # Python's `password: str = …`
        if self._text(at + 1) in _ASSIGNS:
            return at + 2
        for behind in range(at + 1, at + 8):
            text = self._text(behind)
            if text == ":=" or text.upper() == "DEFAULT":
                return behind + (2 if self._text(behind + 1) == "=" else 1)
            if not (text in ("(", ")", ",") or text.replace("_", "").isalnum()):
                break
        return at + 1

    def _texts(self, at: int, *, or_quoted: bool) -> Iterator[int]:
        """Return the text that stands at a place, and those that are put behind it by `||`."""
        while at < len(self._said):
            at += self._is_mark(at)
            token = self._tokens[self._said[at]]
            is_text = may_be_secret(token) or (or_quoted and token.kind is TokenKind.QUOTED)
            if not is_text:
                return
            if token.text not in ("''", '""'):
                yield self._said[at]
            at += 2 if self._text(at + 1) == "||" else 1

    def _is_mark(self, at: int) -> bool:
        """Tell whether a sign or a letter stands before a value: `-1234`, `x'00'`, `f"…"`."""
        mark, place = self._text(at), self._said[at] + 1
        if at + 1 >= len(self._said) or self._said[at + 1] != place:
            return False
        kind = self._tokens[place].kind
        if kind is TokenKind.NUMBER:
            return mark in ("-", "+")
        return len(mark) <= 2 and mark.isalpha() and kind in _TEXTS | {TokenKind.QUOTED}

    def _computed(self, at: int, name: str, head: _Head) -> Iterator[int]:
        """Return the texts of an expression that a name is given: `PASSWORD = SHA2('…')`."""
        is_value = self._text(at - 1) in ("=", "=>", ":=")
        is_sure = head.is_setting or _OPTION.fullmatch(name) or self._text(at - 1) != "="
        opens = max(at if self._text(at) == "(" else at + 1, self._computed_to)
        if is_value and is_sure and self._text(opens) == "(":
            self._computed_to = self._layout.closes[opens]
            for each in range(opens, self._computed_to):
                if may_be_secret(self._tokens[self._said[each]]):
                    yield self._said[each]

    def _compared(self, at: int) -> Iterator[int]:
        """Return the texts that a column is compared with, or that it is the name of."""
        behind = at + 1
        while self._text(behind).upper() in _COMPARES:
            behind += 1
        while behind > at + 1 and behind < len(self._said):
            yield from self._texts(behind, or_quoted=False)
            behind += 2 if self._text(behind + 1) == "," else len(self._said)
        if self._text(at + 1) not in _ASSIGNS:
            yield from self._before(at - 1)

    def _before(self, at: int) -> Iterator[int]:
        """Return the text in front of a name: `'…' = U.PASSWORD`, `'…' AS PASSWORD`."""
        while self._text(at) == ".":
            at -= 2
        at -= self._text(at).upper() in ("=", "<>", "!=", "AS")
        if at >= 0 and may_be_secret(self._tokens[self._said[at]]):
            yield self._said[at]

    def _word(self, at: int) -> Iterator[int]:
        """Return a value that was written without quotes, up to the next space."""
        if self._text(at - 1) != "=" or self._text(at).upper() in _NO_SECRET:
            return
        for place in range(self._said[at], len(self._tokens)) if at < len(self._said) else ():
            token = self._tokens[place]
            if token.kind in _SILENT or token.text in (";", ")", ",", "(", "?"):
                return
            if token.kind is not TokenKind.VARIABLE:
                yield place

    def _variables(self, at: int) -> Iterator[int]:
        """Return the literals of `SET (A, PW) = (1, '…')` where one of the names is a secret's."""
        names: list[str] = []
        while self._text(at) not in (")", "(", ""):
            names.append(self._text(at))
            at += 1
        is_secret = any(is_secret_name(each) or _SHORT_NAMES.fullmatch(each) for each in names)
        if not is_secret or self._text(at + 1) != "=":
            return
        while self._text(at) not in (";", ""):
            if may_be_secret(self._tokens[self._said[at]]):
                yield self._said[at]
            at += 1

    def _text(self, at: int) -> str:
        return self._tokens[self._said[at]].text if 0 <= at < len(self._said) else ""
