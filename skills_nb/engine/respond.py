"""Answers are validated here, before they become events.

Room: laws. Every door (a button, a countdown, a command, an agent) comes through `respond`.
Spec: Checkpoints; FORMATS, Options by pause.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from skills_nb.engine.chains.chain_events import inputs_in_chain
from skills_nb.engine.chains.phase_handover import find_requirement, input_of_chain
from skills_nb.engine.changed_inputs.redo_plan import foretell_changes, is_other, redo_of_change
from skills_nb.engine.decide import pause_of
from skills_nb.engine.guided.plan_documents import EDIT_PREFIX, sql_by_step
from skills_nb.engine.inputs.secrecy import REDACTED
from skills_nb.engine.inputs.typed_inputs import coerce
from skills_nb.engine.pauses import SKIPPED, command_at
from skills_nb.engine.planning.template_names import playbook_of
from skills_nb.errors import ThreadError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.events import Redoing
from skills_nb.model.library import Library
from skills_nb.model.skills import InputSpec, Playbook
from skills_nb.model.state import Pause, PlaybookRun, ThreadState

_APPROVABLE = {"dry_run_summary": "execute", "staleness_warning": "proceed"}
"""What the word `approve` takes, by the kind of pause whose proposal has another name."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody says at a pause."""

    choice: str
    """The id of an option, or a value for an input."""
    at: str | None = None
    """The pause it is meant for; None: whichever is open."""
    comment: str | None = None
    """What is said beside it; None where nothing is."""
    phrase: str | None = None
    """What was typed to confirm; None where nothing was."""
    values: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """Inputs by name, where the answer changes some."""
    actor: str = "human:local"
    """Who answers, as events name them."""


def respond(state: ThreadState, library: Library, answer: Answer) -> tuple[ev.Event, ...]:
    """Return the events that record an answer.

    Raises:
        ThreadError: nothing waits, or something else waits.
        UsageError: the choice, its values or its phrase do not fit the pause.
    """
    pause = pause_of(state, library)
    if pause is None:
        raise _nothing_asked(state)
    _refuse_other_pause(state, pause, answer)
    if pause.kind == "input_question":
        return _to_question(state, library, pause, answer)
    return _to_pause(state, library, pause, answer)


def _nothing_asked(state: ThreadState) -> ThreadError:
    """Return the refusal of an answer that nothing asked for: how the thread stands instead."""
    thread = state.thread_id
    words, hint = {
        "completed": ("is done", f"see what it did: show {thread}"),
        "failed": ("has ended", f"see how far it came: show {thread}"),
    }.get(state.status, ("is at work", f"go on with it: resume {thread}"))
    return ThreadError(
        f"thread '{thread}' {words}, and nothing waits for an answer",
        status=state.status,
        story=state.story,
        hint=hint,
    )


def _refuse_other_pause(state: ThreadState, pause: Pause, answer: Answer) -> None:
    if answer.at is None or answer.at == pause.at:
        return
    if answer.at in state.answered:
        raise ThreadError(
            f"'{answer.at}' is answered already: {state.answered[answer.at]}",
            status=state.status,
            story=state.story,
            hint=f"the thread waits at '{pause.at}' now",
        )
    raise UsageError(
        f"the thread waits at '{pause.at}', not at '{answer.at}'",
        hint=command_at(pause, answer.choice, state.thread_id),
    )


def _to_question(
    state: ThreadState, library: Library, pause: Pause, answer: Answer
) -> tuple[ev.Event, ...]:
    if answer.choice in ("abort", "different-approach"):
        return (
            ev.HumanResponse(
                choice=answer.choice, comment=answer.comment, at=pause.at, actor=answer.actor
            ),
        )
    name = pause.at.removeprefix("input:")
    spec = find_requirement(state, library, name) or _input(_playbook(state, library), name)
    raw = answer.values.get(name, answer.comment if answer.choice == "other" else answer.choice)
    if raw is None:
        raise UsageError(
            f"'other' needs the value of '{name}'", hint=f"respond other --set {name}=VALUE"
        )
    value = coerce(spec, raw)
    stored = REDACTED if spec.secret else value
    return (ev.InputGathered(name=name, value=stored, phase=spec.phase, actor=answer.actor),)


