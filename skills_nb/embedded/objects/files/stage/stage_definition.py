"""Defining stages: CREATE STAGE and ALTER STAGE.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-stage
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import StageDetail
from skills_nb.embedded.errors import files as wrong
from skills_nb.embedded.executor import loading
from skills_nb.embedded.objects.lifecycle import create_steps, creation
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files import files, formats
from skills_nb.embedded.storage.files.opening import key_of
from skills_nb.embedded.types.names import typed_path
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name

_ELSEWHERE = ("ENDPOINT", "USE_PRIVATELINK_ENDPOINT")
_URL = re.compile(r"(s3|s3compat|s3gov|s3china|gcs|azure)://[^/\s]+(/\S*)?")


def create(session: Context, statement: ast.CreateStage) -> Outcome:
    """Create a stage; an external one is an entry, whose files cannot be reached."""
    made = _detail(session, StageDetail(), statement.properties)
    made = replace(made, temporary=create_steps.temporary_of(session, statement))
    return creation.create(session, statement, Kind.STAGE, lambda: made)


def _detail(session: Context, before: StageDetail, given: Mapping[str, Any]) -> StageDetail:
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
                raise errors.unsupported(f"{key} of a stage")
            case _:
                raise errors.invalid_property(f"invalid property '{key}'")
    if not made.url and (made.integration or made.credentials):
        raise errors.invalid_property("URL is needed for an external stage.")
    if made.integration and made.credentials:
        raise errors.invalid_property("STORAGE_INTEGRATION and CREDENTIALS exclude each other.")
    return made


def _url(text: str) -> str:
    if not _URL.fullmatch(text):
        raise errors.invalid_value(text, "URL")
    return text


def _integration(session: Context, value: Any) -> str:
    """Return the name of a storage integration that the role may use."""
    found = access.existing(session, Kind.INTEGRATION, typed_path(ast.text_of(value)))
    access.require(session, found, "USAGE")
    return found.name


def _mapping(key: str, value: Any) -> Mapping[str, Any]:
    if value == ():
        return {}
    if not isinstance(value, Mapping):
        raise errors.invalid_value(str(value), key)
    return value


def _directory(given: Mapping[str, Any]) -> bool:
    for key in given:
        if key not in ("ENABLE", "AUTO_REFRESH"):
            raise errors.invalid_property(f"invalid property '{key}'")
    if given.get("AUTO_REFRESH"):
        raise errors.unsupported("DIRECTORY AUTO_REFRESH")
    return bool(given.get("ENABLE", False))


def _encryption(given: Mapping[str, Any]) -> str:
    kind = ast.text_of(given.get("TYPE", "SNOWFLAKE_FULL")).upper()
    if kind not in ("SNOWFLAKE_FULL", "SNOWFLAKE_SSE"):
        raise errors.invalid_value(kind, "ENCRYPTION")
    return kind


def _format_of_stage(session: Context, value: Any) -> str:
    given = formats.mapping(value)
    name = formats.given_name(given)
    if name is not None:
        path = session.qualify(name)
        formats.named(session, path, session.active_roles(), path)
        given["FORMAT_NAME"] = render_name(path)
    else:
        formats.read(given)
    return formats.packed(given)


def alter(session: Context, entity: Entity, action: ast.Action) -> bool:
    """Carry out one action of ALTER STAGE.

    Raises:
        SqlError: the action or files outside are not supported (0A000), or the stage has no
            directory table (3001).

    See https://docs.snowflake.com/en/sql-reference/sql/alter-stage
    """
    catalog, detail = session.account.catalog, entity.detail
    assert isinstance(detail, StageDetail)
    match action:
        case ast.SetProperties(properties=given):
            rest = {k: v for k, v in given.items() if k != "COMMENT"}
            made = _detail(session, detail, rest)
            comment = ast.text_of(given["COMMENT"]) if "COMMENT" in given else entity.comment
            catalog.change(entity, detail=made, comment=comment)
        case ast.Refresh():
            if detail.url:
                raise errors.unsupported("files of external stages")
            if not detail.directory:
                raise wrong.no_directory_table(entity.name)
            catalog.change(entity, detail=replace(detail, refreshed=_seen(session, entity)))
        case ast.RenameTo():
            return False
        case _:
            raise errors.unsupported(f"ALTER STAGE {type(action).__name__.upper()}")
    return True


def _seen(session: Context, entity: Entity) -> str:
    folder = session.account.files.folder(key_of(entity))
    return json.dumps(
        [
            {"path": f.name, "size": f.size, "modified": f.modified.isoformat(), "md5": f.digest}
            for f in files.found(folder)
        ]
    )
