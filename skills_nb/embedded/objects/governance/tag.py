"""Tags: their values, how they go on by themselves, and the masking policies that they carry.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-tag
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind, TagDetail
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.attachments import tag_propagation
from skills_nb.embedded.objects.ddl_words import tight_comment, written_name
from skills_nb.embedded.objects.lifecycle import changes, creation, shelf
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Properties,
    Row,
    by_class,
    register,
)
from skills_nb.embedded.objects.shown_values import owner_kind
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.governance.ast import Ref, text_of
from skills_nb.sql.tokens import literal


def detail_of(tag: Entity) -> TagDetail:
    """Return a tag's detail."""
    assert isinstance(tag.detail, TagDetail)
    return tag.detail


def create(session: Context, statement: ast.CreateTag) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-tag."""
    tag_propagation.may_propagate(session, statement.properties)
    plain = TagDetail(statement.allowed_values or ())
    made = _propagation(statement.properties, plain)
    return creation.create(session, statement, Kind.TAG, lambda: made)


_WAYS = ("ON_DEPENDENCY", "ON_DATA_MOVEMENT", "ON_DEPENDENCY_AND_DATA_MOVEMENT")


def _propagation(given: Mapping[str, Any], held: TagDetail) -> TagDetail:
    """Return a tag that goes on to other objects as its properties say.

    See https://docs.snowflake.com/en/user-guide/object-tagging/propagation
    """
    properties.none(
        {key: value for key, value in given.items() if key not in ("PROPAGATE", "ON_CONFLICT")}
    )
    made = held
    if "PROPAGATE" in given:
        way = text_of(given["PROPAGATE"]).upper()
        if way not in (*_WAYS, "NONE"):
            raise errors.invalid_value(way, "PROPAGATE")
        made = replace(made, propagate=None if way == "NONE" else way)
    if "ON_CONFLICT" in given:
        said = given["ON_CONFLICT"]
        by_sequence = isinstance(said, Ref) and said.parts == ("ALLOWED_VALUES_SEQUENCE",)
        if isinstance(said, Ref) and not by_sequence:
            raise errors.invalid_value(".".join(said.parts), "ON_CONFLICT")
        text = None if by_sequence else text_of(said)
        made = replace(made, on_conflict=text, by_sequence=by_sequence)
    if made.propagate is None and (made.on_conflict or made.by_sequence):
        raise errors.invalid_property("ON_CONFLICT goes with PROPAGATE.")
    return made


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-tags."""
    d = detail_of(e)
    listed = "[" + ",".join(f'"{v}"' for v in d.allowed_values) + "]" if d.allowed_values else None
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        e.owner,
        e.comment,
        listed,
        owner_kind(e),
        d.propagate or "NONE",
        "ALLOWED_VALUES_SEQUENCE" if d.by_sequence else d.on_conflict,
    )


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    """Write a tag."""
    detail = detail_of(entity)
    name = written_name(entity, qualified=qualified)
    allowed = ", ".join(literal(v) for v in detail.allowed_values)
    words = f" allowed_values {allowed}" if allowed else ""
    if detail.propagate:
        words += f" propagate = {detail.propagate}"
    if detail.by_sequence or detail.on_conflict:
        chosen = literal(detail.on_conflict) if detail.on_conflict else "ALLOWED_VALUES_SEQUENCE"
        words += f" on_conflict = {chosen}"
    return f"create or replace tag {name}{words}{tight_comment(entity)}"


def _refuse_drop(session: Context, entity: Entity) -> None:
    """Refuse to drop a tag that carries masking policies."""
    if session.account.catalog.policies_on(entity.id):
        raise errors.tag_in_use(entity.name)


def _allowed(session: Context, entity: Entity, action: Any) -> None:
    detail = detail_of(entity)
    held = detail.allowed_values
    if isinstance(action, ast.AddAllowedValues):
        made = (*held, *(v for v in action.values if v not in held))
    else:
        used = {r.value for r in session.account.catalog.uses_of_tag(entity.id)}
        if used & set(action.values):
            raise errors.tag_value_in_use(sorted(used & set(action.values))[0], entity.name)
        made = tuple(v for v in held if v not in action.values)
    changes.put(session, entity, replace(detail, allowed_values=made))


def _set(session: Context, tag: Entity, given: dict[str, Any]) -> None:
    tag_propagation.may_propagate(session, given)
    changes.put(session, tag, _propagation(given, detail_of(tag)))


_UNSET: dict[str, dict[str, Any]] = {
    "PROPAGATE": {"propagate": None, "on_conflict": None, "by_sequence": False},
    "ON_CONFLICT": {"on_conflict": None, "by_sequence": False},
    "ALLOWED_VALUES": {"allowed_values": ()},
}


def _unset(session: Context, tag: Entity, name: str) -> None:
    if name not in _UNSET:
        raise errors.invalid_property(f"invalid property '{name}'")
    changes.put(session, tag, replace(detail_of(tag), **_UNSET[name]))


register(
    ObjectKind(
        kind=Kind.TAG,
        plurals=("TAGS",),
        create={ast.CreateTag: create},
        alter=by_class({ast.AddAllowedValues: _allowed, ast.DropAllowedValues: _allowed}),
        properties=Properties(_set, _unset),
        drop=shelf.shelve,
        refuse_drop=_refuse_drop,
        undrop=shelf.restore,
        listing=Listing(
            "created_on:t name database_name schema_name owner comment allowed_values "
            "owner_role_type propagate on_conflict",
            _row,
        ),
        ddl=_ddl,
        is_in_schema_ddl=True,
        privileges=("APPLY", "READ"),
        clone=Cloning(),
        export=Exporting(Phase.OWN),
    )
)
