"""The catalog in memory, with indexes and a journal.

Room: embedded. Typed values in dictionaries; every change goes through `put` and `remove`, which
note the old value in the journal, so that a statement that fails leaves nothing behind and a
statement that succeeds persists only what it changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, TypeVar

from skills_nb.embedded.catalog.entities import (
    Detail,
    Entity,
    FutureGrant,
    Grant,
    Kind,
    Parameter,
    PolicyRef,
    Record,
    RoleGrant,
    Shelved,
    TableDetail,
    TagRef,
)
from skills_nb.embedded.catalog.lacks import Lack

_R = TypeVar("_R", bound=Record)
_T = TypeVar("_T")
Change = tuple[str, Any, Record | None, Record | None]
"""Class name, key, value before, value after."""


class Catalog:
    """Everything the account knows apart from rows."""

    def __init__(self) -> None:
        """Start empty; `account` fills in the system roles."""
        self.version = 0
        self._versions: dict[str, int] = defaultdict(int)
        self._next_id = 1
        self._records: dict[str, dict[Any, Record]] = defaultdict(dict)
        self._by_id: dict[int, Entity] = {}
        self._children: dict[tuple[Any, ...], dict[Any, Entity]] = defaultdict(dict)
        """Objects by what is around them; a session's temporary ones by its number, too."""
        self.viewer = 0
        """Number of the session at work, whose temporary objects stand before lasting ones."""
        self._index: dict[tuple[str, Any], dict[Any, Record]] = defaultdict(dict)
        self._journal: list[Change] = []
        self._derived: dict[object, Any] = {}
        self._derived_at = 0
        self.lacks: list[Lack] | None = None
        """What the rights answered `no` to; None where nobody listens."""

    # ---- changes

    def new_id(self) -> int:
        """Return a number that no object has had."""
        self._next_id += 1
        return self._next_id - 1

    def put(self, record: Record) -> None:
        """Add the record, or take the place of the one with the same key."""
        self._apply(type(record).__name__, record_key(record), record, note=True)

    def remove(self, record: Record) -> None:
        """Take the record out."""
        self._apply(type(record).__name__, record_key(record), None, note=True)

    @property
    def is_changed(self) -> bool:
        """Tell whether something changed since the journal was taken."""
        return bool(self._journal)

    def take_journal(self) -> tuple[Change, ...]:
        """Return what changed since the last call, oldest first, and forget it."""
        taken, self._journal = tuple(self._journal), []
        return taken

    def revert(self) -> None:
        """Undo what changed since the journal was taken."""
        for name, key, before, _ in reversed(self._journal):
            self._apply(name, key, before, note=False)
        self._journal = []

    def _apply(self, name: str, key: Any, after: Record | None, *, note: bool) -> None:
        table = self._records[name]
        before = table.get(key)
        if note:
            self._journal.append((name, key, before, after))
        if before is not None:
            self._unindex(key, before)
        if after is None:
            table.pop(key, None)
        else:
            table[key] = after
            self._enindex(key, after)
        self.version += 1
        self._versions[name] += 1

    def version_of(self, cls: type[Record]) -> int:
        """Return a number that changes with every change of a record of the class."""
        return self._versions[cls.__name__]

    def derived(self, name: object, derive: Callable[[], _T]) -> _T:
        """Return what follows from the records, worked out once until any of them changes."""
        if self._derived_at != self.version:
            self._derived, self._derived_at = {}, self.version
        known = self._derived
        if name not in known:
            known[name] = derive()
        found: _T = known[name]
        return found

    def _unindex(self, key: Any, record: Record) -> None:
        if isinstance(record, Entity):
            self._by_id.pop(record.id, None)
            if record.dropped_on is None:
                self._children[_place(record)].pop(record.path, None)
        for index in _index_keys(record):
            self._index[index].pop(key, None)

    def _enindex(self, key: Any, record: Record) -> None:
        if isinstance(record, Entity):
            self._by_id[record.id] = record
            self._next_id = max(self._next_id, record.id + 1)
            if record.dropped_on is None:
                self._children[_place(record)][record.path] = record
        for index in _index_keys(record):
            self._index[index][key] = record

    # ---- named objects

    def find(self, kind: Kind, path: tuple[str, ...]) -> Entity | None:
        """Return the object of this name; a TABLE lookup also finds a view.

        The temporary one of the session at work hides a lasting one.
        """
        if self.viewer and (own := self.standing(kind, path, self.viewer)) is not None:
            return own
        return self.standing(kind, path, 0)

    def standing(self, kind: Kind, path: tuple[str, ...], session: int) -> Entity | None:
        """Return a session's temporary object of this name; for 0 the lasting one."""
        around = (kind.space, *path[:-1])
        return self._children.get((session, *around) if session else around, {}).get(path)

    def by_id(self, entity_id: int) -> Entity | None:
        """Return the object with this number."""
        return self._by_id.get(entity_id)

    def children(self, kind: Kind, parent: tuple[str, ...] = ()) -> list[Entity]:
        """List objects of the kind directly within a parent, by name.

        Of temporary objects only those of the session at work, beside lasting ones of their names.
        """
        found = list(self._children.get((kind.space, *parent), {}).values())
        if self.viewer:
            found += self._children.get((self.viewer, kind.space, *parent), {}).values()
        return sorted(found, key=lambda one: one.path)

    def within(self, kind: Kind, scope: tuple[str, ...] = ()) -> Iterator[Entity]:
        """List objects of the kind at any depth below a scope, by name; relations of both kinds."""
        missing = kind.depth - 1 - len(scope)
        if missing <= 0:
            yield from self.children(kind, scope)
            return
        parents = Kind.DATABASE if not scope else Kind.SCHEMA
        for parent in self.children(parents, scope):
            yield from self.within(kind, parent.path)

    def id_of_place(self, path: tuple[str, ...]) -> int | None:
        """Return the number of a database or schema; None where it is gone."""
        place = self.find(Kind.SCHEMA if len(path) == 2 else Kind.DATABASE, path)
        return place.id if place is not None else None

    def dropped(self, kind: Kind, path: tuple[str, ...]) -> list[Entity]:
        """List dropped objects that had this name, latest first."""
        gone = [
            e
            for e in self.all(Entity)
            if e.dropped_on is not None and e.kind is kind and e.path == path
        ]
        return sorted(gone, key=lambda e: (e.dropped_on, e.id), reverse=True)

    def create(
        self,
        kind: Kind,
        path: tuple[str, ...],
        detail: Detail,
        *,
        owner: str,
        now: datetime,
        comment: str | None = None,
    ) -> Entity:
        """Add a new object and return it."""
        entity = Entity(self.new_id(), kind, path, owner, now, detail, comment or "")
        self.put(entity)
        return entity

    def change(self, entity: Entity, **fields: Any) -> Entity:
        """Put the object back with some fields changed; a new path moves it."""
        changed = replace(entity, **fields)
        if record_key(changed) != record_key(entity):
            self.remove(entity)
        self.put(changed)
        return changed

    def forget(self, entity: Entity) -> None:
        """Take an object out together with its grants, policies, tags and parameters."""
        for record in self.about(entity.id):
            self.remove(record)
        self.remove(entity)

    def about(self, entity_id: int) -> list[Record]:
        """List the records that hang on an object."""
        return list(self._index.get(("object", entity_id), {}).values())

    def records(self) -> Iterator[Record]:
        """List every record."""
        for table in self._records.values():
            yield from table.values()

    def fingerprint(self) -> dict[str, Any]:
        """Return every record as plain values, by class and key."""
        return {
            name: {repr(key): asdict(record) for key, record in sorted(table.items(), key=repr)}
            for name, table in sorted(self._records.items())
            if table
        }

    def copy(self) -> Catalog:
        """Return a catalog of the same records, which goes its own way from here."""
        made = Catalog()
        for record in self.records():
            made.put(record)
        made.take_journal()
        return made

    # ---- what hangs on objects

    def all(self, cls: type[_R]) -> list[_R]:
        """List every record of a class, oldest first."""
        return list(self._records[cls.__name__].values())  # type: ignore[arg-type]

    def get(self, cls: type[_R], key: Any) -> _R | None:
        """Return the record with this key."""
        return self._records[cls.__name__].get(key)  # type: ignore[return-value]

    def grants_on(self, entity_id: int) -> list[Grant]:
        """List privileges granted on an object."""
        return [r for r in self.about(entity_id) if isinstance(r, Grant)]

    def grants_to(self, grantee_kind: str, grantee: str) -> list[Grant]:
        """List privileges granted to a role or user."""
        found = self._index.get(("grantee", (grantee_kind, grantee)), {}).values()
        return [r for r in found if isinstance(r, Grant)]

    def roles_granted_to(self, grantee_kind: str, grantee: str) -> list[RoleGrant]:
        """List roles granted to a role or user."""
        found = self._index.get(("grantee", (grantee_kind, grantee)), {}).values()
        return [r for r in found if isinstance(r, RoleGrant)]

    def role_granted(self, role: str) -> list[RoleGrant]:
        """List whom a role is granted to."""
        return [r for r in self.all(RoleGrant) if r.role == role]

    def future_grants(self, scope_id: int) -> list[FutureGrant]:
        """List future grants in a schema or database."""
        return [r for r in self.about(scope_id) if isinstance(r, FutureGrant)]

    def policies_on(self, entity_id: int) -> list[PolicyRef]:
        """List policies attached to an object and its columns."""
        found = self._index.get(("object", entity_id), {}).values()
        return [r for r in found if isinstance(r, PolicyRef)]

    def uses_of_policy(self, policy_id: int) -> list[PolicyRef]:
        """List where a policy is attached."""
        found = self._index.get(("used", policy_id), {}).values()
        return [r for r in found if isinstance(r, PolicyRef)]

    def tags_on(self, entity_id: int) -> list[TagRef]:
        """List tag values on an object and its columns."""
        found = self._index.get(("object", entity_id), {}).values()
        return [r for r in found if isinstance(r, TagRef)]

    def uses_of_tag(self, tag_id: int) -> list[TagRef]:
        """List where a tag has a value."""
        found = self._index.get(("used", tag_id), {}).values()
        return [r for r in found if isinstance(r, TagRef)]

    def is_taken(self, place: tuple[str, str]) -> bool:
        """Tell whether a table, present or dropped, keeps its rows there."""
        return bool(self._index.get(("place", _folded(place))))

    def parameters_on(self, entity_id: int) -> dict[str, str]:
        """Return parameters set on an object, 0 for the account."""
        found = self._index.get(("object", entity_id), {}).values()
        return {r.name: r.value for r in found if isinstance(r, Parameter)}


