"""What earlier phases of a chain made becomes what the next one works on.

Room: laws. Rules of this file:
- What a person gave for the phase goes before what is handed over; what a person gave for the
  thread does so in the first phase that takes it.
- `context_mapping` says which output meets which input; without a word there, a resource that the
  domain requires or uses meets the input that is made for it, by type.
- One thing is handed over; of several a person chooses.
Spec: Cross-domain execution > Context handoff between phases; FORMATS, Front matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.engine.chains.chain_events import current_phase
from skills_nb.engine.guided.plan_documents import draft_book, primitives_of, run_name
from skills_nb.engine.inputs.typed_inputs import coerce
from skills_nb.engine.planning.template_names import playbook_of
from skills_nb.errors import UsageError
from skills_nb.model.library import Library
from skills_nb.model.routers import Domain
from skills_nb.model.skills import InputSpec, Playbook
from skills_nb.model.state import PhaseState, ThreadState
from skills_nb.sql.identifiers import render_name, split_name

_TAKES = {"tables": ("table", "scope"), "raw-tables": ("table", "scope")}
"""Resource to the types of inputs that can hold one; of other resources only names are known."""


@dataclass(frozen=True, slots=True)
class Handover:
    """Something that an input can be filled from."""

    source: str
    """The output or resource that earlier phases left, as the domains name it."""
    target: str
    """The input that it fills."""
    values: tuple[Any, ...]
    """One value is taken; of several a person chooses."""
    is_predicted: bool
    """Whether a dry run foretold it, so that nothing of it is there yet."""

    def mapping(self) -> dict[str, Any]:
        """Return it as `context_mapped` tells it."""
        is_one = len(self.values) == 1
        value = self.values[0] if is_one else list(self.values)
        told = {"from": self.source, "to": self.target, "value": value}
        if not is_one:
            told["choose"] = True
        if self.is_predicted:
            told["predicted"] = True
        return told


def handovers(state: ThreadState, library: Library) -> tuple[Handover, ...]:
    """Return what earlier phases hand over to the playbook of the current phase."""
    playbook, domain = target_of(state, library), _domain(state, library)
    if playbook is None or domain is None:
        return ()
    found: dict[str, Handover] = {}
    for source, spec, sources in _wanted(state, library, playbook, domain):
        if spec.name not in found and not _is_given(state, library, spec):
            handed = _handed(source, spec, sources)
            if handed is not None:
                found[spec.name] = handed
    return tuple(found.values())


def target_of(state: ThreadState, library: Library) -> Playbook | None:
    """Return the playbook of the current phase, or its plan as one; None while there is no plan."""
    phase = state.chain.current if state.chain is not None else None
    if state.plan is not None:
        return draft_book(run_name(primitives_of(state.plan.steps)), state.plan, library)
    return _playbook(phase, library) if phase is not None else None


def known_inputs(state: ThreadState, library: Library) -> dict[str, Any]:
    """Return the inputs that the playbook of the current phase starts with."""
    chain, playbook = state.chain, target_of(state, library)
    if chain is None or chain.current is None or playbook is None:
        return dict(state.given)
    phase = chain.current
    names = {spec.name for spec in playbook.inputs}
    general = {name: value for name, value in state.given.items() if name in names}
    return {**general, **phase.mapped, **phase.given, **_given_for_domain(state, phase.domain)}


def missing_requirement(state: ThreadState, library: Library) -> InputSpec | None:
    """Return what the current phase requires and nothing gives it, as an input to ask for."""
    domain, playbook = _domain(state, library), target_of(state, library)
    for resource in domain.requires if domain is not None else ():
        is_met = _is_produced(state, library, resource) or resource in state.given
        if not is_met and (playbook is None or _input_for(playbook, domain, resource) is None):
            return requirement(resource)
    return None


def requirement(resource: str) -> InputSpec:
    """Return the input that asks for a resource that no phase of a chain produces."""
    return InputSpec(
        name=resource,
        description=f"The {resource.replace('-', ' ')} that this phase works on; "
        "no phase before it makes them",
        type="scope" if resource in _TAKES else "string",
        open_ended_because="What is there already is known to the person only",
    )


def find_requirement(state: ThreadState, library: Library, name: str) -> InputSpec | None:
    """Return the requirement of the current phase that a question names, or None."""
    spec = missing_requirement(state, library)
    return spec if spec is not None and spec.name == name else None


# ---- where things come from


def _wanted(
    state: ThreadState, library: Library, playbook: Playbook, domain: Domain
) -> Iterator[tuple[str, InputSpec, list[tuple[PhaseState, Any]]]]:
    """Yield (source, input, what each earlier phase has of it, newest first)."""
    earlier = _earlier(state)
    for mapping in domain.context_mapping:
        spec = playbook.input(mapping.target)
        if spec is not None:
            made = [(phase, phase.outputs.get(mapping.source)) for phase in earlier]
            yield mapping.source, spec, made
    for resource in (*domain.requires, *domain.uses):
        spec = _input_for(playbook, domain, resource)
        if spec is not None:
            yield resource, spec, [(phase, _of_type(phase, library, resource)) for phase in earlier]
            yield resource, spec, [(phase, state.given.get(resource)) for phase in earlier[:1]]


def _of_type(phase: PhaseState, library: Library, resource: str) -> list[Any]:
    """Return what a phase made of a resource; else what it worked on of it."""
    domain = library.meta.domains.get(phase.domain)
    declared = domain.outputs if domain is not None else ()
    made = [
        value
        for output in declared
        if output.type == resource
        for value in _listed(phase.outputs.get(output.name))
    ]
    if made or domain is None or resource in domain.produces:
        return made
    playbook = _playbook(phase, library)
    spec = _input_for(playbook, domain, resource) if playbook is not None else None
    return _listed(phase.run.inputs.get(spec.name)) if spec is not None and phase.run else []


def _input_for(playbook: Playbook, domain: Domain | None, resource: str) -> InputSpec | None:
    """Return the input of a playbook that takes a resource: declared, or made for it by type."""
    fitting = [spec for spec in playbook.inputs if spec.type in _TAKES.get(resource, ())]
    declared = [m.target for m in domain.context_mapping] if domain is not None else []
    by_name = next((spec for spec in fitting if spec.name in declared), None)
    return by_name or next((spec for spec in fitting if _is_made_for_it(spec)), None)


def _is_made_for_it(spec: InputSpec) -> bool:
    # The name of something new is not read off the goal: it is asked for.
    return spec.phase == "before_start" and spec.required and "intent" in spec.infer_from


def _handed(source: str, spec: InputSpec, sources: list[tuple[PhaseState, Any]]) -> Handover | None:
    for phase, value in sources:
        fitting = tuple(dict.fromkeys(_fitting(spec, one) for one in _listed(value)))
        values = tuple(one for one in fitting if one is not None)
        if len(values) > 1 and spec.type == "scope":
            values = (*_holders(values), *values)
        if values:
            return Handover(source, spec.name, values, phase.is_predicted)
    return None


def _fitting(spec: InputSpec, value: Any) -> Any:
    try:
        return coerce(spec, value)
    except UsageError:
        # An output of another kind than the input: it is not meant for it.
        return None


def _holders(names: tuple[Any, ...]) -> tuple[str, ...]:
    """Return the one schema that holds all of several tables, if one does."""
    parts = [split_name(str(name)) for name in names]
    homes = {part[:-1] for part in parts if len(part) == 3}
    return (render_name(homes.pop()),) if len(homes) == 1 else ()


def _listed(value: Any) -> list[Any]:
    if value in (None, ""):
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


# ---- who gave what


def _is_given(state: ThreadState, library: Library, spec: InputSpec) -> bool:
    """Return whether a person gave the input for this phase rather than for one before it."""
    chain, current = current_phase(state)
    own = {**current.given, **_given_for_domain(state, current.domain)}
    if spec.name in own:
        return True
    before = [_playbook(phase, library) for phase in chain.completed]
    is_taken = any(book is not None and book.input(spec.name) is not None for book in before)
    return spec.name in state.given and not is_taken


def _given_for_domain(state: ThreadState, domain: str) -> dict[str, Any]:
    """Return the inputs that were given as `DOMAIN.NAME`."""
    prefix = f"{domain}."
    return {
        name.removeprefix(prefix): value
        for name, value in state.given.items()
        if name.startswith(prefix)
    }


def unknown_inputs(
    given: Mapping[str, Any], phases: tuple[PhaseState, ...], library: Library
) -> tuple[str, ...]:
    """Return the given inputs that no phase of a chain can take."""
    playbooks = {phase.domain: _playbook(phase, library) for phase in phases}
    if any(book is None for book in playbooks.values()):
        # What a plan will take is known when there is a plan.
        return ()
    names = {spec.name for book in playbooks.values() if book for spec in book.inputs}
    names |= {f"{d}.{spec.name}" for d, book in playbooks.items() if book for spec in book.inputs}
    required = (library.meta.domains.get(phase.domain) for phase in phases)
    names |= {resource for domain in required if domain for resource in domain.requires}
    return tuple(name for name in given if name not in names)


def input_of_chain(state: ThreadState, library: Library, name: str) -> InputSpec | None:
    """Return the input that `NAME` or `DOMAIN.NAME` means in a chain, or None."""
    domain, _, plain = name.rpartition(".")
    for phase in state.chain.phases if state.chain is not None else ():
        playbook = _playbook(phase, library)
        spec = playbook.input(plain) if playbook is not None else None
        if spec is not None and domain in ("", phase.domain):
            return spec
    return None


def _playbook(phase: PhaseState, library: Library) -> Playbook | None:
    if phase.run is not None:
        return playbook_of(phase.run, library)
    target = phase.route.target if phase.route is not None else None
    if target is None or not target.startswith("playbooks/"):
        return None
    return library.playbooks.get(target.removeprefix("playbooks/"))


def _domain(state: ThreadState, library: Library) -> Domain | None:
    phase = state.chain.current if state.chain is not None else None
    return library.meta.domains.get(phase.domain) if phase is not None else None


def _earlier(state: ThreadState) -> list[PhaseState]:
    return list(reversed(state.chain.completed)) if state.chain is not None else []


def _is_produced(state: ThreadState, library: Library, resource: str) -> bool:
    domains = (library.meta.domains.get(phase.domain) for phase in _earlier(state))
    return any(domain is not None and resource in domain.produces for domain in domains)
