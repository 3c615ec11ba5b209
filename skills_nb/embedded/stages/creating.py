"""Creating: CREATE and ALTER of stages, file formats and pipes.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-stage,
https://docs.snowflake.com/en/sql-reference/sql/create-file-format and
https://docs.snowflake.com/en/sql-reference/sql/create-pipe
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import FileFormatDetail, PipeDetail, StageDetail
from skills_nb.embedded.files import files, formats
from skills_nb.embedded.files.opening import key_of, opened
from skills_nb.embedded.names import typed_path
from skills_nb.embedded.refusals import files as wrong
from skills_nb.embedded.stages import loading, words
from skills_nb.embedded.statements import access, objects
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_ELSEWHERE = ("ENDPOINT", "USE_PRIVATELINK_ENDPOINT")
_URL = re.compile(r"(s3|s3compat|s3gov|s3china|gcs|azure)://[^/\s]+(/\S*)?")
_TEMPORARY = ("TEMPORARY", "TEMP")


def _temporary(session: AccountSession, statement: ast.Create) -> int:
    for modifier in statement.modifiers:
        if modifier not in _TEMPORARY:
            raise refusals.unsupported(f"CREATE {modifier} {statement.kind}")
    return session.id if statement.modifiers else 0


# ---- stages


def stage(session: AccountSession, statement: ast.CreateStage) -> Outcome:
    """Create a stage; an external one is an entry, whose files cannot be reached."""
    made = stage_detail(session, StageDetail(), statement.properties)
    made = replace(made, temporary=_temporary(session, statement))
    return objects.create(session, statement, Kind.STAGE, lambda: made)


def stage_detail(
    session: AccountSession, before: StageDetail, given: Mapping[str, Any]
) -> StageDetail:
    """Read a stage's properties, over what was there before."""
    made = before
    for key, value in given.items():
        match key:
            case "FILE_FORMAT":
                made = replace(made, file_format=_format_of_stage(session, value))
            case "COPY_OPTIONS":
                loading.options_of(_mapping(key, value))
                made = replace(made, copy_options=formats.packed(_mapping(key, value)))
            case "DIRECTORY":
                made = replace(made, directory=_directory(_mapping(key, value)))
            case "ENCRYPTION":
                made = replace(made, encryption=_encryption(_mapping(key, value)))
            case "URL":
                made = replace(made, url=_url(ast.text_of(value)))
            case "STORAGE_INTEGRATION":
                made = replace(made, integration=_integration(session, value))
            case "CREDENTIALS":
                made = replace(made, credentials=bool(_mapping(key, value)))
            case _ if key in _ELSEWHERE:
                raise refusals.unsupported(f"{key} of a stage")
            case _:
                raise refusals.invalid_property(f"invalid property '{key}'")
    if not made.url and (made.integration or made.credentials):
        raise refusals.invalid_property("URL is needed for an external stage.")
    if made.integration and made.credentials:
        raise refusals.invalid_property("STORAGE_INTEGRATION and CREDENTIALS exclude each other.")
    return made


def _url(text: str) -> str:
    if not _URL.fullmatch(text):
        raise refusals.invalid_value(text, "URL")
    return text


def _integration(session: AccountSession, value: Any) -> str:
    """Return the name of a storage integration that the role may use."""
    found = access.existing(session, Kind.INTEGRATION, typed_path(ast.text_of(value)))
    access.require(session, found, "USAGE")
    return found.name


def _mapping(key: str, value: Any) -> Mapping[str, Any]:
    if value == ():
        return {}
    if not isinstance(value, Mapping):
        raise refusals.invalid_value(str(value), key)
    return value


def _directory(given: Mapping[str, Any]) -> bool:
    for key in given:
        if key not in ("ENABLE", "AUTO_REFRESH"):
            raise refusals.invalid_property(f"invalid property '{key}'")
    if given.get("AUTO_REFRESH"):
        raise refusals.unsupported("DIRECTORY AUTO_REFRESH")
    return bool(given.get("ENABLE", False))


def _encryption(given: Mapping[str, Any]) -> str:
    kind = ast.text_of(given.get("TYPE", "SNOWFLAKE_FULL")).upper()
    if kind not in ("SNOWFLAKE_FULL", "SNOWFLAKE_SSE"):
        raise refusals.invalid_value(kind, "ENCRYPTION")
    return kind


