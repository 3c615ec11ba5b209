"""What a playbook made or changed is looked at again behind a wait: others may have been there.

Room: laws. It is compared with the look behind the playbook's own last statement about it, or with
a later one that was compared behind an earlier wait. Nothing is done anew where something differs:
what stands is others' work by then, and a person decides.
Spec: Execution constraint 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skills_nb.engine.ledger.after_images import AfterImages, difference, last_looks, look_of
from skills_nb.engine.ledger.thread_touches import touches
from skills_nb.model.effects import Probe
from skills_nb.model.state import Fact, PlaybookRun, ThreadState
from skills_nb.sql.objects import ObjectRef, Touch, watches


@dataclass(frozen=True, slots=True)
class OwnLook:
    """A look at something that the playbook made or changed."""

    probe: Probe
    """The question, asked as the role that changed it."""
    ref: ObjectRef
    """What it is about."""
    left: Fact
    """How it was left, as far as the thread saw it: it was there."""


def missing_looks(state: ThreadState, run: PlaybookRun) -> tuple[Probe, ...]:
    """Return the looks at the playbook's own work that were not taken since the last wait."""
    newest = {(fact.query, fact.role): fact.seq for fact in state.facts}
    looks = dict.fromkeys(one.probe for one in _looks(AfterImages.of(state), state, run))
    return tuple(p for p in looks if newest.get((p.query, p.role), 0) < run.waited_seq)


def said_of_others(state: ThreadState, run: PlaybookRun) -> tuple[str, ...]:
    """Return what others did to the playbook's own work in the last wait, a line for each thing."""
    seen = AfterImages.of(state)
    told: dict[ObjectRef, str] = {}
    for one in _looks(seen, state, run):
        now = seen.newest(one.probe.query, one.probe.role, run.waited_seq)
        if now is None or now.seq <= one.left.seq:
            continue
        why = difference(one.probe.query, look_of(_known(seen, run, one)), look_of(now))
        if why is not None:
            told.setdefault(one.ref, f"{one.ref.type.replace('_', ' ')} {one.ref.fqn}: {why}")
    return tuple(told.values())


def evidence(state: ThreadState) -> frozenset[int]:
    """Return the events that the next comparison rests on, beside those of the ledger."""
    run = state.run
    if run is None or run.completed:
        return frozenset()
    asked = {one.probe for one in _looks(AfterImages.of(state), state, run)}
    return last_looks(state.facts, run, lambda fact: Probe(fact.query, fact.role) in asked)


def _looks(seen: AfterImages, state: ThreadState, run: PlaybookRun) -> Iterator[OwnLook]:
    """Yield the looks at what the statements of a run touched and left standing."""
    for probe, ref in _asked(state, run).items():
        left = seen.left(probe.query, run.started_seq)
        # What others did before the thread came back to it was theirs to tell then.
        if left is not None and left.theirs is None and look_of(left.look).is_there:
            yield OwnLook(probe, ref, left.look)


def _asked(state: ThreadState, run: PlaybookRun) -> dict[Probe, ObjectRef]:
    """Return the questions about what the statements of a run touched, each once."""
    return {
        Probe(query, record.role): touch.ref
        for record in state.statements
        if record.run_seq == run.started_seq and record.status == "completed"
        if record.kind != "read"
        for touch in touches(state, record)
        if not touch.ref.facet and touch.ref.type != "column"
        for query in watches(Touch(touch.ref))
    }


def _known(seen: AfterImages, run: PlaybookRun, one: OwnLook) -> Fact:
    """Return the last look from before the wait: what it showed was compared behind an earlier."""
    before = seen.newest_before(one.probe.query, run.waited_seq)
    return before if before is not None and before.seq > one.left.seq else one.left
