"""Locations: `@db.schema.stage/path`, `@%table/path` and `@~/path`.

Room: embedded. Pure.

See https://docs.snowflake.com/en/user-guide/data-load-local-file-system-create-stage
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from skills_nb.embedded import errors
from skills_nb.sql.identifiers import SqlNameError, resolve
from skills_nb.sql.tokens import unescape

_PART = r'(?:"(?:[^"]|"")*"|[\w$]+)'
_SHAPE = re.compile(
    rf"@(?:(?P<user>~)|(?P<before>(?:{_PART}\.)*)(?P<table>%)?(?P<last>{_PART}))(?P<path>/.*)?",
    re.S,
)
_WRITTEN = re.compile(
    r"""\s*(?:'(?P<quoted>(?:[^'\\]|''|\\.)*)'|(?P<bare>@(?:"(?:[^"]|"")*"|[^\s"(),;])+))""", re.S
)
_PARTS = re.compile(_PART)


@dataclass(frozen=True, slots=True)
class Location:
    """A stage, and a path within it."""

    kind: Literal["NAMED", "TABLE", "USER"]
    """`@stage`, `@%table` or `@~`."""
    name: tuple[str, ...]
    """Stored parts as written; empty for the user's stage."""
    path: str
    """Prefix of file names, without a leading slash."""


def is_location(text: str) -> bool:
    """Tell whether a text names a place in a stage."""
    return text.startswith("@")


def read(text: str) -> Location:
    """Read a location.

    Raises:
        SqlError: it is none (1003), lies outside of the account (0A000), or leads out of its stage
            (1008).
    """
    if re.match(r"(?i)(s3|gcs|azure|https)://", text):
        raise errors.unsupported("external locations")
    if re.match(r"(?i)snow://", text):
        raise errors.unsupported("files of versioned objects")
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise errors.syntax(f"syntax error: invalid stage location '{text}'.")
    path = checked_path((found["path"] or "").lstrip("/"))
    if found["user"]:
        return Location("USER", (), path)
    try:
        name = tuple(resolve(part) for part in (*_PARTS.findall(found["before"]), found["last"]))
    except SqlNameError as error:
        raise errors.syntax(f"syntax error: invalid stage location '{text}'.") from error
    return Location("TABLE" if found["table"] else "NAMED", name, path)


def checked_path(path: str) -> str:
    """Return a path that stays within its stage.

    Raises:
        SqlError: a part of it leads elsewhere (1008).
    """
    parts = path.split("/")
    if "\0" in path or "\\" in path or any(part in (".", "..") for part in parts):
        raise errors.invalid_value(path, "path")
    return "/".join(p for i, p in enumerate(parts) if p or i == len(parts) - 1)


def take(text: str) -> tuple[Location, str]:
    """Read a location at the beginning of a text; return it and what follows.

    Raises:
        SqlError: the text does not begin with a location (1003).
    """
    found = _WRITTEN.match(text)
    if found is None:
        first = text.split(None, 1)[0] if text.strip() else ""
        raise errors.syntax(f"syntax error: a stage location is expected, unexpected '{first}'.")
    written = unescape(found["quoted"]) if found["quoted"] is not None else found["bare"]
    return read(written), text[found.end() :]
