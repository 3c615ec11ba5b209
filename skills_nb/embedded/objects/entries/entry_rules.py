"""Rules of a kind of entry: what may be said about it, and what ALTER does with it.

Room: embedded. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import EntryDetail
from skills_nb.embedded.objects.entries.property_checks import Check
from skills_nb.embedded.session.context import Context

Held = dict[str, Any]
"""What an entry keeps: properties, and under keys with `_` what no statement can write."""
Verb = Callable[[Context, Entity, Held, Held], Held]
"""Takes what the statement gives and what the entry keeps; returns what it keeps then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRules:
    """What may be said about the entries of one kind."""

    properties: Mapping[str, Check]
    """Properties and clauses with their checks."""
    required: tuple[str, ...] = ()
    """Properties that CREATE must give."""
    subtype: str = ""
    """The property that says the subtype."""
    secret: frozenset[str] = frozenset()
    """Properties whose values are not kept."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """What holds where nobody says."""
    references: Mapping[str, Kind] = field(default_factory=dict)
    """Properties that name objects, which must be there."""
    one_of: tuple[str, ...] = ()
    """Properties of which exactly one must be given."""
    fixed: frozenset[str] = frozenset()
    """Properties that only CREATE may give."""
    born: Mapping[str, Any] = field(default_factory=dict)
    """What a new entry has besides, under keys that no statement can write."""
    complete: Callable[[Context, Held], None] = lambda _session, _held: None
    """Checks what a new entry says as a whole, and fills in what follows from it."""
    settle: Callable[[Entity, Held], None] = lambda _entity, _held: None
    """Checks what an entry says after SET as a whole."""
    verbs: Mapping[str, Verb] = field(default_factory=dict)
    """What ALTER does beside SET and UNSET, by its words."""
    power: Callable[[bool], Held] | None = None
    """Returns what RESUME, or else SUSPEND, puts into an entry; None for what does not run."""


def properties_of(entity: Entity) -> Held:
    """Return what an entry keeps."""
    assert isinstance(entity.detail, EntryDetail)
    return entity.detail.kept


def is_own(key: str) -> bool:
    """Tell whether the account itself keeps this, and no statement may write it."""
    return key.startswith("_")


def state_of(resumed: str) -> Callable[[bool], Held]:
    """Make what gives an entry a state: SUSPENDED, or this one when it is resumed."""
    return lambda resumes: {"_STATE": resumed if resumes else "SUSPENDED"}
