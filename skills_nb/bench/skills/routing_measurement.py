"""Where the library sends an intent.

Room: work (bench). Pure but for reading the library.

| Component | Means |
|---|---|
| deploy | the skills that the route names exist |
| tests | the first target is right |
| functional | mode, domains and the whole chain are right |
| bulk | the same intent in other words goes to the same place |
| no_tweaks | asked again, it answers the same |
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from skills_nb.bench.scoring import Component, Evidence, Scorecard, failed, graded, passed
from skills_nb.bench.tasks.task_values import RoutingTask
from skills_nb.routing import resolve

if TYPE_CHECKING:
    from skills_nb.model.library import Library
    from skills_nb.model.routes import Route


def measure_route(task: RoutingTask, library: Library) -> Scorecard:
    """Return the components of a route."""
    route = resolve(task.intent, library)
    return Scorecard(
        deploy=_targets_exist(route, library),
        tests=_first(task, route),
        functional=_chain(task, route),
        bulk=_paraphrased(task, route, library),
        no_tweaks=_repeated(task, route, library),
    )


def _proof(route: Route, count: int) -> Evidence:
    found = route.to_dict()
    said = f"{found['mode']}: {', '.join(str(t) for t in found['targets']) or 'no target'}"
    return Evidence(said, "route", 0, count=count)


def _targets_exist(route: Route, library: Library) -> Component:
    named = [target for target in route.targets if target]
    shelves = {"primitives": library.primitives, "playbooks": library.playbooks}
    missing = [t for t in named if t.partition("/")[2] not in shelves.get(t.partition("/")[0], {})]
    proof = _proof(route, max(1, len(named)))
    return failed(f"not in the library: {', '.join(missing)}", proof) if missing else passed(proof)


def _first(task: RoutingTask, route: Route) -> Component:
    """Return whether the best target is right; where a question is right, that one is asked."""
    if not task.targets:
        is_right = route.mode in _modes(task)
    else:
        is_right = bool(route.targets) and route.targets[0] in task.targets
    wanted = " or ".join(str(target) for target in task.targets) or " or ".join(_modes(task))
    return passed(_proof(route, 1)) if is_right else failed(f"expected {wanted}", _proof(route, 1))


def _modes(task: RoutingTask) -> tuple[str, ...]:
    return task.accept_modes or (task.mode,)


def _chain(task: RoutingTask, route: Route) -> Component:
    troubles = []
    if route.mode not in _modes(task):
        troubles.append(f"mode {route.mode}, expected {' or '.join(_modes(task))}")
    accepted = (task.domains, *task.accept_domains)
    if tuple(route.domains) not in accepted:
        troubles.append(f"domains {', '.join(route.domains)}, expected {', '.join(task.domains)}")
    if task.mode == "chain" and not _same_chain(task, route):
        troubles.append(f"chain {route.targets}, expected {task.targets}")
    elif task.targets and (not route.targets or route.targets[0] not in task.targets):
        troubles.append("another target")
    proof = _proof(route, max(1, len(route.targets)))
    return failed("; ".join(troubles), proof) if troubles else passed(proof)


def _same_chain(task: RoutingTask, route: Route) -> bool:
    """Return whether every link is right; one that the label leaves open is right anyhow."""
    return len(route.targets) == len(task.targets) and all(
        wanted is None or found == wanted
        for found, wanted in zip(route.targets, task.targets, strict=True)
    )


def paraphrases(task: RoutingTask) -> tuple[str, ...]:
    """Return the intent in other words: those of the task, else what changes no meaning."""
    said = task.intent.strip()
    return task.paraphrases or (
        said.lower(),
        f"please {said[:1].lower()}{said[1:]}",
        "  ".join(said.split()),
        f"{said} thanks",
    )


def _paraphrased(task: RoutingTask, route: Route, library: Library) -> Component:
    told = paraphrases(task)
    other = [t for t in told if _where(resolve(t, library)) != _where(route)]
    proof = _proof(route, len(told))
    said = f"elsewhere: {'; '.join(repr(text) for text in other)}"
    return graded(len(told) - len(other), len(told), said, proof)


def _where(route: Route) -> tuple[str, tuple[str | None, ...]]:
    return route.mode, tuple(route.targets)


def _repeated(task: RoutingTask, route: Route, library: Library) -> Component:
    again = json.dumps(resolve(task.intent, library).to_dict(), sort_keys=True)
    is_same = again == json.dumps(route.to_dict(), sort_keys=True)
    return passed(_proof(route, 2)) if is_same else failed("two answers differ", _proof(route, 2))
