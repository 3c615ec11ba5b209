"""The one exception of conditions.

Room: sql.
"""

from __future__ import annotations

from skills_nb.errors import UsageError


class ConditionError(UsageError):
    """A condition that cannot be read or evaluated."""
