"""Stages: how they are shown, described and written.

Room: embedded. A stage of the account keeps files; an external one is an entry, whose files cannot
be reached. Stages are not cloned.

See https://docs.snowflake.com/en/sql-reference/sql/show-stages
"""

from __future__ import annotations

import json

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import StageDetail
from skills_nb.embedded.objects.ddl_words import comment, value, written_name
from skills_nb.embedded.objects.files.file_format import option_rows
from skills_nb.embedded.objects.files.stage import stage_definition
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
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files import formats
from skills_nb.embedded.types.system_rows import yes
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import quote
from skills_nb.sql.tokens import literal

_CLOUDS = {
    "s3": "AWS",
    "s3compat": "AWS",
    "s3gov": "AWS",
    "s3china": "AWS",
    "gcs": "GCP",
    "azure": "AZURE",
}


def detail_of(stage: Entity) -> StageDetail:
    """Return a stage's detail."""
    assert isinstance(stage.detail, StageDetail)
    return stage.detail


def _row(session: Context, e: Entity) -> Row:
    """Return a stage's row of SHOW STAGES."""
    d = detail_of(e)
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


def _describe(session: Context, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-stage."""
    d = detail_of(e)
    rows: list[Row] = []
    given = formats.of_stage(d)
    if formats.given_name(given) is not None:
        rows.append(("STAGE_FILE_FORMAT", "FORMAT_NAME", "String", given["FORMAT_NAME"], ""))
    else:
        kind = formats.type_of(given)
        rows += [("STAGE_FILE_FORMAT", *row) for row in option_rows(kind, given)]
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
    return "parent_property property property_type property_value property_default", rows


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    """Write a stage, without its files; credentials are not known."""
    detail, name = detail_of(entity), written_name(entity, qualified=qualified)
    parts = [f"create or replace stage {name} encryption = (type = {literal(detail.encryption)})"]
    if detail.url:
        parts = [f"create or replace stage {name} url = {literal(detail.url)}"]
    if detail.integration:
        parts.append(f"storage_integration = {quote(detail.integration)}")
    if detail.directory:
        parts.append("directory = (enable = true)")
    given = json.loads(detail.file_format)
    if given:
        parts.append(f"file_format = {value(given)}")
    copying = json.loads(detail.copy_options)
    if copying:
        parts.append(f"copy_options = {value(copying)}")
    return " ".join(parts) + comment(entity)


_VIEW: Columns = {
    **named("STAGE"),
    "STAGE_URL": lambda e: detail_of(e).url or None,
    "STAGE_REGION": lambda _: None,
    "STAGE_TYPE": lambda e: "External Named" if detail_of(e).url else "Internal Named",
    "DIRECTORY_ENABLED": lambda e: yes(detail_of(e).directory),
    **TIMES,
}
_COLUMNS = (
    "created_on:t name database_name schema_name url has_credentials has_encryption_key owner "
    "comment region type cloud notification_channel storage_integration endpoint owner_role_type "
    "directory_enabled"
)
register(
    ObjectKind(
        kind=Kind.STAGE,
        plurals=("STAGES",),
        create={ast.CreateStage: stage_definition.create},
        alter=stage_definition.alter,
        listing=Listing(_COLUMNS, _row),
        describe=_describe,
        ddl=_ddl,
        has_get_ddl=False,
        made_after=(Kind.INTEGRATION, Kind.FILE_FORMAT),
        privileges=("READ", "USAGE", "WRITE"),
        export=Exporting(),
        view=SystemView(_VIEW),
    )
)
