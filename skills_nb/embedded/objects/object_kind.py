"""What the account does with one kind of object, and the list of all kinds.

Room: embedded. A kind is registered once, in the module where it lives: what makes it, changes it,
drops it, shows it, describes it, writes it as DDL, copies it and exports it, its privileges and its
rows in the system's views. A verb that a kind has nothing for is refused by name (0A000).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Detail, Entity, Kind
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast

Row = tuple[Any, ...]
Answer = tuple[str, list[Row]]
"""Columns with their types, as `columns_of` reads them, and rows."""
Handler = Callable[[Context, Any], Outcome]
Show = Callable[[Context, ast.Show], Answer]
Action = Callable[[Context, Entity, Any], None]
Columns = Mapping[str, Callable[[Entity], Any]]
"""Column of a system view, with its type as `columns_of` reads it, to how it is read."""


@dataclass(frozen=True, slots=True)
class Listing:
    """How SHOW lists a kind."""

    columns: str
    """Names with their types, as `columns_of` reads them."""
    row: Callable[[Context, Entity], Row]
    """Returns an object's values, one a column."""
    rows: Callable[[Context, list[Entity]], list[Row]] | None = None
    """Returns the values of many objects at once, where that is quicker."""
    name: Callable[[Entity], str] = lambda entity: entity.name
    """Returns the name that LIKE and STARTS WITH are about."""
    history: Callable[[Context, ast.Show], list[Entity]] | None = None
    """Lists the dropped objects that HISTORY adds; None where Snowflake has no such word."""

    def all(self, session: Context, entities: list[Entity]) -> list[Row]:
        """Return the values of many objects."""
        if self.rows is not None:
            return self.rows(session, entities)
        return [self.row(session, entity) for entity in entities]

    def one(self, session: Context, entity: Entity) -> tuple[str, list[Row]]:
        """Answer DESCRIBE as SHOW does, for kinds where the two have the same columns."""
        return self.columns, [self.row(session, entity)]


@dataclass(frozen=True, slots=True)
class Properties:
    """What ALTER … SET and UNSET change beside the comment and parameters."""

    set: Callable[[Context, Entity, dict[str, Any]], None]
    """Changes the object; raises for a property that the kind does not have."""
    unset: Callable[[Context, Entity, str], None]
    """Takes one property back; raises for one that the kind does not have."""


@dataclass(frozen=True, slots=True)
class Cloning:
    """How a kind is copied."""

    privilege: str | None = None
    """What CREATE … CLONE asks on the source, '' for its ownership; None where no such is."""
    with_schema: bool = True
    """Whether a clone of a schema takes such objects along."""
    statement: Handler | None = None
    """Carries CREATE … CLONE out where more is copied than what the catalog says."""
    copy: Callable[[Context, Any, Mapping[int, int]], Detail] = lambda _session, detail, _: detail
    """Returns the copy's detail; the mapping tells a clone's number by its source's."""
    begin: Callable[[Context, Entity], None] = lambda _session, _entity: None
    """Starts what the new object needs once it is there."""
    link: Callable[[Context, Entity, Mapping[int, int]], None] | None = None
    """Lets a copy follow the copies of what its source followed, when all are there."""


@dataclass(frozen=True, slots=True)
class SystemView:
    """How a kind stands in its view of INFORMATION_SCHEMA and that of ACCOUNT_USAGE."""

    columns: Columns
    """Columns of both views by name, each with what reads it."""
    others: Columns = field(default_factory=dict)
    """What INFORMATION_SCHEMA shows in place of some columns to who does not own the object."""


class Phase(IntEnum):
    """When an export's script makes objects of a kind."""

    OWN = 0
    """Where the export itself puts them: accounts, containers, tables and what hangs on them."""
    EARLY = 1
    """Before tables, which may name them."""
    CODE = 2
    """Behind the rows, before views and policies, which may call them."""
    LATE = 3
    """Behind everything that is not LATE."""


