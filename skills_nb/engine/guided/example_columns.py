"""The columns that an example reads: those of its own tables, which nobody else's have.

Room: laws. Examples write keywords in capitals and names in small letters. A small word that stands
for no object, alias, parameter or function of the example is a column, and a hole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from skills_nb.sql.tokens import Token, TokenKind, tokenize

Span = tuple[int, int]

_READING = frozenset({"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "COPY"})
_FILLED = ("VIEW", "TABLE")
"""Kinds of objects that a query fills or stands for."""
_MOST_HEAD = 8


def columns_of(sqls: Sequence[str], named: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """Return where each statement says columns.

    Args:
        sqls: the statements of an example.
        named: where each of them names objects.
    """
    told = [tokenize(sql) for sql in sqls]
    defined = {
        word for tokens, spans in zip(told, named, strict=True) for word in _defined(tokens, spans)
    }
    return [
        [(token.start, token.end) for token in _columns(tokens, spans, defined)]
        if _reads(tokens)
        else []
        for tokens, spans in zip(told, named, strict=True)
    ]


def defined_in(sqls: Sequence[str]) -> frozenset[str]:
    """Return the aliases that statements define for themselves, in capitals."""
    return frozenset(word for sql in sqls for word in _defined(tokenize(sql), ()))


def _reads(tokens: Sequence[Token]) -> bool:
    if tokens[0].word in _READING:
        return True
    head = [token.word for token in tokens[:_MOST_HEAD]]
    if head[:2] == ["ALTER", "TABLE"]:
        return True
    is_filled = head[:1] == ["CREATE"] and any(kind in head for kind in _FILLED)
    return is_filled and any(one.word == "SELECT" for one in tokens)


def _defined(tokens: Sequence[Token], spans: Iterable[Span]) -> Iterator[str]:
    """Yield the aliases, of columns and of tables, and the names of common table expressions."""
    ends = {end for _, end in spans}
    for before, token, after in zip(tokens, tokens[1:], [*tokens[2:], tokens[-1]], strict=False):
        is_alias = before.word == "AS" or before.end in ends or before.text == ")"
        if _is_own(token) and (is_alias or after.word == "AS"):
            yield token.word
    if _is_own(tokens[0]):
        yield tokens[0].word


def _columns(tokens: Sequence[Token], spans: Sequence[Span], defined: set[str]) -> Iterator[Token]:
    for at, token in enumerate(tokens[:-1]):
        if not _is_own(token) or token.word in defined or tokens[at + 1].text in ("(", ".", "=>"):
            continue
        is_named = any(start <= token.start < end for start, end in spans)
        if not is_named and _is_column(tokens, at, defined):
            yield token


def _is_own(token: Token) -> bool:
    return token.kind is TokenKind.WORD and token.text != token.text.upper()


def _is_column(tokens: Sequence[Token], at: int, defined: set[str]) -> bool:
    """Tell whether a word is a column, and no step into a document or part of another name."""
    is_part = at > 1 and tokens[at - 1].text == "."
    if is_part and tokens[at - 2].word not in defined:
        return False
    first = at - 2 if is_part else at
    return first == 0 or tokens[first - 1].text not in (".", ":", "@", "$", "/", "%")
