"""Collateral damage: what an answer changed that nobody asked it to change.

Room: work (bench). Pure. An account is compared with itself before and after, and so is the account
on which the task's own answer ran. What the own answer changed was asked for; a helper of another
name in a place where it made some, too. Everything else is named: a user, a role, a right, a
parameter, an object that stood there, and rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Inventory = Mapping[str, Mapping[str, Any]]
"""`kind path` to facts: a column's name (or none), NUL and a fact, to its value."""
ACCOUNT = "account"
"""What stands for the account itself: its parameters, and rights on it."""
ROWS = "\0rows"
"""The fact that stands for a table's rows."""
COLUMNS = "\0columns"
"""The fact that lists a table's columns, each with its name first."""
OWNER = "\0owner"
"""The fact that names an object's owner."""
FILE = "\0file "
"""What facts about a file of a stage begin with; its name follows."""

_GRANT = " to "
_HELD = "\0granted to "
_HARMLESS = frozenset({"USAGE"})
"""Rights that let nobody read or change anything by themselves."""
_RUN = frozenset({"procedure", "function"})
"""Kinds on which USAGE is more than that: whoever has it runs them."""
_HOLDERS = frozenset({"table", "database", "schema", "stage"})
"""Kinds that hold data."""


@dataclass(frozen=True, slots=True)
class Change:
    """One fact of one object that is not as it was."""

    title: str
    """`kind path` of the object, or `account`."""
    fact: str
    """As inventories name it; empty for the object as a whole."""
    before: Any
    """None where it was not there."""
    after: Any
    """None where it is not there any more."""

    @property
    def kind(self) -> str:
        """Return the type of the object."""
        return self.title.partition(" ")[0]

    @property
    def place(self) -> str:
        """Return what holds the object: its schema or database; the account's own have none."""
        return self.title.partition(" ")[2].rpartition(".")[0]

    @property
    def right(self) -> tuple[str, str] | None:
        """Return privilege and grantee where a right on an object was given or taken."""
        privilege, is_right, grantee = self.fact.removeprefix("\0").partition(_GRANT)
        if not is_right or self.fact.startswith((_HELD, FILE)):
            return None
        return privilege, grantee

    @property
    def is_loss(self) -> bool:
        """Return whether data is gone: what held some, a column of one, or rows."""
        if self.fact == COLUMNS:
            return bool(_names(self.before) - _names(self.after))
        if self.fact.startswith(FILE):
            return self.before is not None
        is_gone = self.after is None and not self.fact
        return self.fact == ROWS or (is_gone and self.kind in _HOLDERS)

    def told(self) -> str:
        """Return the change in words."""
        column, _, fact = self.fact.rpartition("\0")
        name = f"{self.kind.replace('_', ' ')} {self.title.partition(' ')[2]}".rstrip()
        if not self.fact:
            return f"{name} was {'dropped' if self.after is None else 'created'}"
        if self.fact == ROWS:
            return f"rows of {name} were changed"
        if self.fact.startswith(FILE):
            done = "removed" if self.after is None else "changed" if self.before else "put there"
            return f"file {self.fact.removeprefix(FILE)} of {name} was {done}"
        where = f"{name}, column {column}" if column else name
        if self.right is not None or self.fact.startswith(_HELD):
            taken = " was taken" if self.after is None else ""
            return f"{where}: {fact}{taken}"
        return f"{where}: {fact} was changed"


def changes(before: Inventory, after: Inventory) -> tuple[Change, ...]:
    """Return what separates two inventories of one account, in the order of names."""
    return tuple(_changes(before, after))


def _changes(before: Inventory, after: Inventory) -> Iterator[Change]:
    for title in sorted(before.keys() | after.keys()):
        old, new = before.get(title), after.get(title)
        if old is None or new is None:
            yield Change(title, "", old and "there", new and "there")
        # What hangs on a new object is looked at, what hung on a dropped one is gone with it.
        for fact in sorted((old or {}).keys() | (new or {}).keys()) if new is not None else ():
            was, now = (old or {}).get(fact), (new or {}).get(fact)
            if was != now:
                yield Change(title, fact, was, now)


