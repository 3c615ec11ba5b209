"""What classifying says: a kind, or that nobody can tell.

Room: sql. Light, since much of the package names kinds and little of it classifies.
"""

from __future__ import annotations

from enum import StrEnum

from skills_nb.errors import UsageError


class Kind(StrEnum):
    """How a statement may be repeated."""

    READ = "read"
    """Changes nothing."""
    REPEATABLE = "repeatable"
    """Leaves the same behind whether it runs once or twice."""
    ONCE = "once"
    """Anything else, and whatever cannot be read."""


class DynamicSqlError(UsageError):
    """A statement runs SQL whose text is made at run time, so that no plan can show it."""
