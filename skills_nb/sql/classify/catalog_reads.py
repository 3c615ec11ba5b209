"""Reads that ask what the account says of its objects: they cost little, and hold at that moment.

Room: sql. What reads rows, samples them, or asks for history is none: asked twice, it costs twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from skills_nb.sql.tokens import Token, TokenKind, tokenize

_LISTS = frozenset({"SHOW", "DESCRIBE", "DESC", "LIST", "LS"})
_QUERIES = frozenset({"SELECT", "WITH"})
_SOURCES = frozenset({"FROM", "JOIN"})
_NO_TABLES = frozenset({"TABLE", "LATERAL", "VALUES"})
_HISTORY = frozenset({"ACCOUNT_USAGE", "ORGANIZATION_USAGE", "READER_ACCOUNT_USAGE"})


@lru_cache(maxsize=4096)
def asks_catalog(sql: str) -> bool:
    """Return whether one read asks for objects, settings and grants as they are, and for no more.

    In doubt it does not.
    """
    tokens = tokenize(sql)
    words = {token.text.upper() for token in tokens if token.kind is TokenKind.WORD}
    if words & _HISTORY or any(word.endswith("_HISTORY") for word in words):
        return False
    if tokens[0].text.upper() not in _LISTS | _QUERIES:
        return False
    places = [n for n, token in enumerate(tokens) if token.text.upper() in _SOURCES]
    named = _named_queries(tokens)
    return all(_is_catalog(tokens, place + 1, named) for place in places)


def _named_queries(tokens: Sequence[Token]) -> frozenset[str]:
    """Return the names that queries have in front of the main one: `name [(columns)] AS (`."""
    found: set[str] = set()
    for at in range(1, len(tokens) - 1):
        if tokens[at].text.upper() != "AS" or tokens[at + 1].text != "(":
            continue
        behind = at - 1
        if tokens[behind].text == ")":
            while behind > 0 and tokens[behind].text != "(":
                behind -= 1
            behind -= 1
        found.add(tokens[behind].text)
    return frozenset(found)


def _is_catalog(tokens: Sequence[Token], at: int, named: frozenset[str]) -> bool:
    """Return whether what a query reads from is no table of rows."""
    first = tokens[at]
    if first.kind is TokenKind.VARIABLE or first.text == "(":
        return True
    if first.kind is TokenKind.WORD and first.text.upper() in _NO_TABLES:
        return True
    parts = [first.text]
    while tokens[at + 1].text == "." and tokens[at + 1].kind is not TokenKind.END:
        at += 2
        parts.append(tokens[at].text)
    is_named = len(parts) == 1 and parts[0] in named
    return is_named or "INFORMATION_SCHEMA" in map(str.upper, parts)
