"""Asked: the arguments of a history function, checked and read.

Room: embedded. An argument that the function does not know is refused, never left out of account.

See https://docs.snowflake.com/en/sql-reference/info-schema
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlglot import exp

from skills_nb.embedded import refusals

Arguments = dict[str, exp.Expr]
_MOST = 10_000


def instant_in(session: Any, arguments: Mapping[str, exp.Expr], name: str) -> datetime | None:
    """Evaluate an argument that is an instant; None where it was not given."""
    node = arguments.get(name)
    value = session.evaluated(node, "TIMESTAMPTZ") if node is not None else None
    return value.astimezone(UTC) if isinstance(value, datetime) else None


class Asked:
    """The arguments of a history function."""

    def __init__(self, arguments: Arguments, known: tuple[str, ...]) -> None:
        """Take arguments by name, or in the order of the names that are known.

        Raises:
            SqlError: an argument is not known.
        """
        places = {f"ARG{place}": name for place, name in enumerate(known)}
        named = {places.get(name, name): value for name, value in arguments.items()}
        for name in named:
            if name not in known:
                raise refusals.unsupported(f"argument {name} of a history function")
        self._arguments = named

    def text(self, name: str) -> str | None:
        """Return an argument's constant as text."""
        node = self._arguments.get(name)
        if node is None or isinstance(node, exp.Null):
            return None
        if not isinstance(node, exp.Literal):
            raise refusals.invalid_argument(f"Argument {name} must be a constant")
        return str(node.name)

    def flag(self, name: str) -> bool:
        """Return an argument that is TRUE or FALSE."""
        node = self._arguments.get(name)
        if node is not None and not isinstance(node, exp.Boolean):
            raise refusals.invalid_argument(f"Argument {name} must be TRUE or FALSE")
        return bool(node.this) if node is not None else False

    def given(self, name: str) -> bool:
        """Tell whether an argument was given."""
        return name in self._arguments

    def limit(self, default: int = 100) -> int:
        """Return RESULT_LIMIT."""
        found = int(self.text("RESULT_LIMIT") or default)
        if not 1 <= found <= _MOST:
            raise refusals.invalid_argument(f"RESULT_LIMIT {found} is not within 1 and {_MOST}")
        return found

    def instant(self, session: Any, name: str) -> datetime | None:
        """Return an argument that is an instant."""
        return instant_in(session, self._arguments, name)
