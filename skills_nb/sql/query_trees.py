"""What the general parser reads of a text, shared by all who only look at it.

Room: sql. One text is looked at from several sides in a row: what it names, whether it only reads,
what it calls, whether it parses at all. A tree weighs a hundred times its text, so few are kept,
and two of a long text. sqlglot loads on first use.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

_SHORT, _LONGEST_KEPT = 10_000, 200_000
"""Characters of a text of whose like many trees are kept, and of the longest kept at all."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the parser made of a text; its trees are to be looked at only."""

    trees: tuple[exp.Expr | None, ...] | None
    """One tree for each statement, None for an empty one; None where the text cannot be read."""
    trouble: str = ""
    """Why it cannot be read, as the parser says."""


def reading_of(sql: str) -> Reading:
    """Return what the general parser makes of a text in Snowflake's dialect."""
    if len(sql) > _LONGEST_KEPT:
        return _read(sql)
    return _short(sql) if len(sql) <= _SHORT else _long(sql)


def _read(sql: str) -> Reading:
    import sqlglot
    from sqlglot.errors import SqlglotError

    logger = logging.getLogger("sqlglot")
    before = logger.disabled
    # What it warns of stands in the tree, as a command that it does not know.
    logger.disabled = True
    try:
        return Reading(tuple(sqlglot.parse(sql, read="snowflake")))
    except SqlglotError as error:
        return Reading(None, str(error))
    except RecursionError:
        return Reading(None, "nested too deeply")
    finally:
        logger.disabled = before


_short = lru_cache(maxsize=32)(_read)
_long = lru_cache(maxsize=2)(_read)
