"""Roles that a goal names, or that only a person can choose.

Room: laws. Spec: Principles > Lazy context.
"""

from __future__ import annotations

from skills_nb.engine.inputs.listed_objects import MOST_CHOICES
from skills_nb.engine.inputs.questions import (
    Choices,
    fact_of,
    question,
)
from skills_nb.engine.inputs.typed_inputs import coerce
from skills_nb.engine.inputs.wording.named_roles import (
    asks_account,
    is_foreign_default,
    own_roles,
    roles_told,
)
from skills_nb.engine.planning.known_values import gathered
from skills_nb.model.effects import Await, Effect, Probe
from skills_nb.model.skills import InputSpec
from skills_nb.model.state import PlaybookRun, ThreadState
from skills_nb.sql.identifiers import render_name

ROLES = "SHOW ROLES"


def roles_asked(state: ThreadState, spec: InputSpec, run: PlaybookRun) -> tuple[Effect, ...]:
    """Take the role that a goal names here, or let a person choose where none of them is sure."""
    if run.context is None or not asks_account(state.goal, spec, run.context):
        return ()
    listed = fact_of(ROLES, state.facts)
    if listed is None:
        return (Probe(ROLES),)
    own = tuple(own_roles(run.context))
    there = (render_name((str(row.get("name", "")),)) for row in listed.rows)
    roles = tuple(dict.fromkeys((*own, *there)))
    told = roles_told(state.goal, spec, roles, set(map(str, run.inputs.values())))
    if len(told) == 1:
        return (gathered(spec, coerce(spec, told[0])),)
    if not told and (not is_foreign_default(spec, run.context) or spec.default in roles):
        return ()
    return (Await(question(spec, Choices(told or roles[:MOST_CHOICES]))),)