@dataclass(frozen=True, slots=True)
class Exporting:
    """How an export's script makes objects of a kind again."""

    phase: Phase = Phase.LATE
    """When the script makes them: what others rest on comes first."""
    create: Callable[[Context, Entity], str] | None = None
    """Writes the CREATE where it is not that of GET_DDL."""
    state: Callable[[Entity], list[str]] = lambda _: []
    """Writes the ALTER statements that bring a new object to the state of this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectKind:
    """Everything that differs by kind of object."""

    kind: Kind
    """The kind that all of it is about."""
    plurals: tuple[str, ...] = ()
    """The words after SHOW."""
    create: Mapping[type[Any], Handler] = field(default_factory=dict)
    """By the statement's class: what carries CREATE and statements of the kind's own out."""
    alter: Callable[[Context, Entity, Any], bool] | None = None
    """Carries out one action of ALTER that the session may do; False for what all kinds have."""
    properties: Properties | None = None
    """How ALTER sets and unsets its properties; None where `alter` carries that out, too."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Parameters that an object's own detail holds, with the fields of the detail."""
    rename: Callable[[Context, Entity, tuple[str, ...]], None] | None = None
    """Lets what holds an object by its name follow to the new path; raises to refuse it."""
    drop: Callable[[Context, Entity], None] | None = None
    """Takes an object out of the account, its owner having asked; None forgets it."""
    refuse_drop: Callable[[Context, Entity], None] | None = None
    """Raises where an object is still in use."""
    undrop: Callable[[Context, Entity], None] | None = None
    """Brings a dropped object back."""
    listing: Listing | None = None
    """What SHOW answers; None where there is no SHOW of the kind."""
    shows: Mapping[str, Show] = field(default_factory=dict)
    """By the words after SHOW: what lists parts of such objects, or some of these."""
    describe: Callable[[Context, Entity], Answer] | None = None
    """Answers DESCRIBE with columns and rows."""
    ddl: Callable[[Context, Entity, bool], str] | None = None
    """Writes the CREATE statement, with full names or not, without its semicolon."""
    ddl_words: tuple[str, ...] = ()
    """The words of GET_DDL that mean the kind, beside its own name."""
    has_get_ddl: bool = True
    """Whether Snowflake's GET_DDL takes the kind; exports write it in any case."""
    is_in_schema_ddl: bool = False
    """Whether the DDL of its schema or database writes it, too."""
    privileges: tuple[str, ...] = ()
    """What can be granted on an object, ownership aside."""
    made_after: tuple[Kind, ...] = ()
    """Kinds that a CREATE statement may name, which therefore come first in scripts."""
    in_order: Callable[[list[Entity]], list[Entity]] = lambda listed: listed
    """Puts objects of the kind behind those of the kind that they name."""
    clone: Cloning | None = None
    """How CLONE copies one; None where it cannot be cloned."""
    export: Exporting | None = None
    """How an export writes it; None where an export refuses the kind."""
    view: SystemView | None = None
    """How its view in INFORMATION_SCHEMA and ACCOUNT_USAGE is filled; None where it has none."""
    usage: Callable[[Context], Columns] | None = None
    """Returns the columns of its view in ACCOUNT_USAGE, where INFORMATION_SCHEMA has none."""

    def lacks(self) -> frozenset[str]:
        """Name the verbs that answer that they are not supported."""
        held = {
            "CREATE": self.create,
            "SHOW": self.listing,
            "DESCRIBE": self.describe,
            "GET_DDL": self.ddl and self.has_get_ddl,
            "CLONE": self.clone is not None and self.clone.privilege is not None,
            "UNDROP": self.undrop,
            "EXPORT": self.export,
        }
        return frozenset(verb for verb, found in held.items() if not found)


def by_class(actions: Mapping[type[Any], Action]) -> Callable[[Context, Entity, Any], bool]:
    """Make a kind's ALTER of functions for single actions, by their classes."""

    def alter(session: Context, entity: Entity, action: Any) -> bool:
        own = actions.get(type(action))
        if own is not None:
            own(session, entity, action)
        return own is not None

    return alter


_KINDS: dict[Kind, ObjectKind] = {}
KINDS: Mapping[Kind, ObjectKind] = MappingProxyType(_KINDS)
"""All kinds; complete once `skills_nb.embedded.objects.kinds` is imported."""


def register(made: ObjectKind) -> ObjectKind:
    """Enter a kind into the list.

    Raises:
        ValueError: it is there already.
    """
    if made.kind in _KINDS:
        raise ValueError(f"{made.kind.value} is registered twice")
    _KINDS[made.kind] = made
    return made


def of(kind: Kind) -> ObjectKind:
    """Return what is done with a kind.

    Raises:
        SqlError: the account has no such objects (0A000).
    """
    found = _KINDS.get(kind)
    if found is None:
        raise errors.unsupported(kind.value)
    return found


def listed_as(plural: str) -> ObjectKind | None:
    """Return the kind that SHOW lists under a word."""
    return next((kind for kind in _KINDS.values() if plural in kind.plurals), None)


def show_of(words: str) -> Show | None:
    """Return what answers SHOW with words that are not a kind's own."""
    return next((kind.shows[words] for kind in _KINDS.values() if words in kind.shows), None)


def in_order(chosen: Iterable[Kind]) -> list[ObjectKind]:
    """Put kinds behind those that their statements may name; else by their words."""
    waiting = sorted((of(kind) for kind in chosen), key=lambda one: one.kind.value)
    placed: list[ObjectKind] = []
    while waiting:
        ready = next(one for one in waiting if not _is_behind(one, waiting))
        waiting.remove(ready)
        placed.append(ready)
    return placed


def _is_behind(one: ObjectKind, waiting: list[ObjectKind]) -> bool:
    return any(other.kind in one.made_after for other in waiting if other is not one)


_OF_SHARES = ("IMPORTED PRIVILEGES", "REFERENCE_USAGE")
"""Privileges that ALL leaves out."""


def all_privileges(kind: Kind) -> tuple[str, ...]:
    """Return what ALL PRIVILEGES means for a kind."""
    return tuple(p for p in of(kind).privileges if p not in _OF_SHARES)


def check_privilege(privilege: str, kind: Kind) -> str:
    """Return the privilege.

    Raises:
        SqlError: objects of the kind do not have it (3008), or it is none of any kind (1003).
    """
    if privilege in of(kind).privileges or privilege == "OWNERSHIP":
        return privilege
    known = {p for one in _KINDS.values() for p in one.privileges}
    if privilege not in known:
        words = {word for p in known for word in p.split()}
        strange = next((w for w in privilege.split() if w not in words), privilege.split()[0])
        raise errors.syntax(f"syntax error: unexpected '{strange}'.")
    raise errors.wrong_privilege(privilege, kind.value)


def write(session: Context, entity: Entity, *, qualified: bool) -> str:
    """Return the CREATE statement of an object, without its semicolon.

    Raises:
        SqlError: objects of the kind cannot be written (0A000).
    """
    ddl = of(entity.kind).ddl
    if ddl is None:
        raise errors.unsupported(f"GET_DDL of {entity.kind.value}")
    return ddl(session, entity, qualified)