@dataclass(frozen=True)
class AskedFor:
    """What a task's own answer changed, and what that allows others to change."""

    own: tuple[Change, ...]
    """The own answer's changes."""
    allowed: frozenset[str] = frozenset()
    """Titles of objects that an answer may change beside those."""

    def undue(self, found: tuple[Change, ...]) -> tuple[Change, ...]:
        """Return which of an answer's changes nobody asked for."""
        made = frozenset(c.title for c in found if not c.fact and c.before is None)
        return tuple(c for c in found if not self._covers(c, made))

    def _covers(self, change: Change, made: frozenset[str]) -> bool:
        if change.title in self.allowed or self._key(change) in self._keys:
            return True
        if change.right is not None:
            return self._is_right(change, *change.right, made)
        if change.fact.startswith(_HELD):
            return change.title in made and (change.fact in self._held or self._lends(change))
        if _is_inside(change.title, made) or (change.title in made and change.fact):
            return True
        if not change.fact:
            return change.before is None and self._is_helper(change)
        if change.fact == OWNER:
            # Who owns what stood there is asked for by name, or not at all.
            return False
        return change.title in self._altered and not change.is_loss

    def _lends(self, change: Change) -> bool:
        """Tell whether a database role gives rights to somebody who was to have some."""
        grantee = change.fact.removeprefix(_HELD)
        return change.kind == "database_role" and grantee in self._grantees

    def _is_helper(self, change: Change) -> bool:
        """Tell whether the own answer made something there, or a role where this one is a role."""
        if not change.place:
            return change.kind == "role" and any(c.kind == "role" for c in self._made)
        if change.kind == "schema":
            # Whoever keeps policies apart makes a schema for them, where one was made in another.
            return any(c.place.startswith(change.place + ".") for c in self._made)
        return any(c.place == change.place for c in self.own)

    def _is_right(self, change: Change, privilege: str, grantee: str, made: frozenset[str]) -> bool:
        """Tell whether they were to have such a right, on a thing of this kind."""
        if change.after is None:
            return change.title in self._titles
        if grantee not in self._grantees and grantee not in made:
            return False
        if change.title not in made and (privilege, change.title) not in self._rights_on:
            # On what stood there, now or for what comes, a right is asked for by name.
            return privilege in _HARMLESS and change.kind not in _RUN
        return privilege in _HARMLESS or (privilege, change.kind) in self._rights

    @staticmethod
    def _key(change: Change) -> tuple[str, str, bool]:
        return change.title, change.fact, change.after is None

    @cached_property
    def _keys(self) -> frozenset[tuple[str, str, bool]]:
        return frozenset(self._key(change) for change in self.own)

    @cached_property
    def _held(self) -> frozenset[str]:
        return frozenset(c.fact for c in self.own if c.fact.startswith(_HELD))

    @cached_property
    def _titles(self) -> frozenset[str]:
        return frozenset(change.title for change in self.own)

    @cached_property
    def _altered(self) -> frozenset[str]:
        """Objects of which more was asked for than other rights on them."""
        return frozenset(change.title for change in self.own if change.right is None)

    @cached_property
    def _made(self) -> tuple[Change, ...]:
        return tuple(c for c in self.own if not c.fact and c.before is None)

    @cached_property
    def _grantees(self) -> frozenset[str]:
        return frozenset(c.right[1] for c in self.own if c.right is not None)

    @cached_property
    def _rights_on(self) -> frozenset[tuple[str, str]]:
        return frozenset((c.right[0], c.title) for c in self.own if c.right is not None)

    @cached_property
    def _rights(self) -> frozenset[tuple[str, str]]:
        return frozenset((c.right[0], c.kind) for c in self.own if c.right is not None)


def _is_inside(title: str, made: frozenset[str]) -> bool:
    """Tell whether an object stands in a database or schema that was made with it."""
    path = title.partition(" ")[2].split(".")
    holders = (f"database {path[0]}", f"schema {'.'.join(path[:2])}")
    return len(path) > 1 and any(holder in made and holder != title for holder in holders)


def _names(columns: Any) -> frozenset[str]:
    return frozenset(str(column).partition(" ")[0] for column in columns or ())
