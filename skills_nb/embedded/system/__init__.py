"""What the account tells about itself to queries: INFORMATION_SCHEMA and ACCOUNT_USAGE.

Room: embedded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skills_nb.embedded.values import Column

if TYPE_CHECKING:
    from sqlglot import exp

    from skills_nb.embedded.lookups import Lookups
    from skills_nb.embedded.rewrite.scope import Env

Table = tuple[tuple[Column, ...], tuple[tuple[Any, ...], ...]]


def view(session: Lookups, path: tuple[str, ...], env: Env) -> Table | None:
    """Return the rows of a system view; None for any other name."""
    return None


def function(
    session: Lookups, path: tuple[str, ...], arguments: dict[str, exp.Expression], env: Env
) -> Table | None:
    """Return the rows of a system table function; None for any other name."""
    return None
