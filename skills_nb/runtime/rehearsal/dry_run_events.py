"""What a dry run tells: of a step, and of everything.

Room: work. Spec: Dry-Run Mode > Dry-run event flow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from skills_nb.engine.approvals.statements_ahead import foresee_step
from skills_nb.engine.pauses import dry_run_options
from skills_nb.engine.planning.statement_planning import StepPlan
from skills_nb.engine.planning.step_context import known_names, plan_in
from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.skills import Playbook, Step
from skills_nb.runtime.rehearsal.impact import with_rows
from skills_nb.runtime.rehearsal.rehearsed_thread import RehearsedThread
from skills_nb.sql.plurals import plural_of


def step_planned(
    step_id: str,
    created: Sequence[ev.CreatedObject],
    rehearsed: RehearsedThread,
    playbook: Playbook,
    sent: Sequence[str] | None = None,
) -> ev.StepPlanned:
    """Return what a step would do, and forget its remarks.

    Args:
        step_id: the step.
        created: the objects that it would make.
        rehearsed: the rehearsal.
        playbook: the step's.
        sent: its statements, where they are known already.
    """
    step = playbook.step(step_id)
    assert step is not None, "only steps of the playbook are decided on"
    _trace_guesses(step, rehearsed)
    is_skipped = any(remark.startswith("skipped") for remark in rehearsed.remarks)
    statements = () if is_skipped else sent or _statements(rehearsed, playbook, step)
    rehearsed.sent.setdefault(playbook.name, {})[step.id] = list(statements)
    remarks = rehearsed.told()
    if step.checkpoint is not None and not is_skipped:
        remarks.append(f"then pauses for {_article(step.checkpoint.severity)} checkpoint")
    return ev.StepPlanned(
        step=step_id,
        action="; ".join([step.title, *remarks]),
        would_execute=list(statements),
        would_create=list(created),
        foreseen=_foreseen(rehearsed, playbook, step, is_skipped=is_skipped),
        would_modify=[] if is_skipped else rehearsed.told_rows(),
        estimated_duration=rehearsed.estimates.duration(statements),
    )


def _trace_guesses(step: Step, rehearsed: RehearsedThread) -> None:
    """Follow a prediction from the step that makes it to all that follows from it."""
    if rehearsed.is_guessing or any(one.startswith("predicted: ") for one in rehearsed.remarks):
        rehearsed.guessed.update(step.binds)


def _article(severity: str) -> str:
    return f"an {severity}" if severity == "info" else f"a {severity}"


def _statements(rehearsed: RehearsedThread, playbook: Playbook, step: Step) -> tuple[str, ...]:
    run = rehearsed.state.run
    assert run is not None, "a playbook's step is rehearsed"
    try:
        plan = plan_in(step, run, known_names(rehearsed.state, playbook, step.id), playbook)
    except UsageError:
        # The failure itself is remarked already; there is no SQL to show.
        return ()
    return tuple(planned.sql for planned in plan.statements)


def _foreseen(
    rehearsed: RehearsedThread, playbook: Playbook, step: Step, *, is_skipped: bool
) -> ev.Foreseen | None:
    """Return what an approval of the dry run lets a step send."""
    run = rehearsed.state.run
    assert run is not None, "a playbook's step is rehearsed"
    if is_skipped:
        return foresee_step(step, StepPlan((), (), 0, frozenset()))
    try:
        plan = plan_in(step, run, known_names(rehearsed.state, playbook, step.id), playbook)
    except UsageError:
        return None
    return foresee_step(step, plan)


def summary(rehearsed: RehearsedThread) -> ev.DryRunSummary:
    """Return the whole impact: the difference of the two catalogs."""
    stood = rehearsed.shadow.survey
    after = with_rows(rehearsed.shadow.difference(), rehearsed.all_modified, stood)
    at_end = after
    all_sent = [sql for steps in rehearsed.sent.values() for step in steps.values() for sql in step]
    if rehearsed.stopped_at:
        at_end = with_rows(rehearsed.reached, rehearsed.reached_rows, stood)
    return ev.DryRunSummary(
        would_create=_counted(at_end.created, after.created, rehearsed),
        would_modify=_counted(at_end.modified, after.modified, rehearsed),
        would_drop=_counted(at_end.dropped, after.dropped, rehearsed),
        estimated_duration=rehearsed.estimates.duration(all_sent),
        estimated_compute=rehearsed.estimates.compute(
            rehearsed.sent, by_probes=rehearsed.probes_compute
        ),
        options=list(dry_run_options(rehearsed.stopped_at)),
    )


def _counted(
    reached: Sequence[Mapping[str, object]],
    wanted: Sequence[Mapping[str, object]],
    rehearsed: RehearsedThread,
) -> dict[str, object]:
    """Return a count per plural type, and the objects themselves.

    What an error keeps from happening is listed and not counted.
    """
    counts = Counter(plural_of(str(found["type"])) for found in reached)
    listed = [_listed(found, rehearsed) for found in reached]
    if rehearsed.stopped_at:
        kept_from = [found for found in wanted if found not in reached]
        beyond = {"beyond": rehearsed.stopped_at}
        listed += [{**_listed(found, rehearsed), **beyond} for found in kept_from]
    return {**dict(sorted(counts.items())), "objects": listed} if listed else {}


def _listed(found: Mapping[str, object], rehearsed: RehearsedThread) -> dict[str, object]:
    mark = {"predicted": True} if found["fqn"] in rehearsed.predicted else {}
    return {**found, **mark}
