"""Asked: the arguments of a history function, checked and read.

Room: embedded. An argument that the function does not know is refused, never left out of account.

See https://docs.snowflake.com/en/sql-reference/info-schema
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.session.context import Context

Arguments = dict[str, exp.Expr]
_MOST = 10_000


def instant_in(session: Context, arguments: Mapping[str, exp.Expr], name: str) -> datetime | None:
    """Evaluate an argument that is an instant; None where it was not given."""
    node = arguments.get(name)
    value = session.evaluated(node, "TIMESTAMPTZ") if node is not None else None
    return value.astimezone(UTC) if isinstance(value, datetime) else None


class Asked:
    """The arguments of a history function."""

    def __init__(self, arguments: Arguments, known: tuple[str, ...]) -> None:
        """Take arguments by name, or in the order of the names that are known.

        Raises:
            SqlError: an argument is not known (0A000).
        """
        places = {f"ARG{place}": name for place, name in enumerate(known)}
        named = {places.get(name, name): value for name, value in arguments.items()}
        for name in named:
            if name not in known:
                raise errors.unsupported(f"argument {name} of a history function")
        self._arguments = named

    def text(self, name: str) -> str | None:
        """Return an argument's constant as text.

        Raises:
            SqlError: the argument is no constant (1014).
        """
        node = self._arguments.get(name)
        if node is None or isinstance(node, exp.Null):
            return None
        if not isinstance(node, exp.Literal):
            raise errors.invalid_argument(f"Argument {name} must be a constant")
        return str(node.name)

    def flag(self, name: str) -> bool:
        """Return an argument that is TRUE or FALSE.

        Raises:
            SqlError: the argument is neither TRUE nor FALSE (1014).
        """
        node = self._arguments.get(name)
        if node is not None and not isinstance(node, exp.Boolean):
            raise errors.invalid_argument(f"Argument {name} must be TRUE or FALSE")
        return bool(node.this) if node is not None else False

    def given(self, name: str) -> bool:
        """Tell whether an argument was given."""
        return name in self._arguments

    def limit(self, default: int = 100) -> int:
        """Return RESULT_LIMIT."""
        return limit_of(self.text("RESULT_LIMIT"), default)

    def instant(self, session: Context, name: str) -> datetime | None:
        """Return an argument that is an instant."""
        return instant_in(session, self._arguments, name)


def limit_of(given: str | None, default: int) -> int:
    """Return RESULT_LIMIT as it was given, or the default.

    Raises:
        SqlError: it is no whole number within the bounds (1014).
    """
    if given is None:
        return default
    if not given.isascii() or not given.isdigit() or not 1 <= int(given[:9]) <= _MOST:
        raise errors.invalid_argument(f"RESULT_LIMIT {given[:40]} is not within 1 and {_MOST}")
    return int(given)
