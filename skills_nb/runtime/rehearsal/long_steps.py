"""Steps of many statements, rehearsed at once.

Room: work. A live run decides anew after every event, so that it may stop anywhere; a rehearsal
never stops inside a step, and a loop over a thousand tables must cost a thousand times one table.
What comes out is what deciding step by step gives: the same reads, statements, values and objects.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.engine.ledger import changes, exists
from skills_nb.engine.planning.statement_planning import PlannedStatement
from skills_nb.engine.planning.step_context import StepContext, plan_of
from skills_nb.engine.steps import completed_event
from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook
from skills_nb.model.state import Fact
from skills_nb.ports import Ports
from skills_nb.runtime.environment_reads import read
from skills_nb.runtime.rehearsal.dry_run_events import step_planned
from skills_nb.runtime.rehearsal.rehearsal_reads import read_for_rehearsal
from skills_nb.runtime.rehearsal.rehearsed_thread import RehearsedThread
from skills_nb.runtime.rehearsal.trial import here_in, try_statement
from skills_nb.sql.classify import Kind
from skills_nb.sql.objects import Change, probe_for

_LONG = 20
"""So many statements make a step a long one."""


def long_step(
    rehearsed: RehearsedThread, playbook: Playbook, library: Library
) -> StepContext | None:
    """Return the step that has begun, where it is long; None where it goes event by event."""
    run = rehearsed.state.run
    if run is None or rehearsed.state.pause is not None or rehearsed.is_refused:
        return None
    begun = next((s for s in playbook.steps if run.step(s.id).status == "running"), None)
    if begun is None or begun.for_each is None:
        return None
    here = here_in(rehearsed, begun.id, playbook, library)
    try:
        return here if len(plan_of(here).statements) > _LONG else None
    except UsageError:
        # Deciding meets the same and asks a person.
        return None


def do_step_at_once(
    here: StepContext, rehearsed: RehearsedThread, ports: Ports
) -> Iterator[ev.Event]:
    """Read and try everything that a step sends, then complete it."""
    plan = plan_of(here)
    found: list[list[Fact]] = [[] for _ in range(plan.iterations)]
    made: dict[str, ev.CreatedObject] = {}
    for planned in plan.statements:
        if planned.kind is not Kind.READ:
            _try_out(planned, here, rehearsed, made)
            continue
        event, is_of_account = read_for_rehearsal(
            planned.sql, planned.role, rehearsed, ports, is_one_of_many=True
        )
        if is_of_account:
            yield event
        fact = Fact.of(event, rehearsed.state.seq)
        if fact.error is not None:
            # Event by event the same read is refused again, and what follows is decided there.
            rehearsed.is_refused = True
            return
        found[planned.iteration].append(fact)
    done = completed_event(here, found, list(made.values()), [])
    sent = [planned.sql for planned in plan.statements]
    yield step_planned(here.step.id, done.created_objects, rehearsed, here.playbook, sent)
    rehearsed.take(done)


def _try_out(
    planned: PlannedStatement,
    here: StepContext,
    rehearsed: RehearsedThread,
    made: dict[str, ev.CreatedObject],
) -> None:
    found = changes(rehearsed.state, planned.sql)
    fresh = [one.target for one in found if _makes(one, planned, rehearsed)]
    try_statement(planned.sql, planned.role, found, rehearsed, here)
    if fresh or any(change.action != "create" for change in found) or not found:
        rehearsed.has_changes = True
    for ref in fresh:
        made.setdefault(ref.fqn, ev.CreatedObject(type=ref.type, name=ref.name[-1], fqn=ref.fqn))


def _makes(change: Change, planned: PlannedStatement, rehearsed: RehearsedThread) -> bool:
    """Return whether a statement makes an object that is not there, or another in its place."""
    if change.action != "create":
        return False
    probe = probe_for(change.target)
    if change.replaces or probe is None:
        return True
    event = read(rehearsed.shadow, probe, planned.role)
    return not exists(Fact.of(event, rehearsed.state.seq))