def _to_pause(
    state: ThreadState, library: Library, pause: Pause, answer: Answer
) -> tuple[ev.Event, ...]:
    choice = _choice(pause, answer.choice)
    option = pause.option(choice)
    if option is None:
        known = [o.id for o in pause.options]
        raise UsageError(
            f"'{answer.choice}' is not an option at '{pause.at}'",
            hint=_nearest(answer.choice, known, "options"),
        )
    _refuse_breaking_down(state, option, answer)
    _refuse_asking_again(state, pause, option, answer)
    confirmed = _confirmed(pause, option, answer)
    values = _values(state, library, pause, option, answer)
    response = ev.HumanResponse(
        choice=choice,
        comment=answer.comment,
        checkpoint_after_step=_checkpoint_of(pause),
        at=pause.at,
        values=values,
        confirmed=confirmed,
        redoing=_redoing(state, library, pause, values),
        actor=answer.actor,
    )
    return (response, *_consequences(state, pause, option))


def _checkpoint_of(pause: Pause) -> str | None:
    return pause.step if pause.kind == "checkpoint" and not pause.is_before else None


def _refuse_breaking_down(state: ThreadState, option: ev.Option, answer: Answer) -> None:
    """A long plan has parts; whatever else is wrong with one, the smaller goal must be said."""
    plan = state.guided_plan
    if option.id != "break_down" or plan is None or answer.comment:
        return
    if plan.refusal != "complexity_exceeded":
        raise UsageError(
            "this plan is not too long: 'break_down' needs the smaller goal",
            hint='respond break_down --comment "the smaller goal"',
        )


def _choice(pause: Pause, said: str) -> str:
    """Let `approve` take the proposal of any pause that has one."""
    if said == "approve" and pause.option("approve") is None:
        proposed = _APPROVABLE.get(pause.kind, said)
        # What is expected to fail stands behind the rest and is no proposal to approve.
        return proposed if pause.options and pause.options[0].id == proposed else said
    return said


def _confirmed(pause: Pause, option: ev.Option, answer: Answer) -> bool:
    if not option.requires_confirmation:
        return False
    if not option.is_confirmed_by(answer.phrase):
        missing = "needs its phrase typed" if not answer.phrase else "has another phrase"
        raise UsageError(
            f"'{option.id}' at '{pause.at}' {missing}",
            hint=" ".join(("respond", option.id, "--at", pause.at, *option.confirmation)),
        )
    return True


def _refuse_asking_again(
    state: ThreadState, pause: Pause, option: ev.Option, answer: Answer
) -> None:
    """Refuse to ask the same once more where nothing else comes near the words."""
    if option.id != "none-of-these" or answer.comment or answer.values:
        return
    here = state.route.target if state.route is not None else None
    if not any(one.sets.get("target", here) != here for one in pause.options):
        raise UsageError(
            "nothing else in the library comes near these words",
            hint=f"say it in other words: respond none-of-these --at {pause.at} --comment WORDS",
        )


def _values(
    state: ThreadState, library: Library, pause: Pause, option: ev.Option, answer: Answer
) -> dict[str, Any]:
    raw = {**option.sets, **answer.values} if pause.kind != "routing_ambiguous" else {}
    if option.id == "modify" and not raw:
        raise UsageError(
            "'modify' needs to know what to change",
            hint=_what_follows(state, library, pause),
        )
    if raw and option.id not in ("modify",) and not option.sets:
        raise UsageError(f"'{option.id}' takes no values", hint="use modify to change inputs")
    if not raw:
        return {}
    playbook = _playbook(state, library)
    plan = state.run.plan if state.run is not None else None
    edits = {EDIT_PREFIX + step.step for step in plan.steps} if plan is not None else set()
    return {
        name: _edit(name, value)
        if name in edits
        else _stored(_known(state, library, pause, name) or _input(playbook, name), value)
        for name, value in raw.items()
    }


