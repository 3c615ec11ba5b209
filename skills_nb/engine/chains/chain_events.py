"""What the events of a chain do to the state: phases begin, hand over, end and change places.

Room: laws. Rules of this file:
- Finished phases stay finished, whatever becomes of the ones after them.
- What a phase was given up for, or put off for, is remembered with it.
Spec: Cross-domain execution; Re-routing; Thread Compaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from skills_nb.engine.chains.uncovered_wishes import note_uncovered
from skills_nb.model import events as ev
from skills_nb.model.state import ChainState, PhaseState, PlaybookRun, RouteState, ThreadState

NOT_A_TARGET = "nothing"
"""What a re-routing comes from where there was no target yet."""


def domain_of(route: RouteState) -> str:
    """Return the domain whose router resolved a route."""
    return route.router.removeprefix("routers/")


def current_phase(state: ThreadState) -> tuple[ChainState, PhaseState]:
    """Return the chain and the phase that it is at; refusals see to it that there is one."""
    assert state.chain is not None, "nothing of a chain happens outside of one"
    assert state.chain.current is not None, "nothing of a phase happens after the last one"
    return state.chain, state.chain.current


def chain_started(before: ThreadState, event: ev.ChainStarted) -> ThreadState:
    """Put the domains in their order; phases that are there already keep what is known of them."""
    state = note_uncovered(before, event)
    known = _phases(state)
    done = tuple(phase for phase in known if phase.status == "completed")
    waiting = [phase for phase in known if phase.status != "completed"]
    words = state.reroute or state.goal
    left: list[PhaseState] = []
    parts = event.parts or [""] * len(event.domains)
    for domain, part in list(zip(event.domains, parts, strict=True))[len(done) :]:
        same = next((one for one in waiting if one.domain == domain and one.route), None)
        if same is not None:
            waiting.remove(same)
        left.append(same or PhaseState(domain, words, part))
    chain = ChainState((*done, *left), event.order_rationale)
    begun = replace(state, chain=chain, reroute=None, is_rerouted=False)
    if state.run is not None and state.run.mode == "dry_run":
        return start_over(begun, {})
    return begun if left and _is_at_work(state, left[0]) else _put_off(begun)


def _phases(state: ThreadState) -> tuple[PhaseState, ...]:
    """Return the phases so far; a thread that was in one domain has one."""
    if state.chain is not None:
        return state.chain.phases
    if state.route is None:
        return ()
    return (PhaseState(domain_of(state.route), state.goal, route=state.route),)


def _is_at_work(state: ThreadState, phase: PhaseState) -> bool:
    return state.route is not None and state.route == phase.route


def _put_off(state: ThreadState) -> ThreadState:
    """Leave the playbook that is no longer first; it begins anew when its phase comes."""
    assert state.chain is not None, "called for chains"
    phases = [
        _anew(phase, state.run) if _is_at_work(state, phase) else phase
        for phase in state.chain.phases
    ]
    chain = replace(state.chain, phases=tuple(phases))
    return replace(state.without_run(), chain=chain, route=None, plan=None)


def start_over(state: ThreadState, changes: Mapping[str, Any]) -> ThreadState:
    """Go back to the first phase after a dry run, with the inputs that were known there.

    Args:
        state: the thread at the end of its dry run, or within it.
        changes: inputs that a person changed, as `NAME` or `DOMAIN.NAME`.
    """
    assert state.chain is not None, "called for chains"
    phases: list[PhaseState] = []
    for phase in state.chain.phases:
        run = state.run if _is_at_work(state, phase) else phase.run
        fresh = _anew(phase, run)
        changed = _of_phase(phase, run, changes)
        phases.append(replace(fresh, given={**fresh.given, **changed}))
    chain = replace(state.chain, phases=tuple(phases))
    return replace(state.without_run(), chain=chain, route=None, plan=None)


def inputs_in_chain(state: ThreadState) -> dict[str, Any]:
    """Return the inputs that the phases of a chain have, as `NAME` and as `DOMAIN.NAME`."""
    found: dict[str, Any] = {}
    for phase in reversed(state.chain.phases if state.chain is not None else ()):
        run = state.run if _is_at_work(state, phase) else phase.run
        for name, value in (run.inputs if run is not None else phase.given).items():
            found |= {name: value, f"{phase.domain}.{name}": value}
    return found


def _of_phase(
    phase: PhaseState, run: PlaybookRun | None, changes: Mapping[str, Any]
) -> dict[str, Any]:
    known = run.inputs if run is not None else {}
    own = {name: value for name, value in changes.items() if name in known}
    prefix = f"{phase.domain}."
    named = {name.removeprefix(prefix): v for name, v in changes.items() if name.startswith(prefix)}
    return {**own, **named}


def _anew(phase: PhaseState, run: PlaybookRun | None) -> PhaseState:
    """Return the phase before it began, with what was said of it; what was taken over is not."""
    said = dict(phase.given)
    if run is not None:
        taken = {*phase.mapped, *phase.offered}
        said |= {name: value for name, value in run.inputs.items() if name not in taken}
    return PhaseState(phase.domain, phase.words, phase.part, route=phase.route, given=said)


def phase_started(state: ThreadState, event: ev.PhaseStarted) -> ThreadState:
    """Enter a phase; a playbook that was at work before the chain grew goes on."""
    chain, current = current_phase(state)
    goes_on = _is_at_work(state, current)
    entered = state if goes_on else replace(state.without_run(), plan=None)
    return replace(
        entered,
        chain=_with_current(chain, replace(current, status="running")),
        route=current.route,
    )


def phase_completed(state: ThreadState, event: ev.PhaseCompleted) -> ThreadState:
    """Close a phase; its playbook stays in view until the next one begins."""
    chain, current = current_phase(state)
    outputs = {name: value for name, value in event.outputs.items() if name != "predicted"}
    done = replace(current, status="completed", run=state.run, outputs=outputs)
    return replace(state, chain=_with_current(chain, done), route=None)


def context_mapped(state: ThreadState, event: ev.ContextMapped) -> ThreadState:
    """Keep what the phase takes over, and what a person has to choose from."""
    chain, current = current_phase(state)
    chosen = {m["to"]: m["value"] for m in event.mappings if not m.get("choose")}
    offered = {m["to"]: tuple(m["value"]) for m in event.mappings if m.get("choose")}
    taken = replace(current, mapped=chosen, offered=offered)
    return replace(state, chain=_with_current(chain, taken))


def routed(state: ThreadState, route: RouteState) -> ThreadState:
    """Give a target to the first phase that has none, else to the one at work."""
    chain = state.chain
    assert chain is not None, "called for chains"
    place = next((at for at, phase in enumerate(chain.phases) if not phase.route), chain.number - 1)
    phase = replace(chain.phases[place], route=route, mapped={}, offered={})
    following = replace(state, chain=_with(chain, place, phase))
    if phase.status != "running":
        return following
    return replace(following.without_run(), route=route)


def give_up_target(state: ThreadState, event: ev.Rerouted) -> ThreadState:
    """Take the target away from its phase, which is then routed by other words."""
    chain = state.chain
    assert chain is not None, "called for chains"
    phases = [
        replace(phase, route=None, words=event.reason, mapped={}, offered={})
        if phase.status != "completed" and phase.route and phase.route.target == event.from_
        else phase
        for phase in chain.phases
    ]
    return replace(state, chain=replace(chain, phases=tuple(phases)))


ChainEvent: TypeAlias = ev.ChainStarted | ev.PhaseStarted | ev.PhaseCompleted | ev.ContextMapped


def refusal_in_chain(state: ThreadState, event: ChainEvent) -> str | None:
    """Return why an event of a chain cannot happen now, or None when it can."""
    chain = state.chain
    if isinstance(event, ev.ChainStarted):
        done = [phase.domain for phase in chain.completed] if chain is not None else []
        return None if event.domains[: len(done)] == done else "finished phases stay finished"
    if chain is None or chain.current is None:
        return "no chain is being gone through"
    current = chain.current
    if isinstance(event, ev.PhaseStarted):
        is_next = (event.domain, event.phase_number) == (current.domain, chain.number)
        is_next = is_next and current.status == "pending"
        return None if is_next else f"the next phase is {chain.number}, {current.domain}"
    if current.status != "running":
        return f"phase {chain.number} has not begun"
    if isinstance(event, ev.PhaseCompleted) and event.domain != current.domain:
        return f"the chain is in {current.domain}"
    return None


def all_outputs(phases: Iterable[PhaseState]) -> dict[str, Any]:
    """Return the outputs of phases by name; what a later one made goes before."""
    found: dict[str, Any] = {}
    for phase in phases:
        found |= {name: value for name, value in phase.outputs.items() if value not in (None, [])}
    return found


def _with_current(chain: ChainState, phase: PhaseState) -> ChainState:
    return _with(chain, chain.number - 1, phase)


def _with(chain: ChainState, place: int, phase: PhaseState) -> ChainState:
    return replace(chain, phases=(*chain.phases[:place], phase, *chain.phases[place + 1 :]))


def chain_words(chain: ChainState) -> str:
    """Return a chain as a re-routing names it: `chain: [a (completed), b]`."""
    parts = [
        f"{phase.domain} (completed)" if phase.status == "completed" else phase.domain
        for phase in chain.phases
    ]
    return f"chain: [{', '.join(parts)}]"
