"""The ports of a thread's interpreter, together.

Room: contracts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass
from skills_nb.ports.rehearsals import Rehearsal
from skills_nb.ports.resolvers import Resolver, Router
from skills_nb.ports.seen_rows import ShowRows
from skills_nb.ports.sessions import SqlSession
from skills_nb.ports.surroundings import Clock, Human, IdSource
from skills_nb.ports.thread_stores import ThreadStore

SOMEBODY = "human:local"
"""The actor of what a person does whom nobody named."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports that a thread's interpreter needs, filled by the composition root."""

    session: SqlSession
    """The account that statements are sent to."""
    store: ThreadStore
    """Where threads are kept."""
    clock: Clock
    """The time that events are stamped with."""
    ids: IdSource
    """Names for events and threads."""
    human: Human
    """Whether a person is there to see a countdown."""
    router: Router
    """What words lead to."""
    rehearsal: Rehearsal | None = None
    """The shadow account of a dry run; None where none can be made."""
    resolver: Resolver | None = None
    """None: everything is decided without a model."""
    secrets: Mapping[str, str] = field(default_factory=dict)
    """Values of secret inputs, for this process only."""
    person: str = SOMEBODY
    """Who starts and answers threads here, as events name them; the default names nobody."""
    show_rows: ShowRows | None = None
    """Takes rows that a dry run may show and nobody keeps; None: nobody looks, so none are read."""
