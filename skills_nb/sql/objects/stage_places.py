"""Which named stage a statement writes files into, or takes some out of.

Room: sql. Stages of users and tables are nobody's objects: they come and go with their owners.
"""

from __future__ import annotations

import re

from skills_nb.sql.identifiers import SqlNameError, split_name
from skills_nb.sql.tokens import TokenKind, scan

_PART = r'(?:"(?:[^"]|"")*"|[A-Za-z_][\w$]*)'
_WRITES = re.compile(
    rf"\s*(?:COPY\s+INTO|REMOVE|RM)\s+(?P<quote>')?@(?P<name>{_PART}(?:\.{_PART})*)(?=[/'\s;]|$)",
    re.I,
)


def stage_written(sql: str) -> tuple[str, ...] | None:
    """Return the stored parts of the stage whose files a statement changes; None for others."""
    plain = "".join(" " if t.kind is TokenKind.COMMENT else t.text for t in scan(sql))
    found = _WRITES.match(plain)
    if found is None:
        return None
    name = found["name"].replace("''", "'") if found["quote"] else found["name"]
    try:
        return split_name(name)
    except SqlNameError:
        return None
