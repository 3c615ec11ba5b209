"""What a playbook has made so far, by name: what a chain hands over and a summary keeps.

Room: laws. Spec: Cross-domain execution; Thread Compaction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from skills_nb.engine.planning.template_names import bound_names
from skills_nb.model.skills import Playbook
from skills_nb.model.state import ThreadState
from skills_nb.sql.objects.losses import Losses, standing_of
from skills_nb.sql.plurals import plural_of


def outputs_of(state: ThreadState, playbook: Playbook | None) -> dict[str, Any]:
    """Return what a playbook has made so far: its declared outputs, and its objects by type.

    What the thread has taken back, dropped or renamed since is not among them.
    """
    run = state.run
    if run is None:
        return {}
    losses = Losses(state)
    found: dict[str, Any] = {}
    gone: set[str] = set()
    for step in run.steps.values():
        kept = standing_of(losses, step.created, step.started_seq)
        gone |= {made.fqn or made.name for made in step.created if made not in kept}
        for made in kept:
            found.setdefault(f"created_{plural_of(made.type)}", []).append(made.fqn or made.name)
    if playbook is not None and playbook.produces:
        names = bound_names(state, playbook)
        told = {output.name: _at(output.source, names) for output in playbook.produces}
        found |= {name: _without(value, gone) for name, value in told.items()}
    return found


def _without(value: Any, gone: Collection[str]) -> Any:
    """Return an output without the names of what is there no more."""
    if isinstance(value, list | tuple):
        return [one for one in value if not (isinstance(one, str) and one in gone)]
    return None if isinstance(value, str) and value in gone else value


def _at(path: str, names: Mapping[str, Any]) -> Any:
    found: Any = names
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
