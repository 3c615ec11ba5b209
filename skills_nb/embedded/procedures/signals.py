"""Signals: how a script leaves a loop, a block or itself.

Room: embedded.
"""

from __future__ import annotations

import sys

from skills_nb.embedded import errors
from skills_nb.embedded.parser import scripts as s
from skills_nb.embedded.parser.scopes import Table, Value
from skills_nb.errors import SqlError


class Left(Exception):  # noqa: N818 - it is how a loop ends, not an error
    """BREAK or CONTINUE on its way to its loop."""

    def __init__(self, leave: s.Leave) -> None:
        """Carry what was written."""
        self.leave = leave


class Returned(Exception):  # noqa: N818 - it is how a script ends, not an error
    """RETURN on its way out."""

    def __init__(self, value: Value | Table) -> None:
        """Carry what is returned."""
        self.value = value


class Raised(Exception):  # noqa: N818 - a script's exception, which its handlers may catch
    """An exception on its way to a handler."""

    def __init__(self, kind: str, error: SqlError, place: s.Place) -> None:
        """Carry what was raised and where."""
        super().__init__(error.message)
        self.kind, self.error, self.place = kind, error, place
        self.reach = sys.maxsize

    def reaches(self, depth: int) -> bool:
        """Tell whether a block with so many around it may handle it.

        What fails in a handler is beyond the handler's own block, which is at `reach`.
        """
        return depth < self.reach

    def uncaught(self) -> SqlError:
        """Return the error that the caller of the script gets."""
        made = errors.scripting(
            self.kind, self.place.line, self.place.position, self.error.message, self.error
        )
        made.query_id = self.error.query_id
        return made
