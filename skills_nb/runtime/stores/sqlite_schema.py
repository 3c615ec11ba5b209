"""The tables of a thread database, and a connection that is known to be durable.

Room: work (runtime, stores). Settings are read back: a build or a file system that ignores one
would break the promise silently.
Source: THREADS, Store; sqlite.org/pragma.html.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from skills_nb.errors import StoreError

SCHEMA_VERSION = 2
"""Raised with every change of the tables; kept in `user_version`."""

_APPLICATION_ID = 0x534B4E42
"""`SKNB`; marks the file as ours."""

_OLDEST_SQLITE = (3, 38, 0)
"""STRICT tables came with 3.37, JSON functions in every build with 3.38."""

_TABLES = """
CREATE TABLE thread(
  tid INTEGER PRIMARY KEY,
  thread_id TEXT NOT NULL UNIQUE,
  head INTEGER NOT NULL,
  goal TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE event(
  tid INTEGER NOT NULL REFERENCES thread(tid),
  seq INTEGER NOT NULL CHECK (seq > 0),
  type TEXT NOT NULL,
  v INTEGER NOT NULL,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  effect_key TEXT,
  body TEXT NOT NULL CHECK (json_valid(body)),
  digest TEXT,
  PRIMARY KEY (tid, seq)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX one_intent ON event(effect_key)
  WHERE effect_key IS NOT NULL AND type = 'statement_started';
CREATE UNIQUE INDEX one_outcome ON event(effect_key)
  WHERE effect_key IS NOT NULL
    AND type IN ('statement_completed', 'statement_failed', 'statement_lost');

CREATE TABLE blob(
  digest TEXT PRIMARY KEY,
  body TEXT NOT NULL CHECK (json_valid(body))
) STRICT, WITHOUT ROWID;

CREATE TRIGGER event_keeps BEFORE UPDATE ON event
  BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER event_stays BEFORE DELETE ON event
  BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER blob_keeps BEFORE UPDATE ON blob
  BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER blob_stays BEFORE DELETE ON blob
  BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
"""

_CREATE = f"""BEGIN IMMEDIATE;
{_TABLES}
PRAGMA application_id={_APPLICATION_ID};
PRAGMA user_version={SCHEMA_VERSION};
COMMIT;"""


_ADD_DIGESTS = f"""BEGIN IMMEDIATE;
ALTER TABLE event ADD COLUMN digest TEXT;
PRAGMA user_version={SCHEMA_VERSION};
COMMIT;"""
"""Events that stand there already have none: they came before."""


def connect(path: Path, acknowledged: Callable[[], Sequence[str]] = tuple) -> sqlite3.Connection:
    """Open a thread database, made if the file is empty; the caller keeps other processes out.

    Args:
        path: the file.
        acknowledged: tells the threads that it must have; an empty file is not made a new store
            where there are some. Asked of an empty file alone, because it reads one file a thread.

    Raises:
        StoreError: the file is another program's or a newer release's, or empty where threads
            should be, or a setting that durability rests on did not take.
        sqlite3.Error: SQLite cannot read or write it.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreError(
            f"SQLite {sqlite3.sqlite_version} is too old for thread stores",
            hint="use a Python built with SQLite 3.38 or newer",
        )
    # Statements of one connection may come from several threads of a kernel; the store's own
    # lock keeps them apart.
    connection = sqlite3.connect(path, isolation_level=None, timeout=10, check_same_thread=False)
    try:
        is_new = _is_new(connection, path)
        missing = acknowledged() if is_new else ()
        if missing:
            raise _emptied(path, missing)
        _make_durable(connection, path)
        if is_new:
            connection.executescript(_CREATE)
        elif not _has_digests(connection):
            connection.executescript(_ADD_DIGESTS)
    except BaseException:
        connection.close()
        raise
    return connection


def _emptied(path: Path, acknowledged: Sequence[str]) -> StoreError:
    names = ", ".join(acknowledged[:3]) + (", …" if len(acknowledged) > 3 else "")
    count = "1 thread" if len(acknowledged) == 1 else f"{len(acknowledged)} threads"
    return StoreError(
        f"{path}: holds nothing, although events of {count} were acknowledged ({names})",
        hint="restore it from a backup; or, to begin anew, move the folder "
        f"{path.with_name('ends')} away",
    )


def _make_durable(connection: sqlite3.Connection, path: Path) -> None:
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "wal_autocheckpoint": 0}
    for setting, value in wanted.items():
        connection.execute(f"PRAGMA {setting}={value}")
        (found,) = connection.execute(f"PRAGMA {setting}").fetchone()
        if found != value:
            raise StoreError(
                f"{path}: SQLite keeps {setting} at '{found}' instead of '{value}', "
                "so a power cut could lose events",
                hint="set SKILLS_NB_HOME to a folder on a local disk",
            )


def _has_digests(connection: sqlite3.Connection) -> bool:
    columns = connection.execute("SELECT name FROM pragma_table_info('event')").fetchall()
    return ("digest",) in columns


def _is_new(connection: sqlite3.Connection, path: Path) -> bool:
    """Tell an empty file from one of ours; refuse every other, and before it is touched."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables == 0:
        return True
    if application != _APPLICATION_ID:
        raise StoreError(
            f"{path}: is a database, but not one of threads; nothing was changed",
            hint="move that file away, or set SKILLS_NB_HOME to another folder",
        )
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path}: was written by a newer release (schema {version}; this release reads "
            f"{SCHEMA_VERSION}); nothing was changed",
            hint="upgrade skills-nb, or set SKILLS_NB_HOME to another folder",
        )
    return False
