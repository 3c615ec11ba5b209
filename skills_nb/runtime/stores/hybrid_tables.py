"""The hybrid tables of a thread store on Snowflake, and the statements that work on them.

Room: work (runtime, stores). Pure text; names are checked and quoted, values are bound. Standard
tables declare keys without enforcing them, so that two writers would both win: only hybrid tables
are taken. A hybrid table has no partial index: an intent and an outcome are marks of their own.

Privileges: CREATE HYBRID TABLE on the schema for whoever opens the store first; USAGE on database
and schema, and SELECT, INSERT and UPDATE on the tables, for everybody who works with it.
DELETE on SKILLS_THREAD for whoever gives up a thread of which nothing is left.
See https://docs.snowflake.com/en/sql-reference/sql/create-hybrid-table and
https://docs.snowflake.com/en/user-guide/tables-hybrid-limitations
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.sql.identifiers import quote

SCHEMA_VERSION = 2
"""Raised with every change of the tables; kept in `SKILLS_STORE`."""
NAMES = ("SKILLS_STORE", "SKILLS_THREAD", "SKILLS_EVENT", "SKILLS_MARK", "SKILLS_LEASE")

_COLUMNS = {
    "SKILLS_STORE": "VERSION NUMBER NOT NULL PRIMARY KEY",
    "SKILLS_THREAD": "THREAD_ID VARCHAR(128) NOT NULL PRIMARY KEY, HEAD NUMBER NOT NULL, "
    "GOAL VARCHAR NOT NULL, UPDATED_AT VARCHAR(40) NOT NULL, TID NUMBER AUTOINCREMENT, "
    "DIGEST VARCHAR(64)",
    "SKILLS_EVENT": "THREAD_ID VARCHAR(128) NOT NULL, SEQ NUMBER NOT NULL, "
    "TYPE VARCHAR(64) NOT NULL, V NUMBER NOT NULL, DOCUMENT VARCHAR NOT NULL, "
    "DIGEST VARCHAR(64), PRIMARY KEY (THREAD_ID, SEQ)",
    "SKILLS_MARK": "EFFECT_KEY VARCHAR(256) NOT NULL, KIND VARCHAR(8) NOT NULL, "
    "PRIMARY KEY (EFFECT_KEY, KIND)",
    "SKILLS_LEASE": "THREAD_ID VARCHAR(128) NOT NULL PRIMARY KEY, EPOCH NUMBER NOT NULL, "
    "HOLDER VARCHAR NOT NULL, EXPIRES_AT TIMESTAMP_LTZ NOT NULL, IS_RELEASED BOOLEAN NOT NULL",
}


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a store in one schema."""

    database: str
    """Its stored name."""
    schema: str
    """Its stored name."""

    def table(self, name: str) -> str:
        """Return the full name of one of the tables."""
        return f"{quote(self.database)}.{quote(self.schema)}.{quote(name)}"

    def creates(self) -> tuple[str, ...]:
        """Return what makes the tables where they are missing."""
        return tuple(
            f"CREATE HYBRID TABLE IF NOT EXISTS {self.table(name)} ({_COLUMNS[name]})"
            for name in NAMES
        )

    def upgrades(self) -> tuple[str, ...]:
        """Return what gives tables of an older release what they lack."""
        return tuple(
            f"ALTER TABLE {self.table(name)} ADD COLUMN IF NOT EXISTS DIGEST VARCHAR(64)"
            for name in ("SKILLS_THREAD", "SKILLS_EVENT")
        )

    @property
    def hybrids(self) -> str:
        """Return what tells the hybrid tables that are there."""
        place = f"{quote(self.database)}.{quote(self.schema)}"
        return f"SHOW HYBRID TABLES LIKE 'SKILLS\\\\_%' IN SCHEMA {place}"

    @property
    def versions(self) -> str:
        """Return what tells the version of the tables."""
        return f"SELECT MAX(VERSION) FROM {self.table('SKILLS_STORE')}"

    @property
    def note_version(self) -> str:
        """Return what notes a version."""
        return f"INSERT INTO {self.table('SKILLS_STORE')} (VERSION) VALUES (?)"

    @property
    def events(self) -> str:
        """Return what reads a thread's events after a number."""
        return (
            f"SELECT SEQ, TYPE, V, DOCUMENT, DIGEST FROM {self.table('SKILLS_EVENT')} "
            "WHERE THREAD_ID = ? AND SEQ > ? ORDER BY SEQ"
        )

    @property
    def heads(self) -> str:
        """Return what lists the threads, newest first."""
        return (
            f"SELECT THREAD_ID, HEAD, GOAL, UPDATED_AT FROM {self.table('SKILLS_THREAD')} "
            "ORDER BY UPDATED_AT DESC, TID DESC"
        )

    @property
    def head(self) -> str:
        """Return what tells a thread's head, and that event's digest."""
        return f"SELECT HEAD, DIGEST FROM {self.table('SKILLS_THREAD')} WHERE THREAD_ID = ?"

    @property
    def ends(self) -> str:
        """Return what tells where threads should end, and where they do."""
        return f"{self._ends_of('')} ORDER BY T.THREAD_ID"

    @property
    def end(self) -> str:
        """Return what tells where one thread should end, and where it does."""
        return self._ends_of("WHERE T.THREAD_ID = ? ")

    def _ends_of(self, condition: str) -> str:
        return (
            "SELECT T.THREAD_ID, T.HEAD, T.DIGEST, MAX(E.SEQ), MAX_BY(E.DIGEST, E.SEQ) "
            f"FROM {self.table('SKILLS_THREAD')} T "
            f"LEFT JOIN {self.table('SKILLS_EVENT')} E ON E.THREAD_ID = T.THREAD_ID "
            f"{condition}GROUP BY T.THREAD_ID, T.HEAD, T.DIGEST"
        )

    @property
    def digest(self) -> str:
        """Return what tells the digest of one event."""
        return f"SELECT DIGEST FROM {self.table('SKILLS_EVENT')} WHERE THREAD_ID = ? AND SEQ = ?"

    @property
    def accept_end(self) -> str:
        """Return what lets a thread end where it does."""
        return f"UPDATE {self.table('SKILLS_THREAD')} SET HEAD = ?, DIGEST = ? WHERE THREAD_ID = ?"

    @property
    def take_out(self) -> str:
        """Return what takes a thread out of which nothing is left."""
        return f"DELETE FROM {self.table('SKILLS_THREAD')} WHERE THREAD_ID = ?"

    @property
    def make_thread(self) -> str:
        """Return what makes a thread; its primary key refuses a second one."""
        return (
            f"INSERT INTO {self.table('SKILLS_THREAD')} "
            "(THREAD_ID, HEAD, GOAL, UPDATED_AT, DIGEST) VALUES (?, ?, ?, ?, ?)"
        )

    @property
    def move_head(self) -> str:
        """Return what moves a head on from where it was read, and locks the thread's row."""
        return (
            f"UPDATE {self.table('SKILLS_THREAD')} SET HEAD = ?, GOAL = COALESCE(?, GOAL), "
            "UPDATED_AT = ?, DIGEST = ? "
            "WHERE THREAD_ID = ? AND HEAD = ? AND EQUAL_NULL(DIGEST, ?)"
        )

    @property
    def add_event(self) -> str:
        """Return what adds an event."""
        return (
            f"INSERT INTO {self.table('SKILLS_EVENT')} (THREAD_ID, SEQ, TYPE, V, DOCUMENT, DIGEST) "
            "VALUES (?, ?, ?, ?, ?, ?)"
        )

    @property
    def add_mark(self) -> str:
        """Return what marks a statement as begun or ended; its primary key refuses a second one."""
        return f"INSERT INTO {self.table('SKILLS_MARK')} (EFFECT_KEY, KIND) VALUES (?, ?)"

    @property
    def make_lease(self) -> str:
        """Return what makes a thread's first lease, released."""
        return (
            f"INSERT INTO {self.table('SKILLS_LEASE')} "
            "(THREAD_ID, EPOCH, HOLDER, EXPIRES_AT, IS_RELEASED) "
            "SELECT ?, 0, ?, CURRENT_TIMESTAMP(), TRUE"
        )

    @property
    def lease(self) -> str:
        """Return what tells a lease, and whether its holder has given a sign of life in time."""
        return (
            "SELECT EPOCH, HOLDER, IS_RELEASED, EXPIRES_AT > CURRENT_TIMESTAMP() "
            f"FROM {self.table('SKILLS_LEASE')} WHERE THREAD_ID = ?"
        )

    @property
    def take_lease(self) -> str:
        """Return what takes a lease, if it is still as it was read."""
        return (
            f"UPDATE {self.table('SKILLS_LEASE')} SET EPOCH = EPOCH + 1, HOLDER = ?, "
            "EXPIRES_AT = DATEADD('millisecond', ?, CURRENT_TIMESTAMP()), IS_RELEASED = FALSE "
            "WHERE THREAD_ID = ? AND EPOCH = ? "
            "AND (IS_RELEASED OR EXPIRES_AT <= CURRENT_TIMESTAMP())"
        )

    @property
    def renew_lease(self) -> str:
        """Return what gives a sign of life under an epoch."""
        return (
            f"UPDATE {self.table('SKILLS_LEASE')} "
            "SET EXPIRES_AT = DATEADD('millisecond', ?, CURRENT_TIMESTAMP()) "
            "WHERE THREAD_ID = ? AND EPOCH = ?"
        )

    @property
    def release_lease(self) -> str:
        """Return what gives a lease back under an epoch."""
        return (
            f"UPDATE {self.table('SKILLS_LEASE')} SET IS_RELEASED = TRUE "
            "WHERE THREAD_ID = ? AND EPOCH = ?"
        )

    @property
    def confirm_lease(self) -> str:
        """Return what changes nothing under an epoch, and locks the lease's row until the end."""
        return (
            f"UPDATE {self.table('SKILLS_LEASE')} SET EPOCH = EPOCH "
            "WHERE THREAD_ID = ? AND EPOCH = ?"
        )
