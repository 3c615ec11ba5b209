"""SHOW of instances.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/classes/budget/commands/show-budget
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import Entity, Kind

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

COLUMNS = "created_on:t name database_name schema_name current_version comment owner"
_KINDS = (Kind.BUDGET, Kind.CLASSIFICATION_PROFILE, Kind.CUSTOM_CLASSIFIER)


def _row(session: AccountSession, e: Entity) -> tuple[Any, ...]:
    return (e.created_on, e.name, *e.path[:2], "1.0", e.comment, e.owner)


LISTINGS: dict[str, tuple[Kind, str, Callable[[AccountSession, Entity], tuple[Any, ...]]]] = {
    kind.value: (kind, COLUMNS, _row) for kind in _KINDS
}
"""By the class's full name."""
