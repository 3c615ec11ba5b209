"""Whether a statement names an object, however far it is qualified.

Room: laws. It errs on the side of yes: a column may be called like a table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from skills_nb.errors import UsageError
from skills_nb.sql.identifiers import split_name
from skills_nb.sql.tokens import Token, TokenKind, tokenize

_PARTS = (TokenKind.WORD, TokenKind.QUOTED)


def mentions(sql: str, names: Collection[tuple[str, ...]]) -> bool:
    """Return whether SQL names one of some objects, in part or in full, or in a string."""
    return any(_is_one(chain, name) for chain in _chains(sql) for name in names)


def _is_one(chain: tuple[str, ...], name: tuple[str, ...]) -> bool:
    if len(chain) > len(name):
        return chain[: len(name)] == name
    return name[-len(chain) :] == chain


def _chains(sql: str) -> Iterator[tuple[str, ...]]:
    """Yield every run of names with dots between them; of strings those that hold a dotted name."""
    parts: list[str] = []
    is_open = False
    for token in tokenize(sql):
        if token.kind in (TokenKind.SPACE, TokenKind.COMMENT):
            continue
        if token.kind in _PARTS:
            if parts and not is_open:
                yield tuple(parts)
                parts = []
            parts.append(_part(token))
            is_open = False
        elif token.text == "." and parts:
            is_open = True
        else:
            if parts:
                yield tuple(parts)
            parts, is_open = [], False
            if token.kind is TokenKind.STRING:
                yield from _in_string(token)
    if parts:
        yield tuple(parts)


def _part(token: Token) -> str:
    return token.word or token.text[1:-1].replace('""', '"')


def _in_string(token: Token) -> Iterator[tuple[str, ...]]:
    try:
        parts = split_name(token.value)
    except UsageError:
        return
    if len(parts) > 1:
        yield tuple(parts)
