"""What the events of routing do to the state.

Room: laws.
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.engine import pauses
from skills_nb.engine.chains import chain_events
from skills_nb.engine.chains.uncovered_wishes import note_uncovered
from skills_nb.model import events as ev
from skills_nb.model.state import RouteState, ThreadState


def routed(before: ThreadState, event: ev.Routed) -> ThreadState:
    """Take the way that words were routed to; what is being done already goes on."""
    state = note_uncovered(before, event)
    route = RouteState(
        event.router, event.target, event.mode, event.confidence, tuple(event.alternatives)
    )
    # A phase of a chain keeps its words itself.
    sought = "" if state.chain is not None else state.reroute or ""
    free = replace(state, reroute=None, is_rerouted=False, pause=None)
    if _is_gone_on_with(state, route):
        return free
    free = replace(free, plan=None, sought=sought)
    if state.chain is not None:
        return chain_events.routed(free, route)
    return replace(free.without_run(), route=route)


def _is_gone_on_with(state: ThreadState, route: RouteState) -> bool:
    """Return whether a person chose what is being done already."""
    phases = state.chain.phases if state.chain is not None else ()
    is_open = any(phase.route is None for phase in phases)
    if is_open or state.route is None or state.run is None or state.run.completed:
        return False
    return state.route.target == route.target


def rerouted(state: ThreadState, event: ev.Rerouted) -> ThreadState:
    """Give up what other words take the place of."""
    told = replace(state, reroute=event.reason, is_rerouted=True)
    if event.from_ not in _targets(state):
        return told
    tried = tuple(dict.fromkeys((*state.tried, event.from_)))
    told = replace(told, tried=tried)
    if state.chain is not None:
        told = chain_events.give_up_target(told, event)
    is_current = state.route is not None and state.route.target == event.from_
    return replace(told.without_run(), route=None) if is_current else told


def _targets(state: ThreadState) -> set[str | None]:
    """Return what a re-routing can give up; a change of the domains gives up nothing."""
    phases = state.chain.phases if state.chain is not None else ()
    routes = [state.route, *(phase.route for phase in phases if phase.status != "completed")]
    return {route.target for route in routes if route is not None}


def routing_ambiguous(state: ThreadState, event: ev.RoutingAmbiguous) -> ThreadState:
    """Wait for a person to say which target is meant."""
    asked = replace(state, questioned=state.reroute or "", reroute=None, is_rerouted=False)
    return pauses.open_pause(asked, pauses.of_ambiguity(event))
