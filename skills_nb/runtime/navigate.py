"""Intents become targets: what a `ResolveIntent` effect amounts to.

Room: work. Spec: Agent Traversal; Re-routing.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.model import events as ev
from skills_nb.model.effects import ResolveIntent
from skills_nb.model.library import Library
from skills_nb.model.routes import Route
from skills_nb.ports import Router


def resolved(effect: ResolveIntent, library: Library, router: Router) -> Iterator[ev.Event]:
    """Yield the events of routing words to a target, or of asking which is meant."""
    named = named_target(effect.intent, library)
    if named is not None and named.target not in effect.tried:
        yield from _rerouted(effect, named.target or "")
        yield named
        return
    route = router(effect.intent, library)
    target = next((target for target in route.targets if target is not None), None)
    if route.mode == "clarify" or target is None or target in effect.tried:
        yield from _rerouted(effect, "a question")
        yield _ambiguous(route, effect.tried)
        return
    yield from _rerouted(effect, target)
    yield ev.Routed(
        router=_router_of(library, route.domains),
        target=target,
        mode=route.modes[0] if route.modes else route.mode,
        confidence=round(route.confidence, 3),
        alternatives=[other.target for other in route.alternatives],
    )


def named_target(words: str, library: Library) -> ev.Routed | None:
    """Return the route of a target named outright, such as `playbooks/x`, or None."""
    entry = library.index.get(words.strip())
    if entry is None:
        bare = words.strip()
        entry = library.index.get(f"playbooks/{bare}") or library.index.get(f"primitives/{bare}")
    if entry is None or entry.kind == "routers":
        return None
    return ev.Routed(
        router=_router_of(library, (entry.domain,)),
        target=entry.ref,
        mode="playbook" if entry.kind == "playbooks" else "reference",
        confidence=1.0,
    )


def _rerouted(effect: ResolveIntent, to: str) -> Iterator[ev.Event]:
    if effect.reroute_from is not None:
        yield ev.Rerouted(reason=effect.intent, from_=effect.reroute_from, to=to)


def _router_of(library: Library, domains: tuple[str, ...]) -> str:
    domain = library.meta.domains.get(domains[0]) if domains else None
    return domain.router if domain is not None else ""


def _ambiguous(route: Route, tried: tuple[str, ...]) -> ev.RoutingAmbiguous:
    offered = [o for o in route.options if o.target is None or o.target not in tried]
    return ev.RoutingAmbiguous(
        top_candidates=[
            {
                "target": other.target,
                "mode": other.mode,
                "domain": other.domain,
                "confidence": round(other.confidence, 3),
            }
            for other in route.alternatives
            if other.target not in tried
        ],
        clarification_options=[
            ev.Option(
                id=option.id,
                description=option.description,
                sets={"target": option.target, "mode": option.mode or "playbook"}
                if option.target
                else {},
            )
            for option in offered
        ],
    )
