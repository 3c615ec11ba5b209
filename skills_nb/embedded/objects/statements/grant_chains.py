"""Chains of grants: what was granted on by whoever held it with its grant option.

Room: embedded. A grant names the role that gave it, so that what hangs on a grant option goes with
it, or keeps it from going.

See https://docs.snowflake.com/en/sql-reference/sql/revoke-privilege (RESTRICT, CASCADE)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Grant
from skills_nb.embedded.catalog.grantees import key_of
from skills_nb.embedded.session.context import Context


def kind_word(holder: Entity) -> str:
    """Return what a record calls the kind of a grantee."""
    return holder.kind.value.replace(" ", "_")


def add(session: Context, entity_id: int, privilege: str, grantee: Entity, *, option: bool) -> None:
    """Grant a privilege; one that its manager gave stays its manager's."""
    catalog = session.account.catalog
    by, manages = _grantor(session, entity_id, privilege)
    made = Grant(
        privilege,
        entity_id,
        kind_word(grantee),
        key_of(grantee),
        option,
        by,
        session.account.clock(),
    )
    held = catalog.get(Grant, made.key)
    if held is not None and not manages:
        made = replace(held, grant_option=held.grant_option or option)
    catalog.put(made)


def _grantor(session: Context, entity_id: int, privilege: str) -> tuple[str, bool]:
    """Return the role that grants, and whether it may grant everything on the object."""
    entity = session.account.catalog.by_id(entity_id)
    if entity is None or access.manages(session, entity):
        return session.role or "", True
    options = access.grant_options(session, entity)
    return next(g.grantee for g in options if g.privilege == privilege), False


def take(session: Context, held: Grant, *, cascades: bool, option_only: bool) -> None:
    """Revoke a privilege, or its grant option alone, with what was granted on by it.

    Raises:
        SqlError: something was, and that is not to go (3036), or another role granted it (3001).
    """
    catalog = session.account.catalog
    entity = catalog.by_id(held.object_id)
    if entity is not None and not _may_take(session, entity, held):
        raise access.refused(session, entity)
    dependents = list(_dependents(session, held))
    if dependents and not cascades:
        raise errors.dependent_grants(entity.name if entity is not None else "")
    for dependent in dependents:
        _take_with_all(session, dependent)
    catalog.remove(held)
    if option_only:
        catalog.put(replace(held, grant_option=False))


def _may_take(session: Context, entity: Entity, held: Grant) -> bool:
    return access.manages(session, entity) or held.granted_by in session.active_roles()


def _take_with_all(session: Context, held: Grant) -> None:
    catalog = session.account.catalog
    catalog.remove(held)  # first, so that a chain that bites its tail ends
    for dependent in list(_dependents(session, held)):
        _take_with_all(session, dependent)


def _dependents(session: Context, held: Grant) -> Iterator[Grant]:
    """Find what the grantee granted on because it holds the option, not because it manages."""
    catalog = session.account.catalog
    entity = catalog.by_id(held.object_id)
    if not held.grant_option or entity is None:
        return
    if access.role_manages(session, held.grantee, entity):
        return
    for grant in catalog.grants_on(entity.id):
        if (grant.privilege, grant.granted_by) == (held.privilege, held.grantee) and (
            grant.key != held.key
        ):
            yield grant
