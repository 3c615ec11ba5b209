"""Showing: SHOW and DESCRIBE of stages, file formats and pipes.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/show-stages
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.catalog.object_details import FileFormatDetail, PipeDetail, StageDetail
from skills_nb.embedded.files import formats

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
STAGE_COLUMNS = (
    "created_on:t name database_name schema_name url has_credentials has_encryption_key owner "
    "comment region type cloud notification_channel storage_integration endpoint owner_role_type "
    "directory_enabled"
)
FORMAT_COLUMNS = (
    "created_on:t name database_name schema_name type owner comment format_options owner_role_type"
)
PIPE_COLUMNS = (
    "created_on:t name database_name schema_name definition owner notification_channel comment "
    "integration pattern error_integration owner_role_type invalid_reason kind"
)
_CLOUDS = {
    "s3": "AWS",
    "s3compat": "AWS",
    "s3gov": "AWS",
    "s3china": "AWS",
    "gcs": "GCP",
    "azure": "AZURE",
}
_PROPERTIES = "parent_property property property_type property_value property_default"


def stage_row(session: AccountSession, e: Entity) -> Row:
    """Return a stage's row of SHOW STAGES."""
    d = e.detail
    assert isinstance(d, StageDetail)
    where = "EXTERNAL" if d.url else "INTERNAL"
    kind = f"{where} TEMPORARY" if d.temporary else where
    shown = "INTERNAL NO CSE" if d.encryption == "SNOWFLAKE_SSE" else kind
    cloud = _CLOUDS.get(d.url.partition("://")[0])
    return (
        e.created_on,
        e.name,
        *e.path[:2],
        d.url,
        "Y" if d.credentials else "N",
        "N",
        e.owner,
        e.comment,
        None,
        shown,
        cloud,
        None,
        d.integration or None,
        None,
        "ROLE",
        "Y" if d.directory else "N",
    )


def format_row(session: AccountSession, e: Entity) -> Row:
    """Return a file format's row of SHOW FILE FORMATS."""
    d = e.detail
    assert isinstance(d, FileFormatDetail)
    options = json.dumps({"TYPE": d.type, **formats.unpacked(d.options)})
    return (e.created_on, e.name, *e.path[:2], d.type, e.owner, e.comment, options, "ROLE")


def pipe_row(session: AccountSession, e: Entity) -> Row:
    """Return a pipe's row of SHOW PIPES."""
    d = e.detail
    assert isinstance(d, PipeDetail)
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


def describe_stage(session: AccountSession, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-stage."""
    d = e.detail
    assert isinstance(d, StageDetail)
    rows: list[Row] = []
    given = formats.of_stage(d)
    if formats.given_name(given) is not None:
        rows.append(("STAGE_FILE_FORMAT", "FORMAT_NAME", "String", given["FORMAT_NAME"], ""))
    else:
        kind = formats.type_of(given)
        rows += [("STAGE_FILE_FORMAT", *row) for row in _options(kind, given)]
    copies = {"ON_ERROR": "ABORT_STATEMENT", "PURGE": "false", "FORCE": "false"}
    own = formats.unpacked(d.copy_options)
    rows += [
        ("STAGE_COPY_OPTIONS", key, "String", str(own.get(key, default)), default)
        for key, default in copies.items()
    ]
    if d.url:
        rows.append(("STAGE_LOCATION", "URL", "String", json.dumps([d.url]), ""))
    if d.integration:
        named = ("STORAGE_INTEGRATION", "String", d.integration, "")
        rows.append(("STAGE_INTEGRATION", *named))
    rows.append(("DIRECTORY", "ENABLE", "Boolean", str(d.directory).lower(), "false"))
    return _PROPERTIES, rows


def describe_format(session: AccountSession, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-file-format."""
    d = e.detail
    assert isinstance(d, FileFormatDetail)
    return "property property_type property_value property_default", _options(
        d.type, formats.unpacked(d.options)
    )


def _options(kind: str, given: dict[str, Any]) -> list[Row]:
    rows: list[Row] = [("TYPE", "String", kind, "CSV")]
    default = formats.read({"TYPE": kind})
    made = formats.read({"TYPE": kind, **given})
    for key, field in formats.readable(kind):
        now, fresh = getattr(made, field), getattr(default, field)
        rows.append((key, _type(now), _spelled(now), _spelled(fresh)))
    return rows


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "Boolean"
    if isinstance(value, int):
        return "Integer"
    return "List" if isinstance(value, tuple) else "String"


def _spelled(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(value) + "]"
    text = str(value).replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return text or "NONE"


def describe_pipe(session: AccountSession, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-pipe."""
    return PIPE_COLUMNS, [pipe_row(session, e)]
