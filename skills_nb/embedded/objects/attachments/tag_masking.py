"""Masking policies on tags: who may apply these anywhere puts them on any tag.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/tag-based-masking-policies
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind, PolicyDetail, PolicyRef
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast


def change(
    session: Context,
    entity: Entity,
    action: ast.SetTagMaskingPolicies | ast.UnsetTagMaskingPolicies,
) -> None:
    """Set or unset masking policies.

    Raises:
        SqlError: it is no tag (0A000), the role may not apply masking policies (3001), one for the
            same type is there (3527), or one that goes was not there (3553).
    """
    if entity.kind is not Kind.TAG:
        raise errors.unsupported(f"MASKING POLICY of a {entity.kind.value}")
    if not access.may_globally(session, "APPLY MASKING POLICY"):
        raise access.refused(session, entity)
    catalog = session.account.catalog
    for name in action.policies:
        policy = access.existing(session, Kind.MASKING_POLICY, name)
        made = PolicyRef(policy.id, policy.kind, entity.id, "", ())
        if isinstance(action, ast.UnsetTagMaskingPolicies):
            _unset(session, entity, policy)
            continue
        standing = _same_type(session, entity, policy)
        if standing is not None and not action.force:
            raise errors.tag_type_taken(entity.name, policy.name)
        if standing is not None:
            catalog.remove(standing)
        catalog.put(made)


def _unset(session: Context, entity: Entity, policy: Entity) -> None:
    for ref in session.account.catalog.policies_on(entity.id):
        if ref.policy_id == policy.id:
            session.account.catalog.remove(ref)
            return
    raise errors.not_attached("MASKING_POLICY", policy.name)


def _same_type(session: Context, entity: Entity, policy: Entity) -> PolicyRef | None:
    assert isinstance(policy.detail, PolicyDetail)
    wanted = policy.detail.arguments[0].type.kind
    for ref in session.account.catalog.policies_on(entity.id):
        other = session.account.catalog.by_id(ref.policy_id)
        if (
            other
            and isinstance(other.detail, PolicyDetail)
            and (other.detail.arguments[0].type.kind == wanted)
        ):
            return ref
    return None
