"""Every kind of pause, with the options that it always has.

Room: laws. Spec: Checkpoints; FORMATS, Threads > Options by pause.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from skills_nb.engine import error_diagnosis
from skills_nb.model import events as ev
from skills_nb.model.events import Option
from skills_nb.model.state import Pause, PauseKind, ThreadState
from skills_nb.visible import visible_typed

APPROVE = Option(id="approve", description="Proceed as proposed")
APPROVE_REMAINING = Option(
    id="approve_remaining",
    description="Approve this and every later review checkpoint of this playbook",
)
MODIFY = Option(id="modify", description="Change inputs; every step that read them is done again")
ABORT = Option(id="abort", description="Stop here; cleanup is offered")
DIFFERENT = Option(id="different-approach", description="This does not fit: find another way")
NO_PLAN = "no_plan"
"""Category of the error that no plan could be made."""
SKIPPED = "skipped by a person after an error"
"""Reason of a step that was given up at its error."""
RETRY = Option(id="retry", description="Try again")
SKIP = Option(id="skip", description="Go on without this step")

_WHICH = "Which of these do you mean?"
_NO_IDEA = "Nothing in the library comes near these words. Say in other words what you want."
_OTHER_WORDS = Option(
    id="different-approach", description="Say the goal in other words: --comment WORDS"
)
_MODIFY_PROBES = Option(id="modify", description="Change inputs and probe again")
_MODIFY_ERROR = Option(id="modify", description="Change inputs and try again")
_MODIFY_PLAN = Option(
    id="modify", description="Change an input, or the SQL of a step: --set step_1=SQL"
)
_MODIFY_DRY_RUN = Option(id="modify", description="Change inputs and plan again")
_IT_RAN = Option(id="skip", description="It did run: go on")
_IT_DID_NOT_RUN = Option(id="retry", description="It did not run: send it")

CLEANUP_OPTIONS = (
    Option(id="cleanup", description="Run the compensation shown"),
    Option(id="keep", description="Keep everything; nothing is changed"),
    Option(id="review", description="Show what was created before deciding"),
)
REDOING_OPTIONS = (
    Option(id="cleanup", description="Take this back, then do the steps again"),
    Option(id="keep", description="Leave it in place, and do the steps again beside it"),
    CLEANUP_OPTIONS[-1],
    ABORT,
)
DRY_RUN_OPTIONS = (
    Option(id="execute", description="Do it for real, with the same inputs"),
    Option(id="export_plan", description="Write the SQL as scripts"),
    _MODIFY_DRY_RUN,
    Option(id="abort", description="Cancel; nothing was changed"),
    DIFFERENT,
)


def dry_run_options(stops_at: str = "") -> tuple[Option, ...]:
    """Return what can be done after a dry run; what would fail is not proposed first.

    Args:
        stops_at: the step at which it would fail; empty where none would.
    """
    if not stops_at:
        return DRY_RUN_OPTIONS
    execute, export, modify, *others = DRY_RUN_OPTIONS
    told = f"Do it all the same, although step {stops_at} is expected to fail"
    return (modify, export, execute.model_copy(update={"description": told}), *others)


PROBE_OPTIONS = (APPROVE, _MODIFY_PROBES, ABORT, DIFFERENT)
PLAN_AGAIN = "dry_run"
"""Id of the option that plans anew on the account as it is."""
DRIFT_OPTIONS = (
    Option(id=PLAN_AGAIN, description="Plan again on the account as it is now"),
    Option(id="approve", description="Do it on the account as it is now"),
    _MODIFY_PROBES,
    ABORT,
    DIFFERENT,
)
PLAN_OPTIONS = (
    Option(id="approve", description="Proceed with this plan"),
    _MODIFY_PLAN,
    Option(id="abort", description="Do not proceed"),
    DIFFERENT,
)
_BREAK_DOWN = Option(
    id="break_down",
    description="Make smaller goals of it: part by part, or the smaller goal as --comment",
)
_REQUEST_PLAYBOOK = Option(
    id="request_playbook", description="Write it down as a playbook for somebody to review"
)
STALENESS_OPTIONS = (
    Option(id="proceed", description="Go on with this primitive as it is"),
    Option(id="check_docs", description="Show where Snowflake documents it"),
    Option(id="abort", description="Stop here"),
)


def command_at(pause: Pause, choice: str = "", thread_id: str = "") -> str:
    """Return the command that answers a pause, as it is typed.

    Args:
        pause: what waits.
        choice: what somebody would say; where it is no option there, the pause's proposal is told.
        thread_id: whose pause it is; empty: the newest thread's.
    """
    known = {option.id: option for option in pause.options}
    option = known.get(choice) or next(iter(pause.options), APPROVE)
    words = ["respond", shlex.quote(option.id), "--at", shlex.quote(pause.at)]
    words += option.confirmation
    if option.id == "modify":
        words += ["--set", "INPUT=VALUE"]
    if option.id == "other" and pause.kind == "input_question":
        words += ["--set", f"{pause.at.removeprefix('input:').partition('#')[0]}=VALUE"]
    if thread_id:
        words += ["--thread", shlex.quote(thread_id)]
    return " ".join(words)


def checkpoint_options(
    severity: str, phrase: str | None, extra: Iterable[Option] = (), *, is_guided: bool = False
) -> tuple[Option, ...]:
    """Return a checkpoint's options: the five every one has, then the step's own.

    In guided mode each step is looked at by itself, so the rest cannot be approved with it.
    """
    if is_guided:
        approve = _confirmed(APPROVE, phrase) if severity == "critical" else APPROVE
        return (approve, MODIFY, ABORT, DIFFERENT, *extra)
    approvals = (APPROVE, APPROVE_REMAINING)
    if severity == "critical":
        # Approving the rest includes this one, so it needs the same phrase.
        approvals = (_confirmed(APPROVE, phrase), _confirmed(APPROVE_REMAINING, phrase))
    return (*approvals, MODIFY, ABORT, DIFFERENT, *extra)


def confirmed_by_hand(phrase: str) -> Option:
    """Return the approval that somebody gives to what they wrote themselves, with its phrase."""
    return _confirmed(APPROVE, phrase)


def before_options(phrase: str | None) -> tuple[Option, ...]:
    """Return what may be done before a step whose statements are not what was approved."""
    approve = Option(id="approve", description="Send these statements")
    return (_confirmed(approve, phrase) if phrase else approve, MODIFY, ABORT, DIFFERENT)


def _confirmed(option: Option, phrase: str | None) -> Option:
    description = f"{option.description}; this needs the phrase typed"
    typed = visible_typed(phrase or "") or option.id
    return option.model_copy(
        update={"description": description, "requires_confirmation": True, "phrase": typed}
    )


def rejection_options(reason: str, steps: int) -> tuple[Option, ...]:
    """Return what may be done about a rejected plan; only its length can be accepted."""
    anyway = Option(
        id="proceed_anyway",
        description=f"I accept the risk: propose all {steps} steps; this needs the phrase typed",
        requires_confirmation=True,
        phrase=f"proceed with {steps} steps",
    )
    accepted = (anyway,) if reason == "complexity_exceeded" else ()
    return (_BREAK_DOWN, _REQUEST_PLAYBOOK, *accepted, ABORT, DIFFERENT)


def open_pause(state: ThreadState, pause: Pause) -> ThreadState:
    """Return the state waiting at the pause, named apart from earlier ones at the same place."""
    count = state.pause_count.get(pause.at, 0) + 1
    name = pause.at if count == 1 else f"{pause.at}#{count}"
    counts = {**state.pause_count, pause.at: count}
    return replace(state, pause=replace(pause, at=name, seq=state.seq), pause_count=counts)


def of_checkpoint(state: ThreadState, event: ev.CheckpointReached) -> Pause:
    """Return the pause of a checkpoint, with the probes' warnings beside it."""
    return Pause(
        kind="checkpoint",
        at=event.after_step if event.before_step is None else f"before:{event.before_step}",
        severity=event.severity,
        present=event.present,
        options=tuple(event.options),
        step=event.before_step or event.after_step,
        is_before=event.before_step is not None,
        foreseen=None if event.foreseen is None else tuple(event.foreseen),
        added=tuple(event.added),
        removed=tuple(event.removed),
        needs_person=bool(event.needs_person),
        warnings=state.run.warnings if state.run else (),
    )


