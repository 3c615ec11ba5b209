"""Threads move from one store to another: a home folder's own, or a team's.

Room: commands. Rules of this file: a thread that a live process holds is not moved; what the target
has already is compared, so that a migration that was cut off goes on and one into a store that went
its own way is refused; nothing is deleted where it came from.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from skills_nb.commands.reply import Reply
from skills_nb.errors import ThreadError, UsageError

if TYPE_CHECKING:
    from skills_nb.commands.app import App
    from skills_nb.ports import ThreadStore

HOME = "home"
"""Says the home folder's own store where a database URL could stand."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What a migration did with a thread."""

    thread_id: str
    events: int
    """All that the target has of it now."""
    new: int
    """Those that were not there before."""


def store_at(address: str, home: Path) -> ThreadStore:
    """Open the store that an address names: a database URL, a schema on Snowflake, or `home`.

    Raises:
        StoreError: it cannot be used.
    """
    if address in ("", HOME):
        from skills_nb.runtime.stores.sqlite import SqliteThreadStore

        return SqliteThreadStore(home)
    from skills_nb.runtime.stores.hybrid import SCHEME, HybridThreadStore

    if address.startswith(SCHEME):
        return HybridThreadStore(address)
    from skills_nb.runtime.stores.shared import SharedThreadStore

    return SharedThreadStore(address)


def migrated(source: ThreadStore, target: ThreadStore) -> tuple[Moved, ...]:
    """Copy every thread, oldest first, and return what was done.

    Raises:
        ThreadError: a live process works on a thread, or the target's went another way.
        StoreError: one of the stores cannot be used; what was copied is whole.
    """
    return tuple(_copied(head.thread_id, source, target) for head in reversed(source.heads()))


def _copied(thread_id: str, source: ThreadStore, target: ThreadStore) -> Moved:
    with source.hold(thread_id):
        events = source.load(thread_id)
        known = target.load(thread_id)
        if known != events[: len(known)]:
            raise ThreadError(
                f"thread '{thread_id}' went another way in the target store",
                hint="keep it under another name first: show THREAD --yaml, then threads --import",
            )
        target.append(thread_id, len(known), events[len(known) :])
        return Moved(thread_id, len(events), len(events) - len(known))


def migrate(app: App, words: Namespace) -> Reply:
    """Copy the threads of the store in use, or of `--from`, to another one."""
    from skills_nb.views import message

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
) -> tuple[Moved, ...]:
    source = opens_source()
    try:
        target = opens_target()
        try:
            return migrated(source, target)
        finally:
            target.close()
    finally:
        source.close()
