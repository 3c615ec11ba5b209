"""Kinds of objects in the system's views, with the columns that each is registered with.

Room: embedded. The columns of a kind's view serve both INFORMATION_SCHEMA, which shows what the
role may see, and ACCOUNT_USAGE, which adds numbers and the time of the end; a kind without a view
in INFORMATION_SCHEMA has columns for ACCOUNT_USAGE alone.

See https://docs.snowflake.com/en/sql-reference/info-schema
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.objects.object_kind import Columns, SystemView
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.system_views.information_schema.databases_and_tables import Roles, visible
from skills_nb.embedded.types.system_rows import Rows, laid_out


def _view(kind: Kind) -> SystemView:
    view = object_kind.of(kind).view
    if view is None:
        raise errors.unsupported(f"{kind.value} in the system's views")
    return view


def shown(kind: Kind) -> Callable[[Context, Roles, str], Rows]:
    """Return the reader of a kind's view in INFORMATION_SCHEMA."""

    def read(session: Context, roles: Roles, database: str) -> Rows:
        view = _view(kind)

        def reader(column: str) -> Callable[[Entity], Any]:
            """Read a column in one way for an object's owner and in another for all others."""
            own, others = view.columns[column], view.others.get(column)
            if others is None:
                return own
            return lambda e: own(e) if access.owns(session, e, roles) else others(e)

        columns = {column: reader(column) for column in view.columns}
        return laid_out(columns, visible(session, roles, kind, (database,)))

    return read


def used(kind: Kind) -> Callable[[Context], Rows]:
    """Return the reader of a kind's view in ACCOUNT_USAGE."""

    def read(session: Context) -> Rows:
        usage = object_kind.of(kind).usage
        columns = usage(session) if usage is not None else _numbered(session, kind)
        return laid_out(columns, session.account.catalog.within(kind))

    return read


def _numbered(session: Context, kind: Kind) -> Columns:
    """Return the columns of INFORMATION_SCHEMA with the numbers and the time of the end."""
    word, catalog = kind.value.replace(" ", "_"), session.account.catalog
    return {
        f"{word}_ID:n": lambda e: e.id,
        f"{word}_SCHEMA_ID:n": lambda e: catalog.id_of_place(e.path[:2]),
        f"{word}_CATALOG_ID:n": lambda e: catalog.id_of_place(e.path[:1]),
        **_view(kind).columns,
        "DELETED:t": lambda _: None,
    }