def of_probes(event: ev.ProbeCheckpoint) -> Pause:
    """Return the pause that asks to confirm what the probes found."""
    has_drifted = any(option.id == PLAN_AGAIN for option in event.options)
    return Pause(
        kind="probe_checkpoint",
        at="probes",
        present="The account has changed since the dry run; nothing has been done yet."
        if has_drifted
        else "The account is not quite as expected.",
        options=tuple(event.options),
        foreseen=None if event.foreseen is None else tuple(event.foreseen),
        warnings=tuple(event.warnings),
    )


def of_error(state: ThreadState, event: ev.ErrorEscalated) -> Pause:
    """Return the pause of an error; an unknown fate and a skippable step change its options."""
    retry: Option = RETRY
    skip: tuple[Option, ...] = ()
    if state.open_statement is not None:
        retry, skip = _IT_DID_NOT_RUN, (_IT_RAN,)
    elif event.context.get("skippable"):
        skip = (SKIP,)
    hint = str(event.context.get("recovery_hint") or "")
    if event.context.get("category") == NO_PLAN:
        again = (retry,) if event.context.get("can_retry") else ()
        options: tuple[Option, ...] = (_OTHER_WORDS, *again, ABORT)
    else:
        options = (retry, _MODIFY_ERROR, *skip, ABORT, DIFFERENT)
    there = "\n".join(_said_of_existing(one) for one in event.context.get("existing") or ())
    said = error_diagnosis.said_of_access(event.error, event.context.get("role"))
    lines = (said, hint, f"Snowflake says: {event.error}") if said else (event.error, hint)
    return Pause(
        kind="error_escalated",
        at=_error_at(event),
        severity="review",
        present="\n".join(line for line in (*lines, there) if line),
        options=options,
        step=event.step,
    )


