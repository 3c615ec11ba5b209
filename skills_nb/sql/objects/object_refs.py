"""References to objects, and the changes of them.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from skills_nb.sql.identifiers import render_name

Name = tuple[str, ...]
"""Stored parts, database first."""

Action = Literal["create", "alter", "drop", "grant", "revoke", "write"]

ACCOUNT_KINDS = frozenset(
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
DATABASE_KINDS = frozenset({"SCHEMA", "DATABASE ROLE"})


def signature_of(arguments: Sequence[str] | None) -> str:
    """Return argument types in brackets, as SQL; empty where nothing is called."""
    return "" if arguments is None else f"({', '.join(arguments)})"


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
        return name + self.signature + (f" ({self.facet})" if self.facet else "")

    @property
    def signature(self) -> str:
        """Return the argument types in brackets, as SQL; empty for what takes none."""
        return signature_of(self.arguments)

    @property
    def kind(self) -> str:
        """Return the type as SQL writes it."""
        return self.type.upper().replace("_", " ")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a statement does to one object."""

    action: Action
    """What becomes of the object."""
    target: ObjectRef
    """The object, or the facet of it that changes."""
    replaces: bool = False
    """CREATE OR REPLACE: what stood there before is gone."""
    if_not_exists: bool = False
    """Whether an object that is there already stays as it is."""
    detail: Mapping[str, str] | None = None
    """Words for people: `policy`, `value`, `privileges`, `grantee`, …; never a secret."""


@dataclass(frozen=True, slots=True)
class Touch:
    """One object, or one facet of it, that a statement touches."""

    ref: ObjectRef
    """The object or facet; more than one touch may name it."""
    is_made: bool = False
    """Whether the statement made the object, so that it would be dropped to take it back."""
    is_written: bool = False
    """Whether the statement changes rows."""
    is_swapped: bool = False
    """Whether the statement gave its name to another table, rows and all."""
    is_named: bool = False
    """Whether the statement gave a column its name, be it a new one or not."""


@dataclass(frozen=True, slots=True)
class AttachmentQuery:
    """A query for one way to hang something on an object, or to put something into it."""

    query: str
    """A read-only statement; what it answers is compared with an earlier answer."""
    said: str
    """What another session did where the answer is another one; empty for grants."""


@dataclass(frozen=True, slots=True)
class Place:
    """The current database and schema, for names that are not qualified."""

    database: str | None
    """Its stored name; None where the session has none."""
    schema: str | None
    """Its stored name; None where the session has none."""

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
        if kind in ACCOUNT_KINDS or not name:
            return name or ("ACCOUNT",)
        prefix = (self.database,) if kind in DATABASE_KINDS else (self.database, self.schema)
        missing = len(prefix) + 1 - len(name)
        known = prefix[:missing] if missing > 0 else ()
        return name if None in known else (*(part for part in known if part), *name)


def destination(old: Name, new: Name) -> Name:
    """Return the full name that a rename or swap leads to: what it leaves out stays the same."""
    return (*old[: len(old) - len(new)], *new) if len(new) < len(old) else new
