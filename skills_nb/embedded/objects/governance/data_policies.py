"""Masking, row access, projection and aggregation policies.

Room: embedded. A body is compiled before it protects anything.

See https://docs.snowflake.com/en/sql-reference/sql/create-masking-policy and its siblings
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Argument, Entity, Kind, PolicyDetail
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.attachments import policy_uses
from skills_nb.embedded.objects.ddl_words import written_name
from skills_nb.embedded.objects.governance.policy_bodies import CONSTRAINTS, check_body
from skills_nb.embedded.objects.lifecycle import changes, creation
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Row,
    by_class,
    register,
)
from skills_nb.embedded.objects.shown_values import owner_kind
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.data_types import BOOLEAN, SfType, type_named
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import quote
from skills_nb.sql.tokens import literal


def detail_of(policy: Entity) -> PolicyDetail:
    """Return a policy's detail."""
    assert isinstance(policy.detail, PolicyDetail)
    return policy.detail


def create(session: Context, statement: ast.CreatePolicy) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-masking-policy.

    Raises:
        SqlError: it would replace a policy that is attached (3531), or the policy is not sound
            (1420).
    """
    kind = Kind(statement.kind)
    made = _detail(statement)
    path = session.qualify_as(kind, statement.name)
    check_body(session, kind, made, path)

    def replacing() -> PolicyDetail:
        standing = session.account.catalog.find(kind, path)
        if standing is not None:
            policy_uses.refuse_used_policy(session, standing)
        return made

    return creation.create(session, statement, kind, replacing)


def _detail(statement: ast.CreatePolicy) -> PolicyDetail:
    """Read a policy's signature and body."""
    constraint = CONSTRAINTS.get(Kind(statement.kind))
    if constraint is not None:
        return _constraint(statement, constraint)
    listed = tuple(Argument(a.name, type_named(a.type)) for a in statement.args)
    returns = type_named(statement.returns)
    masking = isinstance(statement, ast.CreateMaskingPolicy)
    if not listed:
        raise errors.invalid_property("A policy needs at least one argument.")
    if masking and listed[0].type.kind != returns.kind:
        raise errors.invalid_property("Masking policy function argument and return type mismatch.")
    if not masking and returns != BOOLEAN:
        raise errors.invalid_property("A row access policy returns BOOLEAN.")
    exempt = _exempt(statement.properties)
    parsing.parse_expression(statement.body)
    return PolicyDetail(listed, returns, statement.body, exempt)


def _constraint(statement: ast.CreatePolicy, returns: SfType) -> PolicyDetail:
    """Read a projection or aggregation policy: no arguments, and a constraint for an answer."""
    title = Kind(statement.kind).title
    if statement.args:
        raise errors.policy_arguments(title, len(statement.args))
    if statement.returns.strip().upper() != returns.kind:
        raise errors.policy_returns(title, statement.returns.strip().upper(), returns.kind)
    properties.none(statement.properties)
    return PolicyDetail((), returns, statement.body)


def _exempt(given: Mapping[str, Any]) -> bool:
    rest = {k: v for k, v in given.items() if k != "EXEMPT_OTHER_POLICIES"}
    properties.none(rest)
    return bool(given.get("EXEMPT_OTHER_POLICIES", False))


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-masking-policies."""
    d = detail_of(e)
    options = f'{{"EXEMPT_OTHER_POLICIES":"{str(d.exempt_other_policies).upper()}"}}'
    if e.kind not in (Kind.MASKING_POLICY, Kind.ROW_ACCESS_POLICY):
        options = ""
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        e.kind.value.replace(" ", "_"),
        e.owner,
        e.comment,
        owner_kind(e),
        options,
    )


def _describe(session: Context, entity: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-masking-policy."""
    detail = detail_of(entity)
    return "name signature return_type body", [
        (entity.name, signature(detail), detail.returns.sql, detail.body)
    ]


def signature(detail: PolicyDetail) -> str:
    """Spell a policy's arguments: `(VAL VARCHAR, REGION VARCHAR)`."""
    listed = (f"{a.name} {a.type.sql.partition('(')[0]}" for a in detail.arguments)
    return f"({', '.join(listed)})"


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    """Write a policy."""
    detail = detail_of(entity)
    name = written_name(entity, qualified=qualified)
    arguments = ", ".join(f"{quote(a.name)} {a.type.sql}" for a in detail.arguments)
    exempt = "\nexempt_other_policies = true" if detail.exempt_other_policies else ""
    comment = f"\ncomment = {literal(entity.comment)}" if entity.comment else ""
    return (
        f"create or replace {entity.kind.value} {name} as ({arguments})\n"
        f"returns {detail.returns.sql} ->\n{detail.body}{comment}{exempt}\n"
    )


def _set_body(session: Context, entity: Entity, action: ast.SetBody) -> None:
    made = replace(detail_of(entity), body=action.body)
    check_body(session, entity.kind, made, entity.path)
    changes.put(session, entity, made)


_KINDS: tuple[tuple[Kind, type[ast.CreatePolicy], str], ...] = (
    (Kind.MASKING_POLICY, ast.CreateMaskingPolicy, "MASKING POLICIES"),
    (Kind.ROW_ACCESS_POLICY, ast.CreateRowAccessPolicy, "ROW ACCESS POLICIES"),
    (Kind.PROJECTION_POLICY, ast.CreateProjectionPolicy, "PROJECTION POLICIES"),
    (Kind.AGGREGATION_POLICY, ast.CreateAggregationPolicy, "AGGREGATION POLICIES"),
)
for _kind, _statement, _plural in _KINDS:
    register(
        ObjectKind(
            kind=_kind,
            plurals=(_plural,),
            create={_statement: create},
            alter=by_class({ast.SetBody: _set_body}),
            refuse_drop=policy_uses.refuse_used_policy,
            listing=Listing(
                "created_on:t name database_name schema_name kind owner comment owner_role_type "
                "options",
                _row,
            ),
            describe=_describe,
            ddl=_ddl,
            ddl_words=("POLICY",),
            is_in_schema_ddl=True,
            made_after=(Kind.TAG,),
            privileges=("APPLY",),
            clone=Cloning(),
            export=Exporting(Phase.OWN),
        )
    )
