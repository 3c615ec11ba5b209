"""How messages begin, and names in them.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.errors import SqlError

COMPILATION = "SQL compilation error:\n"
ACCESS = "SQL access control error:\n"


def compilation(text: str, errno: int, sqlstate: str) -> SqlError:
    """Make an error that is met before anything runs."""
    return SqlError(COMPILATION + text, errno=errno, sqlstate=sqlstate)


def dotted(path: tuple[str, ...]) -> str:
    """Write stored name parts the way Snowflake prints them in messages."""
    return ".".join(path)
