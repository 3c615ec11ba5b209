"""What became of the transaction that a statement was sent in.

Room: laws. Inside of a transaction the account keeps no moment before each statement, so its rows
are not compared with what stood there: that would take the thread's own work for somebody else's.
Source: Snowflake manual, "Transactions" (DDL commits what is open).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from skills_nb.model.state import StatementRecord, ThreadState
from skills_nb.sql.tokens import tokenize

Ending = Literal["committed", "rolled back", "open"]
_DDL = frozenset({"ALTER", "COMMENT", "CREATE", "DROP", "GRANT", "REVOKE", "UNDROP"})
_BEGINNINGS = (
    ("BEGIN",),
    ("BEGIN", "WORK"),
    ("BEGIN", "TRANSACTION"),
    ("START", "TRANSACTION"),
    ("BEGIN", "NAME"),
    ("BEGIN", "WORK", "NAME"),
    ("BEGIN", "TRANSACTION", "NAME"),
    ("START", "TRANSACTION", "NAME"),
)


def transaction_of(state: ThreadState, record: StatementRecord) -> Ending | None:
    """Return how the transaction ended that a statement was sent in; None where it was in none."""
    mine = [r for r in state.statements if r.run_seq == record.run_seq and r.status == "completed"]
    before = (_turn(r.sql) for r in reversed(mine) if r.seq < record.seq)
    if _first(before) != "begin":
        return None
    match _first(_turn(r.sql) for r in mine if r.seq > record.seq):
        case "rollback":
            return "rolled back"
        case "commit":
            return "committed"
        case _:
            return "open"


def _first(turns: Iterable[str]) -> str:
    return next((turn for turn in turns if turn), "")


def steers_transaction(sql: str) -> bool:
    """Return whether a statement begins or ends a transaction and does nothing else."""
    return bool(_turn(sql)) and _words(sql)[0] not in _DDL


@lru_cache(maxsize=4096)
def _turn(sql: str) -> str:
    """Return what a statement does to a transaction: `begin`, `commit`, `rollback` or nothing."""
    words = _words(sql)
    if words[:1] in (("COMMIT",), ("ROLLBACK",)):
        return words[0].lower()
    if words and words[0] in _DDL:
        return "commit"
    is_named = words[-2:-1] == ("NAME",) and words[:-1] in _BEGINNINGS
    return "begin" if is_named or words in _BEGINNINGS else ""


def _words(sql: str) -> tuple[str, ...]:
    return tuple(token.word for token in tokenize(sql)[:6] if token.word)
