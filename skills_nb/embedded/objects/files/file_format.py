"""File formats.

Room: embedded. A format is read when it is made, so that a wrong option is refused then.

See https://docs.snowflake.com/en/sql-reference/sql/create-file-format
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import FileFormatDetail
from skills_nb.embedded.objects.ddl_words import comment, value, written_name
from skills_nb.embedded.objects.lifecycle import create_steps, creation
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Columns,
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Row,
    SystemView,
    register,
)
from skills_nb.embedded.objects.view_columns import TIMES, named
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files import formats
from skills_nb.embedded.types.system_rows import yes
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def detail_of(file_format: Entity) -> FileFormatDetail:
    """Return a file format's detail."""
    assert isinstance(file_format.detail, FileFormatDetail)
    return file_format.detail


def create(session: Context, statement: ast.CreateFileFormat) -> Outcome:
    """Create a file format."""
    given = statement.properties
    kind = formats.type_of(given)
    formats.read(given)
    rest = {k: v for k, v in given.items() if k != "TYPE"}
    made = FileFormatDetail(
        kind, formats.packed(rest), create_steps.temporary_of(session, statement)
    )
    return creation.create(session, statement, Kind.FILE_FORMAT, lambda: made)


def alter(session: Context, entity: Entity, action: ast.Action) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-file-format.

    Raises:
        SqlError: the action is not supported (0A000), or the type would change (1420).
    """
    if isinstance(action, ast.RenameTo):
        return False
    if not isinstance(action, ast.SetProperties):
        raise errors.unsupported(f"ALTER FILE FORMAT {type(action).__name__.upper()}")
    given = {k: v for k, v in action.properties.items() if k != "COMMENT"}
    if "TYPE" in given:
        raise errors.invalid_property("The type of a file format cannot be changed.")
    detail = detail_of(entity)
    options = {**formats.unpacked(detail.options), **given}
    formats.read({"TYPE": detail.type, **options})
    said = action.properties.get("COMMENT")
    session.account.catalog.change(
        entity,
        detail=replace(detail, options=formats.packed(options)),
        comment=ast.text_of(said) if said is not None else entity.comment,
    )
    return True


def _row(session: Context, e: Entity) -> Row:
    """Return a file format's row of SHOW FILE FORMATS."""
    d = detail_of(e)
    options = json.dumps({"TYPE": d.type, **formats.unpacked(d.options)})
    return (e.created_on, e.name, *e.path[:2], d.type, e.owner, e.comment, options, "ROLE")


def _describe(session: Context, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-file-format."""
    d = detail_of(e)
    return "property property_type property_value property_default", option_rows(
        d.type, formats.unpacked(d.options)
    )


def option_rows(kind: str, given: dict[str, Any]) -> list[Row]:
    """Return the rows in which DESCRIBE tells the options of a format."""
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


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    detail, name = detail_of(entity), written_name(entity, qualified=qualified)
    options = formats.unpacked(detail.options)
    listed = "".join(f" {key} = {value(given)}" for key, given in options.items())
    return f"create or replace file format {name} type = {detail.type}{listed}{comment(entity)}"


_VIEW: Columns = {
    **named("FILE_FORMAT"),
    "FILE_FORMAT_TYPE": lambda e: detail_of(e).type,
    "FIELD_DELIMITER": lambda e: formats.of_entity(e).field_delimiter,
    "RECORD_DELIMITER": lambda e: formats.of_entity(e).record_delimiter,
    "SKIP_HEADER:n": lambda e: formats.of_entity(e).skip_header,
    "DATE_FORMAT": lambda e: formats.of_entity(e).date_format,
    "TIME_FORMAT": lambda e: formats.of_entity(e).time_format,
    "TIMESTAMP_FORMAT": lambda e: formats.of_entity(e).timestamp_format,
    "TRIM_SPACE": lambda e: yes(formats.of_entity(e).trim_space),
    "NULL_IF": lambda e: str(list(formats.of_entity(e).null_if)),
    "COMPRESSION": lambda e: formats.of_entity(e).compression,
    **TIMES,
}
_COLUMNS = (
    "created_on:t name database_name schema_name type owner comment format_options owner_role_type"
)
register(
    ObjectKind(
        kind=Kind.FILE_FORMAT,
        plurals=("FILE FORMATS",),
        create={ast.CreateFileFormat: create},
        alter=alter,
        listing=Listing(_COLUMNS, _row),
        describe=_describe,
        ddl=_ddl,
        is_in_schema_ddl=True,
        privileges=("USAGE",),
        clone=Cloning("USAGE"),
        export=Exporting(Phase.EARLY),
        view=SystemView(_VIEW),
    )
)
