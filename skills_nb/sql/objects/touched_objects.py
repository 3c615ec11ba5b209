"""What a statement touches, and the queries that show whether somebody else touches it afterwards.

Room: sql. Beside what a statement is said to change, it touches what a rename leads to, what a swap
goes with, the object whose ownership it gives away, the monitor that it sets, and the stage that it
unloads into or removes files from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast, parse
from skills_nb.sql.objects.attachments import body_of, hanging_on, hanging_on_column, token_of
from skills_nb.sql.objects.changes import changes_of
from skills_nb.sql.objects.dependents import readers_of
from skills_nb.sql.objects.object_refs import (
    AttachmentQuery,
    Change,
    ObjectRef,
    Place,
    Touch,
    destination,
)
from skills_nb.sql.objects.probes import probe_for
from skills_nb.sql.objects.stage_places import stage_written
from skills_nb.sql.objects.statements_in_blocks import statements_within


def touches_of(sql: str, database: str | None, schema: str | None) -> tuple[Touch, ...]:
    """Return what a text touches, each once, in its order."""
    found: dict[Touch, None] = {}
    for change in changes_of(sql, database, schema):
        found.setdefault(_touch(change))
    for ref in _others(sql, Place(database, schema)):
        found.setdefault(Touch(ref, is_named=ref.type == "column"))
    swapped = set(_swapped(sql, Place(database, schema)))
    return tuple(replace(t, is_swapped=True) if t.ref in swapped else t for t in found)


def watches(touch: Touch) -> tuple[str, ...]:
    """Return the queries that answer the same as long as nobody touches the object.

    The first tells whether it is there and as what; there is none for what cannot be looked at.
    """
    main = probe_for(touch.ref)
    if main is None:
        return ()
    if touch.is_made:
        return (main, *(one.query for one in hangings(touch)))
    if touch.is_named:
        return (main, *(one.query for one in hangings(touch)), *surveys(touch))
    body = body_of(touch.ref)
    # Rows that others put in since would bear the other table's name after it is swapped back.
    token = token_of(touch.ref) if touch.is_swapped else None
    return (main, *filter(None, (token, body)))


def hangings(touch: Touch) -> tuple[AttachmentQuery, ...]:
    """Return what others can hang on something that a statement made or named."""
    if touch.is_named:
        return tuple(hanging_on_column(touch.ref))
    return tuple(hanging_on(touch.ref))


def surveys(touch: Touch) -> tuple[str, ...]:
    """Return the queries for everything that may read a column to which a statement gave a name."""
    return tuple(one.query for one in readers_of(touch.ref)) if touch.is_named else ()


def _touch(change: Change) -> Touch:
    is_new = change.action == "create"
    is_column = change.target.type == "column"
    return Touch(
        change.target,
        is_made=is_new and not change.target.facet,
        is_written=change.action == "write",
        is_named=is_new and is_column,
    )


def _swapped(sql: str, place: Place) -> Iterator[ObjectRef]:
    """Yield both tables of every swap."""
    for text in statements_within(sql):
        try:
            statement = parse(text)
        except SqlError:
            continue
        if isinstance(statement, ast.Alter):
            swaps = [a for a in statement.actions if isinstance(a, ast.SwapWith)]
            if swaps:
                yield place.ref(statement.kind, statement.name)
                yield from _of_alter(statement, tuple(swaps), place)


def _others(sql: str, place: Place) -> Iterator[ObjectRef]:
    for text in statements_within(sql):
        if (stage := stage_written(text)) is not None:
            yield place.ref("STAGE", stage)
        try:
            statement = parse(text)
        except SqlError:
            continue
        match statement:
            case ast.Alter(actions=actions):
                yield from _of_alter(statement, actions, place)
            case ast.GrantOwnership(target=target) if target.scope == "OBJECT":
                yield place.ref(target.kind, target.name, arguments=target.arguments)
            case ast.GrantPrivileges(grantee=grantee) | ast.RevokePrivileges(grantee=grantee):
                yield from _privileges_of(grantee, place)
            case ast.GrantRole(grantee=grantee) | ast.RevokeRole(grantee=grantee):
                yield from _privileges_of(grantee, place)
            case _:
                pass


def _of_alter(
    statement: ast.Alter, actions: tuple[ast.Action, ...], place: Place
) -> Iterator[ObjectRef]:
    for action in actions:
        if isinstance(action, ast.RenameTo | ast.SwapWith):
            old = place.ref(statement.kind, statement.name, arguments=statement.arguments)
            new = destination(old.name, action.name)
            yield place.ref(statement.kind, new, arguments=statement.arguments)
        elif isinstance(action, ast.RenameColumn):
            yield place.column(statement.kind, statement.name, action.to, "definition")
        elif isinstance(action, ast.SetProperties):
            yield from _assigned(action, place)


def _assigned(action: ast.SetProperties, place: Place) -> Iterator[ObjectRef]:
    """Yield the monitor that a warehouse or the account is given: it shows what it watches."""
    monitor = action.properties.get("RESOURCE_MONITOR")
    if isinstance(monitor, ast.Ref):
        yield place.ref("RESOURCE MONITOR", monitor.parts)


def _privileges_of(grantee: ast.Grantee, place: Place) -> Iterator[ObjectRef]:
    """Yield the role or user that is given something, seen as what it holds."""
    if grantee.kind in ("ROLE", "DATABASE ROLE", "USER", "SHARE"):
        yield place.ref(grantee.kind, grantee.name, "privileges")
