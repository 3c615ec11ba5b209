"""How a native function refuses: the number and state travel in the text that DuckDB passes on.

Room: embedded. Pure.
"""

from __future__ import annotations

import re

_CARRIED = re.compile(r"RefusalError: \[(\d+) (\w+)\] (.*)", re.S)


class RefusalError(Exception):
    """A value that the function does not take."""

    def __init__(self, errno: int, sqlstate: str, text: str) -> None:
        """Refuse with Snowflake's number, state and words."""
        super().__init__(f"[{errno} {sqlstate}] {text}")


def carried(text: str) -> tuple[int, str, str] | None:
    """Read number, state and words back from DuckDB's message; None for another message."""
    found = _CARRIED.search(text)
    return (int(found[1]), found[2], found[3]) if found else None
