"""CREATE SEMANTIC VIEW and its parts.

Room: sql. Expressions stay source text; names are stored names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from skills_nb.sql.governance.ast.creates import Create
from skills_nb.sql.governance.ast.values import Name


@dataclass(frozen=True, slots=True)
class SemanticTable:
    """One logical table."""

    alias: str
    name: Name
    """The table or view it stands for."""
    primary_key: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    synonyms: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class SemanticRelationship:
    """`name AS table (columns) REFERENCES other [(columns)]`: many rows to one."""

    name: str
    table: str
    columns: tuple[str, ...]
    referenced: str
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
    expression: str
    synonyms: tuple[str, ...] = ()
    comment: str = ""
    private: bool = False
    type: str = ""
    """The SQL type of its values; empty before the account has found it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateSemanticView(Create):
    """`CREATE SEMANTIC VIEW`; `AI_SQL_GENERATION` and its kin are in `properties`."""

    kind: ClassVar[str] = "SEMANTIC VIEW"
    tables: tuple[SemanticTable, ...]
    relationships: tuple[SemanticRelationship, ...] = ()
    members: tuple[SemanticMember, ...] = ()
    """Facts, then dimensions, then metrics, in written order."""
    copy_grants: bool = False
