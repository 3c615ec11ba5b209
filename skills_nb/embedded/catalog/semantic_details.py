"""Detail of a semantic view.

Room: embedded. Pure. Its parts are those that the statement is read into.
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.sql.governance.ast.create_semantic_view import (
    SemanticMember,
    SemanticRelationship,
    SemanticTable,
    VerifiedQuery,
)


@dataclass(frozen=True, slots=True)
class SemanticDetail:
    """A semantic view: logical tables, how they relate, and what they say."""

    tables: tuple[SemanticTable, ...]
    """Their names are full ones."""
    relationships: tuple[SemanticRelationship, ...]
    """Each with the referenced columns spelled out."""
    members: tuple[SemanticMember, ...]
    """Facts, then dimensions, then metrics, in written order."""
    instructions: str = "{}"
    """JSON of AI_SQL_GENERATION and its kin, for whoever reads the definition."""
    verified: tuple[VerifiedQuery, ...] = ()
    """Questions with the queries that answer them, in written order; nothing here runs them."""
