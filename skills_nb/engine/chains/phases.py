"""What a chain does between its playbooks: route, enter, hand over, close.

Room: laws. Spec: Cross-domain execution; Agent Traversal.
"""

from __future__ import annotations

from skills_nb.engine.chains import phase_handover
from skills_nb.engine.chains.chain_events import all_outputs, current_phase
from skills_nb.engine.inputs.questions import choices_for, question
from skills_nb.engine.planning.playbook_outputs import outputs_of
from skills_nb.engine.planning.template_names import playbook_of
from skills_nb.engine.steps import summary_line
from skills_nb.model import events as ev
from skills_nb.model.effects import Await, Effect, Probe, Record, ResolveIntent
from skills_nb.model.library import Library
from skills_nb.model.state import ChainState, PhaseState, ThreadState


def advance_chain(state: ThreadState, library: Library) -> tuple[Effect, ...]:
    """Return the effect that brings a chain to its next playbook or plan; empty within one."""
    chain = state.chain
    if chain is None:
        return ()
    unrouted = next((phase for phase in chain.phases if phase.route is None), None)
    if unrouted is not None:
        return (ResolveIntent(unrouted.words, tried=state.tried, domain=unrouted.domain),)
    current = chain.current
    if current is None:
        return (Record((ev.ThreadCompleted(summary=_summary(state, chain, library)),)),)
    if current.status == "pending":
        return (Record((_entering(chain, current),)),)
    is_without_plan = state.route is not None and state.route.mode == "guided" and not state.plan
    if state.run is not None or is_without_plan:
        return ()
    return _asking(state, library) or _mapping(state, current, library)


def close_phase(state: ThreadState, library: Library) -> ev.PhaseCompleted:
    """Return the event that ends the current phase, with what it leaves to the next ones."""
    _, current = current_phase(state)
    route = current.route
    if state.run is None:
        outputs = {"reference": route.target} if route is not None else {}
    else:
        outputs = outputs_of(state, playbook_of(state.run, library))
    return ev.PhaseCompleted(domain=current.domain, outputs=outputs)


def _entering(chain: ChainState, phase: PhaseState) -> ev.PhaseStarted:
    return ev.PhaseStarted(
        domain=phase.domain,
        phase_number=chain.number,
        context_from_previous=all_outputs(chain.completed),
    )


def _asking(state: ThreadState, library: Library) -> tuple[Effect, ...]:
    """Ask once for what the phase requires and no phase before it produces."""
    spec = phase_handover.missing_requirement(state, library)
    if spec is None:
        return ()
    choices = choices_for(spec, None, state.facts, {})
    if choices.discovery is not None:
        return (Probe(choices.discovery),)
    return (Await(question(spec, choices)),)


def _mapping(state: ThreadState, phase: PhaseState, library: Library) -> tuple[Effect, ...]:
    if phase.mapped or phase.offered:
        return ()
    handed = phase_handover.handovers(state, library)
    if not handed:
        return ()
    return (Record((ev.ContextMapped(mappings=[one.mapping() for one in handed]),)),)


def _summary(state: ThreadState, chain: ChainState, library: Library) -> str:
    """Return in one line what the phases did."""
    told = [
        f"{number}. {_done(state, phase, library)}" for number, phase in enumerate(chain.phases, 1)
    ]
    return f"{len(told)} phases done: " + " ".join(told)


def _done(state: ThreadState, phase: PhaseState, library: Library) -> str:
    playbook = playbook_of(phase.run, library)
    if phase.run is None or playbook is None:
        return f"{phase.domain}."
    return f"{phase.domain}: {summary_line(state, playbook, phase.run)}."
