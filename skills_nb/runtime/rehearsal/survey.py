"""What a dry run rests on: read with it, and again before its plan is done.

Room: work. The facts go on the thread, so that another process on another day can compare them.
Source: ARCHITECTURE, Dry run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from skills_nb.engine.probes.drift import BASIS
from skills_nb.errors import SqlError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.state import ThreadState
from skills_nb.ports import Ports, RehearsalAccount
from skills_nb.sql.identifiers import quote, render_name, split_name

_PART = r'(?:"(?:[^"]|"")+"|[A-Za-z_][\w$]*)'
_DOTTED = re.compile(rf"{_PART}(?:\.{_PART}){{1,2}}")
"""A qualified name in a statement; a column behind an alias looks the same and names nothing."""

_ROLE = "role "
"""Stands before a role's name in a scope: a database may have the same."""


def databases(stages: Iterable[ThreadState]) -> tuple[str, ...]:
    """Return the databases that inputs and sessions name."""
    found: dict[str, None] = {}
    for stage in stages:
        for path in _named(stage):
            found.setdefault(path[0])
        context = stage.run.context if stage.run is not None else None
        if context is not None and context.current_database:
            found.setdefault(context.current_database)
    return tuple(found)


def scope_of(stages: Iterable[ThreadState], told: ev.DryRunSummary) -> tuple[str, ...]:
    """Return the names that a plan rests on: of its inputs, its session, and what it touches."""
    found: dict[str, None] = {}
    for stage in stages:
        for path in _named(stage):
            found.setdefault(render_name(path))
        context = stage.run.context if stage.run is not None else None
        if context is not None and context.current_warehouse:
            found.setdefault(quote(context.current_warehouse))
        for role in context.available_roles if context is not None else ():
            found.setdefault(f"{_ROLE}{quote(role)}")
    for impact in (told.would_create, told.would_modify, told.would_drop):
        for one in impact.get("objects", ()):
            found.setdefault(str(one["fqn"]))
            # Whoever takes the new name of what is renamed is in the way.
            *_, other = (one.get("changes") or {}).get("renamed to") or ("",)
            found.update({str(other): None} if other else {})
    return tuple(found)


def survey_scope(
    shadow: RehearsalAccount, scope: Sequence[str], *, with_pictures: bool = False
) -> ev.EnvironmentProbed:
    """Return what an account held in a scope when its shadow was made.

    Args:
        shadow: the rehearsal.
        scope: the names.
        with_pictures: whether it also tells who sees what, before and after the plan, and what
            rests on what the plan touches.
    """
    found: dict[str, Any] = {"objects": shadow.survey(scope)}
    if with_pictures:
        pictures = {"access": list(shadow.access()), "lineage": dict(shadow.lineage())}
        found |= {name: picture for name, picture in pictures.items() if picture}
    return _event(scope, found)


def survey_again(scope: Sequence[str], ports: Ports) -> ev.EnvironmentProbed:
    """Return what the account holds in a scope now, or why that cannot be told."""
    if ports.rehearsal is None:
        return _event(scope, _refused("this session cannot rehearse"))
    objects = (name for name in scope if not name.startswith(_ROLE))
    named = tuple(dict.fromkeys(split_name(name)[0] for name in objects))
    try:
        shadow = ports.rehearsal.shadow(ports.session, named)
    except SqlError as problem:
        return _event(scope, _refused(problem.message))
    try:
        return survey_scope(shadow, scope)
    finally:
        shadow.close()


def _event(scope: Sequence[str], found: Mapping[str, Any]) -> ev.EnvironmentProbed:
    return ev.EnvironmentProbed(query=BASIS, result={"scope": list(scope), **found})


def _refused(why: str) -> dict[str, Any]:
    return {"error": ev.StatementError(text=why).model_dump(mode="json")}


def _named(stage: ThreadState) -> Iterator[tuple[str, ...]]:
    """Yield what the inputs of a playbook name, and the statements of a plan."""
    run = stage.run
    values = run.inputs.values() if run is not None else ()
    texts = [one for value in values for one in (value if isinstance(value, list) else [value])]
    for step in run.plan.proposed if run is not None and run.plan is not None else ():
        texts += _DOTTED.findall(step.sql)
    for text in texts:
        if not isinstance(text, str):
            continue
        try:
            yield tuple(split_name(text))
        except UsageError:
            # Not a name, so it names nothing.
            continue
