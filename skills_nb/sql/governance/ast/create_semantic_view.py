"""CREATE SEMANTIC VIEW and its parts.

Room: sql. Expressions stay source text; names are stored names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from skills_nb.sql.governance.ast.clause_values import Name
from skills_nb.sql.governance.ast.create_statements import Create


@dataclass(frozen=True, slots=True)
class SemanticTable:
    """One logical table."""

    alias: str
    """What its members go by; the last part of `name` where no alias was written."""
    name: Name
    """The table or view it stands for."""
    primary_key: tuple[str, ...] = ()
    """Stored names of columns; empty where none was declared."""
    unique: tuple[tuple[str, ...], ...] = ()
    """The columns of each UNIQUE clause."""
    synonyms: tuple[str, ...] = ()
    """Other words for it, for who asks in plain language."""
    comment: str = ""
    """The text of COMMENT; empty where there is none."""


@dataclass(frozen=True, slots=True)
class SemanticRelationship:
    """`name AS table (columns) REFERENCES other [(columns)]`: many rows to one."""

    name: str
    table: str
    columns: tuple[str, ...]
    referenced: str
    """Alias of the logical table on the side of one."""
    referenced_columns: tuple[str, ...] = ()
    """Empty for the primary key."""


@dataclass(frozen=True, slots=True)
class SemanticMember:
    """A fact, dimension or metric."""

    kind: str
    """`FACT`, `DIMENSION` or `METRIC`."""
    table: str
    """Empty for a metric of the view itself."""
    name: str
    """Its stored name, without the table's."""
    expression: str
    """Source text behind AS, over the columns and members of its table."""
    synonyms: tuple[str, ...] = ()
    """Other words for it, for who asks in plain language."""
    comment: str = ""
    """The text of COMMENT; empty where there is none."""
    private: bool = False
    """Whether only other members may use it, never a query."""
    type: str = ""
    """The SQL type of its values; empty before the account has found it."""


@dataclass(frozen=True, slots=True)
class VerifiedQuery:
    """`name AS (QUESTION '…' … SQL '…')`: a question, and the query that is known to answer it."""

    name: str
    """Its stored name."""
    properties: tuple[tuple[str, str], ...]
    """QUESTION, VERIFIED_AT, ONBOARDING_QUESTION, VERIFIED_BY and SQL, those that were written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateSemanticView(Create):
    """`CREATE SEMANTIC VIEW`; `AI_SQL_GENERATION` and its kin are in `properties`."""

    kind: ClassVar[str] = "SEMANTIC VIEW"
    tables: tuple[SemanticTable, ...]
    """Its logical tables in written order, at least one."""
    relationships: tuple[SemanticRelationship, ...] = ()
    """How its tables are joined; empty where no two of them are."""
    members: tuple[SemanticMember, ...] = ()
    """Facts, then dimensions, then metrics, in written order."""
    verified: tuple[VerifiedQuery, ...] = ()
    """Its verified queries in written order."""
    copy_grants: bool = False
    """Whether it keeps the privileges of the view that it replaces."""
