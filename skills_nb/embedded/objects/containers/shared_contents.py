"""Shared contents: what a provider lends, and the databases that consumers make of it.

Room: embedded. The account stands in for its own consumer: a share may be lent to it, and a
database made from the share shows what the share holds as read-only views. Whoever reads through
them meets the provider's policies with neither role nor user, as a consumer elsewhere does.

See https://docs.snowflake.com/en/user-guide/data-sharing-provider and
https://docs.snowflake.com/en/user-guide/data-share-consumers
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.binder import dependencies
from skills_nb.embedded.catalog.entities import (
    DatabaseDetail,
    Entity,
    Grant,
    Kind,
    SchemaDetail,
    TableDetail,
    ViewDetail,
)
from skills_nb.embedded.catalog.grantees import DATABASE_ROLE, entity_of, key_of
from skills_nb.embedded.catalog.object_details import ShareDetail
from skills_nb.embedded.session.context import Context

IMPORTED = "IMPORTED PRIVILEGES"


def detail_of(share: Entity) -> ShareDetail:
    """Return a share's detail."""
    assert isinstance(share.detail, ShareDetail)
    return share.detail


# ---- what a share holds


def held_by(session: Context, share: Entity) -> list[tuple[Grant, Entity]]:
    """List the privileges of a share with their objects, databases and schemas first."""
    catalog = session.account.catalog
    found = [(g, catalog.by_id(g.object_id)) for g in catalog.grants_to("SHARE", share.name)]
    present = [(g, e) for g, e in found if e is not None and e.dropped_on is None]
    return sorted(present, key=lambda pair: (pair[1].kind.depth, pair[1].path))


def database_of(session: Context, share: Entity) -> Entity | None:
    """Return the database that the share lends from."""
    return next(
        (
            e
            for g, e in held_by(session, share)
            if e.kind is Kind.DATABASE and g.privilege == "USAGE"
        ),
        None,
    )


def account_name(name: tuple[str, ...]) -> str:
    """Write the name of a consumer's account."""
    return ".".join(name)


# ---- a consumer's database


def names_of_account(session: Context) -> frozenset[str]:
    """Return the names by which this account is known to providers."""
    info = session.account.info
    return frozenset({info.locator, info.name, f"{info.organization}.{info.name}"})


def lent(session: Context, name: tuple[str, ...]) -> Entity:
    """Return a share, named with its provider, that is lent to this account.

    Raises:
        SqlError: the role may not import shares (3001), it is another account's (0A000), or there
            is none (2003).
    """
    access.require_global(session, "IMPORT SHARE")
    share = session.account.catalog.find(Kind.SHARE, name[-1:])
    here = account_name(name[:-1]) in names_of_account(session)
    if not here:
        raise errors.unsupported("shares of other accounts")
    if share is None or not is_lent(session, share):
        raise errors.not_found("Share", name)
    return share


def is_lent(session: Context, share: Entity) -> bool:
    """Tell whether a share is lent to this account."""
    return bool(names_of_account(session) & set(detail_of(share).accounts))


def refresh(session: Context) -> None:
    """Bring every consumer's database in line with what its share lends now.

    Whatever a statement changes may take something out of a share, or put it back: a replaced
    table, a name, a schema, an owner. So it is asked after each that changed the catalog.
    """
    catalog = session.account.catalog
    for database in catalog.children(Kind.DATABASE):
        detail = database.detail
        if isinstance(detail, DatabaseDetail) and detail.share:
            share = catalog.find(Kind.SHARE, (detail.share,))
            _refresh(session, database, share if _lends_to(session, share, detail) else None)


def _lends_to(session: Context, share: Entity | None, detail: DatabaseDetail) -> bool:
    """Tell whether a share is lent to this account, and the one that the database was made from.

    A share that is dropped ends what was made from it, for good: what is made under its name later
    is another share, to which consumers agree anew.

    See https://docs.snowflake.com/en/sql-reference/sql/drop-share
    """
    if share is None or not is_lent(session, share):
        return False
    return detail.share_id in (0, share.id)


