"""Which statements take as long as the data is large.

Room: sql. A guess by the leading words, for callers that want to know a statement's query id while
it runs; nothing depends on it but when that id is learned.
"""

from __future__ import annotations

from skills_nb.sql.tokens import tokenize

_HEADS = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE", "COPY", "CALL", "DECLARE"})
_OF_TRANSACTIONS = frozenset({"", "TRANSACTION", "WORK", "NAME", ";"})
"""What follows BEGIN where it begins no block."""


def may_take_long(sql: str) -> bool:
    """Return whether a statement writes rows, or runs code that may."""
    words = [token.word for token in tokenize(sql)]
    head = words[0] if words else ""
    if head == "CREATE":
        return "TABLE" in words[1:6] and "SELECT" in words
    if head == "BEGIN":
        return "".join(words[1:2]) not in _OF_TRANSACTIONS
    if head == "WITH":
        return "PROCEDURE" in words and "CALL" in words
    return head in _HEADS or words[:2] == ["EXECUTE", "IMMEDIATE"]
