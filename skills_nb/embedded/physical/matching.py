"""Matching: users' regular expressions over texts that are no rows, such as names of files.

Room: embedded. Python's own would take for ever for `(a+)+b`, and nobody could end it; DuckDB's
take a time that grows with the text, as Snowflake's do.

See https://github.com/google/re2/wiki/Syntax
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from skills_nb.embedded.errors import invalid_argument
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.connection import Connection

_PLAIN = duck_sql.of("SELECT list_transform(?::VARCHAR[], LAMBDA t: regexp_full_match(t, ?))")
_ANY_CASE = duck_sql.of(
    "SELECT list_transform(?::VARCHAR[], LAMBDA t: regexp_full_match(t, ?, 'i'))"
)


def matched(
    connection: Connection, pattern: str, texts: Sequence[str], *, any_case: bool = False
) -> frozenset[str]:
    """Return those texts that a pattern matches as a whole.

    Args:
        connection: to the database; what it does stays untouched.
        pattern: without looking around and without references back.
        texts: in any order.
        any_case: whether case does not matter.

    Raises:
        SqlError: the pattern is no regular expression (1014).
    """
    aside = connection.cursor()
    shown = [text.encode(errors="replace").decode() for text in texts]
    try:
        answer = aside.execute(_ANY_CASE if any_case else _PLAIN, [shown, pattern]).fetchone()
    except duckdb.Error as error:
        said = str(error).partition(": ")[2] or str(error)
        raise invalid_argument(f"Invalid regular expression: '{pattern}', {said}") from error
    finally:
        aside.close()
    found = answer[0] if answer else []
    return frozenset(text for text, fits in zip(texts, found, strict=True) if fits)
