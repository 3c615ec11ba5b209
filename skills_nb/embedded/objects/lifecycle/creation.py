"""Creation: the steps that CREATE has for every kind of object.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Callable

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import (
    Detail,
    Entity,
    Kind,
)
from skills_nb.embedded.objects.attachments.attach import set_tags
from skills_nb.embedded.objects.lifecycle import create_steps, removal
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.outcomes import status
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def create(
    session: Context,
    statement: ast.Create,
    kind: Kind,
    detail: Callable[[], Detail],
    after: Callable[[Entity], None] = lambda entity: None,
    *,
    temporary: bool = False,
    copy_grants: bool = False,
) -> Outcome:
    """Create one object: the steps that all kinds share.

    Raises:
        SqlError: it says OR ALTER (0A000), the name is taken (2002), or the role may not create it
            (3001).
    """
    if statement.or_alter:
        raise errors.unsupported("CREATE OR ALTER")
    word = f"CREATE_{kind.value.replace(' ', '_')}"
    path, standing, goes_on = create_steps.start_create(
        session,
        kind,
        statement.name,
        or_replace=statement.or_replace,
        if_not_exists=statement.if_not_exists,
        temporary=temporary,
        is_own=bool(statement.modifiers),
    )
    if not goes_on:
        return status(f"{path[-1]} already exists, statement succeeded.", word)
    made = detail()
    kept = create_steps.grants_kept(session, path, standing) if copy_grants else None
    if standing is not None:
        removal.remove(session, standing)
    entity = create_steps.finish_create(session, kind, path, made, statement.comment, kept)
    after(entity)
    set_tags(session, entity, "", statement.tags)
    return status(f"{kind.title} {path[-1]} successfully created.", word)