def _refresh(session: Context, database: Entity, share: Entity | None) -> None:
    catalog = session.account.catalog
    given = dict(_given(session, database, share)) if share is not None else {}
    wanted = dict(_mirrored(session, database, share, given)) if share is not None else {}
    for kind in (Kind.TABLE, Kind.SCHEMA, Kind.DATABASE_ROLE):
        for mirror in list(catalog.within(kind, database.path)):
            if (mirror.kind, mirror.path) not in wanted:
                catalog.forget(mirror)
    for (kind, path), (source, detail) in wanted.items():
        standing = catalog.find(kind, path)
        if standing is None:
            catalog.create(kind, path, detail, owner="", now=source.created_on)
        elif standing.detail != detail:
            catalog.change(standing, detail=detail)
    _grant(session, database, given)


_Holder = tuple[str, str]
"""Kind and key of who holds something in a consumer's database."""


def _mirrored(
    session: Context, database: Entity, share: Entity, given: dict[tuple[_Holder, int], Entity]
) -> Iterator[tuple[tuple[Kind, tuple[str, ...]], tuple[Entity, Any]]]:
    """Yield the mirrors of what a share lends, its database roles among them."""
    for role in _roles(session, share):
        yield (Kind.DATABASE_ROLE, (database.name, role.name)), (role, role.detail)
    for source in given.values():
        path = (database.name, *source.path[1:])
        if source.kind is Kind.SCHEMA:
            yield (Kind.SCHEMA, path), (source, SchemaDetail())
        elif isinstance(source.detail, (TableDetail, ViewDetail)):
            made = ViewDetail(source.detail.columns, "", "", secure=True, shared=source.id)
            yield (Kind.VIEW, path), (source, made)


def _roles(session: Context, share: Entity) -> list[Entity]:
    """List the database roles that a share lends: those of its own database."""
    catalog, lender = session.account.catalog, database_of(session, share)
    found = (entity_of(catalog, g.role) for g in catalog.roles_granted_to("SHARE", share.name))
    return [r for r in found if r is not None and lender is not None and r.path[0] == lender.name]


def _held_by_role(session: Context, role: Entity) -> list[Entity]:
    catalog = session.account.catalog
    found = [
        (g, catalog.by_id(g.object_id)) for g in catalog.grants_to(DATABASE_ROLE, key_of(role))
    ]
    return [e for g, e in found if e is not None and g.privilege in ("USAGE", "SELECT")]


def _given(
    session: Context, database: Entity, share: Entity
) -> Iterator[tuple[tuple[_Holder, int], Entity]]:
    """Yield what who holds in a consumer's database, as the share lends it now.

    Who holds IMPORTED PRIVILEGES gets what the share holds itself; its roles what is theirs.
    """
    catalog = session.account.catalog
    importers = [g.grantee for g in catalog.grants_on(database.id) if g.privilege == IMPORTED]
    direct = [e for _, e in held_by(session, share)]
    held = [(("ROLE", role), direct) for role in {database.owner, *importers}]
    for role in _roles(session, share):
        held.append(((_OF_ROLE, role.name), _held_by_role(session, role)))
    schemas = {e.path for _, listed in held for e in listed if e.kind is Kind.SCHEMA}
    for holder, listed in held:
        for entity in listed:
            # A role lends nothing of a second database, whatever its share names.
            if holder[0] == _OF_ROLE and read_elsewhere(session, entity):
                continue
            if _lends(session, share, entity) and (
                entity.kind.depth < 3 or entity.path[:2] in schemas
            ):
                yield (holder, entity.id), entity


_OF_ROLE = "ROLE OF THE DATABASE"
"""Kind of a holder that is a database role, which is found by its name in the consumer's."""


def _lends(session: Context, share: Entity, entity: Entity) -> bool:
    """Tell whether a share lends what it or a role of it holds, as the object stands now."""
    lender = database_of(session, share)
    if lender is None or entity.dropped_on is not None or entity.path[0] != lender.name:
        return False
    secure_only = detail_of(share).secure_objects_only
    return not (secure_only and is_open(entity)) and not unnamed(session, share, entity)


