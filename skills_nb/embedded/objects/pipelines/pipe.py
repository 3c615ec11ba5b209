"""Pipes: a COPY that runs when somebody refreshes it.

Room: embedded. Nothing watches for files, so that a pipe loads on ALTER PIPE … REFRESH, as its
owner, and says so in SYSTEM$PIPE_STATUS. Pipes are not cloned.

See https://docs.snowflake.com/en/sql-reference/sql/create-pipe
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import PipeDetail
from skills_nb.embedded.executor import loading
from skills_nb.embedded.objects.ddl_words import comment, written_name
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.objects.object_kind import (
    Columns,
    Exporting,
    Listing,
    ObjectKind,
    Row,
    SystemView,
    register,
)
from skills_nb.embedded.objects.view_columns import TIMES, named
from skills_nb.embedded.parser import file_statements
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.impersonation import borrowed
from skills_nb.embedded.storage.files.opening import opened
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name


def detail_of(pipe: Entity) -> PipeDetail:
    """Return a pipe's detail."""
    assert isinstance(pipe.detail, PipeDetail)
    return pipe.detail


def create(session: Context, statement: ast.CreatePipe) -> Outcome:
    """Create a pipe: its COPY is read and its parts are checked now, so that errors show now.

    Raises:
        SqlError: a property is not supported (0A000), or its COPY is not sound (1420).
    """
    for key, value in statement.properties.items():
        if key == "AUTO_INGEST" and value is False:
            continue
        raise errors.unsupported(f"CREATE PIPE {key}")
    body = statement.body.strip().rstrip(";")
    _check(session, body)
    return creation.create(session, statement, Kind.PIPE, lambda: PipeDetail(body))


def _check(session: Context, body: str) -> None:
    """Refuse what is no COPY INTO a table, or names what is not there."""
    found = file_statements.read(body, session.variable_texts())
    if not isinstance(found, file_statements.Load):
        raise errors.invalid_property("The statement of a pipe must be COPY INTO <table>.")
    loading.target_of(session, found)
    location = loading.location_of(found)
    if location.kind == "USER":
        raise errors.unsupported("user stages in what runs with its owner's rights")
    opened(session, location, "READ", session.env())
    loading.options_of(found.options)


def alter(session: Context, entity: Entity, action: ast.Action) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-pipe.

    Raises:
        SqlError: the action is not supported (0A000), or the pipe is paused and is to load (1420).
    """
    detail = detail_of(entity)
    match action:
        case ast.Refresh(options=options):
            _refresh(session, entity, detail, options)
        case ast.SetProperties(properties=given):
            _set(session, entity, detail, dict(given))
        case ast.RenameTo():
            return False
        case _:
            raise errors.unsupported(f"ALTER PIPE {type(action).__name__.upper()}")
    return True


def _set(session: Context, entity: Entity, detail: PipeDetail, given: dict[str, Any]) -> None:
    said = given.pop("COMMENT", entity.comment)
    paused = given.pop("PIPE_EXECUTION_PAUSED", detail.paused)
    if given:
        raise errors.invalid_property(f"invalid property '{next(iter(given))}'")
    if not isinstance(paused, bool):
        raise errors.invalid_value(str(paused), "PIPE_EXECUTION_PAUSED")
    session.account.catalog.change(
        entity, detail=replace(detail, paused=paused), comment=str(said or "")
    )


def _refresh(session: Context, entity: Entity, detail: PipeDetail, options: ast.Properties) -> None:
    """Load what is new, with the rights of the pipe's owner, in the pipe's schema."""
    for key in options:
        if key != "PREFIX":
            raise errors.unsupported(f"ALTER PIPE REFRESH {key}")
    if detail.paused:
        raise errors.invalid_property(f"Pipe {entity.name} is paused.")
    statement = file_statements.read(detail.body, {})
    assert isinstance(statement, file_statements.Load)
    if "PREFIX" in options:
        statement = _narrowed(statement, ast.text_of(options["PREFIX"]))
    if "ON_ERROR" not in statement.options:
        options = {**statement.options, "ON_ERROR": "SKIP_FILE"}
        statement = replace(statement, options=options)
    with borrowed(session, entity.owner, entity.path[:2], session.warehouse or ""):
        loading.copy_into(session, statement, pipe_id=entity.id)


def _narrowed(statement: file_statements.Load, prefix: str) -> file_statements.Load:
    if statement.location is None:
        raise errors.unsupported("ALTER PIPE REFRESH PREFIX of a transforming pipe")
    place = statement.location
    return replace(statement, location=replace(place, path=place.path + prefix.lstrip("/")))


def _row(session: Context, e: Entity) -> Row:
    """Return a pipe's row of SHOW PIPES."""
    d = detail_of(e)
    return (
        e.created_on,
        e.name,
        *e.path[:2],
        d.body,
        e.owner,
        None,
        e.comment,
        None,
        None,
        None,
        "ROLE",
        None,
        "STAGE",
    )


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    name = written_name(entity, qualified=qualified)
    return f"create or replace pipe {name}{comment(entity)} as {detail_of(entity).body}"


def _paused(entity: Entity) -> list[str]:
    name = render_name(entity.path)
    return [f"ALTER PIPE {name} SET PIPE_EXECUTION_PAUSED = TRUE"] * detail_of(entity).paused


_VIEW: Columns = {
    **named("PIPE"),
    "DEFINITION": lambda e: detail_of(e).body,
    "IS_AUTOINGEST_ENABLED": lambda _: "NO",
    "NOTIFICATION_CHANNEL_NAME": lambda _: None,
    **TIMES,
}
_LISTING = Listing(
    "created_on:t name database_name schema_name definition owner notification_channel comment "
    "integration pattern error_integration owner_role_type invalid_reason kind",
    _row,
)
register(
    ObjectKind(
        kind=Kind.PIPE,
        plurals=("PIPES",),
        create={ast.CreatePipe: create},
        alter=alter,
        listing=_LISTING,
        describe=_LISTING.one,
        ddl=_ddl,
        is_in_schema_ddl=True,
        made_after=(Kind.STAGE, Kind.TABLE, Kind.PROCEDURE),
        privileges=("APPLYBUDGET", "MONITOR", "OPERATE"),
        export=Exporting(state=_paused),
        view=SystemView(_VIEW),
    )
)
