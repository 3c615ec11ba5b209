"""Cursors: OPEN, FETCH and CLOSE.

Room: embedded.

See https://docs.snowflake.com/en/developer-guide/snowflake-scripting/cursors
"""

from __future__ import annotations

from skills_nb.embedded.parser import scripts as s
from skills_nb.embedded.parser.scopes import Cursor, Scope, Table
from skills_nb.embedded.procedures import filling
from skills_nb.embedded.procedures.running import Running


def _cursor(running: Running, name: str, scope: Scope) -> Cursor:
    found = running.known(name, scope)
    if not isinstance(found, Cursor):
        raise running.wrong(f"'{name}' is no cursor.")
    return found


def open_(running: Running, what: s.Open, scope: Scope) -> None:
    """Run the query, with values for its `?`."""
    cursor = _cursor(running, what.name, scope)
    if what.using:
        immediate = s.Immediate(filling.literal_of(cursor.source), what.using)
        found = running.immediate(immediate, scope)
        cursor.table = Table(found.columns, found.rows, found.query_id)
    else:
        cursor.table = running.rows(cursor.source, scope)
    cursor.next_row = 0


def fetch(running: Running, what: s.Fetch, scope: Scope) -> None:
    """Put the next row into variables, by their places; NULL behind the last.

    Raises:
        Raised: the cursor is not open.
    """
    cursor = _cursor(running, what.name, scope)
    if cursor.table is None:
        raise running.wrong(f"Cursor '{what.name}' is not open.")
    if cursor.next_row < len(cursor.table.rows):
        row = cursor.table.rows[cursor.next_row]
        cursor.next_row += 1
    else:
        row = (None,) * len(what.into)
    kinds = tuple(column.type for column in cursor.table.columns)
    running.store_by_place(what.into, row, kinds, scope)


def close(running: Running, what: s.Close, scope: Scope) -> None:
    """Forget the rows.

    Raises:
        Raised: the cursor is not open.
    """
    cursor = _cursor(running, what.name, scope)
    if cursor.table is None:
        raise running.wrong(f"Cursor '{what.name}' is not open.")
    cursor.table = None
