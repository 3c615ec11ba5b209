"""Compensation: the inverse of a statement that has run, given what stood before it.

Room: sql. What cannot be taken back safely gives (): data that was written, columns that were
dropped, grants that may have been there before. Nothing is dropped that was there before.
Spec: the contract's "Front matter" (recovery, detaching before dropping).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast, parse
from skills_nb.sql.governance.outline import Outline, outlines_of
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.load_copies import own_upload
from skills_nb.sql.objects.changes import comment_ref, created_ref
from skills_nb.sql.objects.inverse_actions import inverse_of_action
from skills_nb.sql.objects.inverse_grants import inverse_of_grant
from skills_nb.sql.objects.object_refs import ObjectRef, Place
from skills_nb.sql.objects.prior_state import Before, Prior
from skills_nb.sql.objects.recreation import put_back
from skills_nb.sql.objects.statements_in_blocks import statements_within
from skills_nb.sql.tokens import literal

_UNDROPPABLE = frozenset(
    {"DATABASE", "SCHEMA", "TABLE", "TAG", "DYNAMIC TABLE", "ICEBERG TABLE", "NOTEBOOK"}
)
_HOLDS_DATA = frozenset({"DATABASE", "SCHEMA", "TABLE"})
_DEEPEST = 10


def compensation_of(
    sql: str, database: str | None, schema: str | None, prior: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the statements that take a text back, in the order in which to run them.

    Args:
        sql: The statement that has run; several, or a block, are taken back in reverse.
        database: The database that was current.
        schema: The schema that was current.
        prior: What `probe_for` and `ddl_probe_for` found before, by `ObjectRef.fqn`: `exists`
            (None: could not be told), `ddl`, `value`, and `rows` (one mapping a row).
    """
    return tuple(_of_text(sql, Place(database, schema), Prior(prior), 0))


def _of_text(sql: str, place: Place, prior: Prior, depth: int) -> list[str]:
    if depth > _DEEPEST:
        return []
    inverses: list[str] = []
    for text in statements_within(sql):
        try:
            inverses = [*_of_statement(text, place, prior, depth), *inverses]
        except SqlError:
            continue
    return inverses


def _of_statement(sql: str, place: Place, prior: Prior, depth: int) -> list[str]:
    if (folder := own_upload(sql)) is not None:
        return [f"REMOVE {literal(folder)}"]
    statement = parse(sql)
    match statement:
        case None:
            return [s for outline in outlines_of(sql) for s in _of_outline(outline, place, prior)]
        case ast.ExecuteImmediate(text=str(text)):
            return _of_text(text, place, prior, depth + 1)
        case ast.Chain(steps=steps):
            return [s for step in reversed(steps) for s in _of_text(step, place, prior, depth + 1)]
        case ast.Create():
            ref = created_ref(statement, place)
            return _of_create(
                ref, statement.or_replace or statement.or_alter, statement.if_not_exists, prior
            )
        case ast.Alter(actions=actions):
            return [
                text
                for action in reversed(actions)
                for text in inverse_of_action(action, statement, place, prior)
            ]
        case ast.Drop():
            ref = place.ref(statement.kind, statement.name, arguments=statement.arguments)
            return _of_drop(ref, statement.if_exists, prior)
        case ast.Undrop():
            return [drop_text(place.ref(statement.kind, statement.name))]
        case ast.Comment():
            return _of_comment(statement, place, prior)
        case _:
            return inverse_of_grant(statement, place, prior)


def _of_outline(outline: Outline, place: Place, prior: Prior) -> list[str]:
    if outline.action != "create":
        return []
    ref = place.ref(outline.kind, outline.name)
    return _of_create(ref, outline.or_replace, outline.if_not_exists, prior)


_RESTRICTED = frozenset({"DATABASE", "SCHEMA", "TABLE"})
"""Kinds whose DROP would cascade to foreign keys unless it says RESTRICT."""


def drop_text(ref: ObjectRef) -> str:
    """Return the DROP of an object, which never cascades."""
    restrict = " RESTRICT" if ref.kind in _RESTRICTED else ""
    return f"DROP {ref.kind} IF EXISTS {render_name(ref.name)}{ref.signature}{restrict}"


def _of_create(ref: ObjectRef, replaces: bool, if_not_exists: bool, prior: Prior) -> list[str]:
    """Drop what was made; where it replaced something, bring that back instead."""
    before = prior.of(ref)
    if before.exists is False:
        return [drop_text(ref)]
    if before.exists is None:
        # A plain CREATE that succeeded has found nothing; the other two tell nothing.
        return [] if replaces or if_not_exists else [drop_text(ref)]
    return _restore(ref, before) if replaces else []


def _restore(ref: ObjectRef, before: Before) -> list[str]:
    """Bring a replaced object back: its data by UNDROP, anything else by its prior DDL."""
    if ref.kind not in _HOLDS_DATA:
        return _made_anew(ref, before)
    name = render_name(ref.name)
    aside = replace(ref, name=(*ref.name[:-1], f"{ref.name[-1]}__REPLACEMENT"))
    return [
        f"ALTER {ref.kind} {name} RENAME TO {render_name(aside.name)}",
        f"UNDROP {ref.kind} {name}",
        drop_text(aside),
    ]


def _of_drop(ref: ObjectRef, if_exists: bool, prior: Prior) -> list[str]:
    before = prior.of(ref)
    if before.exists is False or (if_exists and before.exists is None):
        return []
    if ref.kind in _UNDROPPABLE:
        return [f"UNDROP {ref.kind} {render_name(ref.name)}"]
    return _made_anew(ref, before)


def _made_anew(ref: ObjectRef, before: Before) -> list[str]:
    """Make an object by its prior definition, and let those use it who could."""
    definition = _definition(ref, before)
    if definition is None:
        return []
    return [definition.strip().rstrip("; \n"), *put_back(ref, before, definition)]


def _definition(ref: ObjectRef, before: Before) -> str | None:
    """Return the statement that makes an object anew; a sequence counts on where it was."""
    if ref.kind != "SEQUENCE" or before.ddl is None:
        return before.ddl
    following = before.cell("next_value")
    return _STARTS.sub(f"start with {following}", before.ddl, count=1) if following else None


_STARTS = re.compile(r"\bstart\s+(?:with\s+)?(?:=\s*)?-?\d+", re.IGNORECASE)


def goes_on_at(ref: ObjectRef, prior: Mapping[str, Any]) -> str | None:
    """Return the number at which a sequence starts when made anew, where it started elsewhere."""
    before = Prior(prior).of(ref)
    definition = _definition(ref, before) if ref.kind == "SEQUENCE" else None
    return before.cell("next_value") if definition not in (None, before.ddl) else None


def _of_comment(statement: ast.Comment, place: Place, prior: Prior) -> list[str]:
    ref = comment_ref(statement, place)
    before = prior.of(ref)
    if not before.rows:
        return []
    text = before.cell("comment") or ""
    return [
        f"COMMENT ON {statement.kind} {render_name(ref.name)}{ref.signature} IS {literal(text)}"
    ]