def _format_of_stage(session: AccountSession, value: Any) -> str:
    given = formats.mapping(value)
    name = formats.given_name(given)
    if name is not None:
        path = session.qualify(name)
        formats.named(session, path, session.active_roles(), path)
        given["FORMAT_NAME"] = render_name(path)
    else:
        formats.read(given)
    return formats.packed(given)


def alter_stage(session: AccountSession, entity: Entity, action: ast.Action) -> Entity:
    """Carry out one action of ALTER STAGE.

    See https://docs.snowflake.com/en/sql-reference/sql/alter-stage
    """
    assert isinstance(entity.detail, StageDetail)
    catalog, detail = session.account.catalog, entity.detail
    match action:
        case ast.SetProperties(properties=given):
            rest = {k: v for k, v in given.items() if k != "COMMENT"}
            made = stage_detail(session, detail, rest)
            comment = ast.text_of(given["COMMENT"]) if "COMMENT" in given else entity.comment
            return catalog.change(entity, detail=made, comment=comment)
        case ast.Refresh():
            if detail.url:
                raise refusals.unsupported("files of external stages")
            if not detail.directory:
                raise wrong.no_directory_table(entity.name)
            return catalog.change(entity, detail=replace(detail, refreshed=_seen(session, entity)))
        case _:
            raise refusals.unsupported(f"ALTER STAGE {type(action).__name__.upper()}")


def _seen(session: AccountSession, entity: Entity) -> str:
    folder = session.account.files.folder(key_of(entity))
    return json.dumps(
        [
            {"path": f.name, "size": f.size, "modified": f.modified.isoformat(), "md5": f.digest}
            for f in files.found(folder)
        ]
    )


# ---- file formats


def file_format(session: AccountSession, statement: ast.CreateFileFormat) -> Outcome:
    """Create a file format."""
    given = statement.properties
    kind = formats.type_of(given)
    formats.read(given)
    rest = {k: v for k, v in given.items() if k != "TYPE"}
    made = FileFormatDetail(kind, formats.packed(rest), _temporary(session, statement))
    return objects.create(session, statement, Kind.FILE_FORMAT, lambda: made)


def alter_file_format(session: AccountSession, entity: Entity, action: ast.Action) -> Entity:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-file-format."""
    assert isinstance(entity.detail, FileFormatDetail)
    if not isinstance(action, ast.SetProperties):
        raise refusals.unsupported(f"ALTER FILE FORMAT {type(action).__name__.upper()}")
    given = {k: v for k, v in action.properties.items() if k != "COMMENT"}
    if "TYPE" in given:
        raise refusals.invalid_property("The type of a file format cannot be changed.")
    options = {**formats.unpacked(entity.detail.options), **given}
    formats.read({"TYPE": entity.detail.type, **options})
    comment = action.properties.get("COMMENT")
    return session.account.catalog.change(
        entity,
        detail=replace(entity.detail, options=formats.packed(options)),
        comment=ast.text_of(comment) if comment is not None else entity.comment,
    )


# ---- pipes


def pipe(session: AccountSession, statement: ast.CreatePipe) -> Outcome:
    """Create a pipe: its COPY is read and its parts are checked now, so that errors show now."""
    for key, value in statement.properties.items():
        if key == "AUTO_INGEST" and value is False:
            continue
        raise refusals.unsupported(f"CREATE PIPE {key}")
    body = statement.body.strip().rstrip(";")
    check_pipe(session, body)
    return objects.create(session, statement, Kind.PIPE, lambda: PipeDetail(body))


def check_pipe(session: AccountSession, body: str) -> words.Load:
    """Read a pipe's COPY.

    Raises:
        SqlError: it is no COPY INTO a table, or names what is not there.
    """
    found = words.read(body, session.variable_texts())
    if not isinstance(found, words.Load):
        raise refusals.invalid_property("The statement of a pipe must be COPY INTO <table>.")
    loading.target_of(session, found)
    opened(session, loading.location_of(found), "READ", session.env())
    loading.options_of(found.options)
    return found
