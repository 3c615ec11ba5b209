"""Asking an account for a twin: what the role may not see is not there.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skills_nb.errors import SqlError
from skills_nb.ports import SqlReader
from skills_nb.sql.tokens import literal

_ALL = 1_000_000
"""Rows of one answer: a twin of a part would foretell what does not happen."""


def shown(reader: SqlReader, sql: str) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of what the role may see; nothing where it may not look."""
    try:
        found = reader.query(sql, limit=_ALL)
    except SqlError as problem:
        if problem.sqlstate is None:
            # Not the account's refusal, but the way to it.
            raise
        return
    for row in found.rows:
        yield dict(zip(found.columns, row, strict=True))


def commented(row: Mapping[str, Any]) -> str:
    """Return the clause that gives an object its comment again."""
    comment = row.get("comment")
    return f" COMMENT = {literal(str(comment))}" if comment else ""


def is_true(value: Any) -> bool:
    """Return whether SHOW says yes, be it as a word or as a value."""
    return str(value).lower() in ("true", "y", "yes")
