"""Threads move from one store to another: a home folder's own, or a team's.

Room: commands. Rules of this file: a thread that a live process holds is not moved; what the target
has already is compared, so that a migration that was cut off goes on and one into a store that went
its own way is refused; nothing is deleted where it came from.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.commands.home.store_address import HOME, store_at
from skills_nb.commands.reply import Reply
from skills_nb.errors import ThreadError, UsageError
from skills_nb.views import message

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.ports import ThreadStore


@dataclass(frozen=True, slots=True)
class ThreadCopy:
    """What a migration did with a thread."""

    thread_id: str
    """The same in both stores."""
    events: int
    """All that the target has of it now."""
    new: int
    """Those that were not there before."""


def copy_threads(source: ThreadStore, target: ThreadStore) -> tuple[ThreadCopy, ...]:
    """Copy every thread, oldest first, and return what was done.

    Raises:
        ThreadError: a live process works on a thread, or the target's went another way.
        StoreError: one of the stores cannot be used; what was copied is whole.
    """
    return tuple(_copied(head.thread_id, source, target) for head in reversed(source.heads()))


def _copied(thread_id: str, source: ThreadStore, target: ThreadStore) -> ThreadCopy:
    with source.hold(thread_id):  # refuses a thread that lost events
        events = source.load(thread_id)
        known = target.load(thread_id)
        if known != events[: len(known)]:
            raise ThreadError(
                f"thread '{thread_id}' went another way in the target store",
                hint="keep it under another name first: show THREAD --yaml, then threads --import",
            )
        target.append(thread_id, len(known), events[len(known) :])
        return ThreadCopy(thread_id, len(events), len(events) - len(known))


def migrate(app: AppContext, words: Namespace) -> Reply:
    """Copy the threads of the store in use, or of `--from`, to another one.

    Raises:
        UsageError: both are the same store.
    """
    home, used = app.wiring.home, app.wiring.configuration.store or HOME
    origin = words.origin or used
    if origin == words.target:
        raise UsageError("source and target are the same store", hint="threads migrate URL")
    moved = _between(lambda: store_at(origin, home), lambda: store_at(words.target, home))
    lines = [f"  {one.thread_id}: {one.events} events, {one.new} of them new" for one in moved]
    noun = "thread" if len(moved) == 1 else "threads"
    text = "\n".join(
        [
            f"{len(moved)} {noun} copied; nothing was deleted where they were.",
            *lines,
            f"Work there from now on with `store` in {home / 'config.toml'}, or SKILLS_NB_STORE.",
        ]
    )
    rows = [{"thread_id": m.thread_id, "events": m.events, "new": m.new} for m in moved]
    return Reply(message(text), rows)


def _between(
    opens_source: Callable[[], ThreadStore], opens_target: Callable[[], ThreadStore]
) -> tuple[ThreadCopy, ...]:
    source = opens_source()
    try:
        target = opens_target()
        try:
            return copy_threads(source, target)
        finally:
            target.close()
    finally:
        source.close()
