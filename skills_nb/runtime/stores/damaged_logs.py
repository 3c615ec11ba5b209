"""A log that lost its end is kept aside, before SQLite writes over what may still be read of it.

Room: work (runtime, stores). SQLite reads a write-ahead log up to the first frame that is not
whole, goes on writing there, and deletes the log when it is closed. Frames behind a damaged one are
there until then. Source: sqlite.org/fileformat2.html#the_write_ahead_log.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from skills_nb.runtime.stores import lost_events, store_places
from skills_nb.runtime.stores.thread_ends import ThreadEnds
from skills_nb.system import plain_files


def keep(path: Path, ends: ThreadEnds) -> tuple[Path, ...]:
    """Copy a database and its log aside, if events are missing that were acknowledged.

    Returns:
        The copies; empty where nothing is missing, or there is no log that could have had it.

    Raises:
        OSError: they cannot be written.
    """
    log = path.with_name(f"{path.name}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    if not has_log or not ends.promised() or not _is_short(path, ends):
        return ()
    content = log.read_bytes()
    mark = hashlib.sha256(content).hexdigest()[:12]
    return (_kept(path, path.read_bytes(), mark), _kept(log, content, mark))


def _is_short(path: Path, ends: ThreadEnds) -> bool:
    # A connection that may not write neither merges the log nor deletes it.
    address = f"file:{quote(str(path))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=10)) as database:
            return bool(lost_events.look(database, ends, path))
    except sqlite3.Error:
        return True


def _kept(path: Path, content: bytes, mark: str) -> Path:
    copy = path.with_name(f"{path.name}.damaged-{mark}")
    if not copy.exists():
        partial = path.with_name(f"{path.name}.partial")
        with open(store_places.open_private(partial), "wb") as file:
            file.truncate()
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(copy)
        plain_files.flush_folder(copy.parent)
    return copy
