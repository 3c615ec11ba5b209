"""Moving: PUT, GET, LIST and REMOVE.

Room: embedded. Behind a connector the client moves the files, as with Snowflake: the answer tells
it where. A session without one moves them itself.

See https://docs.snowflake.com/en/sql-reference/sql/put and
https://docs.snowflake.com/en/sql-reference/sql/get
"""

from __future__ import annotations

import glob
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.errors import files as wrong
from skills_nb.embedded.parser import file_statements
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.session_state import Mover
from skills_nb.embedded.storage.files import compression, files
from skills_nb.embedded.storage.files.opening import OpenStage, opened
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.values import Outcome
from skills_nb.errors import SqlError
from skills_nb.sql.governance.ast import text_of

_PUT = "source target source_size:n target_size:n source_compression target_compression status "
_LISTED = "name size:n md5 last_modified"
_METHODS = {".gz": "GZIP", ".bz2": "BZ2", ".br": "BROTLI", ".zst": "ZSTD", ".deflate": "DEFLATE"}
_SOURCES = ("AUTO_DETECT", "NONE", "GZIP", "BZ2", "BROTLI", "ZSTD", "DEFLATE", "RAW_DEFLATE")


def _flag(options: Mapping[str, Any], key: str, default: bool) -> bool:
    value = options.get(key, default)
    if not isinstance(value, bool):
        raise errors.invalid_value(text_of(value), key)
    return value


def _parallel(options: Mapping[str, Any], default: int) -> int:
    value = options.get("PARALLEL", default)
    if not isinstance(value, int) or not 1 <= value <= 99:
        raise errors.invalid_value(str(value), "PARALLEL")
    return value


def _refuse_inside(session: Context, kind: str) -> None:
    """Refuse to move files where no client asks: nobody's script reads the files of this machine.

    See https://docs.snowflake.com/en/release-notes/bcr-bundles/2023_06/bcr-1244
    """
    if session.moves_files is Mover.NOBODY:
        raise wrong.moved_by_nobody(kind)


_LARGEST_PIECE = 1 << 40
"""Bytes from which such a client would fetch a file in pieces: none does."""


def _info(session: Context, stage: OpenStage, path: str, *, is_for_writing: bool) -> dict[str, Any]:
    """Describe the stage as the connector wants it."""
    place = files.within(stage.folder, path)
    if session.knows_clouds_alone:  # and no folder of this machine
        door = session.account.files.doors.made(stage.folder, is_for_writing=is_for_writing)
        return {
            "locationType": "GCS",
            "location": f"{door.name}/{path}",
            "path": path,
            "region": "",
            "storageAccount": None,
            "isClientSideEncrypted": False,
            "endPoint": "",  # the wire knows where it was asked
            "creds": {"GCS_ACCESS_TOKEN": door.key},
        }
    return {
        "locationType": "LOCAL_FS",
        "location": str(place),
        "path": path,
        "region": None,
        "storageAccount": None,
        "isClientSideEncrypted": False,
        "creds": {},
    }


@contextmanager
def _local_trouble(refused: Callable[[str, str], SqlError]) -> Iterator[None]:
    """Say which of the person's own files cannot be read or written, and why."""
    try:
        yield
    except OSError as error:
        place = error.filename2 or error.filename or ""
        raise refused(str(place), error.strerror or str(error)) from error


# ---- PUT


def put(session: Context, statement: file_statements.Put) -> Outcome:
    """Answer where to put files, or put them.

    Raises:
        SqlError: a script or task asks (0A000), an option has a value that it cannot
            have (1008), the stage is not there (2003), or may not be written to (3001).
    """
    _refuse_inside(session, "PUT_FILES")
    stage = opened(session, statement.location, "WRITE", session.env())
    options = statement.options
    compress = _flag(options, "AUTO_COMPRESS", True)
    overwrite = _flag(options, "OVERWRITE", False)
    source = text_of(options.get("SOURCE_COMPRESSION", "AUTO_DETECT")).upper()
    if source not in _SOURCES:
        raise errors.invalid_value(source, "SOURCE_COMPRESSION")
    parallel = _parallel(options, 4)
    if session.moves_files is Mover.SESSION:
        with _local_trouble(wrong.upload_failed):
            rows = [
                _upload(Path(name), stage, compress=compress, overwrite=overwrite, source=source)
                for name in _local(statement.source)
            ]
        return Outcome(columns_of(_PUT + "message"), tuple(rows), "PUT_FILES", len(rows))
    transfer = {
        "command": "UPLOAD",
        "src_locations": [statement.source],
        "parallel": parallel,
        "threshold": _LARGEST_PIECE,
        "autoCompress": compress,
        "overwrite": overwrite,
        "sourceCompression": source.lower(),
        "encryptionMaterial": None,
        "stageInfo": _info(session, stage, stage.prefix, is_for_writing=True),
    }
    return Outcome(columns_of(_PUT + "message"), (), "PUT_FILES", 0, transfer=transfer)


