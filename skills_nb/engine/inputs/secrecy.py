"""Secrets: what stands for them on a thread, and how SQL is told apart without them.

Room: laws. Rules of this file:
- The value of a secret input is never part of a state; templates see a stand-in, which is replaced
  just before a statement is sent.
- What a store took out of an event is not known any more: recorded SQL that has a gap is compared
  around it, and is never sent.
Source: FORMATS, Threads (secrets never reach a thread).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from skills_nb.sql.tokens import literal

REDACTED = "«redacted»"
"""What stands on a thread where something was taken out."""

_STAND_IN = re.compile(r"'«secret:(\w+)»'")
_ANY_STAND_IN = re.compile(r"«secret:(\w+)»")


def stand_in(name: str) -> str:
    """Return what templates see of a secret input."""
    return f"«secret:{name}»"


def secrets_in(sql: str) -> tuple[str, ...]:
    """Return the names of the secret inputs that a text needs, each once, in order."""
    return tuple(dict.fromkeys(_ANY_STAND_IN.findall(sql)))


def fill_secrets(sql: str, secrets: Mapping[str, str]) -> str:
    """Return a statement with its secrets in place, as string literals.

    Args:
        sql: the statement as the thread knows it.
        secrets: a value for each of `secrets_in(sql)`.
    """
    return _STAND_IN.sub(lambda found: literal(secrets[found[1]]), sql)


def is_fit_to_send(sql: str) -> bool:
    """Return whether a statement has no gap, and no secret but as a value of its own."""
    return REDACTED not in sql and not _ANY_STAND_IN.search(_STAND_IN.sub("", sql))


def is_told(recorded: str, planned: str) -> bool:
    """Return whether recorded SQL is the planned one, whatever was taken out of the record."""
    if REDACTED not in recorded:
        return recorded == planned
    return _around_gaps(recorded).fullmatch(planned) is not None


@lru_cache(maxsize=1024)
def _around_gaps(recorded: str) -> re.Pattern[str]:
    parts = (re.escape(part) for part in recorded.split(REDACTED))
    return re.compile(".*?".join(parts), re.DOTALL)
