"""Streams: what changed in a table or view since somebody last took it.

Room: embedded. A clone and what an export makes begin at their own moment.

See https://docs.snowflake.com/en/sql-reference/sql/create-stream
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail, ViewDetail
from skills_nb.embedded.catalog.pipeline_details import StreamDetail
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.ddl_words import comment, written_name
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Exporting,
    Listing,
    ObjectKind,
    Row,
    register,
)
from skills_nb.embedded.objects.pipelines import tracked_queries
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import streams, travel
from skills_nb.embedded.storage.time_travel.streams import detail_of
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name


def create(session: Context, statement: ast.CreateStream) -> Outcome:
    """Make a stream on what the session may read.

    Raises:
        SqlError: it is to be APPEND_ONLY on a view (0A000), or the source is not there or may not
            be read (2003, 3001).
    """
    source = _source(session, statement)
    given = dict(statement.properties)
    flags = {key: _flag(given, key) for key in ("APPEND_ONLY", "SHOW_INITIAL_ROWS")}
    properties.none(given)
    offset = _offset(session, statement, source, initial=flags["SHOW_INITIAL_ROWS"])
    made = StreamDetail(source.id, flags["APPEND_ONLY"], flags["SHOW_INITIAL_ROWS"])
    if made.append_only and isinstance(source.detail, ViewDetail):
        raise errors.unsupported("APPEND_ONLY stream on a view")

    def start(entity: Entity) -> None:
        streams.move(session, entity.id, offset)
        if isinstance(source.detail, TableDetail) and not streams.has_data(session, entity):
            # Where no rows are there to begin with, the changes are what comes first.
            streams.move(session, entity.id, offset or session.moment)
        _track(session, source)

    copies = statement.copy_grants
    return creation.create(session, statement, Kind.STREAM, lambda: made, start, copy_grants=copies)


def _flag(given: dict[str, Any], key: str) -> bool:
    value = given.pop(key, False)
    if not isinstance(value, bool):
        raise errors.invalid_value(str(value), key)
    return value


def _source(session: Context, statement: ast.CreateStream) -> Entity:
    if statement.source_kind not in ("TABLE", "VIEW", "DYNAMIC TABLE"):
        raise errors.unsupported(f"stream on a {statement.source_kind}")
    source = name_resolution.readable_here(session, statement.source)
    if source.kind is Kind.STREAM or (
        source.kind.value != statement.source_kind
        and (source.kind, statement.source_kind) != (Kind.DYNAMIC_TABLE, "TABLE")
    ):
        raise errors.wrong_kind(source.kind.value, source.path, statement.source_kind)
    if isinstance(source.detail, ViewDetail) and source.detail.shared:
        raise errors.unsupported("stream on an object of a shared database")
    tracked_queries.check(session, source)
    return source


def _offset(session: Context, statement: ast.CreateStream, source: Entity, *, initial: bool) -> int:
    if statement.at is None:
        return streams.INITIAL if initial else session.moment
    if initial:
        raise errors.unsupported(f"SHOW_INITIAL_ROWS with {statement.at.mode}")
    moment = travel.of_clause(session, statement.at)
    travel.check_reach(session, source, moment)
    return moment


def _track(session: Context, source: Entity) -> None:
    """A stream turns on change tracking of its table."""
    detail = source.detail
    if isinstance(detail, TableDetail) and not detail.change_tracking:
        made = replace(detail, change_tracking=True)
        session.account.catalog.change(source, detail=made)


def alter(session: Context, entity: Entity, action: Any) -> bool:
    """Only the comment and tags of a stream can change, which all objects have in common."""
    if isinstance(action, ast.SetProperties):
        properties.none({k: v for k, v in action.properties.items() if k != "COMMENT"})
    return False


_SOURCES = {Kind.VIEW: "View", Kind.TABLE: "Table", Kind.DYNAMIC_TABLE: "Dynamic Table"}


def _drop(session: Context, stream: Entity) -> None:
    """Take a stream out, and how far it has been read."""
    streams.forget_offset(session, stream.id)
    session.account.catalog.forget(stream)


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-streams."""
    source = session.account.catalog.by_id(detail_of(e).source_id)
    gone = source is None or source.dropped_on is not None
    shown = refined = base = None
    if source is not None and not gone:
        shown = base = render_name(source.path)
        refined = _SOURCES[source.kind]
        if source.kind is Kind.VIEW:
            base = ",".join(tracked_queries.base_tables(session, source))
    after = streams.stale_after(session, e)
    append = "APPEND_ONLY" if detail_of(e).append_only else "DEFAULT"
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        e.owner,
        e.comment,
        shown,
        refined,
        base,
        "DELTA",
        str(gone or after < session.moment).lower(),
        append,
        travel.instant_of(after),
        "Base table dropped" if gone else "N/A",
        "ROLE",
    )


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    detail = detail_of(entity)
    source = session.account.catalog.by_id(detail.source_id)
    on = "table <dropped>" if source is None else f"{_kind(source)} {render_name(source.path)}"
    flags = [
        f" {key} = true"
        for key, is_on in (
            ("append_only", detail.append_only),
            ("show_initial_rows", detail.show_initial_rows),
        )
        if is_on
    ]
    name = written_name(entity, qualified=qualified)
    return f"create or replace stream {name} on {on}{''.join(flags)}{comment(entity)}"


def _kind(source: Entity) -> str:
    return "view" if source.kind is Kind.VIEW else source.kind.value.lower()


def _copy(session: Context, detail: StreamDetail, copies: Mapping[int, int]) -> StreamDetail:
    return replace(detail, source_id=copies.get(detail.source_id, detail.source_id))


def _begin(session: Context, entity: Entity) -> None:
    streams.move(session, entity.id, session.moment)


_LISTING = Listing(
    "created_on:t name database_name schema_name owner comment table_name source_type base_tables "
    "type stale mode stale_after:t invalid_reason owner_role_type",
    _row,
)
register(
    ObjectKind(
        kind=Kind.STREAM,
        plurals=("STREAMS",),
        create={ast.CreateStream: create},
        alter=alter,
        drop=_drop,
        listing=_LISTING,
        describe=_LISTING.one,
        ddl=_ddl,
        is_in_schema_ddl=True,
        made_after=(Kind.TABLE, Kind.DYNAMIC_TABLE),
        privileges=("SELECT",),
        clone=Cloning("SELECT", copy=_copy, begin=_begin),
        export=Exporting(),
    )
)
