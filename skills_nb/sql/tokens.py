"""The lexer: SQL text as Snowflake cuts it into tokens.

Room: sql. It never raises and never stops early: text that cannot be cut (an open quote, an open
comment) comes as one BROKEN token up to the end, and whoever reads it decides what that means.
Source: Snowflake manual, "String & binary data types" and "Comments".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
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
    text: str
    start: int
    end: int

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


def scan(sql: str) -> Iterator[Token]:
    """Yield every token of the text, spaces and comments too; joined they are the text again."""
    for found in _TOKEN.finditer(sql):
        yield Token(TokenKind(found.lastgroup or "symbol"), found.group(), *found.span())


def tokenize(sql: str) -> tuple[Token, ...]:
    """Return the tokens that carry meaning, then one END token."""
    meaning = [t for t in scan(sql) if t.kind not in (TokenKind.SPACE, TokenKind.COMMENT)]
    return (*meaning, Token(TokenKind.END, "", len(sql), len(sql)))
