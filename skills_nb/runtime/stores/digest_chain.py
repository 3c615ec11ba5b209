"""The chain of digests over a thread's events: one that was changed, moved or left out breaks it.

Room: work (runtime, stores). Pure. The digest of an event covers that of the event before it and
the text that the store keeps of it; the first one covers the thread's id. Events of releases that
kept no digests stand before a chain, which begins with the first event after them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from skills_nb.errors import StoreError


class End(NamedTuple):
    """Where a thread ends."""

    seq: int
    """Number of its last event; 0 where it has none."""
    digest: str | None
    """That event's digest, in hexadecimal; None where it was written before there were any."""


def first_link(thread_id: str) -> str:
    """Return what the first digest of a thread rests on."""
    return hashlib.sha256(f"thread {thread_id}".encode()).hexdigest()


def next_link(previous: str, text: str) -> str:
    """Return the digest of an event after another one.

    Args:
        previous: the digest of the event before it, or the thread's first link.
        text: all that the store keeps of the event.
    """
    return hashlib.sha256(f"{previous}{text}".encode()).hexdigest()


def links(thread_id: str, previous: str | None, texts: Sequence[str]) -> list[str]:
    """Return the digests of events that follow one another, oldest first.

    Args:
        thread_id: their thread.
        previous: the digest of the event before them; None where it has none.
        texts: all that the store keeps of each.
    """
    found, link = [], previous or first_link(thread_id)
    for text in texts:
        link = next_link(link, text)
        found.append(link)
    return found


def check_link(
    thread_id: str, seq: int, previous: str | None, text: str, found: str | None
) -> None:
    """Refuse an event that is not the one that was written in its place.

    Args:
        thread_id: its thread.
        seq: its number.
        previous: the digest of the event before it; None where that one has none.
        text: all that the store keeps of it.
        found: the digest that is kept with it.

    Raises:
        StoreError: its digest is another one, or is gone.
    """
    if found is None and previous is None:
        return
    if found is None or found != next_link(previous or first_link(thread_id), text):
        raise StoreError(f"event {seq} is not what was written, or not in its place")
