"""What templates, conditions and messages may name: inputs, the session, results of steps.

Room: laws. Source: FORMATS, Front matter (names that conditions know).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from skills_nb.engine.guided.plan_documents import book_of
from skills_nb.engine.inputs.typed_inputs import template_value
from skills_nb.model.events import AccountContext
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook
from skills_nb.model.state import PlaybookRun, ThreadState


def playbook_of(run: PlaybookRun | None, library: Library) -> Playbook | None:
    """Return the playbook that a run goes through; None for one that the library lost."""
    if run is not None and run.plan is not None:
        return book_of(run, run.plan, library)
    return library.playbooks.get(run.playbook) if run is not None else None


def bound_names(state: ThreadState, playbook: Playbook, at: str | None = None) -> dict[str, Any]:
    """Return what templates, conditions and messages may name in the playbook that is run."""
    return names_of(state.run, playbook, at) if state.run is not None else {}


def names_of(run: PlaybookRun, playbook: Playbook, at: str | None = None) -> dict[str, Any]:
    """Return what a run knows by name: typed inputs, the session it began in, then results.

    Args:
        run: the run.
        playbook: what it goes through.
        at: the step that asks: a step that is done again does not see what steps behind it found.
    """
    behind = _behind(playbook, at)
    names: dict[str, Any] = {
        spec.name: template_value(spec, run.inputs[spec.name])
        for spec in playbook.inputs
        if spec.name in run.inputs
    }
    for spec in playbook.inputs:
        names.setdefault(spec.name, None)
    names.update(_session_names(run.context))
    for step_id, step in run.steps.items():
        if step_id in behind:
            continue
        names[f"step_{step_id}"] = {**step.result, "created_objects": _created(step.created)}
        names.update(step.result)
    return names


def _behind(playbook: Playbook, at: str | None) -> frozenset[str]:
    ids = [step.id for step in playbook.steps]
    return frozenset(ids[ids.index(at) + 1 :]) if at in ids else frozenset()


def _session_names(context: AccountContext | None) -> dict[str, Any]:
    if context is None:
        return {}
    return {
        "session": {
            "role": context.current_role,
            "database": context.current_database,
            "schema": context.current_schema,
            "warehouse": context.current_warehouse,
            "user": context.current_user,
            "available_roles": list(context.available_roles),
        }
    }


def _created(objects: Iterable[Any]) -> dict[str, Any]:
    by_type: dict[str, Any] = {}
    for made in objects:
        by_type.setdefault(made.type, []).append(made.fqn or made.name)
    return {**by_type, "count": sum(len(names) for names in by_type.values())}
