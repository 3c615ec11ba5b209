"""File formats: options read into one value.

Room: embedded. Every option of Snowflake's manual is in a table: read, or refused as unsupported.

See https://docs.snowflake.com/en/sql-reference/sql/create-file-format
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import FileFormatDetail, StageDetail
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.names import typed_path
from skills_nb.sql.governance.ast import Properties, Ref, text_of

TYPES = ("CSV", "JSON", "PARQUET")
_KNOWN_TYPES = (*TYPES, "AVRO", "ORC", "XML", "CUSTOM")


@dataclass(frozen=True, slots=True)
class Format:
    """How a file is read or written."""

    type: str = "CSV"
    """One of `TYPES`; which of the rest count follows from it."""
    compression: str = "AUTO"
    """`AUTO`: told by the content when it is read; written are GZIP, and SNAPPY in Parquet."""
    record_delimiter: str = "\n"
    """What ends a row; empty for the end of a line."""
    field_delimiter: str = ","
    """What stands between values; empty for none, so that the whole row is one."""
    file_extension: str = ""
    """What names of unloaded files end with; empty for what type and compression say."""
    parse_header: bool = False
    """Whether the first row holds the columns' names."""
    skip_header: int = 0
    """Rows at the beginning that are passed over."""
    skip_blank_lines: bool = False
    """Whether an empty line is no row."""
    date_format: str = "AUTO"
    """`AUTO` for the session's own."""
    time_format: str = "AUTO"
    """`AUTO` for the session's own."""
    timestamp_format: str = "AUTO"
    """`AUTO` for the session's own."""
    binary_format: str = "HEX"
    """`HEX`, `BASE64` or `UTF8`."""
    escape: str = ""
    """The character that takes the next one literally in any value; empty for none."""
    escape_unenclosed: str = "\\"
    """The same in values without quotes around them; empty for none."""
    trim_space: bool = False
    """Whether space around values goes."""
    enclosed_by: str = ""
    """The quote around values; empty for none."""
    null_if: tuple[str, ...] = ("\\N",)
    """Values that stand for NULL; the first is what is written for it."""
    error_on_column_count_mismatch: bool = True
    """Whether a row with more or fewer values than the table has columns is refused."""
    replace_invalid_characters: bool = False
    """Whether what is no UTF-8 becomes U+FFFD, instead of being refused."""
    empty_field_as_null: bool = True
    """Whether nothing between two delimiters is NULL, instead of an empty text."""
    skip_byte_order_mark: bool = True
    """Whether a mark at the beginning is no part of the first value."""
    encoding: str = "UTF8"
    """Upper case, as the manual lists it."""
    strip_outer_array: bool = False
    """Whether each item of an outer JSON array is a document of its own."""
    strip_null_values: bool = False
    """Whether members with null go from JSON documents."""
    allow_duplicate: bool = False
    """Whether a JSON key may stand twice; the last one counts."""
    ignore_utf8_errors: bool = False
    """Of JSON what `replace_invalid_characters` is of CSV."""
    binary_as_text: bool = True
    """Whether a Parquet column without a logical type is text."""


def _text(key: str, value: Any) -> str:
    return "" if _is_none(value) else text_of(value)


_BYTES = re.compile(r"(?:(?:0x|\\x)[0-9a-f]{2}|\\[0-7]{3})+", re.IGNORECASE)
_BYTE = re.compile(r"(?:0x|\\x)(..)|\\(...)", re.IGNORECASE)


def _mark(key: str, value: Any) -> str:
    """Return what separates or encloses: as such, or as bytes in hexadecimal or octal digits.

    Source: https://docs.snowflake.com/en/sql-reference/sql/create-file-format (FIELD_DELIMITER).
    """
    said = _text(key, value)
    if _BYTES.fullmatch(said) is None:
        return said
    pairs = (one.groups() for one in _BYTE.finditer(said))
    values = [int(by_16, 16) if by_16 else int(by_8, 8) for by_16, by_8 in pairs]
    try:
        return bytes(values).decode()
    except ValueError:
        raise errors.invalid_value(said, key) from None