def _what_follows(state: ThreadState, library: Library, pause: Pause) -> str:
    """Return how an input is changed, and what a change of each brings about."""
    told = foretell_changes(state, playbook_of(state.run, library))
    lines = [f"{names}: {what}" for names, what in told]
    return "\n".join([f"respond modify --at {pause.at} --set INPUT=VALUE", *lines])


def _known(state: ThreadState, library: Library, pause: Pause, name: str) -> InputSpec | None:
    """Return an input of any phase where the whole chain waits, as after its dry run."""
    return input_of_chain(state, library, name) if pause.kind == "dry_run_summary" else None


def _edit(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UsageError(
            f"'{name}' needs the SQL of the step",
            hint="leave a step out by proposing the whole plan again: plan FILE --thread THREAD",
        )
    return value


def _stored(spec: InputSpec, value: Any) -> Any:
    known = coerce(spec, value)
    return REDACTED if spec.secret else known


def _redoing(
    state: ThreadState, library: Library, pause: Pause, values: Mapping[str, Any]
) -> Redoing | None:
    """Return what changed values bring about.

    Raises:
        UsageError: none of them differs from what is known.
    """
    if not values or state.run is None:
        return None
    changed = _changed(state, state.run, values)
    if not changed:
        is_one = len(values) == 1
        raise UsageError(
            f"nothing would change: {' and '.join(values)} {'has' if is_one else 'have'} "
            f"{'that value' if is_one else 'those values'} already",
            hint="give another value, or choose another answer: "
            + ", ".join(one.id for one in pause.options if not one.sets and one.id != "modify"),
        )
    return redo_of_change(state, state.run, _playbook(state, library), changed)


def _changed(state: ThreadState, run: PlaybookRun, values: Mapping[str, Any]) -> tuple[str, ...]:
    if state.chain is not None and run.mode == "dry_run":
        known = inputs_in_chain(state)
        return tuple(name for name, value in values.items() if is_other(known, name, value))
    sql = {EDIT_PREFIX + step: text for step, text in sql_by_step(run).items()}
    return tuple(name for name, v in values.items() if is_other({**run.inputs, **sql}, name, v))


def _consequences(state: ThreadState, pause: Pause, option: ev.Option) -> tuple[ev.Event, ...]:
    record = state.open_statement
    if record is not None and pause.kind == "error_escalated":
        if option.id == "retry":
            return (ev.StatementLost(effect_key=record.key),)
        if option.id == "skip":
            return (ev.StatementCompleted(effect_key=record.key, recovered=True),)
    if pause.kind == "error_escalated" and option.id == "skip" and pause.step:
        return (ev.StepSkipped(step=pause.step, reason=SKIPPED),)
    if pause.kind == "routing_ambiguous" and option.sets:
        chosen = option.sets
        left = state.route.target if state.route is not None else None
        to = str(chosen["target"])
        other = left if left != to else None
        return (
            *((ev.Rerouted(reason=to, from_=other, to=to),) if other else ()),
            ev.Routed(
                router=str(chosen.get("router", "")),
                target=to,
                mode=str(chosen.get("mode", "playbook")),
                confidence=1.0,
                not_covered=chosen.get("not_covered"),
                limits=chosen.get("limits"),
            ),
        )
    return ()


def _playbook(state: ThreadState, library: Library) -> Playbook:
    if state.run is None:
        raise UsageError("no playbook is running, so there is no input to change")
    return playbook_of(state.run, library) or library.playbook(state.run.playbook)


def _input(playbook: Playbook, name: str) -> InputSpec:
    spec = playbook.input(name)
    if spec is None:
        raise UsageError(
            f"playbook '{playbook.name}' has no input '{name}'",
            hint=_nearest(name, [spec.name for spec in playbook.inputs], "its inputs"),
        )
    return spec


def _nearest(said: str, known: list[str], listed: str) -> str:
    """Return a hint to the word that was probably meant; where none is near, all of them."""
    near = get_close_matches(said, known, 1, 0.6)
    return f"did you mean '{near[0]}'?" if near else f"{listed}: {', '.join(known) or 'none'}"
