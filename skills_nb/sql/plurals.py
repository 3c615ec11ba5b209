"""Types of objects in the plural.

Room: sql.
"""

from __future__ import annotations


def plural_of(noun: str) -> str:
    """Return a type's plural in its own case: `masking_policies`, `CLASSES`, `tables`."""
    is_upper = noun[-1:].isupper()
    lowered = noun.lower()
    if lowered.endswith("y") and lowered[-2:-1] not in "aeiou":
        return noun[:-1] + ("IES" if is_upper else "ies")
    ending = "es" if lowered.endswith("s") else "s"
    return noun + (ending.upper() if is_upper else ending)
