"""What a statement was found to lack: the answers `no` of the rights, in the order of asking.

Room: embedded. Nobody listens but whoever wants to know which grant would have made the difference.
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.embedded.catalog.entities import Entity

ANYTHING = ""
"""Stands for whatever privilege: something has to be held on the object to know of it."""


@dataclass(frozen=True, slots=True)
class Lack:
    """A privilege that was asked for and is not held."""

    privilege: str
    """As GRANT names it; `ANYTHING` where any would do."""
    entity: Entity | None
    """What it would be held on; None for the account."""
