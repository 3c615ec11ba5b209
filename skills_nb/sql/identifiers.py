"""Identifiers as Snowflake reads them: typed text to stored name and back.

Room: sql. A stored name is what Snowflake keeps (`PROD`, `My col`); typed text is what a person
writes (`prod`, `"My col"`). Nothing here guesses: what is not exactly one identifier is refused.
Source: Snowflake manual, "Identifier requirements" and "Reserved & limited keywords".
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from skills_nb.errors import UsageError
from skills_nb.sql.tokens import Token, TokenKind, scan

MAX_LENGTH = 255
MAX_PARTS = 4

_BARE_STORED = re.compile(r"[A-Z_][A-Z0-9_$]*")
_BARE_TYPED = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
_PART = re.compile(r'"(?:[^"\x00]|"")*+"|[A-Za-z_][A-Za-z0-9_$]*')

_RESERVED_WORDS = (
    "ACCOUNT ALL ALTER AND ANY AS BETWEEN BY CASE CAST CHECK COLUMN CONNECT CONNECTION "
    "CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER "
    "DATABASE DELETE DISTINCT DROP ELSE EXISTS FALSE FOLLOWING FOR FROM FULL GRANT GROUP "
    "GSCLUSTER HAVING ILIKE IN INCREMENT INNER INSERT INTERSECT INTO IS ISSUE JOIN LATERAL LEFT "
    "LIKE LOCALTIME LOCALTIMESTAMP MINUS NATURAL NOT NULL OF ON OR ORDER ORGANIZATION QUALIFY "
    "REGEXP REVOKE RIGHT RLIKE ROW ROWS SAMPLE SCHEMA SELECT SET SOME START TABLE TABLESAMPLE "
    "THEN TO TRIGGER TRUE TRY_CAST UNION UNIQUE UPDATE USING VALUES VIEW WHEN WHENEVER WHERE "
    "WITH "
)
RESERVED = frozenset(_RESERVED_WORDS.split())
"""Words that are no names unless quoted."""


class SqlNameError(UsageError):
    """The text is not an identifier, or not one to four of them joined by dots."""


def _checked(part: str) -> str:
    """Return a stored part that Snowflake could hold, or refuse it."""
    if not part or len(part) > MAX_LENGTH or "\x00" in part:
        raise SqlNameError(
            f"{part[:40]!r} cannot be an identifier",
            hint=f"Give 1 to {MAX_LENGTH} characters, none of them NUL.",
        )
    return part


def quote(part: str) -> str:
    """Write one stored name as SQL, in double quotes only where it needs them.

    Raises:
        SqlNameError: the part is empty, too long, or holds a NUL.
    """
    if _BARE_STORED.fullmatch(_checked(part)) and part not in RESERVED:
        return part
    return '"' + part.replace('"', '""') + '"'


def resolve(part: str) -> str:
    """Turn one identifier as typed into the name that Snowflake stores.

    Raises:
        SqlNameError: the text is not exactly one identifier.
    """
    if _BARE_TYPED.fullmatch(part):
        return _checked(part.upper())
    if part.startswith('"') and _PART.fullmatch(part):
        return _checked(part[1:-1].replace('""', '"'))
    raise SqlNameError(
        f"{part[:80]!r} is not an identifier",
        hint="Use letters, digits, _ and $, or put the name in double quotes.",
    )


_PUBLIC_LEFT_OUT = re.compile(r"([\w$\"])\.\.(?=[^\W\d]|\")")
_NAMES = (TokenKind.WORD, TokenKind.QUOTED)


def with_public(sql: str) -> str:
    """Write out the schema that `DATABASE..NAME` leaves out: PUBLIC.

    Two dots in a text, a comment or the path of a file stay as they are.

    Source: Snowflake manual, "Object name resolution" > "Unqualified objects".
    """
    if _PUBLIC_LEFT_OUT.search(sql) is None:
        return sql
    tokens = list(scan(sql))
    made: list[str] = []
    in_path = False
    for i, token in enumerate(tokens):
        made.append(token.text)
        begins = token.text == "@" or token.text.lower() == "file"
        in_path = begins or (in_path and token.kind is not TokenKind.SPACE)
        if token.text == "." and _leaves_public_out(tokens, i, in_path=in_path):
            made.append("PUBLIC")
    return "".join(made)


def _leaves_public_out(tokens: list[Token], dot: int, *, in_path: bool) -> bool:
    """Tell the first of two dots between a whole name and another."""
    around = tokens[dot - 1 : dot + 3]
    if dot == 0 or len(around) < 4 or around[2].text != ".":
        return False
    before = tokens[dot - 2].text if dot > 1 else ""
    if before == "." or (in_path and before != "@"):
        return False
    return around[0].kind in _NAMES and around[3].kind in _NAMES


def split_name(text: str) -> tuple[str, ...]:
    """Split a dotted name as typed into stored parts, database first.

    Raises:
        SqlNameError: the text is anything but one to four identifiers joined by dots.
    """
    parts: list[str] = []
    position = 0
    while (part := _PART.match(text, position)) is not None:
        parts.append(resolve(part.group()))
        position = part.end()
        if position == len(text) and len(parts) <= MAX_PARTS:
            return tuple(parts)
        if text[position : position + 1] != ".":
            break
        position += 1
    raise SqlNameError(
        f"{text[:80]!r} is not a name",
        hint='Write it like DATABASE.SCHEMA.TABLE, odd parts in double quotes: PROD."My S".T.',
    )


def render_name(parts: Iterable[str]) -> str:
    """Write stored parts as one dotted SQL name."""
    return ".".join(quote(part) for part in parts)


def in_capitals(sql: str) -> str:
    """Write quoted identifiers in capitals, as QUOTED_IDENTIFIERS_IGNORE_CASE reads them.

    Source: Snowflake manual, "Identifier requirements".
    """
    if '"' not in sql:
        return sql
    return "".join(
        token.text.upper() if token.kind is TokenKind.QUOTED else token.text for token in scan(sql)
    )
