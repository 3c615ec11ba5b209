"""Refusals about semantic views.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.embedded.errors.words import compilation
from skills_nb.errors import SqlError


def unrelated_dimension(dimension: str, other: str) -> SqlError:
    """Say that a dimension is of a table that the metric's rows do not lead to."""
    return compilation(
        f"Invalid dimension specified: The dimension entity '{dimension}' must be related to and "
        "have an equal or lower level of granularity compared to the base metric or dimension "
        f"entity '{other}'.",
        10234,
        "42601",
    )


def invalid_view(why: str) -> SqlError:
    """Say that the definition breaks a rule."""
    return compilation(f"Invalid semantic view definition: {why}", 10218, "42601")
