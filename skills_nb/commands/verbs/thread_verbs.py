"""One function per verb of the grammar; each makes one call and returns a `Reply`.

Room: commands.
"""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.commands import documents
from skills_nb.commands.grammar.goal_options import refuse_options
from skills_nb.commands.grammar.parser import ANSWERS, FREE_TEXT
from skills_nb.commands.grammar.slips import nearest
from skills_nb.commands.reply import Reply
from skills_nb.commands.verbs import thread_checks
from skills_nb.commands.verbs.answer_verbs import respond
from skills_nb.commands.verbs.library_verbs import LIBRARY_VERBS
from skills_nb.commands.verbs.program_verbs import PROGRAM_VERBS
from skills_nb.commands.verbs.session_verbs import SESSION_VERBS
from skills_nb.commands.verbs.thread_reply import newest_thread
from skills_nb.commands.verbs.thread_reply import reply_of as _reply
from skills_nb.errors import PendingError, StoreError, ThreadError, UsageError

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext, Verb
    from skills_nb.model.routes import Route
    from skills_nb.model.state import Pause, ThreadState


def run(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    """Do the command that was parsed.

    Raises:
        UsageError: a person's own words hold what looks like an option.
    """
    name = words.command
    if name in FREE_TEXT:
        refuse_options(name, " ".join(getattr(words, "goal", None) or words.intent))
    verb = respond if name in ANSWERS else VERBS[name]
    return unfold(verb(app, words, cell), words)


def unfold(reply: Reply, words: Namespace) -> Reply:
    """Return the reply with in the open what the line asks for."""
    from skills_nb.views import unfold_view

    is_all, is_sql = getattr(words, "all", False), getattr(words, "sql", False)
    if not (is_all or is_sql):
        return reply
    return replace(reply, view=unfold_view(reply.view, "all" if is_all else "sql"))


# ---- routing


def _route(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.home.prepared_routing import resolve
    from skills_nb.views import route_card

    intent = _text(words.intent, cell)
    route = resolve(intent, app.wiring.library)
    return Reply(route_card(route, why=words.why, intent=intent), route.to_dict())


def _text(words: list[str], cell: str | None) -> str:
    text = " ".join(words) + (f"\n{cell}" if cell else "")
    if not text.strip():
        raise UsageError("an intent is needed", hint='route "secure my data"')
    return text.strip()


# ---- threads


def _run(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    goal = _text(words.goal, cell)
    _refuse_lone_sample(words)
    from skills_nb.commands.verbs.goal_slips import refuse_slips
    from skills_nb.commands.verbs.said_loads import load_said

    inputs = documents.pairs(words.inputs, "--input")
    if (loaded := load_said(app, goal, words)) is not None:
        return loaded
    refuse_slips(goal, inputs, app.wiring.library)
    conductor = app.wiring.conductor
    if words.thread is not None and _exists(app, words.thread):
        _refuse_other_goal(conductor.load(words.thread), goal)
        return _advance(app, words.thread, words)
    if (page := _fact_asked_for(app, goal)) is not None:
        return page
    thread_id = conductor.start(
        goal, inputs, dry_run=words.dry_run, samples=words.sample, thread_id=words.thread
    )
    reply = _advance(app, thread_id, words)
    return reply if words.dry_run else _cautioned(reply, goal, words)


def _cautioned(reply: Reply, goal: str, words: Namespace) -> Reply:
    """Suggest a dry run beside a real one that waits, where the account or the words ask for it."""
    from skills_nb.routing.reasons import reason_in_words
    from skills_nb.views import ThreadCard

    card = reply.view
    if reply.pause is None or not isinstance(card, ThreadCard):
        return reply
    why = "this is a production account" if card.is_production else reason_in_words(goal)
    if not why:
        return reply
    given = [word for pair in words.inputs for word in ("--input", pair)]
    preview = shlex.join(["run", goal, "--dry-run", *given])
    return replace(
        reply,
        view=replace(card, caution=why, preview=preview),
        document={**reply.document, "suggest_dry_run": why},
    )


def _refuse_lone_sample(words: Namespace) -> None:
    """Let rows be sampled for a dry run only."""
    if words.sample and not words.dry_run:
        raise UsageError(
            "--sample is for a dry run: a real run reads what its steps say",
            hint="add --dry-run, or leave --sample out",
        )


def _exists(app: AppContext, thread_id: str) -> bool:
    return any(head.thread_id == thread_id for head in app.wiring.store.heads())


def _refuse_other_goal(state: ThreadState, goal: str) -> None:
    if state.goal != goal:
        raise UsageError(
            f"thread '{state.thread_id}' exists with another goal: '{state.goal}'",
            hint="choose another --thread, or go on with: resume " + state.thread_id,
        )


def _fact_asked_for(app: AppContext, goal: str) -> Reply | None:
    """Answer a question of fact from the library: no thread, no execution."""
    from skills_nb.commands.home.prepared_routing import resolve
    from skills_nb.runtime.intent_resolution import named_target
    from skills_nb.runtime.named_tables import rows_asked_for

    library = app.wiring.library
    named = named_target(goal, library)
    if named is not None:
        return _skill(app, named.target) if named.mode == "reference" and named.target else None
    asked = rows_asked_for(goal, resolve(goal, library), library, resolve)
    route = _with_tables_of_account(app, goal, asked)
    target = route.targets[0] if route.targets else None
    return _skill(app, target, goal) if route.mode == "reference" and target else None


def _with_tables_of_account(app: AppContext, goal: str, route: Route) -> Route:
    """Return where a question leads: one about a table of the account is no question of fact."""
    from skills_nb.commands.home.prepared_routing import resolve
    from skills_nb.model.routes import Route
    from skills_nb.runtime.environment_reads import read
    from skills_nb.runtime.named_tables import with_tables_of_account
    from skills_nb.sql.secret_literals import without_said, without_secrets

    # What is asked stands in the account's history: no secret of the words may.
    words = without_said(without_secrets(goal))
    if route.mode != "reference":
        return route
    session, library = app.wiring.session, app.wiring.library
    found = with_tables_of_account(
        words, route, library, resolve, lambda query: read(session, query, None)
    )
    return next(one for one in found if isinstance(one, Route))


def _advance(app: AppContext, thread_id: str, words: Namespace) -> Reply:
    from skills_nb.commands.verbs.answer_files import read_answers

    conductor = app.wiring.conductor
    state = conductor.advance(thread_id, until=getattr(words, "until", None))
    for answer in read_answers(getattr(words, "answers", None)):
        pause = conductor.pause(state)
        if pause is None:
            break
        if answer.is_for(pause):
            conductor.answer(thread_id, answer.said)
            state = conductor.advance(thread_id, until=words.until)
    return _reply(app, state)


def _resume(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    return _advance(app, newest_thread(app, words.thread), words)


def _require(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    state = app.wiring.conductor.load(newest_thread(app, words.thread))
    pause = app.wiring.conductor.pause(state)
    if pause is None and state.status == "completed":
        return _reply(app, state)
    raise _unmet(state, pause)


def _unmet(state: ThreadState, pause: Pause | None) -> PendingError:
    """Return why a cell may not go by a thread, and what lets it pass or tells more."""
    if state.is_over:
        ended = "was stopped before its end" if state.was_stopped else "failed"
        return PendingError(f"thread '{state.thread_id}' {ended}", hint=f"show {state.thread_id}")
    said = f"thread '{state.thread_id}' is {documents.status_word(state, pause)}"
    if pause is None:
        return PendingError(said, hint=f"resume {state.thread_id}")
    answer = documents.answer_command(pause, state.thread_id)
    return PendingError(f"{said} at '{pause.at}'", hint=answer)


def _status_of(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    return _reply(app, app.wiring.conductor.load(newest_thread(app, words.thread)))


def _threads(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.views import thread_list

    if words.threads_command == "migrate":
        from skills_nb.commands.verbs.thread_migration import migrate

        return migrate(app, words)
    if words.threads_command == "verify":
        return thread_checks.verify(app)
    if words.threads_command == "accept":
        return thread_checks.accept(app, words)
    if words.source is not None:
        return _imported(app, words.source)

    from skills_nb.commands.verbs.thread_rows import ThreadRows, page_of

    heads = app.wiring.store.heads()
    known = ThreadRows(app)
    rows, notices = [], []
    for head in heads if words.all else page_of(heads, words.page):
        try:
            rows.append(known.of(head))
        except StoreError as problem:
            # One damaged thread does not hide the others.
            notices.append(f"{problem.message}. {problem.hint or ''}".rstrip())
    known.keep()
    notices.extend(thread_checks.notices_of(app))
    page = None if words.all else words.page
    return Reply(thread_list(rows, tuple(notices), page=page, total=len(heads)), rows)


def _imported(app: AppContext, source: str) -> Reply:
    from skills_nb.commands.exports.thread_exchange import import_thread

    try:
        text = Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"cannot read {source}: {problem}") from problem
    conductor = app.wiring.conductor
    return _reply(app, conductor.load(import_thread(conductor, text)))


def _show(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    subject = words.subject
    if subject is not None and "/" in subject:
        return _skill(app, subject)
    from skills_nb.model.events import dump
    from skills_nb.views import message, timeline

    thread_id = newest_thread(app, subject)
    state = app.wiring.conductor.load(thread_id)
    events = app.wiring.store.load(thread_id)
    status = documents.status_word(state, app.wiring.conductor.pause(state))
    document = {
        "thread_id": thread_id,
        "status": status,
        "events": [dump(event) for event in events],
    }
    if words.yaml:
        from skills_nb.commands.exports.thread_exchange import to_yaml

        text = to_yaml(thread_id, status, events)
        return Reply(message(text), document, thread_id=thread_id)
    if words.context:
        from skills_nb.engine.context_window import window

        told = window(state, events, app.wiring.conductor.pause(state))
        shown = {"text": told.text, "tokens": told.tokens, "left_out": told.left_out}
        return Reply(message(told.text), shown, thread_id=thread_id)
    notices = thread_checks.notices_of(app, thread_id)
    return Reply(timeline(state, events, notices), document, thread_id=thread_id)


def _skill(app: AppContext, ref: str, question: str = "") -> Reply:
    """Show a skill's page; of a primitive that a question leads to, the section that answers."""
    from skills_nb.engine.reference_mode import relevant_section
    from skills_nb.views import skill_page

    library = app.wiring.library
    kind, _, name = ref.partition("/")
    shelf: Mapping[str, Any] = {
        "primitives": library.primitives,
        "playbooks": library.playbooks,
        "routers": library.routers,
    }.get(kind, {})
    skill = shelf.get(name)
    if skill is None:
        near = nearest(ref, library.index)
        hint = f"did you mean '{near}'?" if near else "list what there is: library"
        raise UsageError(f"there is no skill '{ref}'", hint=hint)
    asked = bool(question) and kind == "primitives"
    section = relevant_section(skill, question) if asked else None
    document = {"ref": ref, "title": skill.title, "sections": dict(skill.sections)}
    return Reply(skill_page(skill, section), {**document, "section": section})


# ---- work on a thread


def _cleanup(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    return _reply(app, app.wiring.conductor.propose_cleanup(newest_thread(app, words.thread)))


def _step(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.runtime.manual_steps import HandWritten

    sql = "\n".join(part for part in (" ".join(words.statement), cell or "") if part).strip()
    sub = HandWritten(words.step, sql, words.role, words.phrase)
    state = app.wiring.conductor.add_step(newest_thread(app, words.thread), sub)
    failures = state.run.step(words.step).failures if state.run else ()
    if failures:
        raise ThreadError(
            f"sub-step {words.step} failed: {failures[-1]}",
            status=state.status,
            hint="the thread waits where it did; write the sub-step again",
        )
    return _reply(app, state)


def _plan(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.verbs import guided_plans

    _refuse_lone_sample(words)
    thread_id = guided_plans.propose(app, words, cell)
    if thread_id is None:
        return guided_plans.show_plan(app.wiring.conductor.load(newest_thread(app, words.thread)))
    return guided_plans.reply_to_plan(
        _advance(app, thread_id, words), app.wiring.conductor.load(thread_id)
    )


def _compact(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    return _reply(app, app.wiring.conductor.compact(newest_thread(app, words.thread)))


def _explain(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.verbs.authoring_verbs import explain

    return explain(app, words) or _skill(app, words.subject)


VERBS: Mapping[str, Verb] = {
    **SESSION_VERBS,
    **LIBRARY_VERBS,
    **PROGRAM_VERBS,
    "route": _route,
    "run": _run,
    "next": _resume,
    "resume": _resume,
    "require": _require,
    "threads": _threads,
    "status": _status_of,
    "show": _show,
    "cleanup": _cleanup,
    "compact": _compact,
    "plan": _plan,
    "step": _step,
    "explain": _explain,
}
