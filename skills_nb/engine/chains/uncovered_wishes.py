"""Wishes that nothing of a thread meets, and what must not be done: remembered to its end.

Room: laws. Whoever is asked to approve sees what is left out of what was said; other words may meet
it later.
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.model import events as ev
from skills_nb.model.state import ThreadState


def note_uncovered(state: ThreadState, event: ev.Routed | ev.ChainStarted) -> ThreadState:
    """Return a state that knows what a route leaves out, beside what others left out before."""
    words = (state.reroute or "").casefold()
    before = [wish for wish in state.not_covered if wish.casefold() not in words]
    return replace(
        state,
        not_covered=tuple(dict.fromkeys((*before, *(event.not_covered or ())))),
        limits=tuple(dict.fromkeys((*state.limits, *(event.limits or ())))),
    )
