"""Constraining: projection policies on columns, aggregation policies on tables and views.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/projection-policies and
https://docs.snowflake.com/en/user-guide/aggregation-policies
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Kind, PolicyRef, TableDetail, ViewDetail
from skills_nb.embedded.statements.permitted import column_of, may_detach, policy_for
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def held(session: AccountSession, entity: Entity, kind: Kind, column: str) -> PolicyRef | None:
    """Return the attachment of a kind of policy to a column."""
    return next(
        (
            ref
            for ref in session.account.catalog.policies_on(entity.id)
            if ref.column == column and ref.policy_kind is kind
        ),
        None,
    )


# ---- projection


def set_projection(
    session: AccountSession, entity: Entity, action: ast.SetColumnProjectionPolicy
) -> None:
    """Keep a column's values out of results, as far as the policy says."""
    kind = Kind.PROJECTION_POLICY
    policy, _ = policy_for(session, kind, action.policy, entity)
    column = column_of(entity, action.column)
    standing = held(session, entity, kind, column.name)
    if standing is not None and standing.policy_id != policy.id and not action.force:
        raise refusals.already_attached("PROJECTION_POLICY")
    if _read_by_another(session, entity, column.name):
        raise refusals.column_in_two_policies(column.name)
    made = PolicyRef(policy.id, kind, entity.id, column.name, (column.name,))
    session.account.catalog.put(made)


def _read_by_another(session: AccountSession, entity: Entity, column: str) -> bool:
    """Tell whether a row access or conditional masking policy reads the column."""
    protection = session.account.policies_of(entity)
    read = [name for ref in protection.masks.values() for name in ref.arguments[1:]]
    read += protection.rows.arguments if protection.rows is not None else ()
    return column in read


def unset_projection(session: AccountSession, entity: Entity, name: str) -> None:
    """Let a column be projected again; one without a policy is no error."""
    column = column_of(entity, name)
    ref = held(session, entity, Kind.PROJECTION_POLICY, column.name)
    if ref is not None:
        _take_off(session, entity, ref)


# ---- aggregation


def set_aggregation(
    session: AccountSession, entity: Entity, action: ast.SetAggregationPolicy
) -> None:
    """Let a table or view be read in groups only; once for each entity key."""
    kind = Kind.AGGREGATION_POLICY
    policy, _ = policy_for(session, kind, action.policy, entity)
    if not isinstance(entity.detail, (TableDetail, ViewDetail)):
        raise refusals.unsupported(f"AGGREGATION POLICY of a {entity.kind.value}")
    for key in action.entity_keys:
        for name in key:
            column_of(entity, name)
    standing = session.account.policies_of(entity).aggregations
    if any(ref.policy_id != policy.id for ref in standing) and not action.force:
        raise refusals.already_aggregated(entity.name)
    for ref in standing:
        session.account.catalog.remove(ref)
    for key in action.entity_keys or ((),):
        session.account.catalog.put(PolicyRef(policy.id, kind, entity.id, "", key))


def unset_aggregation(session: AccountSession, entity: Entity) -> None:
    """Let the rows of a table or view be read again."""
    standing = session.account.policies_of(entity).aggregations
    if not standing:
        raise refusals.none_attached("AGGREGATION_POLICY", entity.kind.value, entity.name)
    for ref in standing:
        _take_off(session, entity, ref)


def _take_off(session: AccountSession, entity: Entity, ref: PolicyRef) -> None:
    policy = session.account.catalog.by_id(ref.policy_id)
    assert policy is not None
    may_detach(session, ref.policy_kind, policy, entity)
    session.account.catalog.remove(ref)
