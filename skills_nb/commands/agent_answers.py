"""What an agent may answer by itself, and what waits for a person.

Room: commands. Rules of this file: a plan, a critical checkpoint, what would be dropped, and a
statement of unknown fate always need a person; whatever else is for review needs one too, unless
the person delegated it. Stopping is always allowed. A secret is told to a terminal, never to a
model.
Source: Spec, Checkpoint severity levels; FORMATS, One grammar, three doors.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from skills_nb.commands.documents import answer_command
from skills_nb.commands.verbs import answer_verbs
from skills_nb.engine.planning.template_names import playbook_of
from skills_nb.engine.respond import Answer
from skills_nb.errors import PendingError

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.commands.reply import Reply
    from skills_nb.model.skills import Playbook
    from skills_nb.model.state import Pause

ACTOR = "agent:mcp"
_PERSONS = frozenset({"plan_proposed", "plan_rejected", "cleanup_proposed"})
"""Pauses that are a person's whatever was delegated."""
_ANYBODYS = frozenset({"input_question", "routing_ambiguous"})
"""Questions: whatever is answered is checked, and changes nothing by itself."""


def needs_person(
    pause: Pause, choice: str, *, is_delegated: bool, playbook: Playbook | None = None
) -> str | None:
    """Return why a person must give this answer, or None where an agent may.

    Args:
        pause: what waits.
        choice: the answer.
        is_delegated: whether the person left what is for review to the agent.
        playbook: whose inputs may be asked for.
    """
    if choice == "abort":
        return None
    if pause.kind in _ANYBODYS:
        return _secret(pause, playbook)
    if pause.kind in _PERSONS:
        return f"'{pause.kind}' always waits for a person"
    if pause.severity == "critical":
        return "a critical checkpoint always waits for a person"
    if pause.kind == "error_escalated" and "cannot be told whether" in pause.present:
        return "whether that statement ran, a person must look up"
    if is_delegated:
        return None
    if pause.severity == "review":
        return "what is for review waits for a person, who has not delegated it"
    if choice == "approve_remaining":
        return "later checkpoints for review wait for a person, who has not delegated them"
    return None


def _secret(pause: Pause, playbook: Playbook | None) -> str | None:
    name = pause.at.partition(":")[2].partition("#")[0]
    spec = playbook.input(name) if playbook is not None and name else None
    if spec is None or not spec.secret:
        return None
    return f"'{name}' is a secret, which no agent is told"


def start_thread(
    app: AppContext, goal: str, inputs: Mapping[str, Any], *, is_dry: bool = False
) -> Reply:
    """Start a thread for an agent and go on to the next pause."""
    words = ["run", *(["--dry-run"] if is_dry else [])]
    words += [f"--input={name}={value}" for name, value in inputs.items()]
    # What an agent says is a goal, also where it looks like an option.
    return app.invoke([*words, "--", goal])


def answer_pause(
    app: AppContext,
    thread_id: str,
    choice: str,
    *,
    at: str | None = None,
    comment: str | None = None,
    values: Mapping[str, Any] = MappingProxyType({}),
    is_delegated: bool = False,
) -> Reply:
    """Record an agent's answer and go on to the next pause.

    Raises:
        PendingError: a person must give it; the hint is the command to type.
        ThreadError: nothing waits, or something else waits.
        UsageError: the answer does not fit.
    """
    conductor = app.wiring.conductor
    state = conductor.load(thread_id)
    pause = conductor.pause(state)
    if pause is not None:
        playbook = playbook_of(state.run, app.wiring.library) if state.run else None
        why = needs_person(pause, choice, is_delegated=is_delegated, playbook=playbook)
        if why is not None:
            raise PendingError(
                f"refused: {why}; nothing was answered at '{pause.at}' of thread '{thread_id}'",
                hint=f"the person types: skills-nb {answer_command(pause, thread_id)}",
            )
        # Checked and answered must be the same pause, whoever answers in between.
        at = at or pause.at
    return answer_verbs.answer_thread(
        app, thread_id, Answer(choice, at, comment, None, values, ACTOR)
    )
