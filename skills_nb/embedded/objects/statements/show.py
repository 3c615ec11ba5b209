"""SHOW of objects.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/show
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import (
    Entity,
    Kind,
)
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.objects.object_kind import Listing, Row
from skills_nb.embedded.objects.show_filters import limited, matches, scope_of
from skills_nb.embedded.objects.statements.special_shows import SPECIAL
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def show(session: Context, statement: ast.Show) -> Outcome:
    """Run SHOW.

    Raises:
        SqlError: the kind, its TERSE or its HISTORY is not supported (0A000).
    """
    special = SPECIAL.get(statement.kind) or object_kind.show_of(statement.kind)
    if special is not None:
        answer = special(session, statement)
        return _in_short(statement, *answer) if statement.terse else _answer(*answer)
    shown = object_kind.listed_as(statement.kind)
    if shown is None or shown.listing is None:
        raise errors.unsupported(f"SHOW {statement.kind}")
    listing, kind = shown.listing, shown.kind
    found = _chosen(session, statement, kind, listing)
    if statement.history and listing.history is None:
        raise errors.unsupported(f"SHOW {statement.kind} HISTORY")
    if statement.terse:
        return _terse(found)
    if statement.history:
        return _history(session, statement, listing, found)
    return _answer(listing.columns, listing.all(session, found))


def _history(
    session: Context, statement: ast.Show, listing: Listing, standing: list[Entity]
) -> Outcome:
    """Add the dropped objects that can still be brought back, and when they were dropped."""
    assert listing.history is not None
    listed = [*standing, *listing.history(session, statement)]
    rows = [
        (*row, e.dropped_on) for row, e in zip(listing.all(session, listed), listed, strict=True)
    ]
    order = [(e.path, e.dropped_on is not None, e.created_on) for e in listed]
    ordered = [row for _, row in sorted(zip(order, rows, strict=True), key=lambda pair: pair[0])]
    return _answer(f"{listing.columns} dropped_on:t", ordered[: statement.limit])


_TERSE = "created_on:t name kind database_name schema_name"


def _terse(found: list[Entity]) -> Outcome:
    """Answer SHOW TERSE: the five columns that every kind has.

    See https://docs.snowflake.com/en/sql-reference/sql/show
    """
    rows: list[Row] = []
    for e in found:
        path = (*e.path[:-1], None, None)[:2] if e.kind.depth > 1 else (None, None)
        rows.append((e.created_on, e.name, e.kind.value, *path))
    return _answer(_TERSE, rows)


def _in_short(statement: ast.Show, spec: str, rows: list[Row]) -> Outcome:
    """Leave the five columns of SHOW TERSE, where there are all of them."""
    named = [word.partition(":")[0] for word in spec.split()]
    wanted = [word.partition(":")[0] for word in _TERSE.split()]
    if not set(wanted) <= set(named):
        raise errors.unsupported(f"SHOW TERSE {statement.kind}")
    places = [named.index(word) for word in wanted]
    return _answer(_TERSE, [tuple(row[place] for place in places) for row in rows])


def _answer(spec: str, rows: list[Row]) -> Outcome:
    return Outcome(columns_of(spec), tuple(rows), "SHOW", len(rows))


def _is_table_too(kind: Kind, entity: Entity) -> bool:
    """Tell a dynamic table, which SHOW TABLES lists among the others."""
    return kind is Kind.TABLE and entity.kind is Kind.DYNAMIC_TABLE


def _chosen(session: Context, statement: ast.Show, kind: Kind, listing: Listing) -> list[Entity]:
    """Return the objects that a SHOW lists: scope, rights, LIKE, STARTS WITH, LIMIT."""
    found = [
        e
        for e in session.account.catalog.within(kind, scope_of(session, statement, kind))
        if matches(statement, listing.name(e))
        and (e.kind is kind or kind.space != e.kind.space or _is_table_too(kind, e))
        and access.sees(session, e)
    ]
    return limited(statement, found)
