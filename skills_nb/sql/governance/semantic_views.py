"""CREATE SEMANTIC VIEW.

Room: sql. Source: Snowflake manual, "CREATE SEMANTIC VIEW". The clauses come in their fixed order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import accept_tags
from skills_nb.sql.governance.reader import Reader, UnsupportedSqlError

_T = TypeVar("_T")
_ENDS = (
    ",",
    "WITH SYNONYMS",
    "SYNONYMS =",
    "COMMENT =",
    "WITH TAG",
    "TAG (",
    "WITH CORTEX SEARCH",
    "LABELS",
)
_INSTRUCTIONS = ("AI_SQL_GENERATION", "AI_QUESTION_CATEGORIZATION")
_WRITTEN = ("QUESTION", "VERIFIED_BY", "SQL")
_VERIFIED = (*_WRITTEN, "VERIFIED_AT", "ONBOARDING_QUESTION")
"""Parts of a verified query; the former are texts."""
_KINDS = (("FACTS", "FACT"), ("DIMENSIONS", "DIMENSION"), ("METRICS", "METRIC"))
_REFUSED = ("WITH TAG", "TAG (", "WITH CORTEX SEARCH", "LABELS")


def read_semantic_view(r: Reader, header: dict[str, Any]) -> ast.Create:
    """Read what follows the name."""
    r.expect("TABLES")
    tables = _listed(r, _table)
    relationships = _listed(r, _relationship) if r.accept("RELATIONSHIPS") else ()
    members: list[ast.SemanticMember] = []
    for phrase, kind in _KINDS:
        if r.accept(phrase):
            members += _listed(r, _member_of(kind))
    return ast.CreateSemanticView(
        **header,
        tables=tables,
        relationships=_named(relationships),
        members=tuple(members),
        **_tail(r),
    )


def _tail(r: Reader) -> dict[str, Any]:
    """Read COMMENT, instructions, tags and COPY GRANTS."""
    found: dict[str, Any] = {"comment": None, "tags": (), "copy_grants": False, "verified": ()}
    properties: dict[str, ast.Value] = {}
    while not r.is_done:
        start = r.index
        if r.accept("COMMENT ="):
            found["comment"] = r.text()
        elif r.at("MAX_STALENESS ="):
            raise UnsupportedSqlError(f"{r.token.word} of semantic views")
        elif r.accept("AI_VERIFIED_QUERIES"):
            found["verified"] = _listed(r, _verified)
        elif (key := r.accept_one(_INSTRUCTIONS)) is not None:
            properties[key] = r.text()
        elif r.accept("COPY GRANTS"):
            found["copy_grants"] = True
        else:
            found["tags"] += accept_tags(r)
        if r.index == start:
            r.fail()
    return {**found, "properties": properties}


def _listed(r: Reader, read: Callable[[Reader], _T]) -> tuple[_T, ...]:
    """Read `( a, b, … )`, one item at least."""
    r.expect("(")
    found = [read(r)]
    while r.accept(","):
        found.append(read(r))
    r.expect(")")
    return tuple(found)


def _verified(r: Reader) -> ast.VerifiedQuery:
    """Read `name AS (QUESTION '…' [VERIFIED_AT n] [ONBOARDING_QUESTION b] … SQL '…')`."""
    name = r.identifier()
    r.expect("AS")
    r.expect("(")
    found: list[tuple[str, str]] = []
    while (key := r.accept_one(_VERIFIED)) is not None:
        found.append((key, _said_of_query(r, key)))
    keys = [key for key, _ in found]
    if not {"QUESTION", "SQL"} <= set(keys) or len(set(keys)) < len(keys):
        r.fail()
    r.expect(")")
    return ast.VerifiedQuery(name, tuple(found))


def _said_of_query(r: Reader, key: str) -> str:
    """Read the value of one part of a verified query."""
    if key in _WRITTEN:
        return r.text()
    if key == "VERIFIED_AT":
        return str(r.integer())
    if r.accept("TRUE"):
        return "TRUE"
    r.expect("FALSE")
    return "FALSE"


def _table(r: Reader) -> ast.SemanticTable:
    """Read `[alias AS] name [PRIMARY KEY (…)] [UNIQUE (…)] …`."""
    name = r.name()
    alias = name[-1]
    if r.accept("AS"):
        if len(name) > 1:
            r.fail(r.ahead(-1))
        name = r.name()
    primary_key: tuple[str, ...] = ()
    unique: list[tuple[str, ...]] = []
    while r.at("PRIMARY KEY", "UNIQUE", "CONSTRAINT"):
        if r.accept("PRIMARY KEY"):
            primary_key = r.columns()
        elif r.accept("UNIQUE"):
            unique.append(r.columns())
        else:
            raise UnsupportedSqlError("range constraints of semantic views")
    synonyms, comment = _said(r)
    return ast.SemanticTable(alias, name, primary_key, tuple(unique), synonyms, comment)


def _relationship(r: Reader) -> ast.SemanticRelationship:
    """Read `[name AS] table (columns) REFERENCES other [(columns)]`."""
    name, table = "", r.identifier()
    if r.accept("AS"):
        name, table = table, r.identifier()
    columns = r.columns()
    r.expect("REFERENCES")
    referenced = r.identifier()
    if r.at("( ASOF", "( BETWEEN"):
        raise UnsupportedSqlError("ASOF and range relationships of semantic views")
    others = r.columns() if r.at("(") else ()
    return ast.SemanticRelationship(name, table, columns, referenced, others)


def _named(
    found: tuple[ast.SemanticRelationship, ...],
) -> tuple[ast.SemanticRelationship, ...]:
    """Give relationships without a name the one that Snowflake would make up."""
    made = []
    for relationship in found:
        name = relationship.name or f"{relationship.table}_TO_{relationship.referenced}"
        made.append(
            ast.SemanticRelationship(
                name,
                relationship.table,
                relationship.columns,
                relationship.referenced,
                relationship.referenced_columns,
            )
        )
    return tuple(made)


def _member_of(kind: str) -> Callable[[Reader], ast.SemanticMember]:
    def read(r: Reader) -> ast.SemanticMember:
        """Read `[PRIVATE | PUBLIC] [table.]name AS expression …`."""
        private = r.ahead(1).text != "." and r.accept("PRIVATE")
        if not private and r.ahead(1).text != ".":
            r.accept("PUBLIC")
        name = r.name(2)
        if len(name) < 2 and kind != "METRIC":
            r.fail(r.ahead(-1))
        if r.at("USING", "NON ADDITIVE"):
            raise UnsupportedSqlError(f"metrics with {r.token.word}")
        r.expect("AS")
        expression = r.until(*_ENDS)
        synonyms, comment = _said(r)
        table = name[0] if len(name) == 2 else ""
        return ast.SemanticMember(kind, table, name[-1], expression, synonyms, comment, private)

    return read


def _said(r: Reader) -> tuple[tuple[str, ...], str]:
    """Read `[WITH SYNONYMS [=] (…)] [COMMENT = …]` in either order."""
    synonyms: tuple[str, ...] = ()
    comment = ""
    while True:
        if r.at(*_REFUSED):
            raise UnsupportedSqlError(f"{r.token.word} inside of semantic views")
        if r.accept("WITH SYNONYMS") or (r.at("SYNONYMS =") and r.accept("SYNONYMS")):
            r.accept("=")
            r.expect("(")
            synonyms = r.texts()
            r.expect(")")
        elif r.accept("COMMENT ="):
            comment = r.text()
        else:
            return synonyms, comment
