"""SHOW of an object's parts, such as `SHOW ENDPOINTS IN SERVICE s`.

Room: embedded. What nothing here can ever hold (containers, endpoints, images) is shown as it is:
empty, below the columns that Snowflake gives.
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.object_kind import Answer, Show
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast


def whole_of(session: Context, statement: ast.Show, kind: Kind) -> Entity:
    """Return the object behind IN.

    Raises:
        SqlError: none is named (1003), or it is not there (2003).
    """
    scope = statement.scope
    if scope is None or scope.kind != kind.value or not scope.name:
        raise errors.syntax("syntax error line 1 at position 0 unexpected '<EOF>'.")
    return access.existing(session, kind, scope.name)


def nothing(columns: str, kind: Kind | None = None) -> Show:
    """Show what never runs or is held here: nothing, of an object that is there."""

    def show(session: Context, statement: ast.Show) -> Answer:
        """Show the columns alone, once the object is found."""
        if kind is not None:
            whole_of(session, statement, kind)
        return columns, []

    return show
