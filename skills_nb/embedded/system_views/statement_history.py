"""Histories: the statements that are kept, and their hashes.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/account-usage/query_history
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import EVERY, DuckSql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.history import HISTORY_COLUMNS
from skills_nb.sql.tokens import TokenKind, tokenize

if TYPE_CHECKING:
    pass


def stored(
    session: Context,
    where: DuckSql = EVERY,
    values: list[Any] | None = None,
    limit: int | None = None,
) -> list[dict[str, Any]]:
    """Read history rows, latest first; none where only their columns matter."""
    if session.statement.only_columns:
        return []
    names = list(HISTORY_COLUMNS)
    rest = duck_sql.of("WHERE {where} ORDER BY start_time DESC, query_id", where=where)
    if limit:
        rest = duck_sql.of("{rest} LIMIT {limit}", rest=rest, limit=limit)
    rows = session.account.store.history(session.cursor, names, rest, values or [])
    return [dict(zip(names, row, strict=True)) for row in rows]


def refuse_routines(session: Context, function: str) -> None:
    """Keep what a user did from procedures that run with their owner's rights.

    Raises:
        SqlError: such a procedure runs (90236).

    See https://docs.snowflake.com/en/release-notes/2026/10_3
    """
    if session.frame.routine:
        raise errors.not_of_owners(function)


@lru_cache(maxsize=16_384)
def hashes(text: str) -> tuple[str, str]:
    """Return the hash of a statement, and that of it with any constants in place of its own.

    Blanks and comments do not count, so that a statement which is sent again is known again.

    See https://docs.snowflake.com/en/user-guide/query-hash
    """
    tokens = tokenize(text)
    constants = (TokenKind.STRING, TokenKind.NUMBER, TokenKind.DOLLAR)
    plain = " ".join(token.text for token in tokens)
    open_ = " ".join("?" if token.kind in constants else token.text for token in tokens)
    return _digest(plain), _digest(open_)


def _digest(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
