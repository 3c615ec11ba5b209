"""Create steps: what every CREATE does first and last.

Room: embedded.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog import grantees
from skills_nb.embedded.catalog.entities import OWNERSHIP, Detail, Entity, Grant, Kind
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel.travel import instant_of
from skills_nb.embedded.types import names
from skills_nb.sql.governance import ast

_ROUTINES = (Kind.FUNCTION, Kind.PROCEDURE)
"""What no temporary object hides: the bodies of policies call them by name."""


def start_create(
    session: Context,
    kind: Kind,
    name: tuple[str, ...],
    *,
    or_replace: bool,
    if_not_exists: bool,
    temporary: bool = False,
    is_own: bool = False,
) -> tuple[tuple[str, ...], Entity | None, bool]:
    """Check a CREATE; return the full name, what it replaces, and whether to go on.

    `is_own` says that it is for the session alone; `temporary` that this takes no privilege, too.

    Raises:
        SqlError: IF NOT EXISTS and OR REPLACE are both written (1420), the container is missing or
            hidden (2003), the name is taken (2002, 3041, 1512), or by another session's temporary
            routine (0A000), or the role may not create it or replace what is there (3001).

    A temporary object stands beside a lasting one of its name, and hides it from its session.

    See https://docs.snowflake.com/en/user-guide/tables-temp-transient (naming conflicts)
    """
    if or_replace and if_not_exists:
        raise errors.invalid_property("options IF NOT EXISTS and OR REPLACE are incompatible.")
    path = session.qualify_as(kind, name)
    standing = session.account.catalog.standing(
        kind, path, session.id if temporary or is_own else 0
    )
    if standing is None and kind in _ROUTINES:
        standing = session.account.catalog.find(kind, path)
        if standing is not None and not session.sees(standing):
            # What another session has for itself exists for nobody else.
            raise errors.unsupported(f"a {kind.value} beside another session's temporary one")
    if standing is not None and if_not_exists and not access.is_hidden(session, standing):
        access.container_of(session, kind, path)
        return path, standing, False
    if temporary:
        access.container_of(session, kind, path)
    else:
        access.require_create(session, kind, path)
    if standing is not None:
        if not or_replace or access.is_hidden(session, standing):
            raise access.taken(session, standing, kind)
        if standing.kind is not kind:
            raise errors.wrong_kind(standing.kind.value, standing.path, kind.value)
        access.require_owner(session, standing)
    return path, standing, True


def start_relation(
    session: Context, kind: Kind, tree: exp.Create, *, temporary: bool
) -> tuple[tuple[str, ...], Entity | None, bool]:
    """Check a CREATE as `start_create` does, by what its tree says.

    Raises:
        SqlError: no name stands there (1003), or `start_create` refuses it.
    """
    target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
    if not isinstance(target, exp.Table):
        raise errors.syntax(f"syntax error: unexpected '{tree.this.sql('snowflake')}'.")
    return start_create(
        session,
        kind,
        names.table_path(target),
        or_replace=bool(tree.args.get("replace")),
        if_not_exists=bool(tree.args.get("exists")),
        temporary=temporary,
    )


def check_temporary(session: Context, standing: Entity, temporary: int) -> None:
    """Refuse to put a temporary object in the place of a lasting one, or another session's.

    Raises:
        SqlError: the standing object is not of the same kind of life (0A000).
    """
    if getattr(standing.detail, "temporary", 0) != temporary:
        raise errors.unsupported(f"a temporary {standing.kind.value} beside one of its name")


def finish_create(
    session: Context,
    kind: Kind,
    path: tuple[str, ...],
    detail: Detail,
    comment: str | None = None,
    kept: tuple[Grant, ...] | None = None,
) -> Entity:
    """Put the new object into the catalog, owned by the primary role.

    With `kept` it has these grants, from the role that makes it and as of now; else future ones.

    See https://docs.snowflake.com/en/sql-reference/sql/create-table (COPY GRANTS)
    """
    catalog = session.account.catalog
    now = instant_of(session.moment)
    owner = session.role or "PUBLIC"
    entity = catalog.create(kind, path, detail, owner=owner, now=now, comment=comment)
    if kept is not None:
        for held in kept:
            catalog.put(replace(held, object_id=entity.id, granted_by=owner, created_on=now))
        return entity
    for grant in access.future_grants_for(session, entity):
        if grant.privilege == OWNERSHIP:
            entity = catalog.change(entity, owner=grant.grantee)
            continue
        catalog.put(
            Grant(
                grant.privilege,
                entity.id,
                grantees.kind_of(grant.grantee),
                grant.grantee,
                grant.grant_option,
                grant.granted_by,
                now,
            )
        )
    return entity


def grants_kept(
    session: Context,
    path: tuple[str, ...],
    standing: Entity | None,
    source: Entity | None = None,
) -> tuple[Grant, ...] | None:
    """Return what COPY GRANTS gives to an object at a path, ownership aside.

    What is replaced has the say, and only where nothing is, what the new object is like. None where
    there is neither: then nothing is copied, and future grants count.

    See https://docs.snowflake.com/en/sql-reference/sql/create-clone (COPY GRANTS)
    """
    catalog = session.account.catalog
    original = standing if standing is not None else source
    if original is None:
        return None
    held = catalog.grants_on(original.id)
    if original.path[:1] == path[:1]:
        return tuple(held)
    # Neither a share nor a database role holds anything of another database.
    return tuple(g for g in held if g.grantee_kind not in ("SHARE", grantees.DATABASE_ROLE))


def temporary_of(session: Context, statement: ast.Create) -> int:
    """Return the session that a new object ends with; 0 for a lasting one.

    Raises:
        SqlError: the statement asks for another kind of life (0A000).
    """
    for modifier in statement.modifiers:
        if modifier not in ("TEMPORARY", "TEMP"):
            raise errors.unsupported(f"CREATE {modifier} {statement.kind}")
    return session.id if statement.modifiers else 0
