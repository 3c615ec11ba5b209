"""References to objects, and the changes of them.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from skills_nb.sql.identifiers import render_name

Name = tuple[str, ...]
"""Stored parts, database first."""

Action = Literal["create", "alter", "drop", "grant", "revoke", "write"]

_ACCOUNT_KINDS = frozenset(
    {
        "ACCOUNT",
        "APPLICATION",
        "APPLICATION PACKAGE",
        "COMPUTE POOL",
        "CONNECTION",
        "DATABASE",
        "EXTERNAL VOLUME",
        "FAILOVER GROUP",
        "INTEGRATION",
        "LISTING",
        "NETWORK POLICY",
        "REPLICATION GROUP",
        "RESOURCE MONITOR",
        "ROLE",
        "SHARE",
        "USER",
        "WAREHOUSE",
    }
)
_DATABASE_KINDS = frozenset({"SCHEMA", "DATABASE ROLE"})


@dataclass(frozen=True, slots=True)
class ObjectRef:
    """One object of the account, or one facet of it."""

    type: str
    """Snake case: `masking_policy`, `table`, `column`, …."""
    name: Name
    """Stored parts, as far qualified as is known; a column's name ends in the column."""
    facet: str = ""
    """What about it, where it is not its being there: `tag DB.S.PII`, `row access policy`, …."""
    container: Literal["TABLE", "VIEW"] = "TABLE"
    """What a column belongs to."""
    arguments: tuple[str, ...] | None = None
    """Argument types of a function or procedure."""

    @property
    def fqn(self) -> str:
        """Return the name as SQL text, arguments and facet behind it; unique in a statement."""
        name = "ACCOUNT" if self.type == "account" else render_name(self.name)
        arguments = f"({', '.join(self.arguments)})" if self.arguments is not None else ""
        return name + arguments + (f" ({self.facet})" if self.facet else "")

    @property
    def kind(self) -> str:
        """Return the type as SQL writes it."""
        return self.type.upper().replace("_", " ")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a statement does to one object."""

    action: Action
    target: ObjectRef
    replaces: bool = False
    """CREATE OR REPLACE: what stood there before is gone."""
    if_not_exists: bool = False
    detail: Mapping[str, str] | None = None
    """Words for people: `policy`, `value`, `privileges`, `grantee`, …; never a secret."""


@dataclass(frozen=True, slots=True)
class Place:
    """The current database and schema, for names that are not qualified."""

    database: str | None
    schema: str | None

    def ref(
        self,
        kind: str,
        name: Name,
        facet: str = "",
        arguments: tuple[str, ...] | None = None,
    ) -> ObjectRef:
        """Make the reference to an object of a kind as SQL writes it."""
        plain = "INTEGRATION" if kind.endswith("INTEGRATION") else kind
        types = tuple(type_.upper() for type_ in arguments) if arguments is not None else None
        return ObjectRef(
            plain.lower().replace(" ", "_"),
            self.qualified(plain, name),
            facet=facet,
            arguments=types,
        )

    def column(self, kind: str, table: Name, column: str, facet: str = "") -> ObjectRef:
        """Make the reference to a column of a table or view."""
        container: Literal["TABLE", "VIEW"] = "VIEW" if kind.endswith("VIEW") else "TABLE"
        name = (*self.qualified(kind, table), column)
        return ObjectRef("column", name, facet, container)

    def qualified(self, kind: str, name: Name) -> Name:
        """Return the name with the current database and schema before it where they lack."""
        if kind in _ACCOUNT_KINDS or not name:
            return name or ("ACCOUNT",)
        prefix = (self.database,) if kind in _DATABASE_KINDS else (self.database, self.schema)
        missing = len(prefix) + 1 - len(name)
        known = prefix[:missing] if missing > 0 else ()
        return name if None in known else (*(part for part in known if part), *name)
