"""What every verb about a thread answers: its card, its document, and where it stands.

Room: commands. The card says besides what the thread cost, where an account bills, and what a model
would choose at its pause, where one was asked.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from skills_nb.commands import connections, models, values
from skills_nb.commands.reply import DONE, FAILED, INVALID, PAUSED, Reply

if TYPE_CHECKING:
    from skills_nb.commands.app import App
    from skills_nb.model.state import Pause, ThreadState
    from skills_nb.views.thread import ThreadCard


def reply_of(app: App, state: ThreadState) -> Reply:
    """Return the reply that shows a thread."""
    from skills_nb.engine.here import commands_at
    from skills_nb.engine.names import playbook_of
    from skills_nb.views import thread_card

    pause = app.wiring.conductor.pause(state)
    playbook = playbook_of(state.run, app.wiring.library)
    commands = commands_at(state, playbook, pause)
    card = thread_card(state, playbook, pause, commands=commands)
    document = values.thread_row(state, pause)
    cost = connections.cost_on(app.wiring, state)
    if cost is not None:
        card = replace(card, outcome=f"{card.outcome} {cost.words}".lstrip())
        document["cost"] = asdict(cost)
    return Reply(
        view=_advised(app, card, state, pause),
        document=document,
        status=_status(state, pause),
        thread_id=state.thread_id,
        pause=pause,
    )


def _advised(app: App, card: ThreadCard, state: ThreadState, pause: Pause | None) -> ThreadCard:
    """Return the card with what a model suggests at the pause."""
    if app.wiring.resolver is None or card.pause is None:
        return card
    said = models.suggestion(pause, app.wiring.store.load(state.thread_id))
    if said is None:
        return card
    text = f"{card.pause.text}\n\n{models.suggestion_words(said)}".lstrip()
    return replace(card, pause=replace(card.pause, text=text))


def _status(state: ThreadState, pause: Pause | None) -> int:
    if pause is not None:
        return PAUSED
    if state.status != "failed":
        return DONE
    return INVALID if state.story[-1:] == ("validation_error",) else FAILED
