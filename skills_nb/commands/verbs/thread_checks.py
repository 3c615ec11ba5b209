"""Whether the store has all that it acknowledged, and how a person goes on where it has not.

Room: commands. A thread that lost events is shown with a notice and not worked on: what the lost
events did may have been done, and would be done again.
"""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from skills_nb.commands.reply import DONE, FAILED, Reply
from skills_nb.errors import StoreError, UsageError
from skills_nb.views import message

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.ports import Shortfall


def notices_of(app: AppContext, thread_id: str | None = None) -> tuple[str, ...]:
    """Return what a person must know of the record of a thread, or of all: one text each."""
    return tuple(_sentence(one) for one in app.wiring.store.shortfalls(thread_id))


def refuse_vanished(app: AppContext, thread_id: str) -> None:
    """Refuse a thread of which nothing is left, in words that say more than that it is unknown.

    Raises:
        StoreError: events of it were acknowledged, and none is there.
    """
    for one in app.wiring.store.shortfalls(thread_id):
        if one.found == 0:
            raise StoreError(one.text, hint=one.hint)


def verify(app: AppContext) -> Reply:
    """Read every thread and say what is wrong; exit status 4 where something is."""
    store = app.wiring.store
    wrong = store.verify()
    count = len(store.heads())
    noun = "thread" if count == 1 else "threads"
    lines = [f"{count} {noun} read.", *wrong] if wrong else [f"{count} {noun} read; all is whole."]
    document = {"ok": not wrong, "threads": count, "wrong": list(wrong)}
    return Reply(message("\n".join(lines)), document, FAILED if wrong else DONE)


def accept(app: AppContext, words: Namespace) -> Reply:
    """Go on with what is there of a thread that lost events.

    Raises:
        UsageError: no thread is named, or nothing is missing of it.
        StoreError: what is there is damaged.
    """
    thread_id, store = words.thread, app.wiring.store
    if thread_id is None:
        raise UsageError("say which thread", hint="find it with: threads verify")
    lost = store.shortfalls(thread_id)
    if not lost:
        raise UsageError(
            f"thread '{thread_id}' lacks nothing that was acknowledged",
            hint="read all threads with: threads verify",
        )
    store.accept(thread_id)
    app.wiring.forget_threads()
    found = lost[0].found
    text = (
        f"Thread '{thread_id}' goes on after event {found}. What the lost events did in the "
        "account stays as it is: look before you approve a step that may have been done."
        if found
        else f"Thread '{thread_id}' is given up: nothing was left of it. What it did in the "
        "account stays as it is."
    )
    return Reply(message(text), {"thread_id": thread_id, "events": found})


def _sentence(one: Shortfall) -> str:
    return f"{one.text}. {one.hint[0].upper()}{one.hint[1:]}"
