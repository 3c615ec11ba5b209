"""What the events of looking at the account do to the state.

Room: laws.
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.engine import pauses
from skills_nb.engine.changed_inputs.redo_plan import begin_again
from skills_nb.engine.probes.declared_probes import must_confirm
from skills_nb.model import events as ev
from skills_nb.model.state import Fact, PlaybookRun, ThreadState


def environment_probed(state: ThreadState, event: ev.EnvironmentProbed) -> ThreadState:
    """Keep what a query answered."""
    return state.after(facts=state.facts.plus(Fact.of(event, state.seq)))


def probes_executed(state: ThreadState, event: ev.ProbesExecuted) -> ThreadState:
    """Keep how a playbook's probes were judged, or do again what a second look overturned."""
    run = state.run
    assert run is not None, "refusal() lets no playbook event through without a playbook"
    if event.redoing is not None:
        return _looked_again(state, run, event.redoing)
    # Probes that need a person are done with when the person has answered, not before.
    judged = replace(
        run,
        probed=not event.blocked and not must_confirm(event),
        probed_seq=state.seq,
        blocked=event.blocked,
        warnings=tuple(event.warnings),
        warned=tuple(event.warnings),
    )
    return replace(state, run=judged)


def _looked_again(state: ThreadState, run: PlaybookRun, redoing: ev.Redoing) -> ThreadState:
    """Do steps again that only read; the one that was about to send begins anew behind them."""
    steps = {
        step.id: replace(step, status="pending") if step.status == "running" else step
        for step in run.steps.values()
    }
    told = replace(
        run,
        steps=steps,
        relooked=run.relooked + redoing.numbers,
        relooked_for=redoing.said,
        relooked_seq=state.seq,
        relooked_alike=run.relooked_alike + 1 if redoing.said == run.relooked_for else 0,
    )
    return begin_again(replace(state, run=told), run, redoing)


def probe_checkpoint(state: ThreadState, event: ev.ProbeCheckpoint) -> ThreadState:
    """Wait for a person to confirm what the probes found."""
    return pauses.open_pause(state, pauses.of_probes(event))
