"""CREATE … CLONE of one object.

Room: embedded. A task or alert is suspended when it is cloned; a stream begins at the moment of the
clone; a sequence goes on where its source is. Internal stages, and with them pipes, are not cloned.

See https://docs.snowflake.com/en/sql-reference/sql/create-clone
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.objects.lifecycle import create_steps
from skills_nb.embedded.objects.lifecycle.object_clones import copied
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.outcomes import status
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def clone(session: Context, statement: ast.CreateClone) -> Outcome:
    """Clone one object.

    Raises:
        SqlError: it says OR ALTER, the kind cannot be cloned, or not as of another time (0A000),
            the source is not there or is hidden (2003), or may not be cloned (3001).
    """
    if statement.or_alter:
        raise errors.unsupported("CREATE OR ALTER")
    kind = access.kind_of(statement.object_kind)
    cloning = object_kind.of(kind).clone
    if cloning is None or cloning.privilege is None:
        raise errors.unsupported(f"CLONE of a {statement.object_kind}")
    if cloning.statement is not None:
        return cloning.statement(session, statement)
    if statement.clone.at is not None:
        raise errors.unsupported(f"CLONE of a {statement.object_kind} at an earlier time")
    source = access.existing(session, kind, statement.clone.source)
    if cloning.privilege:
        access.require(session, source, cloning.privilege)
    else:
        access.require_owner(session, source)
    path, standing, goes_on = create_steps.start_create(
        session,
        kind,
        statement.name,
        or_replace=statement.or_replace,
        if_not_exists=statement.if_not_exists,
    )
    word = f"CREATE_{kind.value.replace(' ', '_')}"
    if not goes_on:
        return status(f"{path[-1]} already exists, statement succeeded.", word)
    copies = statement.copy_grants
    kept = create_steps.grants_kept(session, path, standing, source) if copies else None
    tags = session.account.catalog.tags_on(source.id)
    made = copied(session, source, path, {}, kept, standing)
    for ref in tags:
        session.account.catalog.put(replace(ref, object_id=made.id))
    return status(f"{kind.title} {path[-1]} successfully created.", word)