def _said_of_existing(found: Mapping[str, Any]) -> str:
    """Return what is in the way of a CREATE, beside what was wanted."""
    owner = f", owned by {found['owner']}" if found.get("owner") else ""
    since = f", made on {found['created_on']}" if found.get("created_on") else ""
    head = f"{found['fqn']} is there already{owner}{since}. Nothing was replaced."
    if not found.get("definition"):
        return head
    return f"{head}\nWhat is there:\n{found['definition']}\nWhat was wanted:\n{found['wanted']}"


def _error_at(event: ev.ErrorEscalated) -> str:
    if event.step:
        return f"error:{event.step}"
    return "error:plan" if event.context.get("category") == NO_PLAN else "error:probes"


def of_cleanup(event: ev.CleanupProposed) -> Pause:
    """Return the pause that offers to take back what can be taken back."""
    return Pause(
        kind="cleanup_proposed",
        at="cleanup",
        present=_said_of_cleanup(event),
        options=tuple(event.options),
    )


def _said_of_cleanup(event: ev.CleanupProposed) -> str:
    """Return how much of what the thread did can be taken back."""
    count = len(event.compensation_actions)
    kept = len(event.left_alone) + len(event.not_restorable)
    if not count:
        return "Nothing of what this thread did can be taken back."
    noun = "statement takes" if count == 1 else "statements take"
    if not kept:
        return f"{count} {noun} back what this thread did."
    left = "1 object stays as it is" if kept == 1 else f"{kept} objects stay as they are"
    return f"{count} {noun} back part of what this thread did; {left}."


def of_ambiguity(event: ev.RoutingAmbiguous) -> Pause:
    """Return the pause that asks which target is meant."""
    has_choices = any("target" in option.sets for option in event.clarification_options)
    return _plain("routing_ambiguous", "route", _WHICH if has_choices else _NO_IDEA, event)


def of_dry_run(event: ev.DryRunSummary) -> Pause:
    """Return the pause at the end of a dry run."""
    return Pause(
        kind="dry_run_summary",
        at="dry_run",
        present="Nothing has been changed. This is what would happen.",
        options=tuple(event.options),
    )


def of_plan(event: ev.PlanProposed) -> Pause:
    """Return the pause that asks to approve a guided plan."""
    return Pause("plan_proposed", "plan", present=event.goal, options=tuple(event.options))


def of_rejection(event: ev.PlanRejected) -> Pause:
    """Return the pause after a plan broke a guardrail."""
    return Pause("plan_rejected", "plan", present=event.message, options=tuple(event.options))


def of_staleness(event: ev.StalenessWarning) -> Pause:
    """Return the pause about a primitive that was not reviewed for long."""
    return Pause(
        "staleness_warning", "staleness", present=event.message, options=tuple(event.options)
    )


def _plain(kind: PauseKind, at: str, present: str, event: ev.RoutingAmbiguous) -> Pause:
    return Pause(kind, at, present=present, options=tuple(event.clarification_options))