def _local(source: str) -> list[str]:
    found = sorted(name for name in glob.glob(source) if Path(name).is_file())
    if not found:
        raise wrong.local_missing(source)
    return found


def _upload(
    place: Path, stage: OpenStage, *, compress: bool, overwrite: bool, source: str
) -> tuple[Any, ...]:
    held = _detected(place) if source == "AUTO_DETECT" else source
    packs = compress and held == "NONE"
    name = place.name + (".gz" if packs else "")
    target = files.within(stage.folder, f"{stage.prefix.rstrip('/')}/{name}".lstrip("/"))
    size = place.stat().st_size
    method = "GZIP" if packs else held
    if target.is_file() and not overwrite:
        return place.name, name, size, 0, held, method, "SKIPPED", ""
    body = place.read_bytes()
    path = target.relative_to(stage.folder).as_posix()
    files.write(stage.folder, path, compression.closed(body, "GZIP") if packs else body)
    return place.name, name, size, target.stat().st_size, held, method, "UPLOADED", ""


def _detected(place: Path) -> str:
    """Tell by name or first bytes how a file is compressed; Parquet counts as compressed."""
    with place.open("rb") as opened_file:
        first = opened_file.read(4)
    if first == b"PAR1":
        return "PARQUET"
    if first[:2] == b"\x1f\x8b":
        return "GZIP"
    return _METHODS.get(place.suffix, "NONE")


# ---- GET


def get(session: Context, statement: file_statements.Get) -> Outcome:
    """Answer what to fetch, or fetch it.

    Raises:
        SqlError: it is a statement of a script or task (0A000), or a file cannot be written where
            it says (253005, 253002).
    """
    _refuse_inside(session, "GET_FILES")
    stage = opened(session, statement.location, "READ", session.env())
    pattern = statement.options.get("PATTERN")
    listed = stage.files(str(pattern) if pattern is not None else None)
    parallel = _parallel(statement.options, 10)
    columns = columns_of("file size:n status message")
    if session.moves_files is Mover.SESSION:
        with _local_trouble(wrong.download_failed):
            rows = [_download(file, statement.target) for file in listed]
        return Outcome(columns, tuple(rows), "GET_FILES", len(rows))
    transfer = {
        "command": "DOWNLOAD",
        "src_locations": [file.name for file in listed],
        "localLocation": statement.target,
        "parallel": parallel,
        "threshold": _LARGEST_PIECE,
        "encryptionMaterial": [],
        "stageInfo": _info(session, stage, "", is_for_writing=False),
    }
    return Outcome(columns, (), "GET_FILES", 0, transfer=transfer)


def _download(file: files.StagedFile, target: str) -> tuple[Any, ...]:
    folder = Path(target)
    if not folder.is_dir():
        raise wrong.no_directory(target)
    name = file.place.name
    shutil.copyfile(file.place, folder / name)
    return name, file.size, "DOWNLOADED", ""


# ---- LIST and REMOVE


def list_files(session: Context, statement: file_statements.ListFiles) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/list."""
    stage = opened(session, statement.location, "READ", session.env())
    rows = tuple(
        (stage.shown + f.name, f.size, f.digest, format_datetime(f.modified, usegmt=True))
        for f in stage.files(statement.pattern)
    )
    return Outcome(columns_of(_LISTED), rows, "LIST_FILES", len(rows))


def remove_files(session: Context, statement: file_statements.RemoveFiles) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/remove."""
    stage = opened(session, statement.location, "WRITE", session.env())
    listed = stage.files(statement.pattern)
    for file in listed:
        file.place.unlink()
    rows = tuple((stage.shown + file.name, "removed") for file in listed)
    return Outcome(columns_of("name result"), rows, "REMOVE_FILES", len(rows))
