"""What happened to a table that somebody wants back: it was dropped, or its rows were damaged.

Room: laws. The account tells it where only one of both can be.
Spec: Principles > Factual over advisory.
"""

from __future__ import annotations

import re
from typing import Literal

from skills_nb.model.state import Fact
from skills_nb.sql.objects.probes import like_pattern
from skills_nb.sql.templates import Name
from skills_nb.sql.tokens import literal

_UNDROP = re.compile(r"\b(?:undrop|undelete)\b", re.IGNORECASE)
_WHOLE = 3


def loss_query(table: Name) -> str | None:
    """Return the query that counts the tables of a name that stand and that were dropped.

    None for what is no table in full: schemas and databases are not looked at.
    """
    if len(table.parts) != _WHOLE:
        return None
    schema, name = Name(table.parts[:2]), table.parts[2]
    return (
        f"SHOW TABLES HISTORY LIKE {like_pattern(name)} IN SCHEMA {schema.fqn} ->> SELECT "
        'COUNT_IF("dropped_on" IS NULL) AS STANDING, COUNT_IF("dropped_on" IS NOT NULL) AS DROPPED '
        f'FROM $1 WHERE "name" = {literal(name)}'
    )


def loss_seen(goal: str, found: Fact) -> Literal["dropped", "damaged"] | None:
    """Return what happened by what the account shows; None where either may have."""
    if _UNDROP.search(goal) is not None:
        return "dropped"
    row = found.rows[0] if found.error is None and found.rows else {}
    standing, dropped = (int(row.get(part) or 0) for part in ("STANDING", "DROPPED"))
    if bool(standing) == bool(dropped):
        return None
    return "dropped" if dropped else "damaged"
