"""Parents: which row of a query history is the statement itself, and not one that it ran inside.

Room: work (runtime, snowpark). Pure. A query id is one statement's own. A tag is not: what a
procedure or a block runs has the tag of its caller, its own outcome, and no sign of whose child it
is. So of the rows of a tag the one counts that has the statement's text and began first; where none
has, or where two began together and ended differently, nothing is told.
Source: the manual's QUERY_TAG; its QUERY_HISTORY view and table functions, which name no parent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skills_nb.engine.inputs.secrecy import REDACTED, is_told, secrets_in
from skills_nb.sql.classify import may_run_others

Row = Mapping[str, Any]

_LONGEST = 100_000
"""Characters of a text that a history keeps. Source: the manual's QUERY_HISTORY view."""
_STRING = re.compile(r"'(?:[^'\\]|''|\\.)*'", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SoughtStatement:
    """A statement that is looked for."""

    tag: str
    """The query tag that it was sent with."""
    query_id: str | None = None
    """Its own, where the account told it: then nothing else counts."""
    sql: str | None = None
    """Its text, where it is known; secrets may be missing from it."""


def parent(rows: Sequence[Row], sought: SoughtStatement) -> Row | None:
    """Return the row of the statement that is sought; None where it cannot be told."""
    if sought.query_id:
        return next((row for row in rows if row["QUERY_ID"] == sought.query_id), None)
    fitting = [row for row in rows if _is_of(str(row["QUERY_TEXT"] or ""), sought.sql)]
    first = min((row["START_TIME"] for row in fitting), default=None)
    began = [row for row in fitting if row["START_TIME"] == first]
    ends = {str(row["EXECUTION_STATUS"]).upper() for row in began}
    return began[0] if len(ends) == 1 else None


def _is_of(kept: str, sql: str | None) -> bool:
    """Return whether a history's text is a statement's own."""
    if sql is None:
        return True
    ours, theirs = _even(sql), _even(kept)
    if ours == theirs or (len(kept) >= _LONGEST and ours.startswith(theirs)):
        return True
    if REDACTED in sql and is_told(ours, theirs):
        return True
    # Who keeps secrets out of a text changes its literals: here, or in the account.
    may_differ = bool(secrets_in(sql)) or not may_run_others(sql)
    return may_differ and _STRING.sub("''", ours) == _STRING.sub("''", theirs)


def _even(sql: str) -> str:
    return " ".join(sql.split()).rstrip("; ")
