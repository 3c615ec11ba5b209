"""Clones of what holds no rows: streams, tasks, alerts, sequences, file formats, routines, ….

Room: embedded. A task or alert is suspended when it is cloned; a stream begins at the moment of the
clone; a sequence goes on where its source is. Internal stages, and with them pipes, are not cloned.

See https://docs.snowflake.com/en/sql-reference/sql/create-clone
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Detail, Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import (
    AlertDetail,
    SequenceDetail,
    StreamDetail,
    TaskDetail,
)
from skills_nb.embedded.statements import access, drops
from skills_nb.embedded.values import Outcome
from skills_nb.embedded.versions import numbers, streams
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_ALONE = {
    Kind.ALERT: "",
    Kind.FILE_FORMAT: "USAGE",
    Kind.SEQUENCE: "USAGE",
    Kind.STREAM: "SELECT",
    Kind.TASK: "",
}
"""Kinds that CREATE … CLONE takes, with the privilege on the source; '' for its ownership."""
_WITH_SCHEMA = (
    Kind.FILE_FORMAT,
    Kind.SEQUENCE,
    Kind.FUNCTION,
    Kind.PROCEDURE,
    Kind.STREAM,
    Kind.TASK,
    Kind.ALERT,
    Kind.SEMANTIC_VIEW,
    Kind.SECRET,
    Kind.NETWORK_RULE,
    Kind.PASSWORD_POLICY,
    Kind.SESSION_POLICY,
    Kind.AUTHENTICATION_POLICY,
)
"""What a clone of a schema takes along besides tables, views, policies and tags."""


def clone(session: AccountSession, statement: ast.CreateClone) -> Outcome:
    """Clone one object."""
    kind = access.kind_of(statement.object_kind)
    if kind not in _ALONE:
        raise refusals.unsupported(f"CLONE of a {statement.object_kind}")
    if statement.clone.at is not None:
        raise refusals.unsupported(f"CLONE of a {statement.object_kind} at an earlier time")
    source = access.existing(session, kind, statement.clone.source)
    if _ALONE[kind]:
        access.require(session, source, _ALONE[kind])
    else:
        access.require_owner(session, source)
    path, standing, goes_on = access.start_create(
        session,
        kind,
        statement.name,
        or_replace=statement.or_replace,
        if_not_exists=statement.if_not_exists,
    )
    word = f"CREATE_{kind.value.replace(' ', '_')}"
    if not goes_on:
        return access.status(f"{path[-1]} already exists, statement succeeded.", word)
    kept = access.grants_kept(session, source) if statement.copy_grants else []
    if standing is not None:
        drops.remove(session, standing)
    made = _copied(session, source, path, {})
    access.give_back(session, made, kept)
    return access.status(f"{kind.title} {path[-1]} successfully created.", word)


def schema_objects(
    session: AccountSession, source: Entity, made: Entity, copies: dict[int, int]
) -> list[tuple[Entity, Entity]]:
    """Clone what else is in a schema; `copies` tells the clone's number by the source's."""
    found: list[tuple[Entity, Entity]] = []
    for kind in _WITH_SCHEMA:
        for entity in session.account.catalog.children(kind, source.path):
            copied = _copied(session, entity, (*made.path, entity.name), copies)
            copies[entity.id] = copied.id
            found.append((entity, copied))
    for _, copied in found:
        if isinstance(copied.detail, TaskDetail):
            _relink(session, copied, copied.detail, copies)
    return found


def _copied(
    session: AccountSession, source: Entity, path: tuple[str, ...], copies: Mapping[int, int]
) -> Entity:
    detail = _detail(session, source.detail, copies)
    entity = access.finish_create(session, source.kind, path, detail, source.comment)
    if isinstance(detail, StreamDetail):
        streams.move(session, entity.id, session.moment)
    return entity


def _detail(session: AccountSession, detail: Detail, copies: Mapping[int, int]) -> Detail:
    match detail:
        case SequenceDetail():
            made = replace(detail, place=numbers.new_place(session))
            numbers.make(session, made, numbers.next_of(session, detail))
            return made
        case StreamDetail():
            return replace(detail, source_id=copies.get(detail.source_id, detail.source_id))
        case TaskDetail():
            return replace(detail, started=False, failures=0, last_committed_on=None)
        case AlertDetail():
            return replace(detail, started=False)
        case _:
            return detail


def _relink(
    session: AccountSession, task: Entity, detail: TaskDetail, copies: Mapping[int, int]
) -> None:
    """Let a cloned task follow the clones of the tasks that its source followed."""
    after = tuple(copies.get(number, number) for number in detail.after)
    finalizes = copies.get(detail.finalizes, detail.finalizes)
    made = replace(
        detail, after=after, finalizes=finalizes, database=task.path[0], schema=task.path[1]
    )
    session.account.catalog.change(task, detail=made)
