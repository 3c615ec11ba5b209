"""Unloading: COPY INTO a location.

Room: embedded. What is written is the answer to a governed query: nobody unloads what they could
not select.

See https://docs.snowflake.com/en/sql-reference/sql/copy-into-location
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import parsing, queries, refusals
from skills_nb.embedded.files import compression, files, formats, reading
from skills_nb.embedded.files.formats import Format
from skills_nb.embedded.files.opening import OpenStage, opened
from skills_nb.embedded.refusals import files as wrong
from skills_nb.embedded.result_columns import columns_of
from skills_nb.embedded.stages import words
from skills_nb.embedded.stages.writing import csv_body, json_body, parquet_body
from skills_nb.embedded.values import Outcome

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_ANSWER = "rows_unloaded:n input_bytes:n output_bytes:n"
_EXTENSIONS = {"CSV": ".csv", "JSON": ".json", "PARQUET": ".snappy.parquet"}


@dataclass(frozen=True, slots=True)
class _Options:
    file_format: Mapping[str, Any]
    header: bool = False
    overwrite: bool = False
    single: bool = False
    detailed: bool = False
    query_id: bool = False


_FLAGS = {
    "HEADER": "header",
    "OVERWRITE": "overwrite",
    "SINGLE": "single",
    "DETAILED_OUTPUT": "detailed",
    "INCLUDE_QUERY_ID": "query_id",
}


def _options(given: Mapping[str, Any]) -> _Options:
    flags: dict[str, bool] = {}
    file_format: Mapping[str, Any] = {}
    for key, value in given.items():
        if key in _FLAGS:
            if not isinstance(value, bool):
                raise refusals.invalid_value(str(value), key)
            flags[_FLAGS[key]] = value
        elif key == "FILE_FORMAT":
            file_format = value if isinstance(value, Mapping) else {"FORMAT_NAME": value}
        elif key == "MAX_FILE_SIZE":
            if not isinstance(value, int) or value <= 0:
                raise refusals.invalid_value(str(value), key)
        elif key == "VALIDATION_MODE":
            raise refusals.unsupported("COPY INTO <location> VALIDATION_MODE")
        else:
            raise refusals.invalid_property(f"invalid property '{key}'")
    return _Options(file_format, **flags)


def unload(session: AccountSession, statement: words.Unload) -> Outcome:
    """Write the rows of a query into a file."""
    stage = opened(session, statement.location, "WRITE", session.env())
    options = _options(statement.options)
    if options.query_id:
        raise refusals.unsupported("INCLUDE_QUERY_ID = TRUE")
    own = formats.of_stage(stage.detail)
    given = options.file_format
    if formats.given_name(given) is None and "TYPE" not in given:
        given = {**own, **given}
    form = reading.format_of(session, given, session.env())
    outcome = queries.select(session, parsing.parse_query(statement.query), describe_only=False)
    body, method = _body(outcome, form, header=options.header)
    name = _name(stage, form, method, single=options.single)
    _refuse_standing(stage, statement, name, options)
    place = files.within(stage.folder, name)
    packed = compression.closed(body, method)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(packed)
    if options.detailed:
        shown = (stage.shown + name, len(packed), outcome.row_count)
        return Outcome(columns_of("FILE_NAME FILE_SIZE:n ROW_COUNT:n"), (shown,), "UNLOAD", 1)
    row = (outcome.row_count, len(body), len(packed))
    return Outcome(columns_of(_ANSWER), (row,), "UNLOAD", outcome.row_count)


def _body(outcome: Outcome, form: Format, *, header: bool) -> tuple[bytes, str]:
    """Return the content and how to compress it."""
    method = "GZIP" if form.compression == "AUTO" else form.compression
    match form.type:
        case "CSV":
            return csv_body(outcome, form, header=header), method
        case "JSON":
            return json_body(outcome), method
        case _:
            return parquet_body(outcome, form.compression, header=header), "NONE"


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
    stage: OpenStage, statement: words.Unload, name: str, options: _Options
) -> None:
    """Without OVERWRITE, refuse a destination that has files of an earlier unloading."""
    if options.overwrite:
        return
    start = name.rsplit("_0_0_0", 1)[0]
    if any(f.name.startswith(start) for f in files.found(stage.folder)):
        raise wrong.already_unloaded(stage.title + statement.location.path)
