"""Plans are drafted: by a model where one is plugged in, else by the planner that needs none.

Room: work. What a model says is a proposal like anybody's: it is read as a document, put on record
with the model's name, and held to the guardrails by the engine.
Spec: Guided Mode Execution > Sequence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from skills_nb.engine.guided.plan_documents import (
    PLAN_INPUT,
    document_of,
    place_plan,
    plan_from,
    primitives_of,
)
from skills_nb.engine.guided.plan_templates import offers_near
from skills_nb.engine.guided.planner import draft_plan, plan_elsewhere
from skills_nb.engine.inputs.absent_objects import (
    names_two_parts,
    presence_query,
    tells_column,
    without_absent,
    without_place,
)
from skills_nb.engine.inputs.column_tables import (
    columns_said_query,
    is_only_grouped,
    said_of_columns,
    with_table_of_columns,
)
from skills_nb.engine.inputs.questions import fact_of, listed_tables, lists_tables, tables_query
from skills_nb.engine.inputs.typed_inputs import coerce
from skills_nb.engine.inputs.wording.named_choices import alone_called_so, with_full_names
from skills_nb.engine.pauses import NO_PLAN
from skills_nb.engine.planning.changed_tables import CHANGE_VALUES, tables_changed
from skills_nb.errors import ThreadError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import DraftPlan
from skills_nb.model.library import Library
from skills_nb.model.skills import InputSpec, Primitive
from skills_nb.model.state import Fact, Pause, PlanState, ThreadState
from skills_nb.ports import FieldRequest, PlanRequest, Ports, Resolver
from skills_nb.runtime.environment_reads import read
from skills_nb.runtime.model_consultation import on_record
from skills_nb.sql.names_in_text import object_names


def guided_route(plan: PlanState) -> ev.Routed:
    """Return the route of a plan that a person wrote: nothing had to be resolved."""
    primitives = primitives_of(plan.steps)
    target = f"primitives/{primitives[0]}" if primitives else None
    return ev.Routed(router="", target=target, mode="guided", confidence=1.0)


def routed_by_hand(
    state: ThreadState, pause: Pause | None, plan: PlanState
) -> tuple[ev.Event, ...]:
    """Return what goes before a plan that a person gives to a thread.

    Raises:
        ThreadError: the thread is not where a plan can be given.
    """
    is_guided = state.route is not None and state.route.mode == "guided"
    if is_guided and pause is not None and pause.at.partition("#")[0] in _TAKES_A_PLAN:
        return ()
    if pause is not None and pause.kind == "routing_ambiguous":
        return (guided_route(plan),)
    raise ThreadError(
        "a plan is given where a thread waits for one",
        status=state.status,
        story=state.story,
        hint="begin a new thread: plan FILE",
    )


def drafts(
    effect: DraftPlan, state: ThreadState, library: Library, ports: Ports
) -> Iterator[ev.Event]:
    """Yield the events of drafting a plan, or of finding that none can be made."""
    where = ports.session.context()
    place = (where.current_database, where.current_schema)
    if ports.resolver is not None:
        answered = _asked(effect, library, ports.resolver, place)
        yield from answered
        if any(isinstance(event, ev.InputGathered) for event in answered):
            return
    plan = None
    for found in _drafted(effect, state, library, ports):
        if isinstance(found, PlanState):
            plan = found
        else:
            yield found
    if plan is None:
        yield _nothing(effect, library, can_retry=ports.resolver is not None)
        return
    for event in _on_what_is_there(plan, effect.goal, state, ports, where.current_database):
        if isinstance(event, PlanState):
            plan = event
        else:
            yield event
    if ports.resolver is not None:
        yield from _inputs_told(plan, state.given, ports.resolver)
    yield ev.InputGathered(name=PLAN_INPUT, value=document_of(place_plan(plan, *place)))


def _drafted(
    effect: DraftPlan, state: ThreadState, library: Library, ports: Ports
) -> Iterator[ev.EnvironmentProbed | PlanState]:
    """Yield what is looked up of tables, and last the plan that needs no model, if there is one."""
    goal = effect.goal
    facts = list(state.facts)
    while isinstance(changed := tables_changed(goal, facts), str):
        yield (event := read(ports.session, changed, None))
        facts.append(Fact.of(event, 0))
    if changed and (plan := draft_plan(CHANGE_VALUES, effect.primitives, library)) is not None:
        yield _on_table(replace(plan, goal=goal), changed)
        return
    named = _with_tables(goal, facts)
    two = _of_two(effect, library, facts)
    plan = two or draft_plan(goal, effect.primitives, library, named)
    if two is not None or not _lacks_table(plan, named):
        yield from _some(plan or plan_elsewhere(goal, library, named))
        return
    for query in filter(None, (tables_query(goal), columns_said_query(goal))):
        found = fact_of(query, facts)
        if found is None:
            yield (event := read(ports.session, query, None))
            found = Fact.of(event, 0)
            facts.append(found)
    named = _with_tables(goal, facts)
    plan = draft_plan(goal, effect.primitives, library, named)
    if named == goal:
        plan = _of_columns(plan, effect, library, facts)
    plan = plan or _of_alike(effect, library, facts)
    yield from _some(plan or plan_elsewhere(goal, library, named))


def _on_table(plan: PlanState, tables: Sequence[str]) -> PlanState:
    """Return a plan on the one table that it can be about; of several a person chooses."""
    inputs = (
        replace(spec, default=tables[0], has_default=True, infer_from=())
        if lists_tables(spec) and len(tables) == 1
        else spec
        for spec in plan.inputs
    )
    return replace(plan, inputs=tuple(inputs))


def _on_what_is_there(
    plan: PlanState, goal: str, state: ThreadState, ports: Ports, database: str | None
) -> Iterator[ev.EnvironmentProbed | PlanState]:
    """Yield what is looked up of objects that a goal names, and last the plan on those found."""
    facts = list(state.facts)
    inputs = []
    for spec in plan.inputs:
        is_short = names_two_parts(spec)
        query = tables_query(goal) if is_short and database else presence_query(spec)
        found = fact_of(query, facts) if query is not None else None
        if query is not None and found is None:
            yield (event := read(ports.session, query, None))
            found = Fact.of(event, 0)
            facts.append(found)
        inputs.append(_on_found(spec, found, is_short=is_short))
    yield replace(plan, inputs=tuple(inputs))


def _on_found(spec: InputSpec, found: Fact | None, *, is_short: bool) -> InputSpec:
    """Return an input that keeps the name it was given only where that can be what it is for."""
    if is_short and (found is None or tells_column(spec, listed_tables(found))):
        return without_place(spec)
    return spec if is_short or found is None else without_absent(spec, found)


def _some(plan: PlanState | None) -> Iterator[PlanState]:
    yield from (plan,) if plan is not None else ()


def _lacks_table(plan: PlanState | None, goal: str) -> bool:
    """Tell whether a plan is not known for want of a table, or wants one that nobody named."""
    if any(len(name.parts) > 1 for name in object_names(goal)):
        return False
    inputs = plan.inputs if plan is not None else ()
    return plan is None or any(lists_tables(one) and not one.has_default for one in inputs)


def _with_tables(goal: str, facts: Sequence[Fact]) -> str:
    """Return a goal with the tables in full that it names by one word, as far as that was asked."""
    query = tables_query(goal)
    found = fact_of(query, facts) if query is not None else None
    if found is None or found.error is not None:
        return goal
    tables = (one for one in listed_tables(found) if not is_only_grouped(goal, one))
    return with_full_names(goal, alone_called_so(tables))


def _of_two(effect: DraftPlan, library: Library, facts: Sequence[Fact]) -> PlanState | None:
    """Return the plan that is about two tables, where a name that is said stands for several.

    Which of these is meant is asked.
    """
    query = tables_query(effect.goal)
    found = fact_of(query, facts) if query is not None else None
    tables = listed_tables(found) if found is not None and found.error is None else ()
    full = with_full_names(effect.goal, tables)
    plan = draft_plan(effect.goal, effect.primitives, library, full)
    if plan is None or not any(spec.name == "other" for spec in plan.inputs):
        return None
    alone = alone_called_so(tables)
    inputs = (
        without_place(spec) if spec.default in tables and spec.default not in alone else spec
        for spec in plan.inputs
    )
    return replace(plan, inputs=tuple(inputs))


def _of_alike(effect: DraftPlan, library: Library, facts: Sequence[Fact]) -> PlanState | None:
    """Return the plan about one of several tables that are called so: which one is asked."""
    query = tables_query(effect.goal)
    found = fact_of(query, facts) if query is not None else None
    tables = listed_tables(found) if found is not None and found.error is None else ()
    full = with_full_names(effect.goal, tables)
    plan = draft_plan(effect.goal, effect.primitives, library, full) if full else None
    inputs = plan.inputs if plan is not None else ()
    if plan is None or not any(spec.default in tables for spec in inputs if spec.default):
        return None
    open_ones = (without_place(one) if one.default in tables else one for one in inputs)
    return replace(plan, inputs=tuple(open_ones))


def _of_columns(
    plan: PlanState | None, effect: DraftPlan, library: Library, facts: Sequence[Fact]
) -> PlanState | None:
    """Return the plan on the one table that holds the columns, which it says; else as it is."""
    query = columns_said_query(effect.goal)
    found = fact_of(query, facts) if query is not None else None
    told = with_table_of_columns(effect.goal, found) if found and found.error is None else None
    again = draft_plan(told[0], effect.primitives, library) if told else None
    if told is None or again is None or not again.steps:
        return plan
    first, *rest = again.steps
    first = first.model_copy(update={"action": f"{first.action} {said_of_columns(told[1])}"})
    return replace(again, goal=effect.goal, steps=(first, *rest))


def _inputs_told(
    plan: PlanState, given: Mapping[str, Any], resolver: Resolver
) -> Iterator[ev.Event]:
    """Yield what a model finds in the goal of the inputs that nobody gave and nothing defaults."""
    open_ones = [spec for spec in plan.inputs if not spec.has_default and spec.name not in given]
    if not open_ones:
        return
    fields = [
        FieldRequest(spec.name, spec.type, spec.description, tuple(map(str, spec.choices)))
        for spec in open_ones
    ]
    said = resolver.fill(plan.goal, fields)
    yield on_record("inputs", resolver, said)
    if said is None:
        return
    for spec in open_ones:
        try:
            value = coerce(spec, said.document.get(spec.name))
        except UsageError:
            # A model's slip is nobody's mistake: the input is asked for.
            continue
        yield ev.InputGathered(name=spec.name, value=value, actor=f"model:{resolver.name}")


_MOST_PLAYBOOKS = 2
"""Playbooks that are named where no plan can be made."""
_TAKES_A_PLAN = ("plan", "error:plan")


def _asked(
    effect: DraftPlan,
    library: Library,
    resolver: Resolver,
    place: tuple[str | None, str | None],
) -> tuple[ev.Event, ...]:
    """Return what a model proposes, on record; only that, where no plan can be read in it."""
    names = [ref.removeprefix("primitives/") for ref in effect.primitives]
    pages = {
        f"primitives/{name}": dict(library.primitives[name].sections)
        for name in names
        if name in library.primitives
    }
    request = PlanRequest(
        goal=effect.goal,
        pages=pages,
        most_steps=library.meta.guided_max_steps,
        prohibited_actions=library.meta.guided_prohibited_actions,
    )
    said = resolver.propose(request)
    told = on_record("plan", resolver, said)
    plan = plan_from(said.document) if said is not None else None
    if plan is None or not plan.steps:
        return (told,)
    value = {
        **document_of(place_plan(plan, *place)),
        "goal": plan.goal or effect.goal,
        "inputs": [],
    }
    actor = f"model:{resolver.name}"
    return (told, ev.InputGathered(name=PLAN_INPUT, value=value, actor=actor))


def _whole_jobs(primitive: Primitive, library: Library) -> tuple[str, ...]:
    """Return the commands of the playbooks that a primitive serves; none where it serves many."""
    runs = tuple(
        f"run playbooks/{one.name}"
        for one in library.playbooks.values()
        if primitive.name in one.depends_on and one.domain == primitive.domain
    )
    return runs if len(runs) <= _MOST_PLAYBOOKS else ()


def _nothing(effect: DraftPlan, library: Library, *, can_retry: bool) -> ev.ErrorEscalated:
    """Return that no plan can be made, with what comes nearest."""
    names = [ref.removeprefix("primitives/") for ref in effect.primitives]
    nearest = next((library.primitives[n] for n in names if n in library.primitives), None)
    hints = ["Say it in other words, or give the statements yourself: plan FILE --thread THREAD."]
    if nearest is not None:
        hints.append(f"How it is done by hand: show primitives/{nearest.name}")
        if offered := offers_near(effect.goal, nearest):
            hints.insert(0, f"What comes nearest that I can do: {'; '.join(offered)}.")
        if runs := _whole_jobs(nearest, library):
            hints.insert(-1, f"A whole job of this kind: {' or '.join(runs)}")
    return ev.ErrorEscalated(
        error="I can't do that yet: nothing in the library says how, step by step. "
        "Nothing was changed.",
        context={
            "category": NO_PLAN,
            "recovery_hint": "\n".join(hints),
            "can_retry": can_retry,
        },
    )
