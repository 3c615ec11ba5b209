"""DROP and UNDROP.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/drop
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import (
    Entity,
    Kind,
)
from skills_nb.embedded.objects import bootstrap, object_kind
from skills_nb.embedded.objects.lifecycle.removal import remove
from skills_nb.embedded.objects.relations import materialized_view
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.outcomes import status
from skills_nb.embedded.types.values import Outcome
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast

_TABLES = (Kind.TABLE, Kind.DYNAMIC_TABLE)
"""DROP TABLE drops a dynamic table, too.

See https://docs.snowflake.com/en/sql-reference/sql/drop-dynamic-table
"""


def drop(session: Context, statement: ast.Drop) -> Outcome:
    """Drop one object.

    Raises:
        SqlError: it is not there or is hidden (2003), is of another kind (1512) or in use, or is
            Snowflake's own or somebody else's (3001).
    """
    kind = access.kind_of(statement.kind)
    word = f"DROP_{kind.value.replace(' ', '_')}"
    entity = _found(session, kind, statement)
    if entity is None:
        return status(
            f"Drop statement executed successfully ({statement.name[-1]} already dropped).", word
        )
    if bootstrap.is_of_system(entity):
        raise access.refused(session, entity)
    access.require_owner(session, entity)
    _refuse_attached(session, entity)
    remove(session, entity)
    return status(f"{entity.name} successfully dropped.", word)


def _found(session: Context, kind: Kind, statement: ast.Drop) -> Entity | None:
    if not statement.if_exists:
        entity = access.existing(session, kind, statement.name)
    else:
        try:
            found = access.find(session, kind, statement.name)
        except SqlError:
            found = None
        if found is None:
            return None
        entity = found
    if entity.kind is not kind and (kind, entity.kind) != _TABLES:
        raise errors.wrong_kind(entity.kind.value, entity.path, statement.kind)
    materialized_view.check_named(entity, statement.kind)
    return entity


def _refuse_attached(session: Context, entity: Entity) -> None:
    """Refuse to drop what is in use."""
    refuse = object_kind.of(entity.kind).refuse_drop
    if refuse is not None:
        refuse(session, entity)


def undrop(session: Context, statement: ast.Undrop) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/undrop-table.

    Raises:
        SqlError: the kind cannot be brought back (0A000), the name is taken (2002), nothing that
            the role owned was dropped under it (2003), or the role may not create it (3001).
    """
    kind = access.kind_of(statement.kind)
    restore = object_kind.of(kind).undrop
    if restore is None:
        raise errors.unsupported(f"UNDROP {statement.kind}")
    path = session.qualify_as(kind, statement.name)
    catalog = session.account.catalog
    gone = [e for e in catalog.dropped(kind, path) if session.sees(e) and access.owns(session, e)]
    standing = catalog.find(kind, path)
    if gone or (standing is not None and not access.is_hidden(session, standing)):
        access.require_free(session, kind, path)
    access.container_of(session, kind, path)
    if not gone:
        raise errors.not_undroppable(kind.title, path)
    access.require_create(session, kind, path)
    restore(session, gone[0])
    word = f"UNDROP_{kind.value.replace(' ', '_')}"
    return status(f"{kind.title} {path[-1]} successfully restored.", word)
