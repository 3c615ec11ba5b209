"""Which object needs which: OBJECT_DEPENDENCIES and GET_OBJECT_REFERENCES.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/account-usage/object_dependencies
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.binder.dependencies import used_by
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.types import names
from skills_nb.embedded.types.system_rows import Row, Rows, Table, made


def dependencies(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/object_dependencies."""
    rows: list[Row] = []
    for view in session.account.catalog.within(Kind.TABLE):
        for used in used_by(session, view):
            rows.append((*_about(used), *_about(view), "BY_NAME"))
    spec = " ".join(
        f"{word}_DATABASE {word}_SCHEMA {word}_OBJECT_NAME {word}_OBJECT_ID:n {word}_OBJECT_DOMAIN"
        for word in ("REFERENCED", "REFERENCING")
    )
    return f"{spec} DEPENDENCY_TYPE", rows


_REFERENCES = (
    "DATABASE_NAME SCHEMA_NAME VIEW_NAME REFERENCED_DATABASE_NAME REFERENCED_SCHEMA_NAME "
    "REFERENCED_OBJECT_NAME REFERENCED_OBJECT_TYPE"
)


def object_references(session: Context, arguments: Arguments) -> Table:
    """Tell what a view names.

    Raises:
        SqlError: a part of the name is missing (938), or the view is not there or may not be read
            (2003, 3001).

    See https://docs.snowflake.com/en/sql-reference/functions/get_object_references
    """
    asked = Asked(arguments, ("DATABASE_NAME", "SCHEMA_NAME", "OBJECT_NAME"))
    given = [asked.text(name) for name in ("DATABASE_NAME", "SCHEMA_NAME", "OBJECT_NAME")]
    if None in given:
        raise errors.not_enough_arguments("GET_OBJECT_REFERENCES")
    path = tuple(names.typed_path(str(one))[-1] for one in given)
    view: Entity = name_resolution.readable(session, path, session.env())
    used = used_by(session, view)
    rows = [(*view.path, *found.path, found.kind.value) for found in used]
    return made(_REFERENCES, rows)


def _about(e: Entity) -> Row:
    return e.path[0], e.path[1], e.name, e.id, e.kind.value
