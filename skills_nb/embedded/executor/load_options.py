"""Copy options, read into one value.

Room: embedded. Pure. An option that is not read here is refused.

See https://docs.snowflake.com/en/sql-reference/sql/copy-into-table
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.storage.files import formats
from skills_nb.sql.governance.ast import text_of

_ROWS = re.compile(r"RETURN_(\d+)_ROWS")
_SKIP = re.compile(r"SKIP_FILE(?:_(\d+)(%?))?")
_MODES = ("RETURN_ERRORS", "RETURN_ALL_ERRORS")
_MATCHES = ("CASE_SENSITIVE", "CASE_INSENSITIVE", "NONE")


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How a load goes about its files."""

    file_format: Mapping[str, Any] = field(default_factory=dict)
    """FILE_FORMAT as written, by upper-cased key; empty for the stage's own."""
    files: tuple[str, ...] = ()
    """FILES: names relative to the location; empty for all."""
    pattern: str | None = None
    """Regular expression over whole names; None for all."""
    on_error: str = "ABORT_STATEMENT"
    """ABORT_STATEMENT, CONTINUE or SKIP_FILE."""
    skip_at: int = 1
    """Errors from which a file is skipped."""
    skip_percent: bool = False
    """Whether `skip_at` counts in percent of a file's rows."""
    purge: bool = False
    """Whether files go from the stage once they are loaded."""
    force: bool = False
    """Whether files that were loaded before are loaded again."""
    truncate: bool = False
    """TRUNCATECOLUMNS: whether texts that are too long are cut instead of refused."""
    match_by: str = "NONE"
    """MATCH_BY_COLUMN_NAME: `CASE_SENSITIVE`, `CASE_INSENSITIVE` or `NONE`."""
    validation_mode: str = ""
    """RETURN_ROWS, RETURN_ERRORS or RETURN_ALL_ERRORS."""
    validation_rows: int = 0
    """The n of RETURN_n_ROWS; 0 for the other modes."""

    def error_limit(self, parsed: int) -> int:
        """Return the number of errors at which a file is given up."""
        if self.on_error == "CONTINUE":
            return parsed
        if self.skip_percent:
            return max(parsed * self.skip_at // 100, 1)
        return self.skip_at

    def stops(self, refused: int, parsed: int) -> bool:
        """Tell whether so many errors keep the file out."""
        if self.on_error == "CONTINUE":
            return False
        return self.on_error == "ABORT_STATEMENT" or refused >= self.error_limit(parsed)


def options_of(given: Mapping[str, Any]) -> LoadOptions:
    """Read copy options.

    Raises:
        SqlError: an option is unknown (1420), wrong (1008) or not supported (0A000).
    """
    made: dict[str, Any] = {}
    for key, value in given.items():
        made |= _read(key, value)
    if "files" in made and made.get("pattern"):
        raise errors.unsupported("FILES together with PATTERN")
    return LoadOptions(**made)


def _read(key: str, value: Any) -> dict[str, Any]:
    match key:
        case "FILE_FORMAT":
            return {"file_format": formats.mapping(value)}
        case "FILES":
            return {"files": tuple(text_of(v) for v in value)}
        case "PATTERN":
            return {"pattern": text_of(value)}
        case "ON_ERROR":
            return _on_error(text_of(value).upper())
        case "PURGE" | "FORCE":
            return {key.lower(): _flag(key, value)}
        case "TRUNCATECOLUMNS":
            return {"truncate": _flag(key, value)}
        case "ENFORCE_LENGTH":
            return {"truncate": not _flag(key, value)}
        case "MATCH_BY_COLUMN_NAME":
            return {"match_by": _one_of(key, text_of(value).upper(), _MATCHES)}
        case "VALIDATION_MODE":
            return _validation(text_of(value).upper())
        case "RETURN_FAILED_ONLY" | "LOAD_UNCERTAIN_FILES":
            if value is False:
                return {}
            raise errors.unsupported(f"{key} = TRUE")
        case "SIZE_LIMIT" | "INCLUDE_METADATA" | "CLUSTER_AT_INGEST_TIME" | "LOAD_MODE":
            raise errors.unsupported(key)
        case _:
            raise errors.invalid_property(f"invalid property '{key}'")


def _flag(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise errors.invalid_value(text_of(value), key)
    return value


def _one_of(key: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise errors.invalid_value(value, key)
    return value


def _on_error(value: str) -> dict[str, Any]:
    if value in ("ABORT_STATEMENT", "CONTINUE"):
        return {"on_error": value}
    found = _SKIP.fullmatch(value)
    if found is None:
        raise errors.invalid_value(value, "ON_ERROR")
    return {
        "on_error": "SKIP_FILE",
        "skip_at": int(found[1] or 1),
        "skip_percent": found[2] == "%",
    }


def _validation(value: str) -> dict[str, Any]:
    if value in _MODES:
        return {"validation_mode": value}
    found = _ROWS.fullmatch(value)
    if found is None:
        raise errors.invalid_value(value, "VALIDATION_MODE")
    return {"validation_mode": "RETURN_ROWS", "validation_rows": int(found[1])}
