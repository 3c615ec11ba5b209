"""Events as rows: encoding, decoding and the checks that every store makes before it appends.

Room: work (runtime, stores). The envelope is in columns and nowhere else, so that no row can
contradict itself; the body is the JSON object of everything besides.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from json.encoder import encode_basestring_ascii as json_text
from typing import NamedTuple, TypeAlias

from pydantic_core import PydanticSerializationError

from skills_nb.errors import ConflictError, StoreError, ThreadError, UsageError
from skills_nb.model.events import Event, ThreadStarted, load, load_json
from skills_nb.model.events.union import UPCASTERS

BLOB_BYTES = 16 * 1024
"""Bodies larger than this go to the content-addressed table."""

OUTCOMES = ("statement_completed", "statement_failed", "statement_lost")
"""The events that end an intent; one of them per effect key."""

_IN_COLUMNS = {"seq", "type", "v", "timestamp", "actor", "effect_key"}
_POINTER = '{"$blob":"'
_THREAD_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}", re.ASCII)


class Row(NamedTuple):
    """An event as its table has it."""

    seq: int
    """1-based and gap-free in its thread."""
    type: str
    """Snake case, as a thread's YAML has it."""
    v: int
    """Version of the type's fields, as it was written."""
    at: str
    """UTC with `Z`."""
    actor: str
    """As the event has it."""
    effect_key: str | None
    """`THREAD:SEQ` of the statement that it concerns; None where it concerns none."""
    body: str
    """JSON object of the other fields, or a pointer to it."""


Columns: TypeAlias = tuple[int, str, int, str, str, str | None, str]
"""A `Row` as the driver gives it: building ten thousand named ones would cost as much as SQL."""


class Blob(NamedTuple):
    """A body that is kept beside its row."""

    digest: str
    """SHA-256 of the body's UTF-8 bytes, in hexadecimal."""
    body: str
    """JSON object, as the row would hold it."""


def check_thread_id(thread_id: str) -> None:
    """Refuse a thread id that could not name a file.

    Raises:
        UsageError: it is empty, too long, or has characters beyond letters, digits and `_.-`.
    """
    if not _THREAD_ID.fullmatch(thread_id):
        raise UsageError(
            f"'{thread_id}' is not a thread id",
            hint="thread ids are letters, digits, '_', '-' and '.'; list them with 'threads'",
        )


def check_sequence(thread_id: str, expected_seq: int, events: Sequence[Event]) -> None:
    """Refuse events whose numbers do not continue the thread that their writer has read.

    Raises:
        ThreadError: a number is not its predecessor's plus one.
    """
    for place, event in enumerate(events, expected_seq + 1):
        if event.seq != place:
            raise ThreadError(
                f"event of type '{event.type}' has number {event.seq} where thread "
                f"'{thread_id}' needs {place}",
                event=event.type,
                hint="stamp events with the numbers after the head that was read",
            )


def conflict(thread_id: str, expected_seq: int, head: int) -> ConflictError:
    """Return the error for a thread that somebody else has appended to."""
    return ConflictError(
        f"thread '{thread_id}' is at event {head}, not {expected_seq}: somebody else appended",
        hint="reload the thread and decide again",
    )


def taken_key_error(thread_id: str, events: Sequence[Event]) -> ConflictError:
    """Return the error for an effect key that already has such an event."""
    keys = ", ".join(f"'{event.effect_key}'" for event in events if event.effect_key)
    return ConflictError(
        f"thread '{thread_id}': a statement of {keys or 'these events'} was already "
        "started or ended by somebody else",
        hint="reload the thread and decide again",
    )


def goal_in(events: Sequence[Event]) -> str | None:
    """Return the goal that these events state, if one of them does."""
    return next((event.goal for event in events if isinstance(event, ThreadStarted)), None)


def encode(event: Event) -> tuple[Row, Blob | None]:
    """Return the event's row and, where it is large, the blob that its row points to.

    Raises:
        StoreError: a value in it has no JSON form.
    """
    body = _json_of(event, _IN_COLUMNS)
    blob = _blob_for(body)
    kept = body if blob is None else f'{_POINTER}{blob.digest}"}}'
    envelope = (event.seq, event.type, event.v, event.timestamp, event.actor, event.effect_key)
    return Row(*envelope, kept), blob


def decode(row: Columns) -> Event:
    """Return the event of a row whose body is whole.

    Raises:
        StoreError: it holds none.
    """
    return from_document(row[1], row[2], text_of(row))


def text_of(row: Columns) -> str:
    """Return all of a row as one JSON document: what is decoded, and what its digest covers."""
    seq, kind, version, at, actor, effect_key, body = row
    key = "null" if effect_key is None else json_text(effect_key)
    # Joined as text, because parsing the JSON twice would double the cost of loading.
    return (
        f'{{"type":"{kind}","seq":{seq},"v":{version},"timestamp":{json_text(at)},'
        f'"actor":{json_text(actor)},"effect_key":{key},{body[1:]}'
    )


def document_of(event: Event) -> str:
    """Return the whole event as one JSON document, for stores that have no use for columns.

    Raises:
        StoreError: a value in it has no JSON form.
    """
    return _json_of(event, None)


def from_document(kind: str, version: int, document: str) -> Event:
    """Return the event of a JSON document, brought to today's version.

    Raises:
        StoreError: it holds none.
    """
    return load(json.loads(document)) if (kind, version) in UPCASTERS else load_json(document)


def is_pointer(body: str) -> bool:
    """Return whether a row's body is kept in a blob."""
    return body.startswith(_POINTER)


def digest_in(pointer: str) -> str:
    """Return the digest of the blob that a pointer names."""
    return pointer[len(_POINTER) : -2]


def digest_of(body: str) -> str:
    """Return the name under which a large body is kept."""
    return hashlib.sha256(body.encode()).hexdigest()


def _json_of(event: Event, without: set[str] | None) -> str:
    try:
        return event.model_dump_json(by_alias=True, exclude=without)
    except PydanticSerializationError as problem:
        raise StoreError(
            f"event {event.seq} of type '{event.type}' has no JSON form: {problem}",
            hint="keep texts, numbers, truth values, lists and mappings in events",
        ) from problem


def _blob_for(body: str) -> Blob | None:
    if len(body) <= BLOB_BYTES // 4:  # no character takes more than four bytes
        return None
    is_large = len(body.encode()) > BLOB_BYTES
    return Blob(digest_of(body), body) if is_large else None
