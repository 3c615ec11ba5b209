"""Constraining: projection policies on columns, aggregation policies on tables and views.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/projection-policies and
https://docs.snowflake.com/en/user-guide/aggregation-policies
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.permitted import (
    column_of,
    may_detach,
    may_unprotect,
    policy_for,
)
from skills_nb.embedded.catalog.entities import Entity, Kind, PolicyRef, TableDetail, ViewDetail
from skills_nb.embedded.objects.attachments import standing_views
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast


def held(session: Context, entity: Entity, kind: Kind, column: str) -> PolicyRef | None:
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


def set_projection(session: Context, entity: Entity, action: ast.SetColumnProjectionPolicy) -> None:
    """Keep a column's values out of results, as far as the policy says.

    Raises:
        SqlError: the column has another policy of the kind (3524), or another policy reads it
            (3523).
    """
    kind = Kind.PROJECTION_POLICY
    policy, _ = policy_for(session, kind, action.policy, entity)
    column = column_of(entity, action.column)
    standing = held(session, entity, kind, column.name)
    if standing is not None and standing.policy_id != policy.id and not action.force:
        raise errors.already_attached("PROJECTION_POLICY")
    if _read_by_another(session, entity, column.name):
        raise errors.column_in_two_policies(column.name)
    made = PolicyRef(policy.id, kind, entity.id, column.name, (column.name,))
    session.account.catalog.put(made)


def _read_by_another(session: Context, entity: Entity, column: str) -> bool:
    """Tell whether a row access or conditional masking policy reads the column."""
    protection = session.account.policies_of(entity)
    read = [name for ref in protection.masks.values() for name in ref.arguments[1:]]
    read += protection.rows.arguments if protection.rows is not None else ()
    return column in read


def unset_projection(session: Context, entity: Entity, name: str) -> None:
    """Let a column be projected again; one without a policy is no error."""
    may_unprotect(session, Kind.PROJECTION_POLICY, entity)
    column = column_of(entity, name)
    ref = held(session, entity, Kind.PROJECTION_POLICY, column.name)
    if ref is not None:
        _take_off(session, entity, ref)


# ---- aggregation


def set_aggregation(session: Context, entity: Entity, action: ast.SetAggregationPolicy) -> None:
    """Let a table or view be read in groups only; once for each entity key.

    Raises:
        SqlError: it has another policy of the kind (3549), is neither table nor view (0A000), or is
            beneath a materialized view (0A000).
    """
    kind = Kind.AGGREGATION_POLICY
    policy, _ = policy_for(session, kind, action.policy, entity)
    if not isinstance(entity.detail, (TableDetail, ViewDetail)):
        raise errors.unsupported(f"AGGREGATION POLICY of a {entity.kind.value}")
    standing_views.refuse_policy_beneath(session, entity)
    for key in action.entity_keys:
        for name in key:
            column_of(entity, name)
    standing = session.account.policies_of(entity).aggregations
    if any(ref.policy_id != policy.id for ref in standing) and not action.force:
        raise errors.already_aggregated(entity.name)
    for ref in standing:
        session.account.catalog.remove(ref)
    for key in action.entity_keys or ((),):
        session.account.catalog.put(PolicyRef(policy.id, kind, entity.id, "", key))


def unset_aggregation(session: Context, entity: Entity) -> None:
    """Let the rows of a table or view be read again.

    Raises:
        SqlError: it has none (3553).
    """
    may_unprotect(session, Kind.AGGREGATION_POLICY, entity)
    standing = session.account.policies_of(entity).aggregations
    if not standing:
        raise errors.none_attached("AGGREGATION_POLICY", entity.kind.value, entity.name)
    for ref in standing:
        _take_off(session, entity, ref)


def _take_off(session: Context, entity: Entity, ref: PolicyRef) -> None:
    policy = session.account.catalog.by_id(ref.policy_id)
    assert policy is not None
    may_detach(session, policy, entity)
    session.account.catalog.remove(ref)
