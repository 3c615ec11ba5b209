"""What is found in one statement: where names lack their beginning, and what cannot be told.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.object_refs import ACCOUNT_KINDS, DATABASE_KINDS, Name, Place

_NEVER = frozenset({"ACCOUNT", "APPLICATION ROLE", "CLASS", "ORGANIZATION PROFILE", "SESSION"})
"""Kinds beside those of the account whose names no database goes before."""


class Patch(NamedTuple):
    """A piece of a text and what stands in its place."""

    start: int
    """Offset of its first character."""
    end: int
    """Offset behind its last character; that of the first where something is only put in."""
    text: str
    """What stands there then."""


@dataclass(frozen=True, slots=True)
class QualifiedText:
    """A text with its names in full."""

    sql: str
    """The text to send; as it was where every name was in full."""
    lacking: tuple[str, ...]
    """Names that could not be completed, because the session has no current schema."""
    database: str | None
    """The database that is current behind the text."""
    schema: str | None
    """The schema that is current behind the text; None where none is."""


@dataclass(frozen=True, slots=True)
class StatementInFull:
    """One statement with its names in full."""

    written: str
    """As it was written."""
    sql: str
    """The statement as it is sent."""
    pin: str
    """What is sent before it, where some of its names cannot be read; empty where all can."""
    lacking: tuple[str, ...]
    """Names that could not be completed, because the session has no current schema."""
    place: Place
    """Where the session stands before it."""
    behind: Place
    """Where the session stands behind it."""
    reads: bool
    """Whether it changes nothing."""
    stands: bool
    """Whether the session surely stands where it should, behind it."""


@dataclass(slots=True)
class Findings:
    """What is found while a statement is read."""

    place: Place
    """What is current where the piece that is read stands."""
    patches: dict[int, Patch] = field(default_factory=dict)
    """By where they begin: a name that is met twice is completed once."""
    lacking: list[str] = field(default_factory=list)
    """Names that could not be completed, as SQL, in the order in which they were met."""
    is_sure: bool = True
    """Whether everything that depends on the session is known."""

    def name(self, kind: str, start: int, parts: Name) -> None:
        """Complete the name of an object of a kind that begins at an offset."""
        prefix = self.prefix(kind, parts)
        if prefix:
            self.patches[start] = Patch(start, start, f"{render_name(prefix)}.")

    def whole(self, kind: str, parts: Name) -> str:
        """Return the full name of an object of a kind as SQL."""
        return render_name((*self.prefix(kind, parts), *parts))

    def prefix(self, kind: str, parts: Name) -> Name:
        """Return what stands before a name in full; () where nothing does or it is not known."""
        missing = _full_length(kind) - len(parts)
        if missing <= 0:
            return ()
        known = (self.place.database, self.place.schema)[:missing]
        found = tuple(part for part in known if part is not None)
        if len(found) < len(known):
            self.lacking.append(render_name(parts))
            return ()
        return found

    def put(self, start: int, end: int, text: str) -> None:
        """Put another text in the place of a piece."""
        self.patches[start] = Patch(start, end, text)

    def take(self, inner: Findings, offset: int) -> None:
        """Take over what was found in a piece of the text that begins at an offset."""
        for patch in inner.patches.values():
            self.put(patch.start + offset, patch.end + offset, patch.text)
        self.lacking += inner.lacking
        self.is_sure = self.is_sure and inner.is_sure

    def at(self, home: Name) -> Findings:
        """Return findings of a body whose names are looked up in the schema of its object."""
        is_known = len(home) == 2
        place = Place(home[0], home[1]) if is_known else self.place
        return Findings(place)


def _full_length(kind: str) -> int:
    if kind in ACCOUNT_KINDS or kind in _NEVER or kind.endswith("INTEGRATION"):
        return 1
    if kind in DATABASE_KINDS:
        return 2
    return 4 if kind == "COLUMN" else 3


def apply_patches(sql: str, patches: Iterable[Patch]) -> str:
    """Return a text with its patches."""
    found: list[str] = []
    at = 0
    for patch in sorted(patches):
        found += [sql[at : patch.start], patch.text]
        at = patch.end
    return "".join([*found, sql[at:]])


def moved_to(place: Place, name: Sequence[str]) -> Place:
    """Return the place behind USE SCHEMA; a short name is one of the current database."""
    if len(name) > 1:
        return Place(name[-2], name[-1])
    return replace(place, schema=name[-1])
