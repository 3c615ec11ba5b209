"""The tables of a shared thread store, and what makes them append-only.

Room: work (runtime, stores). PostgreSQL only: optimistic concurrency rests on enforced unique
keys and row locks. Documents are of type `json`, not `jsonb`, which would refuse texts with NUL
and reorder what was written.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    cast,
    func,
    insert,
    inspect,
    select,
    text,
    type_coerce,
)
from sqlalchemy.types import UserDefinedType

from skills_nb.errors import StoreError
from skills_nb.runtime.stores.event_rows import OUTCOMES

SCHEMA_VERSION = 2
"""Raised with every change of the tables; kept in `skills_store`."""

_SETUP_LOCK = 0x534B4E42
"""Key of the advisory lock that lets one process make the tables."""

metadata = MetaData()


class JsonText(UserDefinedType[str]):
    """PostgreSQL's `json`, given as text: neither we nor the driver parse it on the way."""

    cache_ok = True

    def get_col_spec(self, **_options: object) -> str:
        """Return the type's name in DDL."""
        return "JSON"

    def bind_expression(self, bindvalue: BindParameter[str]) -> ColumnElement[str]:
        """Send text, and let the server check it."""
        return cast(type_coerce(bindvalue, Text), self)

    def column_expression(self, column: ColumnElement[str]) -> ColumnElement[str]:
        """Fetch text as it was written."""
        return cast(column, Text)


STORE = Table("skills_store", metadata, Column("version", Integer, primary_key=True))

THREADS = Table(
    "skills_thread",
    metadata,
    Column("tid", BigInteger, Identity(), primary_key=True),
    Column("thread_id", Text, nullable=False, unique=True),
    Column("head", BigInteger, nullable=False),
    Column("goal", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
    Column("digest", Text),
)
"""The head's digest stands with its number, so that rows taken from the end are noticed."""

EVENTS = Table(
    "skills_event",
    metadata,
    Column("tid", ForeignKey("skills_thread.tid"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("type", Text, nullable=False),
    Column("v", Integer, nullable=False),
    Column("effect_key", Text),
    Column("document", JsonText, nullable=False),
    Column("digest", Text),
)
"""The document is the whole event; the columns repeat what the indexes need. Events of the first
schema have no digest."""

Index(
    "skills_one_intent",
    EVENTS.c.effect_key,
    unique=True,
    postgresql_where=EVENTS.c.type == "statement_started",
)
Index(
    "skills_one_outcome",
    EVENTS.c.effect_key,
    unique=True,
    postgresql_where=EVENTS.c.type.in_(OUTCOMES),
)

LEASES = Table(
    "skills_lease",
    metadata,
    Column("thread_id", Text, primary_key=True),
    Column("epoch", BigInteger, nullable=False),
    Column("holder", Text, nullable=False),
    Column("expires_at", DateTime(timezone=True), nullable=False),
    Column("is_released", Boolean, nullable=False),
)
"""Who works on a thread; the epoch grows with every holder, so that a late one is known."""

_APPEND_ONLY = """
CREATE OR REPLACE FUNCTION skills_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'events are append-only'; END $$;
CREATE TRIGGER skills_event_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON skills_event
FOR EACH STATEMENT EXECUTE FUNCTION skills_refuse();
"""

_ADD_DIGESTS = """
ALTER TABLE skills_thread ADD COLUMN IF NOT EXISTS digest TEXT;
ALTER TABLE skills_event ADD COLUMN IF NOT EXISTS digest TEXT;
UPDATE skills_store SET version = 2;
"""
_CHAINED_ONLY = """
CREATE OR REPLACE FUNCTION skills_refuse_unchained() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'this store keeps digests since: upgrade skills-nb'; END $$;
DROP TRIGGER IF EXISTS skills_event_is_chained ON skills_event;
CREATE TRIGGER skills_event_is_chained BEFORE INSERT ON skills_event
FOR EACH ROW WHEN (NEW.digest IS NULL) EXECUTE FUNCTION skills_refuse_unchained();
"""
"""A process of an older release may have had the store open when it was brought up to date."""


def make_tables(connection: Connection, place: str) -> None:
    """Make the tables where they are missing; the transaction is the caller's.

    Raises:
        StoreError: a newer release made them, or the server does not keep what it acknowledges.
    """
    (flushes,) = connection.execute(text("SHOW fsync")).one()
    if flushes != "on":
        raise StoreError(
            f"{place}: the server runs with fsync off, so a power cut could lose events",
            hint="turn fsync on in the server's settings",
        )
    connection.execute(select(func.pg_advisory_xact_lock(_SETUP_LOCK)))
    if not inspect(connection).has_table(STORE.name):
        metadata.create_all(connection)
        connection.execute(text(_APPEND_ONLY + _CHAINED_ONLY))
        connection.execute(insert(STORE).values(version=SCHEMA_VERSION))
    version = connection.execute(select(STORE.c.version)).scalar_one()
    if version < SCHEMA_VERSION:
        connection.execute(text(_ADD_DIGESTS + _CHAINED_ONLY))
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{place}: was written by a newer release (schema {version}; this release reads "
            f"{SCHEMA_VERSION}); nothing was changed",
            hint="upgrade skills-nb",
        )
