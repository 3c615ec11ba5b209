"""The journal of a run: append-only, hash-chained, on disk before anybody is told.

Room: work (bench). One process writes it, under a lock that dies with the process. A line that
was not finished is cut off and kept beside; a line that was changed is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skills_nb.bench.schemas import canonical, digest
from skills_nb.errors import UsageError
from skills_nb.system import file_locks, plain_files

JOURNAL, LOCK = "journal.jsonl", ".lock"
Entry = dict[str, Any]
"""What happened: `kind`, and the fields of its kind."""


class Journal:
    """The truth of one run directory, held by this process."""

    def __init__(self, folder: Path) -> None:
        """Lock the directory and read what is there.

        Raises:
            UsageError: another process holds it, or its journal was changed.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / JOURNAL
        self._lock = _locked(folder)
        try:
            self.entries, self._last, whole = _read(self._path)
            self._file = plain_files.open_bytes(
                self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644
            )
            self._cut(whole)
            plain_files.flush_folder(folder)
        except BaseException:
            os.close(self._lock)
            raise

    def append(self, kind: str, **fields: Any) -> Entry:
        """Keep an entry; it is on disk when this returns."""
        entry = {"kind": kind, **fields}
        line = {"seq": len(self.entries) + 1, "previous": self._last, "entry": entry}
        made = digest(line)
        _write_all(self._file, canonical({**line, "hash": made}) + b"\n")
        os.fsync(self._file)
        self.entries.append(entry)
        self._last = made
        return entry

    def close(self) -> None:
        """Let others in."""
        os.close(self._file)
        os.close(self._lock)

    def _cut(self, whole: int) -> None:
        """Take a torn line off the end, and keep it for whoever wants to look."""
        data = self._path.read_bytes()
        if len(data) == whole:
            return
        write_whole(self._path.with_name(f"journal.cut-{whole}"), data[whole:])
        os.ftruncate(self._file, whole)
        os.fsync(self._file)


def read_journal(folder: Path) -> list[Entry]:
    """Return the entries of a run directory without holding it.

    Raises:
        UsageError: there is none, or it was changed.
    """
    if not (folder / JOURNAL).exists():
        raise UsageError(f"{folder} holds no run: there is no {JOURNAL}")
    return _read(folder / JOURNAL)[0]


def _locked(folder: Path) -> int:
    descriptor = plain_files.open_bytes(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        file_locks.take(descriptor)
    except BlockingIOError:
        holder = plain_files.holder_of(descriptor) or "another"
        os.close(descriptor)
        raise UsageError(
            f"{folder} is in use by process {holder}",
            hint="wait for it, or choose another --output",
        ) from None
    plain_files.name_holder(descriptor)
    return descriptor


def _read(path: Path) -> tuple[list[Entry], str, int]:
    """Return the entries, the last hash, and how many bytes are whole lines."""
    data = path.read_bytes() if path.exists() else b""
    entries: list[Entry] = []
    last, whole = "", 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        if not line.endswith(b"\n"):
            break
        entry, last = _entry(line, number, last, path)
        entries.append(entry)
        whole += len(line)
    return entries, last, whole


def _entry(line: bytes, number: int, last: str, path: Path) -> tuple[Entry, str]:
    try:
        document: Mapping[str, Any] = json.loads(line)
        body = {name: document[name] for name in ("seq", "previous", "entry")}
        if (document["hash"], body["previous"], body["seq"]) == (digest(body), last, number):
            return body["entry"], document["hash"]
    except (ValueError, KeyError, TypeError):
        # The same refusal as for a line that says something else than its hash.
        pass
    raise UsageError(
        f"{path}: line {number} is not what was written",
        hint="the run cannot be trusted from there on; begin another with --output",
    )


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees all of the old or all of the new."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    descriptor = plain_files.open_bytes(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        _write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    plain_files.replace(beside, path)
    plain_files.flush_folder(path.parent)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
