"""Sending one statement of a step: its targets probed first, its attempts counted.

Room: laws. Spec: Execution constraint 12; Error Handling.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skills_nb.engine import error_diagnosis, ledger
from skills_nb.engine.inputs.secrecy import is_told
from skills_nb.engine.ledger.after_images import missing_looks_before
from skills_nb.engine.planning.statement_planning import PlannedStatement, scope_of
from skills_nb.engine.planning.step_context import StepContext, next_key
from skills_nb.engine.statements import row_changes
from skills_nb.model import events as ev
from skills_nb.model.effects import Effect, Probe, RunStatement
from skills_nb.model.skills import ExpectedError
from skills_nb.model.state import Fact, StatementRecord
from skills_nb.sql.classify import Kind


@dataclass(frozen=True, slots=True)
class StepReads:
    """What the step's reads found since it started, oldest first, by query and role."""

    facts: Mapping[tuple[str, str | None], Sequence[Fact]]

    @classmethod
    def of(cls, here: StepContext) -> StepReads:
        """Return the successful reads of the step's present cycle."""
        facts: dict[tuple[str, str | None], list[Fact]] = defaultdict(list)
        for fact in reversed(here.state.facts):
            if fact.seq <= here.at.started_seq:
                break
            if fact.error is None:
                facts[(fact.query, fact.role)].insert(0, fact)
        return cls(facts)

    def after(self, planned: PlannedStatement, floor: int) -> Fact | None:
        """Return the first read of that query after an event, or None."""
        known = self.facts.get((planned.sql, planned.role)) or self._with_gaps(planned)
        return next((fact for fact in known if fact.seq > floor), None)

    def _with_gaps(self, planned: PlannedStatement) -> Sequence[Fact]:
        return next(
            (
                facts
                for (query, role), facts in self.facts.items()
                if role == planned.role and is_told(query, planned.sql)
            ),
            (),
        )


def is_answered_by(planned: PlannedStatement, sql: str, role: str | None) -> bool:
    """Return whether recorded SQL is what was planned."""
    if role != planned.role:
        return False
    # A thread from before may have sent its names as its author wrote them.
    return is_told(sql, planned.sql) or bool(planned.written and is_told(sql, planned.written))


def send(here: StepContext, planned: PlannedStatement) -> tuple[Effect, ...]:
    """Return the probes of the targets that are not known freshly, else the statement itself."""
    # While a person thought about it, others may have worked on it.
    since = max(here.at.started_seq, here.at.answered_seq, here.at.retry_from_seq)
    about = (here.state, planned.sql, planned.role, since)
    missing = ledger.missing_probes(*about) or row_changes.missing_probes(*about)
    if missing:
        return tuple(Probe(query, planned.role) for query in missing)
    looks = missing_looks_before(here.state, planned.sql, planned.role)
    if looks:
        return looks
    mine = [r for r in here.state.statements if r.step == here.step.id]
    tries = [r for r in mine if _is_a_try(here, r, planned)]
    ordinal = tries[-1].ordinal if tries else 1 + max((r.ordinal for r in mine), default=0)
    return (
        RunStatement(
            step=here.step.id,
            ordinal=ordinal,
            attempt=len([r for r in tries if r.ordinal == ordinal]) + 1,
            sql=planned.sql,
            kind="once" if planned.kind is Kind.ONCE else "repeatable",
            role=planned.role,
            key=next_key(here.state),
            delay_s=_delay(here, tries),
        ),
    )


def _is_a_try(here: StepContext, record: StatementRecord, planned: PlannedStatement) -> bool:
    # A playbook that was given up may have tried the same: that is its own affair.
    is_mine = record.run_seq == here.run.started_seq
    return is_mine and record.status != "completed" and is_told(record.sql, planned.sql)


def _delay(here: StepContext, tries: Sequence[StatementRecord]) -> float:
    failed = [r for r in tries if r.error is not None and r.seq > here.at.retry_from_seq]
    if not failed or failed[-1].error is None:
        return 0.0
    return diagnose_error(here, failed[-1].error).delay_before(len(failed) + 1)


def diagnose_error(
    here: StepContext, error: ev.StatementError, iteration: int = 0
) -> error_diagnosis.Diagnosis:
    """Return what an error is, by the step, its primitives, then the categories.

    Args:
        here: the step.
        error: what the account said.
        iteration: the round of the step's loop that it was said in.
    """
    declared: list[ExpectedError] = []
    for name in here.step.references:
        primitive = here.library.primitives.get(name)
        declared.extend(primitive.expected_errors if primitive is not None else ())
    names = scope_of(here.step, here.names, iteration)
    return error_diagnosis.diagnose(error, here.step.expected_errors, declared, names)
