"""Whether a statement runs others, each with an outcome of its own.

Room: sql. A guess by the first word, on the careful side: a procedure, a block or a task may have
done a part of its work when it fails, and the account's history tells of each part.
"""

from __future__ import annotations

from skills_nb.sql.tokens import tokenize

_CHILDLESS = frozenset(
    {"ALTER", "COMMENT", "COPY", "CREATE", "DELETE", "DESC", "DESCRIBE", "DROP", "GRANT"}
    | {"INSERT", "MERGE", "REVOKE", "SET", "SHOW", "TRUNCATE", "UNDROP", "UNSET", "UPDATE", "USE"}
)


def may_run_others(sql: str) -> bool:
    """Return whether a statement may run others inside."""
    return next((token.word for token in tokenize(sql)), "") not in _CHILDLESS
