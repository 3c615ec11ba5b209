"""Statements whose objects our parser does not name: by their first words, on the careful side.

Room: sql. What is known to look, to add or to concern the session alone is let through; the rest
counts as grave.
"""

from __future__ import annotations

from itertools import pairwise

from skills_nb.sql.statements import in_one_line

_LOOKING = frozenset(
    {"", "DESC", "DESCRIBE", "EXPLAIN", "LIST", "LS", "SELECT", "SHOW", "VALUES", "WITH"}
)
_SESSION = frozenset({"BEGIN", "COMMIT", "ROLLBACK", "SET", "START", "UNSET", "USE"})
_TOLD_ELSEWHERE = frozenset({"CALL", "COMMENT", "COPY", "EXECUTE", "GET", "PUT", "REMOVE", "RM"})
_ADDING = frozenset({"CREATE", "INSERT"})
_ADDITIONS = frozenset({"CONSTRAINT", "FOREIGN", "PRIMARY", "UNIQUE"})
_UPKEEP = frozenset({"FETCH", "RECLUSTER", "REFRESH"})
_WORDS = {
    "DELETE": "change rows",
    "DROP": "drop something",
    "GRANT": "grant something",
    "INSERT": "change rows",
    "MERGE": "change rows",
    "REVOKE": "revoke something",
    "TRUNCATE": "change rows",
    "UNDROP": "bring something back over what is there",
    "UPDATE": "change rows",
    "ALTER": "change something in a way that is not known here",
    "CREATE": "replace something",
}


def without_names(sql: str, words: list[str]) -> str:
    """Say what a statement does whose objects are not known; empty: nothing grave."""
    head = words[0]
    if head in _LOOKING:
        return "change rows" if head == "WITH" and _writes_rows(words) else ""
    if head in _SESSION or head in _TOLD_ELSEWHERE:
        return ""
    if head == "ALTER":
        return "" if is_calm(words) else _WORDS[head]
    if head in _ADDING and not {"REPLACE", "ALTER", "OVERWRITE"} & set(words[1:3]):
        return ""
    return _WORDS.get(head, "do something that is not known")


def _writes_rows(words: list[str]) -> bool:
    return not {"DELETE", "UPDATE", "MERGE", "OVERWRITE"}.isdisjoint(words)


def is_calm(words: list[str]) -> bool:
    """Tell an ALTER that adds, or that only has the account work on what is there."""
    if words[1] == "SESSION":
        return True
    adds = any(word == "ADD" and after in _ADDITIONS for word, after in pairwise(words))
    return (adds and "DROP" not in words) or not _UPKEEP.isdisjoint(words[-3:])


def shorten(sql: str) -> str:
    """Return a statement in one short line."""
    return in_one_line(sql, 60)
