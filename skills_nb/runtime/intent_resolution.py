"""Intents become targets: what a `ResolveIntent` effect amounts to.

Room: work. Rules of this file:
- Nothing is given up for words that lead nowhere else: then a person is asked.
- Each event stands for itself; a process that died between two of them is followed by one that
  routes the same words again and yields the rest.
Spec: Agent Traversal; Cross-domain execution; Re-routing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from skills_nb.engine.chains.chain_events import NOT_A_TARGET, chain_words, domain_of
from skills_nb.engine.chains.phase_handover import unknown_inputs
from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import ResolveIntent
from skills_nb.model.library import Library
from skills_nb.model.routes import Candidate, ClarifyOption, Route
from skills_nb.model.state import PhaseState, RouteState, ThreadState
from skills_nb.ports import Ports
from skills_nb.runtime.environment_reads import read
from skills_nb.runtime.named_tables import rows_asked_for, with_tables_of_account
from skills_nb.runtime.new_wishes import (
    CourseChange,
    change_course,
    leave_out_finished,
    leave_out_phase,
)

_OFFERED = 3
"""How many of the next nearest targets are offered where the nearest ones are not meant."""
_QUESTION = "a question"
"""What a re-routing leads to where a person has to choose."""


def resolve_intent(
    effect: ResolveIntent, state: ThreadState, library: Library, ports: Ports
) -> Iterator[ev.Event]:
    """Yield the events of routing words to a target, to a chain, or of asking which is meant.

    Before a person is asked, the account is: a word that means nothing to the library may be the
    name of a table.

    Raises:
        UsageError: an input was given that no phase of the chain knows.
    """
    fewer = leave_out_phase(state, effect.intent) if state.reroute is not None else None
    if fewer is not None:
        yield from _shortened(effect, state, fewer)
        return
    route = _named(effect.intent, library) or rows_asked_for(
        effect.intent, ports.router(effect.intent, library), library, ports.router
    )
    for found in with_tables_of_account(
        effect.intent, route, library, ports.router, lambda query: read(ports.session, query, None)
    ):
        if isinstance(found, Route):
            route = found
        else:
            yield found
    if effect.domain is not None:
        yield _for_phase(effect, effect.domain, route, library)
    elif state.reroute is not None:
        yield from _turned(effect, state, leave_out_finished(route, state, effect.intent), library)
    elif route.mode == "chain":
        _refuse_unknown(state, route, library)
        yield _chained(route.domains, route)
    else:
        yield _single(effect, state, route, library)


def named_target(words: str, library: Library) -> ev.Routed | None:
    """Return the route of a target named outright, such as `playbooks/x`, or None."""
    entry = library.index.get(words.strip())
    if entry is None:
        bare = words.strip()
        entry = library.index.get(f"playbooks/{bare}") or library.index.get(f"primitives/{bare}")
    if entry is None or entry.kind == "routers":
        return None
    return ev.Routed(
        router=_router_of(library, entry.domain),
        target=entry.ref,
        mode="playbook" if entry.kind == "playbooks" else "reference",
        confidence=1.0,
    )


def _named(words: str, library: Library) -> Route | None:
    """Return the route of a target named outright; what is named in a thread is to be done."""
    named = named_target(words, library)
    if named is None or named.target is None:
        return None
    domain = library.index[named.target].domain
    mode: Literal["playbook", "guided"] = "playbook" if named.mode == "playbook" else "guided"
    return Route(mode, (domain,), (named.target,), 1.0, (mode,))


# ---- one target


def _single(effect: ResolveIntent, state: ThreadState, route: Route, library: Library) -> ev.Event:
    target = next((target for target in route.targets if target is not None), None)
    if route.mode == "clarify" or target is None or target in effect.tried:
        return _ambiguous(route, library, effect.tried, _under_way(state))
    return _routed(route, 0, library)


def _for_phase(effect: ResolveIntent, domain: str, route: Route, library: Library) -> ev.Event:
    """Return the target of one phase of a chain, or the question which it is."""
    place = next((at for at, name in enumerate(route.domains) if name == domain), None)
    target = route.targets[place] if place is not None else None
    if place is not None and target is not None and target not in effect.tried:
        return _routed(route, place, library)
    return _which_in(domain, library, effect.tried)


def _routed(route: Route, place: int, library: Library) -> ev.Routed:
    modes = route.modes or (route.mode,) * len(route.targets)
    return ev.Routed(
        router=_router_of(library, route.domains[place]),
        target=route.targets[place],
        mode=modes[place],
        confidence=round(route.confidence, 3),
        alternatives=[other.target for other in route.alternatives],
        not_covered=list(route.not_covered) or None,
        limits=list(route.limits) or None,
    )


# ---- several domains


def _chained(domains: tuple[str, ...], route: Route) -> ev.ChainStarted:
    return ev.ChainStarted(
        domains=list(domains),
        order_rationale=next(iter(route.why), ""),
        parts=list(route.parts) if len(route.parts) == len(domains) else None,
        not_covered=list(route.not_covered) or None,
        limits=list(route.limits) or None,
    )


def _refuse_unknown(state: ThreadState, route: Route, library: Library) -> None:
    phases = tuple(
        PhaseState(domain, "", route=RouteState("", target, "", 1.0))
        for domain, target in zip(route.domains, route.targets, strict=True)
    )
    unknown = unknown_inputs(state.given, phases, library)
    if unknown:
        raise UsageError(
            f"no phase of this chain has an input '{unknown[0]}'",
            hint="its phases: " + ", ".join(str(target) for target in route.targets),
        )


# ---- another way


def _turned(
    effect: ResolveIntent, state: ThreadState, route: Route, library: Library
) -> Iterator[ev.Event]:
    """Yield what new words make of the way that the thread is on."""
    wanted = (
        change_course(state, effect.intent, route, library) if _leads_on(route, effect) else None
    )
    if wanted is None and _leads_on(route, effect) and _under_way(state) is None:
        # The same target by other words: no plan was found for the former ones.
        yield _routed(route, 0, library)
        return
    if wanted is None:
        yield _ambiguous(route, library, effect.tried, _under_way(state))
        return
    if effect.reroute_from is not None:
        yield from _rerouted(effect, state, wanted, route)
    if wanted.domains is not None and (state.chain is not None or len(wanted.domains) > 1):
        yield _chained(wanted.domains, route)
    else:
        yield _routed(route, 0, library)


def _shortened(
    effect: ResolveIntent, state: ThreadState, fewer: CourseChange
) -> Iterator[ev.Event]:
    """Yield what leaves a waiting phase out; the others keep their order and their targets."""
    if effect.reroute_from is not None:
        to = _chain_of(state, fewer.domains or ())
        yield ev.Rerouted(reason=effect.intent, from_=_way_so_far(state), to=to)
    yield ev.ChainStarted(domains=list(fewer.domains or ()), order_rationale=effect.intent)


def _leads_on(route: Route, effect: ResolveIntent) -> bool:
    targets = [target for target in route.targets if target is not None]
    is_new = not any(target in effect.tried for target in targets)
    return route.mode != "clarify" and bool(targets) and is_new


def _rerouted(
    effect: ResolveIntent, state: ThreadState, wanted: CourseChange, route: Route
) -> Iterator[ev.Event]:
    to = _way(state, wanted, route)
    for target in wanted.gives_up:
        yield ev.Rerouted(reason=effect.intent, from_=target, to=to)
    if not wanted.gives_up:
        yield ev.Rerouted(reason=effect.intent, from_=_way_so_far(state), to=to)


def _way_so_far(state: ThreadState) -> str:
    if state.chain is not None:
        return chain_words(state.chain)
    return f"single-domain: {domain_of(state.route)}" if state.route else NOT_A_TARGET


def _way(state: ThreadState, wanted: CourseChange, route: Route) -> str:
    """Return where a re-routing leads: a target, or the domains of a chain."""
    if wanted.domains is None or len(wanted.domains) == 1:
        return route.targets[0] or _QUESTION
    return _chain_of(state, wanted.domains)


def _chain_of(state: ThreadState, domains: tuple[str, ...]) -> str:
    done = len(state.chain.completed) if state.chain is not None else 0
    parts = [f"{d} (completed)" if at < done else d for at, d in enumerate(domains)]
    return f"chain: [{', '.join(parts)}]"


# ---- asking


def _under_way(state: ThreadState) -> RouteState | None:
    """Return what can be gone on with; a target that no plan could be made for is nothing."""
    has_begun = state.run is not None or state.guided_plan is not None or state.chain is not None
    return state.route if has_begun else None


def _ambiguous(
    route: Route, library: Library, tried: tuple[str, ...], present: RouteState | None
) -> ev.RoutingAmbiguous:
    """Return the question which target is meant; what is being done can be gone on with."""
    gone = {*tried, present.target if present is not None else None}
    options = [
        ev.Option(
            id=option.id,
            description=option.description,
            sets=_chosen(option, route, library) if option.target else {},
        )
        for option in route.options
        if option.target is None or option.target not in gone
    ]
    if not any("target" in option.sets for option in options):
        others = [other for other in route.alternatives if other.target not in gone]
        options = [_option(other, library) for other in others[:_OFFERED]] + options
    named = {option.id for option in options}
    candidates = tuple(other for other in route.alternatives if other.target in named)
    return _question(candidates, _going_on(present) + options, tried)


def _which_in(domain: str, library: Library, tried: tuple[str, ...]) -> ev.RoutingAmbiguous:
    """Return the question which playbook of a domain is meant."""
    found = [
        Candidate(playbook.ref, "playbook", domain, 0.0, playbook.title)
        for playbook in library.playbooks.values()
        if playbook.domain == domain
    ]
    return _question(tuple(found), [_option(one, library) for one in found], tried)


def _question(
    candidates: tuple[Candidate, ...], options: list[ev.Option], tried: tuple[str, ...]
) -> ev.RoutingAmbiguous:
    offered = {option.id: option for option in options if option.id not in tried}
    for always in _ALWAYS:
        offered.setdefault(always.id, always)
    return ev.RoutingAmbiguous(
        top_candidates=[
            {
                "target": other.target,
                "mode": other.mode,
                "domain": other.domain,
                "confidence": round(other.confidence, 3),
            }
            for other in candidates
            if other.target not in tried
        ],
        clarification_options=list(offered.values()),
    )


_ALWAYS = (
    ev.Option(id="none-of-these", description="None of these: say the goal in other words"),
    ev.Option(id="abort", description="Stop here"),
)


def _going_on(present: RouteState | None) -> list[ev.Option]:
    if present is None or present.target is None:
        return []
    sets = {"target": present.target, "mode": present.mode, "router": present.router}
    return [ev.Option(id=present.target, description="Go on with it as before", sets=sets)]


def _option(one: Candidate, library: Library) -> ev.Option:
    sets = _choosing(one.target, one.mode, library)
    return ev.Option(id=one.target, description=one.description, sets=sets)


def _chosen(option: ClarifyOption, route: Route, library: Library) -> dict[str, Any]:
    """Return what choosing an option settles, and what it leaves out of what was said."""
    assert option.target is not None, "called for targets"
    sets: dict[str, Any] = dict(_choosing(option.target, option.mode, library))
    left = {"not_covered": list(option.not_covered), "limits": list(route.limits)}
    return {**sets, **{name: told for name, told in left.items() if told}}


def _choosing(target: str, mode: str | None, library: Library) -> dict[str, str]:
    entry = library.index.get(target)
    router = _router_of(library, entry.domain) if entry is not None else ""
    return {"target": target, "mode": mode or "playbook", "router": router}


def _router_of(library: Library, domain: str) -> str:
    declared = library.meta.domains.get(domain)
    return declared.router if declared is not None else ""
