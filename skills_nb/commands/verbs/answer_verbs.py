"""The verbs that answer a pause: `respond`, and the choices that are words of their own.

Room: commands.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from skills_nb.commands import documents
from skills_nb.commands.reply import Reply
from skills_nb.commands.verbs.thread_reply import newest_thread
from skills_nb.commands.verbs.thread_reply import reply_of as _reply

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.engine.respond import Answer
    from skills_nb.model.state import ThreadState


def respond(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    """Record the answer that was typed, and go on."""
    from skills_nb.engine.respond import Answer

    choice = words.choice if words.command == "respond" else words.command
    said = Answer(
        choice=choice,
        at=words.at,
        comment=words.comment,
        phrase=words.phrase,
        values=documents.pairs(words.values, "--set"),
    )
    return answer_thread(app, newest_thread(app, words.thread), said)


def answer_thread(app: AppContext, thread_id: str, said: Answer) -> Reply:
    """Record an answer, go on to the next pause, and show where the thread stands."""
    conductor = app.wiring.conductor
    before = conductor.load(thread_id)
    state = conductor.answer(thread_id, said)
    if before.pause is not None and said.choice == "export_plan":
        return _exported(app, state)
    if before.pause is not None and said.choice == "request_playbook":
        return _as_playbook(app, state)
    return _reply(app, conductor.advance(thread_id))


def approve_by_timer(app: AppContext, reply: Reply) -> Reply:
    """Approve an `info` checkpoint as its timer, and go on."""
    from skills_nb.engine.respond import Answer

    assert reply.pause is not None, "called at a pause"
    said = Answer(choice="approve", at=reply.pause.at, actor="timer")
    return answer_thread(app, reply.thread_id or "", said)


def _as_playbook(app: AppContext, state: ThreadState) -> Reply:
    from skills_nb.commands.verbs.guided_plans import write_playbook
    from skills_nb.views import message

    path = write_playbook(state, app.wiring.library, app.wiring.home)
    told = f"Wrote the plan down as a playbook: {_from_here(path)}"
    text = f"{told}\nReview it, then put it in a library."
    reply = _reply(app, state)
    return Reply(
        message(text),
        {"playbook": str(path)},
        status=reply.status,
        thread_id=state.thread_id,
        pause=reply.pause,
    )


def _from_here(path: Path) -> Path:
    """Return a path as it is typed in the folder where the person is, where it lies in there."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _exported(app: AppContext, state: ThreadState) -> Reply:
    from skills_nb.commands.exports.plan_export import export, opening_cell
    from skills_nb.views import message

    written = export(state, app.wiring.library, app.wiring.home, opening_cell(app.wiring))
    *scripts, notebook = written.names
    lines = [f"Wrote {len(scripts)} scripts and {notebook} to {_from_here(written.folder)}:"]
    reply = _reply(app, state)
    return Reply(
        message("\n".join([*lines, *(f"  {name}" for name in scripts)])),
        {"folder": str(written.folder), "scripts": scripts, "notebook": notebook},
        status=reply.status,
        thread_id=state.thread_id,
        pause=reply.pause,
        next_cell=written.cell,
    )
