"""The lexer: SQL text as Snowflake cuts it into tokens.

Room: sql. It never raises and never stops early: text that cannot be cut (an open quote, an open
comment) comes as one BROKEN token up to the end, and whoever reads it decides what that means.
Source: Snowflake manual, "String & binary data types" and "Comments".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

_SIMPLE_ESCAPES = {"0": "\0", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<comment>--[^\r\n]*+|(?<!file:)(?<!file:/)//[^\r\n]*+|/\*.*?\*/)
    | (?P<dollar>\$\$.*?\$\$)
    | (?P<string>'(?:[^'\\]|''|\\.)*+')
    | (?P<quoted>"(?:[^"]|"")*+")
    | (?P<variable>\$(?:[A-Za-z_]\w*|\d+))
    | (?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)
    | (?P<word>[^\W\d][\w$]*)
    | (?P<broken>(?:'|"|/\*|\$\$).*)
    | (?P<symbol>->>|->|=>|::|:=|<>|!=|<=|>=|==|\|\||.)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_QUOTATION = re.compile(
    r"""
      (?:[^\W\d][\w$]*+|\$(?:[A-Za-z_]\w*+|\d++)|\d++(?:\.\d*+)?+(?:[eE][+-]?\d++)?+|[^\w'"$/-])++
    | (?P<comment>--[^\r\n]*+|(?<!file:)(?<!file:/)//[^\r\n]*+|/\*.*?\*/)
    | (?P<dollar>\$\$.*?\$\$)
    | (?P<string>'(?:[^'\\]|''|\\.)*+')
    | (?P<quoted>"(?:[^"]|"")*+")
    | (?P<broken>(?:'|"|/\*|\$\$).*)
    | .
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
"""The same cuts as `_TOKEN` makes around what holds other text; the rest goes by in one."""
_ESCAPE = re.compile(r"''|\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([0-7]{3})|(.))", re.DOTALL)


class TokenKind(StrEnum):
    """What a token is; SPACE and COMMENT carry no meaning."""

    SPACE = "space"
    COMMENT = "comment"
    DOLLAR = "dollar"
    STRING = "string"
    QUOTED = "quoted"
    VARIABLE = "variable"
    NUMBER = "number"
    WORD = "word"
    BROKEN = "broken"
    SYMBOL = "symbol"
    END = "end"


class Token(NamedTuple):
    """One token and where it stands in the text."""

    kind: TokenKind
    """What the tokenizer takes it for; a keyword is a WORD like any other."""
    text: str
    """As written, quotes and comment marks included."""
    start: int
    """Offset of its first character."""
    end: int
    """Offset behind its last character."""

    @property
    def word(self) -> str:
        """Return the upper-cased word, or '' where this is none, so that 'SET' is no keyword."""
        return self.text.upper() if self.kind is TokenKind.WORD else ""

    @property
    def value(self) -> str:
        """Return what a string literal means, and other tokens as they stand."""
        if self.kind is TokenKind.STRING:
            return unescape(self.text[1:-1])
        return self.text[2:-2] if self.kind is TokenKind.DOLLAR else self.text


def _unescaped(found: re.Match[str]) -> str:
    """Return the character that one escape stands for."""
    two, four, octal, single = found.groups()
    if two or four:
        return chr(int(two or four, 16))
    if octal:
        return chr(int(octal, 8))
    return _SIMPLE_ESCAPES.get(single, single) if single else "'"


def unescape(inner: str) -> str:
    """Read the inside of a single-quoted literal."""
    return _ESCAPE.sub(_unescaped, inner)


def literal(value: str) -> str:
    r"""Write a text as a SQL string literal; quotes are doubled, and so are backslashes."""
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


_KINDS = {index: TokenKind(name) for name, index in _TOKEN.groupindex.items()}
_SILENT = frozenset({TokenKind.SPACE, TokenKind.COMMENT})
_SHORT = 4_000
"""Texts up to so many characters are many and come again; longer ones are few and weigh more."""


def scan(sql: str) -> Iterator[Token]:
    """Yield every token of the text, spaces and comments too; joined they are the text again."""
    for found in _TOKEN.finditer(sql):
        yield Token(_KINDS[found.lastindex or 0], found.group(), *found.span())


def quotations(sql: str) -> Iterator[Token]:
    """Yield the tokens that hold other text: literals in quotes, quoted names and comments."""
    for found in _QUOTATION.finditer(sql):
        if found.lastgroup is not None:
            yield Token(TokenKind(found.lastgroup), found.group(), *found.span())


def tokenize(sql: str) -> tuple[Token, ...]:
    """Return the tokens that carry meaning, then one END token."""
    return _short(sql) if len(sql) <= _SHORT else _long(sql)


def leading_tokens(sql: str, count: int) -> tuple[Token, ...]:
    """Return the first tokens that carry meaning, without cutting a long text to its end."""
    if len(sql) <= _SHORT:
        return tokenize(sql)[:count]
    meaning = (token for token in scan(sql) if token.kind not in _SILENT)
    end = Token(TokenKind.END, "", len(sql), len(sql))
    return tuple(islice(chain(meaning, (end,)), count))


def _cut(sql: str) -> tuple[Token, ...]:
    found: list[Token] = []
    # Plain tuple.__new__: every statement is cut here, and a named tuple's own call takes twice.
    make = tuple.__new__
    for match in _TOKEN.finditer(sql):
        kind = _KINDS[match.lastindex or 0]
        if kind not in _SILENT:
            start, end = match.span()
            found.append(make(Token, (kind, sql[start:end], start, end)))
    return (*found, Token(TokenKind.END, "", len(sql), len(sql)))


# A statement is split, classified, read and run, and each of them cuts the same text.
_short = lru_cache(maxsize=512)(_cut)
_long = lru_cache(maxsize=8)(_cut)
