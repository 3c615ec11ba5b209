"""ALTER and COMMENT ON.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/alter
"""

from __future__ import annotations

from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, parameters, special_rights
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.objects.attachments.attach import ATTACHING, attach
from skills_nb.embedded.objects.lifecycle import changes
from skills_nb.embedded.objects.relations.table import columns
from skills_nb.embedded.objects.statements.rename import rename
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.outcomes import DONE, status
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def alter(session: Context, statement: ast.Alter) -> Outcome:
    """Carry out ALTER: each action in written order, all or none."""
    word = f"ALTER_{statement.kind.replace(' ', '_')}"
    if statement.kind in ("SESSION", "ACCOUNT"):
        parameters.alter(session, statement)
        return status(DONE, word)
    kind = access.kind_of(statement.kind)
    name = statement.name or _current(session, kind)
    if statement.if_exists and access.find(session, kind, name) is None:
        return status(DONE, word)
    entity = access.existing(session, kind, name)
    for action in statement.actions:
        _act(session, entity, action)
        entity = session.account.catalog.by_id(entity.id) or entity
    _note(session, entity)
    return status(DONE, word)


def _note(session: Context, entity: Entity) -> None:
    """Note that a table or view has just been altered, whatever of it.

    See https://docs.snowflake.com/en/sql-reference/info-schema/tables
    """
    is_there = session.account.catalog.by_id(entity.id) == entity
    if is_there and entity.kind in (Kind.TABLE, Kind.VIEW):
        session.account.catalog.change(entity, altered_on=session.account.clock())


def _current(session: Context, kind: Kind) -> tuple[str, ...]:
    if kind is Kind.WAREHOUSE and session.warehouse:
        return (session.warehouse,)
    if kind is Kind.USER:
        return (session.user,)
    raise errors.no_such_operation()


def _act(session: Context, entity: Entity, action: ast.Action) -> None:
    """Carry out one action: what hangs on any object, what the kind has, what all kinds have."""
    kind = object_kind.of(entity.kind)
    if isinstance(action, ATTACHING):
        attach(session, entity, action)
        return
    if not _is_about_classification(entity, action):
        special_rights.require_alter(session, entity, action)
    if kind.alter is not None and kind.alter(session, entity, action):
        return
    match action:
        case ast.RenameTo():
            rename(session, entity, action.name)
        case ast.SetProperties():
            changes.set_properties(session, entity, action.properties)
        case ast.UnsetProperties():
            changes.unset_properties(session, entity, action.names)
        case _:
            raise errors.unsupported(f"ALTER {entity.kind.value} … {type(action).__name__}")


def _is_about_classification(entity: Entity, action: Any) -> bool:
    """Tell what has rights of its own, which are looked at where the profile is set."""
    if isinstance(action, ast.SetProperties):
        return set(action.properties) == {parameters.PROFILE} and parameters.is_classified(entity)
    return isinstance(action, ast.UnsetProperties) and (
        set(action.names) == {parameters.PROFILE} and parameters.is_classified(entity)
    )


def comment(session: Context, statement: ast.Comment) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/comment."""
    if statement.kind == "COLUMN":
        entity = access.existing(session, Kind.TABLE, statement.name[:-1])
        special_rights.require_alter(session, entity)
        columns.comment(session, entity, statement.name[-1], statement.text)
        _note(session, session.account.catalog.by_id(entity.id) or entity)
        return status(DONE, "COMMENT")
    kind = access.kind_of(statement.kind)
    if statement.if_exists and access.find(session, kind, statement.name) is None:
        return status(DONE, "COMMENT")
    entity = access.existing(session, kind, statement.name)
    special_rights.require_alter(session, entity)
    _note(session, session.account.catalog.change(entity, comment=statement.text))
    return status(DONE, "COMMENT")
