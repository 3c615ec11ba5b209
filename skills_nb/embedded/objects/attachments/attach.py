"""Attaching: policies and tags on tables, views, columns and other objects.

Room: embedded. The same actions come from ALTER and from the clauses of CREATE.

See https://docs.snowflake.com/en/sql-reference/sql/alter-table-column
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.authorizer.permitted import (
    column_of,
    may_detach,
    may_unprotect,
    policy_for,
)
from skills_nb.embedded.catalog.entities import (
    MANUAL,
    Entity,
    Kind,
    PolicyDetail,
    PolicyRef,
    TagDetail,
    TagRef,
)
from skills_nb.embedded.objects.attachments import (
    attach_constraint_policies,
    standing_views,
    tag_masking,
    tag_propagation,
)
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

ATTACHING = (
    ast.SetColumnMaskingPolicy,
    ast.UnsetColumnMaskingPolicy,
    ast.SetColumnProjectionPolicy,
    ast.UnsetColumnProjectionPolicy,
    ast.SetAggregationPolicy,
    ast.UnsetAggregationPolicy,
    ast.AddRowAccessPolicy,
    ast.DropRowAccessPolicy,
    ast.DropAllRowAccessPolicies,
    ast.SetColumnTags,
    ast.UnsetColumnTags,
    ast.SetTags,
    ast.UnsetTags,
    ast.SetTagMaskingPolicies,
    ast.UnsetTagMaskingPolicies,
)


def apply_clauses(session: Context, entity: Entity, clauses: tuple[ast.Action, ...]) -> None:
    """Attach what a CREATE or ALTER names, in written order."""
    for clause in clauses:
        attach(session, entity, clause)


def attach(session: Context, entity: Entity, action: ast.Action) -> None:
    """Carry out one attaching action.

    Raises:
        SqlError: it attaches nothing that the account knows (0A000), or may not be done (3001).
    """
    match action:
        case ast.SetColumnMaskingPolicy():
            _set_mask(session, entity, action)
        case ast.UnsetColumnMaskingPolicy():
            _unset_mask(session, entity, action.column)
        case ast.SetColumnProjectionPolicy():
            attach_constraint_policies.set_projection(session, entity, action)
        case ast.UnsetColumnProjectionPolicy():
            attach_constraint_policies.unset_projection(session, entity, action.column)
        case ast.SetAggregationPolicy():
            attach_constraint_policies.set_aggregation(session, entity, action)
        case ast.UnsetAggregationPolicy():
            attach_constraint_policies.unset_aggregation(session, entity)
        case ast.AddRowAccessPolicy():
            _add_rows(session, entity, action)
        case ast.DropRowAccessPolicy():
            _drop_rows(session, entity, action.policy)
        case ast.DropAllRowAccessPolicies():
            _drop_rows(session, entity, None)
        case ast.SetColumnTags():
            set_tags(session, entity, column_of(entity, action.column).name, action.tags)
        case ast.UnsetColumnTags():
            unset_tags(session, entity, column_of(entity, action.column).name, action.tags)
        case ast.SetTags():
            set_tags(session, entity, "", action.tags)
        case ast.UnsetTags():
            unset_tags(session, entity, "", action.tags)
        case ast.SetTagMaskingPolicies() | ast.UnsetTagMaskingPolicies():
            tag_masking.change(session, entity, action)
        case _:
            raise errors.unsupported(_words(action))


def _words(action: object) -> str:
    name = type(action).__name__
    return "".join(f" {c}" if c.isupper() else c for c in name).strip().upper()


# ---- masking


def _set_mask(session: Context, entity: Entity, action: ast.SetColumnMaskingPolicy) -> None:
    kind = Kind.MASKING_POLICY
    policy, detail = policy_for(session, kind, action.policy, entity)
    standing_views.refuse_policy_beneath(session, entity)
    column = column_of(entity, action.column)
    given = action.using or (action.column,)
    if given[0] != action.column:
        raise errors.invalid_property(
            "The first column of the USING clause must be the column that is masked."
        )
    _check_arguments(entity, policy, detail, given)
    catalog = session.account.catalog
    held = session.account.policies_of(entity)
    standing = attach_constraint_policies.held(session, entity, kind, column.name)
    if standing is not None and not action.force:
        raise errors.already_masked()
    if held.rows is not None and column.name in held.rows.arguments:
        raise errors.column_in_two_policies(column.name)
    _check_conditions(session, entity, detail, given)
    catalog.put(PolicyRef(policy.id, kind, entity.id, column.name, given))


def _check_arguments(
    entity: Entity, policy: Entity, detail: PolicyDetail, given: tuple[str, ...]
) -> None:
    if len(given) != len(detail.arguments):
        raise errors.wrong_arguments(policy.name, len(detail.arguments), len(given))
    for argument, name in zip(detail.arguments, given, strict=True):
        column = column_of(entity, name)
        if not _fits(column.type.kind, argument.type.kind):
            raise errors.wrong_type(column.name, column.type.sql, policy.name, argument.type.sql)


def _fits(column: str, argument: str) -> bool:
    return column == argument or {column, argument} <= {"VARIANT", "OBJECT", "ARRAY"}


def _check_conditions(
    session: Context, entity: Entity, detail: PolicyDetail, given: tuple[str, ...]
) -> None:
    """Refuse a conditional column that is masked itself, which would show it to the policy."""
    held = session.account.policies_of(entity)
    for name in given[1:]:
        ref = held.masks.get(name)
        policy = session.account.catalog.by_id(ref.policy_id) if ref else None
        exempt = (
            policy is not None
            and isinstance(policy.detail, PolicyDetail)
            and (policy.detail.exempt_other_policies)
        )
        if (ref is not None and not exempt) or name in held.projections:
            raise errors.column_in_two_policies(name)


def _unset_mask(session: Context, entity: Entity, name: str) -> None:
    may_unprotect(session, Kind.MASKING_POLICY, entity)
    column = column_of(entity, name)
    ref = attach_constraint_policies.held(session, entity, Kind.MASKING_POLICY, column.name)
    if ref is None:
        raise errors.not_attached("MASKING_POLICY", column.name)
    policy = session.account.catalog.by_id(ref.policy_id)
    assert policy is not None
    may_detach(session, policy, entity)
    session.account.catalog.remove(ref)


# ---- row access


def _add_rows(session: Context, entity: Entity, action: ast.AddRowAccessPolicy) -> None:
    kind = Kind.ROW_ACCESS_POLICY
    policy, detail = policy_for(session, kind, action.policy, entity)
    standing_views.refuse_policy_beneath(session, entity)
    _check_arguments(entity, policy, detail, action.columns)
    held = session.account.policies_of(entity)
    if held.rows is not None:
        raise errors.already_filtered(entity.name)
    for name in action.columns:
        if name in held.projections:
            raise errors.column_in_two_policies(name)
        ref = held.masks.get(name)
        mask = session.account.catalog.by_id(ref.policy_id) if ref else None
        if (
            mask is not None
            and isinstance(mask.detail, PolicyDetail)
            and (not mask.detail.exempt_other_policies)
        ):
            raise errors.column_in_two_policies(name)
    session.account.catalog.put(PolicyRef(policy.id, kind, entity.id, "", action.columns))


def _drop_rows(session: Context, entity: Entity, name: tuple[str, ...] | None) -> None:
    kind = Kind.ROW_ACCESS_POLICY
    may_unprotect(session, kind, entity)
    refs = [r for r in session.account.catalog.policies_on(entity.id) if r.policy_kind is kind]
    wanted = access.existing(session, kind, name) if name is not None else None
    refs = [r for r in refs if wanted is None or r.policy_id == wanted.id]
    if not refs and wanted is not None:
        raise errors.not_attached("ROW_ACCESS_POLICY", wanted.name)
    for ref in refs:
        policy = session.account.catalog.by_id(ref.policy_id)
        assert policy is not None
        may_detach(session, policy, entity)
        session.account.catalog.remove(ref)


# ---- tags


def tag_for(session: Context, name: tuple[str, ...], target: Entity) -> Entity:
    """Return a tag that the session may set on the target.

    Raises:
        SqlError: the tag is not there or is hidden (2003), or the session may not apply it (3001).

    See https://docs.snowflake.com/en/user-guide/object-tagging/work (privileges)
    """
    tag = access.existing(session, Kind.TAG, name)
    if not access.may_apply(session, tag, target):
        raise access.refused(session, tag)
    return tag


def set_tags(
    session: Context,
    entity: Entity,
    column: str,
    tags: tuple[ast.TagValue, ...],
    method: str = MANUAL,
) -> None:
    """Give tags values on an object or column.

    Raises:
        SqlError: a tag may not be applied (2003, 3001), or does not allow the value (391801).
    """
    for pair in tags:
        tag = tag_for(session, pair.tag, entity)
        assert isinstance(tag.detail, TagDetail)
        allowed = tag.detail.allowed_values
        if allowed and pair.value not in allowed:
            raise errors.tag_value(pair.value, errors.dotted(tag.path))
        session.account.catalog.put(TagRef(tag.id, entity.id, column, pair.value, method))
        tag_propagation.after_tagging(session, tag, entity)


def unset_tags(
    session: Context, entity: Entity, column: str, tags: tuple[tuple[str, ...], ...]
) -> None:
    """Take tags off an object or column; one that is not there is no error."""
    for name in tags:
        tag = tag_for(session, name, entity)
        ref = session.account.catalog.get(TagRef, (entity.id, column, tag.id))
        if ref is not None:
            session.account.catalog.remove(ref)
            tag_propagation.after_tagging(session, tag, entity)
