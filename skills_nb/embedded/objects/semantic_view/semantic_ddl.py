"""Written: semantic views.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-semantic-view
"""

from __future__ import annotations

import json

from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.catalog.semantic_details import SemanticDetail
from skills_nb.embedded.objects.ddl_words import names, written_name
from skills_nb.embedded.objects.semantic_view.semantic_members import detail_of
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance.ast.create_semantic_view import (
    SemanticMember,
    SemanticRelationship,
    VerifiedQuery,
)
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.tokens import literal

_BARE = ("VERIFIED_AT", "ONBOARDING_QUESTION")
_CLAUSES = (("FACT", "facts"), ("DIMENSION", "dimensions"), ("METRIC", "metrics"))


def ddl(session: Context, entity: Entity, qualified: bool) -> str:
    """Return the statement that makes a semantic view again."""
    detail, name = detail_of(entity), written_name(entity, qualified=qualified)
    parts = [f"create or replace semantic view {name}", _block("tables", _tables(detail))]
    if detail.relationships:
        parts.append(_block("relationships", [_step(s) for s in detail.relationships]))
    for kind, clause in _CLAUSES:
        listed = [_member(m) for m in detail.members if m.kind == kind]
        if listed:
            parts.append(_block(clause, listed))
    if entity.comment:
        parts.append(f"\tcomment={literal(entity.comment)}")
    for key, text in json.loads(detail.instructions).items():
        parts.append(f"\t{key.lower()} {literal(text)}")
    if detail.verified:
        parts.append(_block("ai_verified_queries", [_verified(q) for q in detail.verified]))
    return "\n".join(parts)


def _verified(query: VerifiedQuery) -> str:
    said = [
        f"{key.lower()} {value if key in _BARE else literal(value)}"
        for key, value in query.properties
    ]
    return f"{quote(query.name)} as ({' '.join(said)})"


def _block(word: str, items: list[str]) -> str:
    return f"\t{word} (\n\t\t" + ",\n\t\t".join(items) + "\n\t)"


def _tables(detail: SemanticDetail) -> list[str]:
    made = []
    for table in detail.tables:
        words = [f"{quote(table.alias)} as {render_name(table.name)}"]
        if table.primary_key:
            words.append(f"primary key ({names(table.primary_key)})")
        words += [f"unique ({names(key)})" for key in table.unique]
        made.append(" ".join([*words, *_clauses(table.synonyms, table.comment)]))
    return made


def _step(step: SemanticRelationship) -> str:
    return (
        f"{quote(step.name)} as {quote(step.table)}({names(step.columns)}) references "
        f"{quote(step.referenced)}({names(step.referenced_columns)})"
    )


def _member(member: SemanticMember) -> str:
    private = "private " if member.private else ""
    name = render_name((member.table, member.name) if member.table else (member.name,))
    said = " ".join(_clauses(member.synonyms, member.comment))
    return f"{private}{name} as {member.expression}" + (f" {said}" if said else "")


def _clauses(synonyms: tuple[str, ...], comment: str) -> list[str]:
    found = [f"with synonyms=({', '.join(literal(s) for s in synonyms)})"] if synonyms else []
    return [*found, f"comment={literal(comment)}"] if comment else found
