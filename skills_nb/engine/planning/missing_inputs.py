"""Missing inputs: inferred, defaulted, or asked for with structured choices, one at a time.

Room: laws. Spec: Principles > Lazy context, phased gathering.
"""

from __future__ import annotations

from skills_nb.engine.inputs.questions import Choices, choices_for, question
from skills_nb.engine.inputs.typed_inputs import coerce, infer_input, unmet
from skills_nb.engine.planning.template_names import bound_names
from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import Await, Effect, Probe, Record
from skills_nb.model.skills import InputSpec, Playbook
from skills_nb.model.state import PlaybookRun, ThreadState


def gather_input(state: ThreadState, playbook: Playbook, phase: str) -> tuple[Effect, ...]:
    """Return the effect that gets the next missing input of a phase, if one is missing."""
    run = state.run
    if run is None:
        return ()
    missing = unmet(playbook, run.inputs, phase)
    return ask(state, playbook, run, missing[0]) if missing else ()


def ask(
    state: ThreadState, playbook: Playbook, run: PlaybookRun, spec: InputSpec
) -> tuple[Effect, ...]:
    """Return the effect that makes an input known: recorded, discovered or asked for."""
    names = bound_names(state, playbook)
    known = infer_input(spec, goal=state.goal, context=run.context, bound=names)
    if known is None and (spec.has_default or not spec.required):
        known = spec.default
        if known is None:
            return (_gathered(spec, None),)
    if known is not None:
        try:
            return (_gathered(spec, coerce(spec, known)),)
        except UsageError:
            # What was inferred, or is the default, does not fit: asking is better than failing.
            known = None
    choices = choices_for(spec, run.context, state.facts, names)
    phase = state.chain.current if state.chain is not None else None
    if phase is not None and spec.name in phase.offered:
        choices = Choices(phase.offered[spec.name])
    if choices.discovery is not None:
        return (Probe(choices.discovery),)
    return (Await(question(spec, choices)),)


def _gathered(spec: InputSpec, value: object) -> Record:
    return Record((ev.InputGathered(name=spec.name, value=value, phase=spec.phase),))