def _is_none(value: Any) -> bool:
    return value is None or (isinstance(value, (str, Ref)) and text_of(value).upper() == "NONE")


def _word(key: str, value: Any) -> str:
    return text_of(value).upper()


def _flag(key: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise errors.invalid_value(text_of(value), key)


def _whole(key: str, value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise errors.invalid_value(text_of(value), key)


def _texts(key: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, tuple):
        return tuple(text_of(v) for v in value)
    return (text_of(value),)


def _one_of(*allowed: str) -> Callable[[str, Any], str]:
    def read(key: str, value: Any) -> str:
        found = _word(key, value)
        if found not in allowed:
            raise errors.invalid_value(found, key)
        return found

    return read


_COMPRESSION = _one_of(
    "AUTO", "GZIP", "BZ2", "BROTLI", "ZSTD", "DEFLATE", "RAW_DEFLATE", "NONE", "SNAPPY", "LZO"
)


def _only(*allowed: Any) -> Callable[[str, Any], Any]:
    """Accept what the account does anyway; anything else is not supported."""

    def read(key: str, value: Any) -> Any:
        shown = text_of(value).upper()
        if shown not in allowed:
            raise errors.unsupported(f"{key} = {shown}")
        return shown

    return read


_Options = dict[str, tuple[str, Callable[[str, Any], Any]]]
_SHARED: _Options = {"COMPRESSION": ("compression", _COMPRESSION)}
_TRIMMED: _Options = {
    "TRIM_SPACE": ("trim_space", _flag),
    "NULL_IF": ("null_if", _texts),
    "REPLACE_INVALID_CHARACTERS": ("replace_invalid_characters", _flag),
}
_TIMES: _Options = {
    "DATE_FORMAT": ("date_format", _text),
    "TIME_FORMAT": ("time_format", _text),
    "TIMESTAMP_FORMAT": ("timestamp_format", _text),
    "BINARY_FORMAT": ("binary_format", _one_of("HEX", "BASE64", "UTF8", "UTF-8")),
}
_OPTIONS: dict[str, _Options] = {
    "CSV": {
        **_SHARED,
        **_TRIMMED,
        **_TIMES,
        "RECORD_DELIMITER": ("record_delimiter", _mark),
        "FIELD_DELIMITER": ("field_delimiter", _mark),
        "FILE_EXTENSION": ("file_extension", _text),
        "PARSE_HEADER": ("parse_header", _flag),
        "SKIP_HEADER": ("skip_header", _whole),
        "SKIP_BLANK_LINES": ("skip_blank_lines", _flag),
        "ESCAPE": ("escape", _mark),
        "ESCAPE_UNENCLOSED_FIELD": ("escape_unenclosed", _mark),
        "FIELD_OPTIONALLY_ENCLOSED_BY": ("enclosed_by", _mark),
        "ERROR_ON_COLUMN_COUNT_MISMATCH": ("error_on_column_count_mismatch", _flag),
        "EMPTY_FIELD_AS_NULL": ("empty_field_as_null", _flag),
        "SKIP_BYTE_ORDER_MARK": ("skip_byte_order_mark", _flag),
        "ENCODING": ("encoding", _word),
        "MULTI_LINE": ("", _only("TRUE")),
    },
    "JSON": {
        **_SHARED,
        **_TRIMMED,
        **_TIMES,
        "FILE_EXTENSION": ("file_extension", _text),
        "STRIP_OUTER_ARRAY": ("strip_outer_array", _flag),
        "STRIP_NULL_VALUES": ("strip_null_values", _flag),
        "ALLOW_DUPLICATE": ("allow_duplicate", _flag),
        "IGNORE_UTF8_ERRORS": ("ignore_utf8_errors", _flag),
        "SKIP_BYTE_ORDER_MARK": ("skip_byte_order_mark", _flag),
        "ENABLE_OCTAL": ("", _only("FALSE")),
        "MULTI_LINE": ("", _only("TRUE")),
    },
    "PARQUET": {
        **_SHARED,
        **_TRIMMED,
        "SNAPPY_COMPRESSION": ("", _only("TRUE")),
        "BINARY_AS_TEXT": ("binary_as_text", _flag),
        "USE_LOGICAL_TYPE": ("", _only("TRUE")),
        # How fast a file is read is nobody's business here; what it says is the same.
        "USE_VECTORIZED_SCANNER": ("", _only("TRUE", "FALSE")),
    },
}


def read(given: Mapping[str, Any], before: Format | None = None) -> Format:
    """Read format options, over what was there before.

    Raises:
        SqlError: an option is unknown (1420), wrong (1008) or not supported (0A000).
    """
    kind = type_of(given, before.type if before else "CSV")
    made = before if before is not None and before.type == kind else Format(type=kind)
    if kind != "CSV" and (before is None or before.type != kind):
        made = replace(made, null_if=())
    fields: dict[str, Any] = {}
    for key, value in given.items():
        if key in ("TYPE", "FORMAT_NAME", "COMMENT"):
            continue
        if key not in _OPTIONS[kind]:
            raise errors.invalid_property(f"invalid property '{key}' for '{kind} file format'")
        field, reader = _OPTIONS[kind][key]
        found = reader(key, value)
        if field:
            fields[field] = found
    return _consistent(replace(made, **fields))


def _consistent(made: Format) -> Format:
    if made.parse_header and made.skip_header:
        raise errors.invalid_property(
            "PARSE_HEADER and SKIP_HEADER cannot be used together in a file format."
        )
    return made


def type_of(given: Mapping[str, Any], default: str = "CSV") -> str:
    """Return the type that options name.

    Raises:
        SqlError: there is no such type (1008), or it is not supported (0A000).
    """
    kind = _word("TYPE", given["TYPE"]) if "TYPE" in given else default
    if kind not in _KNOWN_TYPES:
        raise errors.invalid_value(kind, "TYPE")
    if kind not in TYPES:
        raise errors.unsupported(f"file format type {kind}")
    return kind


def packed(given: Mapping[str, Any]) -> str:
    """Write options as JSON."""
    return json.dumps({key: _plain(value) for key, value in given.items()}, ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if value is None or isinstance(value, (bool, int)):
        return value
    return text_of(value)


def unpacked(body: str) -> dict[str, Any]:
    """Read options that `packed` wrote."""
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in json.loads(body).items()
    }


def named(
    session: Context, name: tuple[str, ...], roles: frozenset[str], path: tuple[str, ...]
) -> Format:
    """Return a file format that the roles may use; `path` is its full name.

    Raises:
        SqlError: it does not exist or is not theirs (2003).
    """
    entity = name_resolution.usable(session, Kind.FILE_FORMAT, path, "USAGE", roles)
    return of_entity(entity)


def of_entity(entity: Entity) -> Format:
    """Return what a file format says."""
    assert isinstance(entity.detail, FileFormatDetail)
    return read({"TYPE": entity.detail.type, **unpacked(entity.detail.options)})


def of_stage(detail: StageDetail) -> dict[str, Any]:
    """Return the format options that a stage carries."""
    return unpacked(detail.file_format)


def mapping(value: Any) -> dict[str, Any]:
    """Return the options of `FILE_FORMAT = (…)`, or of `FILE_FORMAT = name` without brackets."""
    if value == ():
        return {}
    return dict(value) if isinstance(value, Mapping) else {"FORMAT_NAME": value}


def given_name(given: Properties | Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the stored name that FORMAT_NAME says."""
    value = given.get("FORMAT_NAME")
    if value is None:
        return None
    if isinstance(value, Ref):
        return value.parts

    return typed_path(str(value))


def readable(kind: str) -> list[tuple[str, str]]:
    """List the options of a type that are kept, with their fields."""
    return [(key, field) for key, (field, _) in _OPTIONS[kind].items() if field]
