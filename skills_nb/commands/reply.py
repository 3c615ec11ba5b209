"""What a command answers.

Room: commands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skills_nb.model.state import Pause
    from skills_nb.ports import QueryRows, SeenRows
    from skills_nb.views import View

DONE, USAGE, PAUSED, FAILED, INVALID = 0, 2, 3, 4, 5
"""Exit statuses. Source: FORMATS, One grammar."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a command answers."""

    view: View
    """What a person sees."""
    document: Any
    """What `--json` prints."""
    status: int = DONE
    """The exit status in a terminal."""
    thread_id: str | None = None
    """The thread that it is about; None where there is none."""
    pause: Pause | None = None
    """What waits for an answer now, where something does."""
    next_cell: str = ""
    """What a notebook puts into a new cell beneath; empty where nothing."""
    seen: tuple[SeenRows, ...] = ()
    """Rows as roles would see them after a dry run of this process: for a door that shows them live
    and keeps nothing. No view and no document holds them."""
    rows: QueryRows | None = None
    """What a query found, for a notebook to keep as a value; None for any other command."""
