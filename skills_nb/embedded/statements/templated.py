"""CREATE TABLE … USING TEMPLATE: the columns are what a query tells, as INFER_SCHEMA does.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-table (CREATE TABLE … USING TEMPLATE)
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import queries, refusals
from skills_nb.sql.identifiers import quote
from skills_nb.sql.tokens import Token, TokenKind, tokenize

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_BETWEEN_TEXT = "OR REPLACE TRANSIENT LOCAL GLOBAL TEMP TEMPORARY VOLATILE TABLE IF NOT EXISTS"
_BETWEEN = frozenset(_BETWEEN_TEXT.split())
_NAMING = (TokenKind.WORD, TokenKind.QUOTED)
_TYPE = re.compile(r"[A-Za-z_]\w*( [A-Za-z_]\w*)*( ?\( ?\d+( ?, ?\d+)? ?\))?")
"""What may be called a type: it comes out of data, and becomes part of a statement."""


def filled(session: AccountSession, text: str) -> str:
    """Return a CREATE TABLE with the columns of its template; any other text as it is.

    Raises:
        SqlError: the query is refused, or does not answer with an array of columns.
    """
    if "TEMPLATE" not in text.upper():
        return text
    tokens = tokenize(text)
    place = _template(tokens)
    if place is None:
        return text
    using, end = tokens[place], _end_of_name(tokens)
    query = text[tokens[place + 1].end :].strip().rstrip(";").strip()
    if not (query.startswith("(") and query.endswith(")")):
        raise refusals.syntax("syntax error: TEMPLATE is followed by a query in parentheses.")
    columns = ", ".join(_column(one) for one in _told(session, query[1:-1]))
    return f"{text[:end]} ({columns}){text[end : using.start]}"


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


def _told(session: AccountSession, query: str) -> list[Any]:
    outcome = queries.select(session, session.parse_query(query), describe_only=False)
    value = outcome.rows[0][0] if outcome.rows and outcome.rows[0] else None
    told = json.loads(value) if isinstance(value, str) else value
    if not isinstance(told, list) or not told:
        raise refusals.invalid_argument(
            "The query of USING TEMPLATE answers with no column definitions."
        )
    return told


def _column(told: Any) -> str:
    known = told if isinstance(told, dict) else {}
    name, type_ = known.get("COLUMN_NAME"), known.get("TYPE")
    if not isinstance(name, str) or not _TYPE.fullmatch(str(type_)):
        raise refusals.invalid_argument(
            "A column definition of USING TEMPLATE needs COLUMN_NAME and TYPE."
        )
    return f"{quote(name)} {type_}{'' if known.get('NULLABLE', True) else ' NOT NULL'}"