def record_key(record: Record) -> Any:
    """Return the key of a record within its class; dropped objects are kept by number.

    So are those that may stand beside a lasting one of the same name.
    """
    if isinstance(record, Entity) and record.dropped_on is not None:
        return ("dropped", record.id)
    if isinstance(record, Entity) and _hides(record):
        return ("temporary", record.id)
    return record.key


def _hides(entity: Entity) -> int:
    """Return the number of the session in which a temporary object hides a lasting one, else 0.

    A routine never does: the bodies of policies call routines by name.
    """
    if entity.kind in (Kind.FUNCTION, Kind.PROCEDURE):
        return 0
    return getattr(entity.detail, "temporary", 0)


def _place(entity: Entity) -> tuple[Any, ...]:
    """Return where an object is listed."""
    around = (entity.kind.space, *entity.path[:-1])
    session = _hides(entity)
    return (session, *around) if session else around


def _folded(place: tuple[str, str]) -> tuple[str, str]:
    """DuckDB tells no names apart that differ only by case."""
    return (place[0].lower(), place[1].lower())


def _index_keys(record: Record) -> list[tuple[str, Any]]:
    match record:
        case Grant():
            return [
                ("object", record.object_id),
                ("grantee", (record.grantee_kind, record.grantee)),
            ]
        case RoleGrant():
            return [("grantee", (record.grantee_kind, record.grantee))]
        case FutureGrant():
            return [("object", record.scope_id)]
        case PolicyRef():
            return [("object", record.object_id), ("used", record.policy_id)]
        case TagRef():
            return [("object", record.object_id), ("used", record.tag_id)]
        case Parameter():
            return [("object", record.object_id)]
        case Entity(detail=TableDetail(place=place)):
            return [("place", _folded(place))]
        case Entity() | Shelved():
            return []
