"""GET_DDL: statements that would make an object again.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/get_ddl
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skills_nb.embedded import refusals
from skills_nb.embedded.callables import signatures
from skills_nb.embedded.catalog.entities import (
    POLICY_KINDS,
    ColumnDef,
    DatabaseDetail,
    Entity,
    Kind,
    PolicyDetail,
    PolicyRef,
    SchemaDetail,
    TableDetail,
    TagDetail,
    ViewDetail,
)
from skills_nb.embedded.catalog.pipeline_details import DynamicPart
from skills_nb.embedded.looking.relations import identity_words
from skills_nb.embedded.names import typed_path
from skills_nb.embedded.statements import access
from skills_nb.embedded.writing import moving
from skills_nb.embedded.writing.created import created
from skills_nb.embedded.writing.tables import constraint, keys
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.tokens import literal

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_HEAD = re.compile(r"\A(\s*create\s+)(?!or\s+replace\b)", re.I)
_LOGIN_POLICIES = (Kind.AUTHENTICATION_POLICY, Kind.PASSWORD_POLICY, Kind.SESSION_POLICY)
_ROUTINES = ("FUNCTION", "PROCEDURE")
_KINDS = {
    "TABLE": (Kind.TABLE, Kind.DYNAMIC_TABLE),
    "POLICY": (*POLICY_KINDS, *_LOGIN_POLICIES),
    "STORAGE INTEGRATION": (Kind.INTEGRATION,),
    "CORTEX AGENT": (Kind.AGENT,),
    **{
        kind.value: (kind,)
        for kind in (
            Kind.AGENT,
            Kind.ALERT,
            Kind.CORTEX_SEARCH_SERVICE,
            Kind.DATABASE,
            Kind.DBT_PROJECT,
            Kind.DYNAMIC_TABLE,
            Kind.FAILOVER_GROUP,
            Kind.FILE_FORMAT,
            Kind.FUNCTION,
            Kind.INTEGRATION,
            Kind.NOTEBOOK,
            Kind.PIPE,
            Kind.PROCEDURE,
            Kind.REPLICATION_GROUP,
            Kind.SCHEMA,
            Kind.SEMANTIC_VIEW,
            Kind.SEQUENCE,
            Kind.STREAM,
            Kind.TAG,
            Kind.TASK,
            Kind.VIEW,
            Kind.WAREHOUSE,
        )
    },
}
"""By the word that GET_DDL takes, its underscores as spaces."""
_OF_SCHEMAS = (
    Kind.TAG,
    *POLICY_KINDS,
    Kind.FILE_FORMAT,
    Kind.SEQUENCE,
    Kind.FUNCTION,
    Kind.TABLE,
    Kind.SEMANTIC_VIEW,
    Kind.PROCEDURE,
    Kind.STREAM,
    Kind.PIPE,
    Kind.TASK,
    Kind.ALERT,
    Kind.NOTEBOOK,
    Kind.DBT_PROJECT,
    Kind.AGENT,
    Kind.CORTEX_SEARCH_SERVICE,
)
"""What the DDL of a schema lists, what is used before what uses it."""


def get_ddl(session: AccountSession, kind: str, written: str, *, qualified: bool = False) -> str:
    """Return the DDL of an object that the role may see."""
    word = kind.upper().replace("_", " ")
    kinds = _KINDS.get(word)
    if kinds is None:
        raise refusals.unsupported(f"GET_DDL of {kind.upper()}")
    name = signatures.typed_name(written) if word in _ROUTINES else typed_path(written)
    for one in kinds:
        entity = access.find(session, one, name)
        if entity is not None and (entity.kind is one):
            _may_read(session, entity)
            return text_of(session, entity, qualified=qualified)
    raise access.missing(session, kinds[0], name)


def _may_read(session: AccountSession, entity: Entity) -> None:
    """The text of a secure view is its owner's."""
    detail = entity.detail
    if isinstance(detail, ViewDetail) and detail.secure:
        access.require_owner(session, entity)


def text_of(session: AccountSession, entity: Entity, *, qualified: bool) -> str:
    """Return the DDL of one object, and of what it contains."""
    name = render_name(entity.path if qualified else entity.path[-1:])
    match entity.detail:
        case TableDetail(dynamic=DynamicPart()):
            attached = f"{_rows(session, entity)}{_tags(session, entity, '')}"
            return moving.dynamic_table(entity, entity.detail, name, attached) + ";"
        case TableDetail():
            return _table(session, entity, entity.detail, name)
        case ViewDetail():
            return _HEAD.sub(r"\1or replace ", entity.detail.text).rstrip("; \n") + ";"
        case PolicyDetail():
            return _policy(entity, entity.detail, name)
        case TagDetail():
            return _tag(entity, entity.detail, name)
        case DatabaseDetail() | SchemaDetail():
            return _container(session, entity, name, qualified=qualified)
        case _:
            return created(session.account.catalog, entity, name) + ";"


def _container(session: AccountSession, entity: Entity, name: str, *, qualified: bool) -> str:
    catalog = session.account.catalog
    kinds = (Kind.SCHEMA,) if entity.kind is Kind.DATABASE else _OF_SCHEMAS
    parts = [f"create or replace {entity.kind.value} {name}{_comment(entity)};"]
    for kind in kinds:
        for child in _ordered(kind, catalog.children(kind, entity.path)):
            if session.account.rights.visible(session.active_roles(), child):
                parts.append(text_of(session, child, qualified=qualified))
    return "\n\n".join(parts)


