"""CREATE and ALTER of sequences and streams.

Room: embedded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail, ViewDetail
from skills_nb.embedded.catalog.pipeline_details import SequenceDetail, StreamDetail
from skills_nb.embedded.statements import access, objects, properties
from skills_nb.embedded.values import Outcome
from skills_nb.embedded.versions import streams, travel
from skills_nb.embedded.versions.numbers import make, new_place, next_of
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def create_sequence(session: AccountSession, statement: ast.CreateSequence) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-sequence."""
    properties.none(statement.properties)
    if statement.increment == 0:
        raise refusals.invalid_value("0", "INCREMENT")

    def detail() -> SequenceDetail:
        made = SequenceDetail(
            new_place(session), statement.start, statement.increment, statement.ordered is not False
        )
        make(session, made, made.start)
        return made

    return objects.create(session, statement, Kind.SEQUENCE, detail)


def alter_sequence(session: AccountSession, entity: Entity, action: Any) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-sequence."""
    detail = entity.detail
    assert isinstance(detail, SequenceDetail)
    if not isinstance(action, ast.SetProperties):
        return False
    given = dict(action.properties)
    step = given.pop("INCREMENT", detail.increment)
    ordered = given.pop("ORDER", detail.ordered)
    if not isinstance(step, int) or step == 0:
        raise refusals.invalid_value(str(step), "INCREMENT")
    if len(given) == len(action.properties):
        return False
    properties.none({k: v for k, v in given.items() if k != "COMMENT"})
    following = next_of(session, detail)
    made = replace(detail, increment=step, ordered=bool(ordered))
    make(session, made, following)
    comment = str(given.get("COMMENT", entity.comment) or "")
    session.account.catalog.change(entity, detail=made, comment=comment)
    return True


# ---- streams


def create_stream(session: AccountSession, statement: ast.CreateStream) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-stream."""
    source = _source(session, statement)
    given = dict(statement.properties)
    flags = {key: _flag(given, key) for key in ("APPEND_ONLY", "SHOW_INITIAL_ROWS")}
    properties.none(given)
    offset = _offset(session, statement, source, initial=flags["SHOW_INITIAL_ROWS"])
    made = StreamDetail(source.id, flags["APPEND_ONLY"], flags["SHOW_INITIAL_ROWS"])
    if made.append_only and isinstance(source.detail, ViewDetail):
        raise refusals.unsupported("APPEND_ONLY stream on a view")
    standing = session.account.catalog.find(Kind.STREAM, session.qualify(statement.name))
    grants = access.grants_kept(session, standing) if statement.copy_grants else []

    def start(entity: Entity) -> None:
        streams.move(session, entity.id, offset)
        access.give_back(session, entity, grants)
        _track(session, source)

    return objects.create(session, statement, Kind.STREAM, lambda: made, start)


def _flag(given: dict[str, Any], key: str) -> bool:
    value = given.pop(key, False)
    if not isinstance(value, bool):
        raise refusals.invalid_value(str(value), key)
    return value


def _source(session: AccountSession, statement: ast.CreateStream) -> Entity:
    if statement.source_kind not in ("TABLE", "VIEW", "DYNAMIC TABLE"):
        raise refusals.unsupported(f"stream on a {statement.source_kind}")
    source = session.readable(session.qualify(statement.source), session.env())
    if source.kind is Kind.STREAM or (
        source.kind.value != statement.source_kind
        and (source.kind, statement.source_kind) != (Kind.DYNAMIC_TABLE, "TABLE")
    ):
        raise refusals.wrong_kind(source.kind.value, source.path, statement.source_kind)
    return source


def _offset(
    session: AccountSession, statement: ast.CreateStream, source: Entity, *, initial: bool
) -> int:
    if statement.at is None:
        return 0 if initial else session.moment
    moment = travel.of_clause(session, statement.at)
    travel.check_reach(session, source, moment)
    return moment


def _track(session: AccountSession, source: Entity) -> None:
    """A stream turns on change tracking of its table."""
    detail = source.detail
    if isinstance(detail, TableDetail) and not detail.change_tracking:
        made = replace(detail, change_tracking=True)
        session.account.catalog.change(source, detail=made)


def alter_stream(session: AccountSession, entity: Entity, action: Any) -> bool:
    """Only the comment and tags of a stream can change, which all objects have in common."""
    if isinstance(action, ast.SetProperties):
        properties.none({k: v for k, v in action.properties.items() if k != "COMMENT"})
    return False
