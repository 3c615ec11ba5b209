"""How an input becomes known: recorded, looked up or asked for.

Room: laws.
Spec: Principles > Lazy context; Playbooks > Input phasing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skills_nb.engine.inputs.free_names import offers_free_name
from skills_nb.engine.inputs.lost_tables import loss_query, loss_seen
from skills_nb.engine.inputs.new_tables import is_new_table
from skills_nb.engine.inputs.questions import (
    Choices,
    choices_for,
    fact_of,
    looks_at_account,
    question,
)
from skills_nb.engine.inputs.typed_inputs import coerce, infer_input, unmet
from skills_nb.engine.inputs.wording.named_choices import (
    says,
)
from skills_nb.engine.inputs.wording.said_changes import NEW_VALUE
from skills_nb.engine.inputs.wording.said_directions import places_named
from skills_nb.engine.planning.changed_values import (
    new_value_said,
)
from skills_nb.engine.planning.known_values import gathered
from skills_nb.engine.planning.missing_inputs.account_choices import (
    ONLY_CHOICE,
    from_account,
    named_table,
)
from skills_nb.engine.planning.missing_inputs.role_questions import roles_asked
from skills_nb.engine.planning.template_names import bound_names
from skills_nb.engine.planning.wanted_rows import (
    ask_rows,
    values_said,
)
from skills_nb.errors import UsageError
from skills_nb.model.effects import Await, Effect, Probe
from skills_nb.model.skills import InputSpec, Playbook
from skills_nb.model.state import PlaybookRun, ThreadState
from skills_nb.sql.conditions import evaluate
from skills_nb.sql.identifiers import split_name
from skills_nb.sql.templates import Name

_TABLES = frozenset({"table", "scope"})
"""Types of inputs that a table may be."""
_CALLED_BY_KIND = frozenset({"schema", "database", "scope"})
LOSS = "loss"
"""In `infer_from`: dropped where the account holds a table as dropped alone, damaged where not."""


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
    if spec.when is not None and evaluate(spec.when, names) is not True:
        return (gathered(spec, None),)
    if asked := roles_asked(state, spec, run):
        return asked
    if spec.type == "condition":
        return ask_rows(state, playbook, spec, names)
    if looks_at_account(spec) and not spec.has_default:
        return from_account(state, run, spec, names)
    known: Any = new_value_said(state.goal, names) if spec.name == NEW_VALUE else None
    if spec.name == "values" and "intent" in spec.infer_from:
        looked = values_said(state, names)
        if looked and isinstance(looked[0], Probe):
            return looked
        known = list(looked) or None
    if known is None:
        known = infer_input(spec, goal=state.goal, context=run.context, bound=names)
    if known is None and (spec.has_default or not spec.required):
        known = spec.default
        if known is None:
            return (gathered(spec, None),)
    if known is not None:
        try:
            return (gathered(spec, coerce(spec, known)),)
        except UsageError:
            # What was inferred, or is the default, does not fit: asking is better than failing.
            known = None
    if spec.type in _TABLES and "intent" in spec.infer_from and not is_new_table(spec):
        named = named_table(state, spec)
        if named:
            return named
    if LOSS in spec.infer_from and (seen := _loss_seen(state, spec, names)):
        return seen
    choices = choices_for(spec, run.context, state.facts, names)
    phase = state.chain.current if state.chain is not None else None
    if phase is not None and spec.name in phase.offered:
        choices = Choices(phase.offered[spec.name])
    if choices.discovery is not None:
        return (Probe(choices.discovery),)
    told = _called_by_kind(state.goal, spec, choices.values)
    if ONLY_CHOICE in spec.infer_from and offers_free_name(spec) and len(choices.values) == 1:
        told = choices.values
    if len(told) == 1:
        return (gathered(spec, coerce(spec, told[0])),)
    return (Await(question(spec, Choices(told) if told else choices)),)


def _loss_seen(state: ThreadState, spec: InputSpec, names: Mapping[str, Any]) -> tuple[Effect, ...]:
    """Take what the account shows of a table: it was dropped, or it stands and nothing was.

    Where it stands and one of its name was dropped, either may be meant.
    """
    queries = (loss_query(one) for one in names.values() if isinstance(one, Name))
    query = next((one for one in queries if one is not None), None)
    if query is None:
        return ()
    found = fact_of(query, state.facts)
    if found is None:
        return (Probe(query),)
    loss = loss_seen(state.goal, found)
    return (gathered(spec, coerce(spec, loss)),) if loss is not None else ()


def _called_by_kind(goal: str, spec: InputSpec, choices: Sequence[Any]) -> tuple[str, ...]:
    """Return the schemas or databases that a goal names: `the hr schema`, `a copy of AIRLINE`."""
    if spec.type not in _CALLED_BY_KIND or "intent" not in spec.infer_from:
        return ()
    last = {str(choice): split_name(str(choice))[-1] for choice in choices}
    told = tuple(
        choice
        for choice, name in last.items()
        if says(goal, f"{name} {spec.type}") or says(goal, f"{spec.type} {name}")
    )
    return told or places_named(goal, [str(choice) for choice in choices])
