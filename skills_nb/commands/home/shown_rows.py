"""Rows that a dry run of this process may show: in memory, of the newest one, and nowhere else.

Room: commands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skills_nb.model.state import ThreadState
    from skills_nb.ports import RunKey, SeenRows, ShowRows


class ShownRows:
    """What the newest dry run may show."""

    def __init__(self) -> None:
        """Hold nothing: nobody looks yet."""
        self.is_looked_at = False
        """Whether a door shows rows live to a person, and keeps none of them."""
        self._newest: tuple[RunKey, tuple[SeenRows, ...]] | None = None

    @property
    def taker(self) -> ShowRows | None:
        """Return what takes rows; None where nobody looks, so that none are read."""
        return self._take if self.is_looked_at else None

    def _take(self, run: RunKey, rows: Sequence[SeenRows]) -> None:
        self._newest = run, tuple(rows)

    def of(self, state: ThreadState) -> tuple[SeenRows, ...]:
        """Return the rows of a thread whose dry run was made here; none where it was not."""
        if self._newest is None or state.run is None:
            return ()
        run, rows = self._newest
        return rows if run == (state.thread_id, state.run.started_seq) else ()
