"""What a new wish makes of the way that a thread is on.

Room: work. Rules of this file:
- Finished phases stay finished; a phase that waits is not lost because it was not said again.
- What is done is not done again because it was said again: whoever wants it once more says
  so.
- A wish `in addition` changes nothing of what is there; any other wish about the present domain
  takes the place of what is being done.
- The same wish, library and state give the same answer, so a process that died in the middle of a
  re-routing is followed by one that does the rest of it.
Spec: Re-routing; Cross-domain execution.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from skills_nb.engine.chains.chain_events import domain_of
from skills_nb.model.library import Library
from skills_nb.model.routes import Route, RouteMode
from skills_nb.model.state import PhaseState, ThreadState
from skills_nb.routing.chains import Stage, in_order

_IN_ADDITION = re.compile(
    r"\b(also|too|as well|in addition|additionally|besides|on top of (?:that|this|it)|"
    r"afterwards?|after (?:that|this)|then|next|now|plus|add)\b",
    re.IGNORECASE,
)
"""Words by which somebody wants more, not something else."""
_INSTEAD = re.compile(r"\b(instead|rather|not|no longer|replace|forget)\b", re.IGNORECASE)
"""Words by which somebody wants something else, whatever else is said."""
_BEFORE = re.compile(r"\b(first|before (?:that|this)|beforehand)\b", re.IGNORECASE)
"""Words by which what is being done has to wait."""

_AGAIN = re.compile(r"\b(again|another|once more|anew|redo|repeat|re-?run)\b", re.IGNORECASE)
"""Words by which somebody wants what is done once more."""

_LEAVE_OUT = re.compile(
    r"\s*(?:please\s+)?(?:drop|skip|omit|leave out|without)\s+(?:the\s+)?(?:phase\s+)?"
    r"(?P<phase>[\w/ -]+?)(?:\s+phase)?\s*[.!]?\s*",
    re.IGNORECASE,
)
"""Words by which somebody wants less: a phase by its domain, its target or its number."""


@dataclass(frozen=True, slots=True)
class CourseChange:
    """How a thread goes on after new words."""

    gives_up: tuple[str, ...]
    """Targets that are given up; empty where the domains change only."""
    domains: tuple[str, ...] | None
    """All phases from the first on, finished ones included; None where they stay as they are."""


def change_course(
    state: ThreadState, words: str, route: Route, library: Library
) -> CourseChange | None:
    """Return how a thread goes on with what new words were routed to; None for no change."""
    wanted = dict(zip(route.domains, route.targets, strict=True))
    here = _present(state)
    is_more = bool(_IN_ADDITION.search(words)) and not _INSTEAD.search(words)
    if here is not None and here.route is not None and is_more:
        grown = _more(state, here, wanted, words, library)
        if grown is not None:
            return grown
    if len(wanted) == 1:
        return _other(state, here, wanted, library)
    return _whole(state, here, wanted, library)


def leave_out_finished(route: Route, state: ThreadState, words: str) -> Route:
    """Return what new words were routed to without what finished phases have done."""
    phases = state.chain.completed if state.chain is not None else ()
    done = {(one.domain, one.route.target) for one in phases if one.route is not None}
    if _AGAIN.search(words) or not done:
        return route
    pairs = list(zip(route.domains, route.targets, strict=True))
    places = [at for at, pair in enumerate(pairs) if pair not in done]
    if len(places) == len(pairs):
        return route
    modes = route.modes or (route.mode,) * len(pairs)
    left = tuple(modes[at] for at in places)
    return replace(
        route,
        mode=route.mode if len(places) > 1 else "clarify" if not places else _single(left[0]),
        domains=tuple(pairs[at][0] for at in places),
        targets=tuple(pairs[at][1] for at in places),
        modes=left,
    )


def _single(mode: str) -> RouteMode:
    return "playbook" if mode == "playbook" else "reference" if mode == "reference" else "guided"


def leave_out_phase(state: ThreadState, words: str) -> CourseChange | None:
    """Return how a chain goes on without a phase that waits; None for other words."""
    said = _LEAVE_OUT.fullmatch(words)
    if said is None or state.chain is None:
        return None
    name = said["phase"].lower().replace(" ", "-")
    first = state.chain.number
    names = [
        {str(number), phase.domain, *(t.partition("/")[2] for t in _targets((phase,)))}
        for number, phase in enumerate(state.chain.phases, 1)
    ]
    left = [at for at in range(len(names)) if at < first or name not in names[at]]
    if len(left) == len(names):
        return None
    return CourseChange((), tuple(state.chain.phases[at].domain for at in left))


def _more(
    state: ThreadState,
    here: PhaseState,
    wanted: dict[str, str | None],
    words: str,
    library: Library,
) -> CourseChange | None:
    """Keep everything, and add the phases that are new; None where none is."""
    waiting = _waiting(state)
    known = {(phase.domain, phase.route.target) for phase in (here, *waiting) if phase.route}
    fresh = [domain for domain, target in wanted.items() if (domain, target) not in known]
    if not fresh:
        return None
    present = [Stage(here.domain, 0)]
    others = [Stage(phase.domain, 1 + at) for at, phase in enumerate(waiting)]
    added = [Stage(domain, 100 + at) for at, domain in enumerate(fresh)]
    if _BEFORE.search(words):
        first = in_order(added, library.meta.domains)
        return _turn(state, (), (*first, *present, *in_order(others, library.meta.domains)))
    return _turn(state, (), (*present, *in_order((*others, *added), library.meta.domains)))


def _other(
    state: ThreadState,
    here: PhaseState | None,
    wanted: dict[str, str | None],
    library: Library,
) -> CourseChange | None:
    """Do one thing in the place of another: of the present phase, or of one that waits."""
    ((domain, target),) = wanted.items()
    waiting = _waiting(state)
    later = next((phase for phase in waiting if phase.domain == domain), None)
    if here is not None and here.domain != domain and later is not None:
        given_up = _given_up((later,), wanted)
        return CourseChange(given_up, None) if given_up or later.route is None else None
    if here is not None and here.route is not None and here.route.target == target:
        return None
    present = _targets((here,))
    if state.chain is None or (here is not None and here.domain == domain):
        return CourseChange(present, None)
    return _turn(state, present, _around(domain, waiting, library))


def _around(domain: str, waiting: Sequence[PhaseState], library: Library) -> tuple[Stage, ...]:
    stages = [Stage(domain, 0)]
    stages += [Stage(phase.domain, 1 + at) for at, phase in enumerate(waiting)]
    return in_order(stages, library.meta.domains)


def _whole(
    state: ThreadState,
    here: PhaseState | None,
    wanted: dict[str, str | None],
    library: Library,
) -> CourseChange | None:
    """Go the way that was said now; what waits and was not said again comes after it."""
    unfinished = (*((here,) if here is not None else ()), *_waiting(state))
    given_up = _given_up(unfinished, wanted)
    if here is not None and here.domain not in wanted:
        given_up = (*_targets((here,)), *given_up)
    # The router has weighed what was said of the order already; only requirements go before it.
    stages = [Stage(domain, at, comes_later=at > 0) for at, domain in enumerate(wanted)]
    unsaid = [phase for phase in _waiting(state) if phase.domain not in wanted]
    stages += [Stage(phase.domain, 100 + at) for at, phase in enumerate(unsaid)]
    following = _turn(state, given_up, in_order(stages, library.meta.domains))
    known = tuple(phase.domain for phase in state.chain.phases) if state.chain is not None else ()
    is_settled = all(phase.route is not None for phase in unfinished)
    if following == CourseChange((), known) and is_settled:
        return None
    return following


def _given_up(phases: Sequence[PhaseState], wanted: dict[str, str | None]) -> tuple[str, ...]:
    """Return the targets of phases whose domain is wanted otherwise now."""
    changed = (
        phase for phase in phases if wanted.get(phase.domain) not in (None, *_targets((phase,)))
    )
    return _targets(changed)


def _targets(phases: Iterable[PhaseState | None]) -> tuple[str, ...]:
    routes = (phase.route for phase in phases if phase is not None)
    return tuple(route.target for route in routes if route is not None and route.target)


def _present(state: ThreadState) -> PhaseState | None:
    """Return the phase that the thread is in; a thread without a chain is in one, too."""
    if state.chain is not None:
        return state.chain.current
    if state.route is None:
        return None
    return PhaseState(domain_of(state.route), state.goal, route=state.route)


def _waiting(state: ThreadState) -> tuple[PhaseState, ...]:
    return state.chain.phases[state.chain.number :] if state.chain is not None else ()


def _turn(state: ThreadState, gives_up: tuple[str, ...], stages: Sequence[Stage]) -> CourseChange:
    done = state.chain.completed if state.chain is not None else ()
    domains = (*(phase.domain for phase in done), *(stage.domain for stage in stages))
    return CourseChange(gives_up, domains)
