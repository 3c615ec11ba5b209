"""Pipes: a COPY that runs when somebody refreshes it.

Room: embedded. Nothing watches for files, so that a pipe loads on ALTER PIPE … REFRESH, as its
owner, and says so in SYSTEM$PIPE_STATUS.

See https://docs.snowflake.com/en/sql-reference/sql/alter-pipe
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.catalog.object_details import PipeDetail
from skills_nb.embedded.stages import loading, words
from skills_nb.embedded.statements import access
from skills_nb.embedded.versions.borrowing import borrowed
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def alter_pipe(session: AccountSession, entity: Entity, action: ast.Action) -> None:
    """Carry out one action of ALTER PIPE."""
    detail = entity.detail
    assert isinstance(detail, PipeDetail)
    match action:
        case ast.Refresh(options=options):
            access.require(session, entity, "OPERATE")
            refresh(session, entity, detail, options)
        case ast.SetProperties(properties=given):
            access.require(session, entity, "OPERATE")
            _set(session, entity, detail, dict(given))
        case _:
            raise refusals.unsupported(f"ALTER PIPE {type(action).__name__.upper()}")


def _set(
    session: AccountSession, entity: Entity, detail: PipeDetail, given: dict[str, Any]
) -> None:
    comment = given.pop("COMMENT", entity.comment)
    paused = given.pop("PIPE_EXECUTION_PAUSED", detail.paused)
    if given:
        raise refusals.invalid_property(f"invalid property '{next(iter(given))}'")
    if not isinstance(paused, bool):
        raise refusals.invalid_value(str(paused), "PIPE_EXECUTION_PAUSED")
    session.account.catalog.change(
        entity, detail=replace(detail, paused=paused), comment=str(comment or "")
    )


def refresh(
    session: AccountSession, entity: Entity, detail: PipeDetail, options: ast.Properties
) -> None:
    """Load what is new, with the rights of the pipe's owner, in the pipe's schema."""
    for key in options:
        if key != "PREFIX":
            raise refusals.unsupported(f"ALTER PIPE REFRESH {key}")
    if detail.paused:
        raise refusals.invalid_property(f"Pipe {entity.name} is paused.")
    statement = words.read(detail.body, {})
    assert isinstance(statement, words.Load)
    if "PREFIX" in options:
        statement = _narrowed(statement, ast.text_of(options["PREFIX"]))
    if "ON_ERROR" not in statement.options:
        options = {**statement.options, "ON_ERROR": "SKIP_FILE"}
        statement = replace(statement, options=options)
    with borrowed(session, entity.owner, entity.path[:2], session.warehouse or ""):
        loading.copy_into(session, statement, pipe_id=entity.id)


def _narrowed(statement: words.Load, prefix: str) -> words.Load:
    if statement.location is None:
        raise refusals.unsupported("ALTER PIPE REFRESH PREFIX of a transforming pipe")
    place = statement.location
    return replace(statement, location=replace(place, path=place.path + prefix.lstrip("/")))
