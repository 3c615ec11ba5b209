"""What was approved is the list of statements; where another one would be sent, a person is asked.

Room: laws. Rules of this file:
- An approval holds for the statements that were shown with it, with their parameters and roles, in
  their order. What only reads may differ.
- What could not be shown yet, because it rests on what a step finds, is bound by the step's words;
  after a phrase, it is shown before it is sent.
- What a store took out of a record is not known: it is compared around the gap.
Spec: Checkpoints; Guided Mode Execution > Guardrails.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from skills_nb.engine.approvals.statements_ahead import digest_of, foresee_step, foresee_steps
from skills_nb.engine.inputs.secrecy import is_told
from skills_nb.engine.pauses import before_options
from skills_nb.engine.planning.statement_planning import PlannedStatement, StepPlan
from skills_nb.engine.planning.step_context import StepContext, plan_of
from skills_nb.engine.session.session_statements import changes_session
from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import Effect, Record
from skills_nb.model.events import ForeseenStatement
from skills_nb.model.state import Agreement
from skills_nb.sql.templates import message


@dataclass(frozen=True, slots=True)
class Difference:
    """How what would be sent differs from what was approved."""

    added: tuple[str, ...] = ()
    """Statements that would be sent and were not approved."""
    removed: tuple[str, ...] = ()
    """Statements that were approved and would not be sent."""
    is_edited: bool = False
    """Whether the step is written otherwise now, where its statements were not known."""
    is_first_known: bool = False
    """Whether nothing could be shown when it was approved."""
    is_reordered: bool = False
    """Whether the same statements would be sent in another order."""


def pause_for_difference(here: StepContext) -> tuple[Effect, ...]:
    """Return the pause before a step that would send other statements than were approved."""
    agreement = here.run.agreed.get(here.step.id)
    if agreement is None or here.run.mode == "dry_run":
        return ()
    try:
        plan = plan_of(here)
    except UsageError:
        # Nothing can be sent; what is wrong is said when the step begins.
        return ()
    found = _memo().of(here, agreement, plan)
    return () if found is None else (Record((_pause(here, agreement, plan, found),)),)


def difference(here: StepContext, agreement: Agreement, plan: StepPlan) -> Difference | None:
    """Return how a step's statements differ from what was approved; None where they do not."""
    told = agreement.foreseen
    wanted = plan.mutating
    if told.is_open:
        if told.digest and told.digest != digest_of(here.step):
            return Difference(_shown(wanted), is_edited=True)
        changing = tuple(one for one in wanted if not changes_session(one.sql))
        is_unseen = agreement.is_confirmed and bool(changing)
        return Difference(_shown(wanted), is_first_known=True) if is_unseen else None
    approved = [one for one in told.statements if not one.reads]
    if len(approved) == len(wanted) and all(map(_is_same, approved, wanted)):
        return None
    return _compared(approved, wanted)


def _compared(
    approved: Sequence[ForeseenStatement], wanted: Sequence[PlannedStatement]
) -> Difference:
    left = list(approved)
    added: list[PlannedStatement] = []
    for one in wanted:
        same = next((known for known in left if _is_same(known, one)), None)
        if same is None:
            added.append(one)
        else:
            left.remove(same)
    removed = tuple(_with_role(one.sql, one.role) for one in left)
    return Difference(_shown(added), removed, is_reordered=not added and not left)


def _is_same(known: ForeseenStatement, planned: PlannedStatement) -> bool:
    is_role = is_told(known.role or "", planned.role or "")
    return is_role and is_told(known.sql, planned.sql)


def _shown(statements: Iterable[PlannedStatement]) -> tuple[str, ...]:
    return tuple(_with_role(one.sql, one.role) for one in statements)


def _with_role(sql: str, role: str | None) -> str:
    return sql if role is None else f"-- as {role}\n{sql}"


class _LastCompared:
    """The comparison made last: `decide` is asked after every event, and lists may be long."""

    def __init__(self) -> None:
        self._made_from: tuple[object, ...] = ()
        self._found: Difference | None = None

    def of(self, here: StepContext, agreement: Agreement, plan: StepPlan) -> Difference | None:
        sources = (here.step, agreement, plan)
        known = self._made_from
        if not (len(known) == len(sources) and all(map(operator.is_, known, sources))):
            self._found = difference(here, agreement, plan)
            self._made_from = sources
        return self._found


_last = threading.local()


def _memo() -> _LastCompared:
    if not hasattr(_last, "memo"):
        _last.memo = _LastCompared()
    memo: _LastCompared = _last.memo
    return memo


# ---- the pause


def _pause(
    here: StepContext, agreement: Agreement, plan: StepPlan, found: Difference
) -> ev.CheckpointReached:
    following = foresee_steps(here.state, here.run, here.playbook, after=None)
    phrase = _phrase(here, agreement) if agreement.is_confirmed else None
    return ev.CheckpointReached(
        after_step=agreement.after or "",
        before_step=here.step.id,
        severity="critical" if agreement.is_confirmed else "review",
        present=_said(here.step.id, found),
        options=list(before_options(phrase)),
        foreseen=[
            foresee_step(here.step, plan) if one.step == here.step.id else one for one in following
        ],
        added=list(found.added),
        removed=list(found.removed),
    )


def _phrase(here: StepContext, agreement: Agreement) -> str:
    step = here.playbook.step(agreement.after) if agreement.after is not None else None
    spec = step.checkpoint if step is not None else None
    if spec is None or not spec.phrase:
        return f"step {here.step.id}"
    try:
        return message(spec.phrase, here.names)
    except UsageError:
        return f"step {here.step.id}"


def _said(step_id: str, found: Difference) -> str:
    lead = f"What step {step_id} would send is not what was approved"
    if found.is_first_known:
        count = len(found.added)
        noun = "statement was" if count == 1 else "statements were"
        return (
            f"Step {step_id} is about to send what could not be shown yet: {count} {noun} unknown."
        )
    if found.is_edited:
        return f"{lead}: the step is written otherwise now than it was then."
    if found.is_reordered:
        return f"{lead}: the statements are the same, but come in another order."
    parts = [
        f"{len(statements)} {'statement' if len(statements) == 1 else 'statements'} {word}"
        for statements, word in ((found.added, "new"), (found.removed, "gone"))
        if statements
    ]
    return f"{lead}: {' and '.join(parts)}."
