"""Refusals about staged files and loading.

Room: embedded. Pure.

See https://docs.snowflake.com/en/user-guide/data-load-bulk-ts
"""

from __future__ import annotations

from skills_nb.embedded.errors.words import compilation
from skills_nb.errors import SqlError

_HINT = (
    "\n  If you would like to continue loading when an error is encountered, use other values such "
    "as 'SKIP_FILE' or 'CONTINUE' for the ON_ERROR option. For more information on loading "
    "options, please run 'info loading_data' in a SQL client."
)


def bad_row(
    message: str, code: int, sqlstate: str, file: str, line: int, column: str | None
) -> SqlError:
    """Stop a load at its first bad row."""
    where = f"\n  File '{file}', line {line}, character 1\n  Row {line}"
    shown = f', column "{column}"' if column else ""
    return SqlError(f"{message}{where}{shown}{_HINT}", errno=code, sqlstate=sqlstate)


def broken_file(file: str, message: str) -> SqlError:
    """Say that a file cannot be read at all."""
    return SqlError(f"{message}\n  File '{file}'", errno=100069, sqlstate="22000")


def file_missing(location: str) -> SqlError:
    """Say that a file which a statement names is not in the stage."""
    return SqlError(
        f"Remote file '{location}' was not found. There are several potential causes. The file "
        "might not exist. The required credentials may be missing or invalid. If you are running a "
        "copy command, please make sure files are not deleted when they are being loaded or files "
        "are not being loaded into two different tables concurrently with auto purge option.",
        errno=100181,
        sqlstate="22000",
    )


def already_unloaded(location: str) -> SqlError:
    """Refuse to write over files that somebody unloaded before."""
    return compilation(
        f"Files already existing at the unload destination: {location}. Use overwrite option to "
        "force unloading.",
        1030,
        "22000",
    )


def several_columns() -> SqlError:
    """Refuse to load documents into more than one column without naming which."""
    return compilation(
        "JSON file format can produce one and only one column of variant, object, or array type. "
        "Load data into separate columns using the MATCH_BY_COLUMN_NAME copy option or copy with "
        "transformation.",
        2019,
        "0A000",
    )


def local_missing(path: str) -> SqlError:
    """Say that the file to be uploaded is not there."""
    return SqlError(f"File doesn't exist: {path}", errno=253006, sqlstate="22000")


def no_directory(path: str) -> SqlError:
    """Say that the folder to download to is none."""
    return SqlError(f"The local path is not a directory: {path}", errno=253005, sqlstate="22000")


def upload_failed(path: str, why: str) -> SqlError:
    """Say that a file of the person's own cannot be read."""
    return SqlError(f"Failed to upload {path}: {why}", errno=253003, sqlstate="22000")


def download_failed(path: str, why: str) -> SqlError:
    """Say that a file cannot be written where the person wants it."""
    return SqlError(f"Failed to download to {path}: {why}", errno=253002, sqlstate="22000")


def moved_by_nobody(kind: str) -> SqlError:
    """Refuse to move files in a script, a procedure or a task, where no client is asking."""
    return compilation(f"Unsupported statement type '{kind}'.", 2, "0A000")


def no_directory_table(name: str) -> SqlError:
    """Say that the stage keeps no directory."""
    return compilation(f"Stage '{name}' does not have a directory table enabled.", 3001, "0A000")
