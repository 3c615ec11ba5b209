"""A few rows as roles see them before and after a plan: shown to whoever plans it, kept nowhere.

Room: contracts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

StandIn = Literal["", "no access", "row hidden", "not as you see it", "not shown"]
"""What stands where a value is not shown; empty where it is."""


@dataclass(frozen=True, slots=True)
class SeenCell:
    """One value of a row, as somebody sees it."""

    value: str | int | float | None = None
    """As a table's cell holds it; nothing where a word stands for it."""
    word: StandIn = ""
    """What stands in its place: it is not seen, or whoever plans may not see it."""


SeenRow = tuple[SeenCell, ...]


@dataclass(frozen=True, slots=True)
class RowsOfRole:
    """The rows as one role sees them."""

    role: str
    """Its stored name."""
    before: tuple[SeenRow, ...]
    """One for each row of the sample, as the account is now."""
    after: tuple[SeenRow, ...]
    """The same rows once the plan is done."""


@dataclass(frozen=True, slots=True)
class SeenRows:
    """A few rows of one table or view."""

    table: str
    """Its full name, as SQL."""
    columns: tuple[str, ...] = ()
    """Those that are shown; what changes comes first."""
    own: tuple[SeenRow, ...] = ()
    """The rows as whoever plans sees them with the active role, as the account is now."""
    roles: tuple[RowsOfRole, ...] = ()
    """Those for which something changes."""
    why: str = ""
    """Why no rows are shown, as a sentence; empty where there are some."""


RunKey = tuple[str, int]
"""A thread's id, and the number of the event that began the run in it."""
ShowRows = Callable[[RunKey, Sequence[SeenRows]], None]
"""Takes the rows that the dry run of a run may show and nobody keeps."""
