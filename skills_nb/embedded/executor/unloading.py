"""Unloading: COPY INTO a location.

Room: embedded. What is written is the answer to a governed query: nobody unloads what they could
not select.

See https://docs.snowflake.com/en/sql-reference/sql/copy-into-location
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.errors import files as wrong
from skills_nb.embedded.executor import queries
from skills_nb.embedded.executor.writing import (
    Part,
    csv_parts,
    json_parts,
    parquet_parts,
)
from skills_nb.embedded.parser import file_statements, parsing
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files import (
    compression,
    files,
    formats,
    reading,
)
from skills_nb.embedded.storage.files.formats import Format
from skills_nb.embedded.storage.files.opening import OpenStage, opened
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.values import Outcome

_ANSWER = "rows_unloaded:n input_bytes:n output_bytes:n"
_MOST = 16_777_216
"""Bytes of a file where MAX_FILE_SIZE says nothing."""
_EXTENSIONS = {"CSV": ".csv", "JSON": ".json", "PARQUET": ".snappy.parquet"}


@dataclass(frozen=True, slots=True)
class _Options:
    file_format: Mapping[str, Any]
    header: bool = False
    overwrite: bool = False
    single: bool = False
    detailed: bool = False
    query_id: bool = False
    most: int | None = None
    """Bytes of a file before it is compressed, where the statement says how many."""


_FLAGS = {
    "HEADER": "header",
    "OVERWRITE": "overwrite",
    "SINGLE": "single",
    "DETAILED_OUTPUT": "detailed",
    "INCLUDE_QUERY_ID": "query_id",
}


def _options(given: Mapping[str, Any]) -> _Options:
    flags: dict[str, Any] = {}
    file_format: Mapping[str, Any] = {}
    for key, value in given.items():
        if key in _FLAGS:
            if not isinstance(value, bool):
                raise errors.invalid_value(str(value), key)
            flags[_FLAGS[key]] = value
        elif key == "FILE_FORMAT":
            file_format = formats.mapping(value)
        elif key == "MAX_FILE_SIZE":
            if not isinstance(value, int) or value <= 0:
                raise errors.invalid_value(str(value), key)
            flags["most"] = value
        elif key == "VALIDATION_MODE":
            raise errors.unsupported("COPY INTO <location> VALIDATION_MODE")
        else:
            raise errors.invalid_property(f"invalid property '{key}'")
    return _Options(file_format, **flags)


def unload(session: Context, statement: file_statements.Unload) -> Outcome:
    """Write the rows of a query into a file.

    Raises:
        SqlError: files of an earlier unload are in the way (1030), the location's path cannot be
            one (1008), an option is not supported, or one file would be too small (0A000).
    """
    stage = opened(session, statement.location, "WRITE", session.env())
    options = _options(statement.options)
    if options.query_id:
        raise errors.unsupported("INCLUDE_QUERY_ID = TRUE")
    own = formats.of_stage(stage.detail)
    given = options.file_format
    if formats.given_name(given) is None and "TYPE" not in given:
        given = {**own, **given}
    form = reading.format_of(session, given, session.env())
    outcome = queries.select(session, parsing.parse_query(statement.query), describe_only=False)
    parts, method = _parts(outcome, form, options)
    if options.single and len(parts) > 1:
        raise errors.unsupported("SINGLE = TRUE over more than MAX_FILE_SIZE bytes")
    name = _name(stage, form, method, single=options.single)
    _refuse_standing(stage, statement, name, options)
    written = []
    for number, part in enumerate(parts):
        one = name.replace("_0_0_0", f"_0_0_{number}")
        packed = compression.closed(bytes(part.content), method)
        files.write(stage.folder, one, packed)
        written.append((stage.shown + one, len(packed), part.rows))
    if options.detailed:
        columns = columns_of("FILE_NAME FILE_SIZE:n ROW_COUNT:n")
        return Outcome(columns, tuple(written), "UNLOAD", len(written))
    sizes = sum(len(part.content) for part in parts), sum(size for _, size, _ in written)
    row = (outcome.row_count, *sizes)
    return Outcome(columns_of(_ANSWER), (row,), "UNLOAD", outcome.row_count)


def _parts(outcome: Outcome, form: Format, options: _Options) -> tuple[list[Part], str]:
    """Return the content of each file and how to compress it."""
    method = "GZIP" if form.compression == "AUTO" else form.compression
    most = options.most or _MOST
    match form.type:
        case "CSV":
            return csv_parts(outcome, form, header=options.header, most=most), method
        case "JSON":
            return json_parts(outcome, most=most), method
        case _:
            made = parquet_parts(
                outcome, form.compression, header=options.header, most=options.most
            )
            return made, "NONE"


def _name(stage: OpenStage, form: Format, method: str, *, single: bool) -> str:
    """Name the file: as the location says for a single one, else with Snowflake's numbers."""
    prefix = stage.prefix
    if single and prefix and not prefix.endswith("/"):
        return prefix
    extension = form.file_extension and "." + form.file_extension.lstrip(".")
    shown = extension or _EXTENSIONS[form.type] + compression.SUFFIXES.get(method, "")
    if single:
        return f"{prefix}data"
    start = f"{prefix}data" if not prefix or prefix.endswith("/") else prefix
    return f"{start}_0_0_0{shown}"


def _refuse_standing(
    stage: OpenStage, statement: file_statements.Unload, name: str, options: _Options
) -> None:
    """Without OVERWRITE, refuse a destination that has files of an earlier unloading."""
    if options.overwrite:
        return
    start = name.rsplit("_0_0_0", 1)[0]
    if any(f.name.startswith(start) for f in files.found(stage.folder)):
        raise wrong.already_unloaded(stage.title + statement.location.path)
