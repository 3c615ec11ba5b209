"""Statements inside blocks.

Room: sql. Branches and loops are not followed: whatever a block may do, it is said to do.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.sql.statements import split
from skills_nb.sql.tokens import Token, tokenize

_BLOCKS = frozenset({"BEGIN", "DECLARE"})
_STARTS = frozenset({"BEGIN", "THEN", "ELSE", "DO", "LOOP", "REPEAT", ";"})
_CHANGING = frozenset(
    {
        "ALTER",
        "COMMENT",
        "COPY",
        "CREATE",
        "DELETE",
        "DROP",
        "EXECUTE",
        "GRANT",
        "INSERT",
        "MERGE",
        "REVOKE",
        "TRUNCATE",
        "UNDROP",
        "UPDATE",
    }
)


def statements_within(sql: str) -> Iterator[str]:
    """Yield the statements of a text; of a block, those inside it that may change something."""
    for statement in split(sql):
        tokens = tokenize(statement.text)
        if tokens[0].word in _BLOCKS and len(tokens) > 2:
            yield from _inside(statement.text, tokens)
        else:
            yield statement.text


def _inside(block: str, tokens: tuple[Token, ...]) -> Iterator[str]:
    start: int | None = None
    for index, token in enumerate(tokens):
        previous = (tokens[index - 1].word or tokens[index - 1].text) if index else ";"
        if start is None and previous in _STARTS and token.word in _CHANGING:
            start = index
        elif start is not None and token.text in (";", ""):
            yield block[tokens[start].start : tokens[index - 1].end]
            start = None
