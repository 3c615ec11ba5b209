"""Splitting: one text, its statements in order.

Room: sql. Scripting blocks (`BEGIN … END`, `DECLARE …`, and the unquoted bodies of procedures,
tasks and alerts) stay whole. Source: Snowflake manual, "Understanding blocks in Snowflake
Scripting".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from skills_nb.sql.constant_rows import ConstantRows, put_back, set_aside
from skills_nb.sql.tokens import Token, TokenKind, tokenize

_TRANSACTION = frozenset({"TRANSACTION", "WORK", "NAME"})
_LOOP_ENDS = frozenset({"IF", "FOR", "WHILE", "LOOP", "REPEAT"})
_BLOCK = re.compile("BEGIN|DECLARE", re.IGNORECASE)
_WITH_BODY = frozenset({"PROCEDURE", "FUNCTION", "TASK", "ALERT"})


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a text."""

    text: str
    """From its first to its last token: no `;`, comments kept inside."""
    line: int
    """1-based line of its first token."""
    offset: int
    """0-based index of its first token in the text."""


@dataclass(slots=True)
class _Cutter:
    """Knows, token by token, whether a `;` ends the statement."""

    words: list[str] = field(default_factory=list)
    open_blocks: list[str] = field(default_factory=list)
    previous: str = ""

    def take(self, token: Token, following: Token) -> bool:
        """Take the next token; True where it is the `;` that ends the statement."""
        if token.text == ";" and token.kind is TokenKind.SYMBOL and not self.open_blocks:
            return True
        if token.word and self.previous != ".":
            self._word(token.word, following)
        self.previous = token.word or token.text
        return False

    def _word(self, word: str, following: Token) -> None:
        if self.open_blocks:
            self._nested(word, following)
        elif self._opens(word, following):
            self.open_blocks.append(word)
        if len(self.words) < 12:
            self.words.append(word)

    def _opens(self, word: str, following: Token) -> bool:
        """Tell whether a block starts here: at the head, or as the body of a routine."""
        if word == "DECLARE":
            return not self.words or self._is_body()
        return word == "BEGIN" and _is_block(following) and (not self.words or self._is_body())

    def _is_body(self) -> bool:
        is_routine = self.words[:1] in (["CREATE"], ["ALTER"]) and not _WITH_BODY.isdisjoint(
            self.words[:8]
        )
        return is_routine and self.previous in ("AS", "THEN")

    def _nested(self, word: str, following: Token) -> None:
        if word == "BEGIN" and _is_block(following):
            if self.open_blocks[-1] == "DECLARE" and self.previous != "AS":
                self.open_blocks.pop()
            self.open_blocks.append(word)
        elif (word == "DECLARE" and self.previous == "AS") or (
            word == "CASE" and self.previous != "END"
        ):
            self.open_blocks.append(word)
        elif word == "END" and following.word not in _LOOP_ENDS:
            self.open_blocks.pop()


def in_one_line(sql: str, longest: int) -> str:
    """Return a text in one line, cut where it is long."""
    text = " ".join(sql.split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _is_block(following: Token) -> bool:
    """Tell `BEGIN` of a block from `BEGIN [TRANSACTION]`."""
    is_end = following.kind is TokenKind.END or following.text == ";"
    return not is_end and following.word not in _TRANSACTION


def split(sql: str) -> tuple[Statement, ...]:
    """Split a text into its statements; empty ones and those of comments alone are left out."""
    short, runs = set_aside(sql)
    found = _cut(short)
    return _whole(found, short, runs) if runs else found


def _whole(
    found: Iterable[Statement], short: str, runs: Sequence[ConstantRows]
) -> tuple[Statement, ...]:
    """Put back what was set aside, in the statements and before them."""
    whole: list[Statement] = []
    copied = offset = 0
    line = 1
    for one in found:
        between = put_back(short[copied : one.offset], runs)
        text = put_back(one.text, runs)
        line, offset = line + between.count("\n"), offset + len(between)
        whole.append(Statement(text, line, offset))
        line, offset = line + text.count("\n"), offset + len(text)
        copied = one.offset + len(one.text)
    return tuple(whole)


def _cut(sql: str) -> tuple[Statement, ...]:
    return _only(sql) or _several(sql)


def _only(sql: str) -> tuple[Statement, ...]:
    """Return the only statement of most texts; nothing where several may be there.

    What is cut is the statement itself, whose tokens whoever reads it next needs again.
    """
    bare = sql.strip().rstrip("; \t\r\n")
    tokens = tokenize(bare) if ";" not in bare and not _BLOCK.search(bare) else ()
    if len(tokens) < 2 or tokens[-2].kind is TokenKind.BROKEN:
        return ()
    start = len(sql) - len(sql.lstrip())
    (found,) = _statement(bare, tokens[:-1])
    line = found.line + sql.count("\n", 0, start)
    return (Statement(found.text, line, found.offset + start),)


def _several(sql: str) -> tuple[Statement, ...]:
    tokens = tokenize(sql)
    found: list[Statement] = []
    cutter, first = _Cutter(), 0
    for index, token in enumerate(tokens[:-1]):
        if cutter.take(token, tokens[index + 1]):
            found += _statement(sql, tokens[first:index])
            cutter, first = _Cutter(), index + 1
    return (*found, *_statement(sql, tokens[first:-1]))


def _statement(sql: str, tokens: tuple[Token, ...]) -> list[Statement]:
    if not tokens:
        return []
    start = tokens[0].start
    return [Statement(sql[start : tokens[-1].end], sql.count("\n", 0, start) + 1, start)]
