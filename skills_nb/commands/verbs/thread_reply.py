"""What every verb about a thread answers: its card, its document, and where it stands.

Room: commands. The card says besides what the thread cost, where an account bills, and what a model
would choose at its pause, where one was asked.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from skills_nb.commands import documents
from skills_nb.commands.grammar.slips import nearest
from skills_nb.commands.home import model_choice
from skills_nb.commands.reply import DONE, FAILED, INVALID, PAUSED, Reply
from skills_nb.commands.verbs.thread_checks import notices_of, refuse_vanished
from skills_nb.errors import SqlError, UsageError

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.commands.wiring import Wiring
    from skills_nb.model.state import Pause, ThreadState
    from skills_nb.runtime.costs import Cost
    from skills_nb.views.threads.thread_card import ThreadCard


def newest_thread(app: AppContext, thread_id: str | None) -> str:
    """Return the thread that a verb is about: the one that was named, else the newest.

    Raises:
        UsageError: there is no such thread, or none yet.
        StoreError: the one that was named is lost.
    """
    if thread_id is not None:
        refuse_vanished(app, thread_id)
        _refuse_unknown(app, thread_id)
        return thread_id
    heads = app.wiring.store.heads()
    if not heads:
        raise UsageError(
            "there is no thread here yet", hint='start one: run "secure my data" --dry-run'
        )
    return heads[0].thread_id


def _refuse_unknown(app: AppContext, thread_id: str) -> None:
    """Refuse a thread that is not there, with the one that was probably meant."""
    try:
        app.wiring.conductor.load(thread_id)
    except UsageError as problem:
        near = nearest(thread_id, (head.thread_id for head in app.wiring.store.heads()), 0.75)
        if near:
            problem.hint = f"did you mean '{near}'?"
        raise


def reply_of(app: AppContext, state: ThreadState) -> Reply:
    """Return the reply that shows a thread."""
    from skills_nb.engine.approvals.statements_ahead import steps_ahead
    from skills_nb.engine.changed_inputs.redo_plan import foretell_changes
    from skills_nb.engine.ledger.net_changes import net_changes
    from skills_nb.engine.planning.step_context import commands_at
    from skills_nb.engine.planning.template_names import playbook_of
    from skills_nb.engine.probes.drift import foretold_by
    from skills_nb.views import thread_card

    pause = app.wiring.conductor.pause(state)
    playbook = playbook_of(state.run, app.wiring.library)
    commands = commands_at(state, playbook, pause)
    card = thread_card(
        state,
        playbook,
        pause,
        commands=commands,
        ahead=steps_ahead(state, playbook, pause),
        changes=foretell_changes(state, playbook),
        foretold=foretold_by(state),
        came_to=net_changes(state, app.wiring.library) if state.is_over else (),
    )
    card = replace(card, warnings=(*notices_of(app, state.thread_id), *card.warnings))
    status = _status(state, pause)
    document = {
        **documents.thread_row(state, pause),
        **documents.work_document(state),
        "exit": status,
    }
    if state.run is not None and state.run.redoing is not None:
        document["redoing"] = state.run.redoing.said
    if state.passed:
        document["passed"] = [{"step": step, "present": text} for step, text in state.passed]
    if card.warnings:
        document["warnings"] = list(card.warnings)
    cost = _cost_on(app.wiring, state)
    if cost is not None:
        card = replace(card, outcome=f"{card.outcome} {cost.words}".lstrip())
        document["cost"] = asdict(cost)
    return Reply(
        view=_advised(app, card, state, pause),
        document=document,
        status=status,
        thread_id=state.thread_id,
        pause=pause,
        seen=app.wiring.shown_rows.of(state) if pause and pause.kind == "dry_run_summary" else (),
    )


def _cost_on(wiring: Wiring, state: ThreadState) -> Cost | None:
    """Return what a finished thread cost on an account that bills; None for any other thread."""
    if state.status != "completed" or wiring.connection.kind == "embedded":
        return None
    from skills_nb.runtime.costs import Cost, cost_of

    events = wiring.store.load(state.thread_id)
    try:
        return cost_of(wiring.session, state.thread_id, events)
    except (SqlError, UsageError) as problem:
        return Cost(None, f"the account cannot be asked ({problem.message})")


def _advised(
    app: AppContext, card: ThreadCard, state: ThreadState, pause: Pause | None
) -> ThreadCard:
    """Return the card with what a model suggests at the pause."""
    if app.wiring.resolver is None or card.pause is None:
        return card
    said = model_choice.suggestion(pause, app.wiring.store.load(state.thread_id))
    if said is None:
        return card
    text = f"{card.pause.text}\n\n{model_choice.suggestion_words(said)}".lstrip()
    return replace(card, pause=replace(card.pause, text=text))


def _status(state: ThreadState, pause: Pause | None) -> int:
    if pause is not None:
        return PAUSED
    if state.status != "failed":
        return DONE
    return INVALID if state.story[-1:] == ("validation_error",) else FAILED
