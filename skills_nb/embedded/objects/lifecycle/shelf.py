"""The shelf: what is dropped and can be brought back, containers with everything in them.

Room: embedded. Tables are dropped one by one, so that their rows keep their place; all else goes
onto the container's shelf. What was dropped at the container's instant comes back with it.

See https://docs.snowflake.com/en/sql-reference/sql/undrop-schema
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded.catalog import codec
from skills_nb.embedded.catalog.catalog import record_key
from skills_nb.embedded.catalog.entities import (
    Entity,
    Kind,
    PolicyRef,
    Record,
    Shelved,
    TableDetail,
    TagRef,
)
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage import physical_tables
from skills_nb.embedded.storage.time_travel.travel import instant_of


def shelve_contents(session: Context, container: Entity) -> None:
    """Take a schema or database and what it contains out of sight."""
    catalog = session.account.catalog
    kept: dict[object, Record] = {}
    for entity in _inside(session, container):
        if entity.kind is Kind.SCHEMA:
            shelve_contents(session, entity)
        elif isinstance(entity.detail, TableDetail):
            physical_tables.drop(session, entity)
        else:
            _take(session, entity, kept)
            kept[record_key(entity)] = entity
            catalog.remove(entity)
    for held in catalog.about(container.id):
        kept[(type(held).__name__, held.key)] = held
        catalog.remove(held)
    catalog.put(Shelved(container.id, tuple(codec.dump(one) for one in kept.values())))
    catalog.change(container, dropped_on=instant_of(session.moment))


def shelve(session: Context, entity: Entity) -> None:
    """Take an object out of sight, and keep what hangs on it for UNDROP."""
    kept: dict[object, Record] = {}
    _take(session, entity, kept)
    catalog = session.account.catalog
    catalog.put(Shelved(entity.id, tuple(codec.dump(one) for one in kept.values())))
    catalog.change(entity, dropped_on=instant_of(session.moment))


def _take(session: Context, entity: Entity, kept: dict[object, Record]) -> None:
    """Take off what hangs on an object, and where it hangs on others."""
    catalog = session.account.catalog
    uses: list[Record] = [*catalog.uses_of_policy(entity.id), *catalog.uses_of_tag(entity.id)]
    for record in [*catalog.about(entity.id), *uses]:
        kept[(type(record).__name__, record.key)] = record
        catalog.remove(record)


def _inside(session: Context, container: Entity) -> list[Entity]:
    """List what is directly within; policies and tags last, since they hang on the rest."""
    depth = len(container.path) + 1
    found = [
        e
        for e in session.account.catalog.all(Entity)
        if e.dropped_on is None
        and len(e.path) == depth
        and e.path[:-1] == container.path
        and e.kind.depth == depth
    ]
    return sorted(found, key=lambda e: e.kind is Kind.TAG or e.kind.value.endswith("POLICY"))


def restore(session: Context, container: Entity) -> None:
    """Bring a dropped schema or database back with what was dropped with it.

    Raises:
        SqlError: a policy that protected one of its tables is gone.
    """
    catalog = session.account.catalog
    shelved = catalog.get(Shelved, container.id)
    catalog.remove(container)
    catalog.put(replace(container, dropped_on=None))
    records = [codec.load(body) for body in shelved.bodies] if shelved is not None else []
    for record in sorted(records, key=lambda r: not isinstance(r, Entity)):
        if _is_whole(session, record):
            catalog.put(record)
    if shelved is not None:
        catalog.remove(shelved)
    for entity in _dropped_with(session, container):
        bring = restore if entity.kind is Kind.SCHEMA else physical_tables.restore
        bring(session, entity)


def _is_whole(session: Context, record: Record) -> bool:
    """Tell whether what a policy or tag hung on is still there; tables bring their own back."""
    if not isinstance(record, (PolicyRef, TagRef)):
        return True
    target = session.account.catalog.by_id(record.object_id)
    return target is not None and target.dropped_on is None


def _dropped_with(session: Context, container: Entity) -> list[Entity]:
    depth = len(container.path) + 1
    return [
        e
        for e in session.account.catalog.all(Entity)
        if e.dropped_on == container.dropped_on
        and len(e.path) == depth
        and e.path[:-1] == container.path
    ]
