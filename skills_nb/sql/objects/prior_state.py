"""What stood before a statement, as its probes found it.

Room: sql.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skills_nb.sql.identifiers import render_name, resolve
from skills_nb.sql.objects.object_refs import ObjectRef

_NOTHING = frozenset({"", "null"})


@dataclass(frozen=True, slots=True)
class Before:
    """What was known of one object."""

    exists: bool | None
    """None: it could not be told, or nobody looked."""
    ddl: str | None
    """The statement that would make it anew."""
    value: str | None
    """The one value that was asked for: a tag's, a policy's name."""
    rows: Sequence[Mapping[str, Any]]
    """The probe's rows, keyed by column."""
    was_probed: bool
    """Whether anybody looked at all."""
    grants: Sequence[Mapping[str, Any]] = ()
    """Who could use it, one row a privilege."""
    hanging: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """What else hung on it, by the query that tells it: tags, policies, ...."""
    role: str | None = None
    """As whom it would be made anew."""

    @property
    def is_unknown(self) -> bool:
        """Whether somebody looked and could not tell."""
        return self.was_probed and self.exists is None and not self.rows and self.value is None

    def cell(self, column: str) -> str | None:
        """Return a cell of the first row by case-insensitive column name; None for nothing."""
        return cell_of(self.rows[0], column) if self.rows else None


def cell_of(row: Mapping[str, Any], column: str) -> str | None:
    """Return a row's cell as text; None where it is missing, NULL or empty."""
    for key, value in row.items():
        if str(key).strip('"').lower() == column.lower():
            return None if value is None or str(value).lower() in _NOTHING else str(value)
    return None


class Prior:
    """What was known of every object, by its qualified name."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        """Take the mapping that `compensation_of` describes."""
        self.facts = facts

    def of(self, ref: ObjectRef) -> Before:
        """Return what was known of one object."""
        found = self.facts.get(ref.fqn)
        if found is None:
            return Before(None, None, None, (), False)
        return Before(
            found.get("exists"),
            found.get("ddl"),
            found.get("value"),
            found.get("rows") or (),
            True,
            found.get("grants") or (),
            found.get("hanging") or {},
            found.get("role"),
        )


def policy_of(row: Mapping[str, Any]) -> str | None:
    """Return the policy of a POLICY_REFERENCES row as SQL."""
    parts = [cell_of(row, column) for column in ("policy_db", "policy_schema", "policy_name")]
    return render_name([part for part in parts if part]) if parts[-1] else None


def columns_of(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the argument columns of a POLICY_REFERENCES row, stored."""
    text = cell_of(row, "ref_arg_column_names")
    if text is None:
        return ()
    try:
        return tuple(str(name) for name in json.loads(text))
    except ValueError:
        return tuple(resolve(name.strip()) for name in text.strip("[] ").split(",") if name.strip())
