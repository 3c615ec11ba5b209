"""CREATE TABLE … USING TEMPLATE, read: the table, and the query that tells its columns.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/sql/create-table (CREATE TABLE … USING TEMPLATE)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from skills_nb.embedded import errors
from skills_nb.sql.tokens import Token, TokenKind, tokenize

_BETWEEN_TEXT = "OR REPLACE TRANSIENT LOCAL GLOBAL TEMP TEMPORARY VOLATILE TABLE IF NOT EXISTS"
_BETWEEN = frozenset(_BETWEEN_TEXT.split())
_NAMING = (TokenKind.WORD, TokenKind.QUOTED)


@dataclass(frozen=True, slots=True)
class Template:
    """A CREATE TABLE whose columns a query tells."""

    before: str
    """The text up to the place of the columns."""
    query: str
    """Source text of the query whose rows tell the columns, without its parentheses."""
    behind: str
    """The text from there to USING TEMPLATE."""


def read(text: str) -> Template | None:
    """Read CREATE TABLE … USING TEMPLATE; None for any other statement.

    Raises:
        SqlError: no query in parentheses follows (1003), or it says OR ALTER (0A000).
    """
    if "TEMPLATE" not in text.upper():
        return None
    tokens = tokenize(text)
    place = _template(tokens)
    if place is None:
        return None
    if tokens[2].word == "ALTER":
        raise errors.unsupported("CREATE OR ALTER")
    using, end = tokens[place], _end_of_name(tokens)
    query = text[tokens[place + 1].end :].strip().rstrip(";").strip()
    if not (query.startswith("(") and query.endswith(")")):
        raise errors.syntax("syntax error: TEMPLATE is followed by a query in parentheses.")
    return Template(text[:end], query[1:-1], text[end : using.start])


def _template(tokens: Sequence[Token]) -> int | None:
    """Return where USING TEMPLATE stands in a CREATE TABLE."""
    if tokens[0].word != "CREATE" or all(token.word != "TABLE" for token in tokens[:6]):
        return None
    words = [token.word for token in tokens]
    return next(
        (at for at, pair in enumerate(pairwise(words)) if pair == ("USING", "TEMPLATE")), None
    )


def _end_of_name(tokens: Sequence[Token]) -> int:
    """Return where the table's name ends in the text."""
    at = 1
    while tokens[at].word in _BETWEEN:
        at += 1
    while tokens[at].kind in _NAMING and tokens[at + 1].text == ".":
        at += 2
    return tokens[at].end