def is_open(entity: Entity) -> bool:
    """Tell whether an object is a view that is not secure."""
    return isinstance(entity.detail, ViewDetail) and not entity.detail.secure


def unnamed(session: Context, share: Entity, entity: Entity) -> set[str]:
    """Return the databases that a view reads and the share does not name.

    See https://docs.snowflake.com/en/user-guide/data-sharing-mutiple-db
    """
    named = {e.name for _, e in held_by(session, share) if e.kind is Kind.DATABASE}
    return read_elsewhere(session, entity) - named


def read_elsewhere(session: Context, entity: Entity) -> set[str]:
    """Return the other databases that a view reads."""
    if not isinstance(entity.detail, ViewDetail):
        return set()
    return {u.path[0] for u in dependencies.all_used_by(session, entity)} - {entity.path[0]}


def _grant(session: Context, database: Entity, given: dict[tuple[_Holder, int], Entity]) -> None:
    """Let who is given something hold it, and nobody else."""
    catalog = session.account.catalog
    wanted = {grant.key: grant for grant in _grants(session, database, given)}
    mirrors = [m for kind in (Kind.SCHEMA, Kind.TABLE) for m in catalog.within(kind, database.path)]
    roles = [g for g in catalog.grants_on(database.id) if g.grantee_kind == DATABASE_ROLE]
    for held in [*roles, *(g for mirror in mirrors for g in catalog.grants_on(mirror.id))]:
        if wanted.get(held.key) != held:
            catalog.remove(held)
    for key, grant in wanted.items():
        if catalog.get(Grant, key) is None:
            catalog.put(grant)


def _grants(
    session: Context, database: Entity, given: dict[tuple[_Holder, int], Entity]
) -> Iterator[Grant]:
    catalog = session.account.catalog
    for ((kind, name), _), source in given.items():
        if kind == _OF_ROLE:
            role = catalog.find(Kind.DATABASE_ROLE, (database.name, name))
            assert role is not None
            kind, name = DATABASE_ROLE, key_of(role)
        mine = (database.name, *source.path[1:])
        found = database if source.kind is Kind.DATABASE else catalog.find(source.kind, mine)
        if found is not None and (found is not database or kind == DATABASE_ROLE):
            word = "SELECT" if found.kind is Kind.VIEW else "USAGE"
            yield Grant(word, found.id, kind, name, False, "", database.created_on)


def is_imported(session: Context, entity: Entity) -> bool:
    """Tell whether an object is a consumer's database, or in one."""
    database = session.account.catalog.find(Kind.DATABASE, entity.path[:1])
    detail = database.detail if database is not None and entity.kind.depth <= 3 else None
    is_placed = entity.kind is Kind.DATABASE or entity.kind.depth > 1
    return is_placed and isinstance(detail, DatabaseDetail) and bool(detail.share)


def refuse_lent(session: Context, database: Entity) -> None:
    """Refuse to take a database out of shares in passing.

    Raises:
        SqlError: a share lends it (3036).

    See https://docs.snowflake.com/en/release-notes/bcr-bundles/2023_06/bcr-1181
    """
    if any(g.grantee_kind == "SHARE" for g in session.account.catalog.grants_on(database.id)):
        raise errors.lent_database()


def check_imported(session: Context, entities: list[Entity], privileges: tuple[str, ...]) -> None:
    """Refuse privileges on single objects of a consumer's database.

    Raises:
        SqlError: one is granted or revoked (3030), or what only such a database has is granted on
            another (3008).

    See https://docs.snowflake.com/en/user-guide/data-share-consumers
    """
    for entity in entities:
        whole = entity.kind is Kind.DATABASE and privileges == (IMPORTED,)
        imported = is_imported(session, entity)
        if imported and not whole:
            raise errors.imported_only()
        if IMPORTED in privileges and not imported and entity.path != ("SNOWFLAKE",):
            raise errors.wrong_privilege(IMPORTED, entity.kind.value)