def _ordered(kind: Kind, children: list[Entity]) -> list[Entity]:
    """Put tables before views and tasks behind their predecessors, older ones first."""
    if kind is Kind.TASK:
        return moving.graph_order(children)
    return sorted(children, key=lambda child: (child.kind is not Kind.TABLE, child.id))


def _comment(entity: Entity) -> str:
    return f" COMMENT={literal(entity.comment)}" if entity.comment else ""


def _table(session: AccountSession, entity: Entity, detail: TableDetail, name: str) -> str:
    lines = [_column(session, entity, column) for column in detail.columns]
    lines += keys(detail)
    lines += [constraint(held) for held in detail.constraints if held.referenced]
    word = "TRANSIENT TABLE" if detail.transient else "TABLE"
    body = ",\n\t".join(lines)
    return (
        f"create or replace {word} {name} (\n\t{body}\n){_rows(session, entity)}"
        f"{_aggregation(session, entity)}"
        f"{_tags(session, entity, '')}{_comment(entity)};"
    )


def _column(session: AccountSession, entity: Entity, column: ColumnDef) -> str:
    parts = [quote(column.name), column.type.sql]
    if not column.nullable:
        parts.append("NOT NULL")
    if column.default is not None:
        parts.append(f"DEFAULT {column.default}")
    if column.identity is not None:
        start, step = column.identity
        parts.append(f"autoincrement start {start} increment {step} noorder")
        assert identity_words(column)
    parts.append(_mask(session, entity, column.name))
    parts.append(_projection(session, entity, column.name))
    parts.append(_tags(session, entity, column.name).strip())
    if column.comment:
        parts.append(f"COMMENT {literal(column.comment)}")
    return " ".join(part for part in parts if part)


def _mask(session: AccountSession, entity: Entity, column: str) -> str:
    held = session.account.policies_of(entity)
    ref = held.masks.get(column)
    if ref is None or column in held.by_tag:
        return ""
    policy = session.account.catalog.by_id(ref.policy_id)
    assert policy is not None
    using = f" USING ({', '.join(quote(a) for a in ref.arguments)})"
    return f"WITH MASKING POLICY {render_name(policy.path)}" + (
        using if len(ref.arguments) > 1 else ""
    )


def _projection(session: AccountSession, entity: Entity, column: str) -> str:
    ref = session.account.policies_of(entity).projections.get(column)
    return f"WITH PROJECTION POLICY {_policy_name(session, ref)}" if ref is not None else ""


def _policy_name(session: AccountSession, ref: PolicyRef) -> str:
    policy = session.account.catalog.by_id(ref.policy_id)
    assert policy is not None
    return render_name(policy.path)


def _aggregation(session: AccountSession, entity: Entity) -> str:
    refs = session.account.policies_of(entity).aggregations
    if not refs:
        return ""
    keys = [", ".join(quote(c) for c in ref.arguments) for ref in refs if ref.arguments]
    words = "".join(f" ENTITY KEY ({key})" for key in keys)
    return f" WITH AGGREGATION POLICY {_policy_name(session, refs[0])}{words}"


def _rows(session: AccountSession, entity: Entity) -> str:
    ref = session.account.policies_of(entity).rows
    if ref is None:
        return ""
    policy = session.account.catalog.by_id(ref.policy_id)
    assert policy is not None
    listed = ", ".join(quote(a) for a in ref.arguments)
    return f" WITH ROW ACCESS POLICY {render_name(policy.path)} ON ({listed})"


def _tags(session: AccountSession, entity: Entity, column: str) -> str:
    listed = []
    for ref in session.account.catalog.tags_on(entity.id):
        tag = session.account.catalog.by_id(ref.tag_id)
        if ref.column == column and tag is not None:
            listed.append(f"{render_name(tag.path)}={literal(ref.value)}")
    return f" WITH TAG ({', '.join(listed)})" if listed else ""


def _policy(entity: Entity, detail: PolicyDetail, name: str) -> str:
    arguments = ", ".join(f"{quote(a.name)} {a.type.sql}" for a in detail.arguments)
    exempt = "\nexempt_other_policies = true" if detail.exempt_other_policies else ""
    comment = f"\ncomment = {literal(entity.comment)}" if entity.comment else ""
    return (
        f"create or replace {entity.kind.value} {name} as ({arguments})\n"
        f"returns {detail.returns.sql} ->\n{detail.body}{comment}{exempt}\n;"
    )


def _tag(entity: Entity, detail: TagDetail, name: str) -> str:
    allowed = ", ".join(literal(v) for v in detail.allowed_values)
    words = f" allowed_values {allowed}" if allowed else ""
    if detail.propagate:
        words += f" propagate = {detail.propagate}"
    if detail.by_sequence or detail.on_conflict:
        chosen = literal(detail.on_conflict) if detail.on_conflict else "ALLOWED_VALUES_SEQUENCE"
        words += f" on_conflict = {chosen}"
    return f"create or replace tag {name}{words}{_comment(entity)};"
