"""What a change of inputs brings about, in words for the person who makes it.

Room: laws.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skills_nb.model.events import Redoing
from skills_nb.model.skills import Playbook
from skills_nb.model.state import PlaybookRun, ThreadState


def describe_change(
    state: ThreadState, run: PlaybookRun, redoing: Redoing, playbook: Playbook
) -> str:
    """Return what follows from a change of inputs, and whose they were."""
    names = redoing.changed
    told = _consequences(redoing, playbook)
    if run.plan is not None:
        told.append("the plan is proposed again where its SQL changes")
    elif run.mode == "dry_run":
        told = ["the dry run is made again"]
    elif not told:
        told = ["nothing that was done so far depends on it"]
    lead = f"{join_words(names)} {_are(names)} changed: {'; '.join(told)}."
    return f"{lead} {_handed_over(state, names)}".rstrip()


def describe_plan_change(redoing: Redoing, order: Sequence[str]) -> str:
    """Return which steps that are done already another plan does again."""
    told = _steps(redoing, order)
    if gone := redoing.dropped:
        told.append(f"what {name_steps(gone, gone)} did is not part of it any more")
    return f"{sentence('; '.join(told))}."


def consequences(redoing: Redoing, playbook: Playbook) -> str:
    """Return what follows from a change; empty where nothing does."""
    told = _consequences(redoing, playbook)
    return "; ".join(told)


def _consequences(redoing: Redoing, playbook: Playbook) -> list[str]:
    order = [step.id for step in playbook.steps]
    told = _steps(redoing, order)
    if added := redoing.dropped:
        told.append(f"what was done by hand in {name_steps(added, added)} is not")
    if redoing.shown:
        noun = "checkpoint" if len(redoing.shown) == 1 else "checkpoints"
        named = name_steps(redoing.shown, order)
        told.append(f"the {noun} of {named} {_are(redoing.shown)} shown again")
    if redoing.inputs:
        told.append(f"{join_words(redoing.inputs)} {_are(redoing.inputs)} worked out again")
    if redoing.probes:
        told.append("the probes run again")
    return told


def _steps(redoing: Redoing, order: Sequence[str]) -> list[str]:
    if not redoing.steps:
        return []
    return [f"{name_steps(redoing.steps, order)} {_are(redoing.steps)} done again"]


def _handed_over(state: ThreadState, changed: Iterable[str]) -> str:
    """Say of inputs that earlier phases of a chain made that those stay as they are."""
    chain = state.chain
    phase = chain.current if chain is not None else None
    if chain is None or phase is None:
        return ""
    taken = [name for name in changed if name in {**phase.mapped, **phase.offered}]
    if not taken:
        return ""
    count = len(chain.completed)
    come = f"{join_words(taken)} {'comes' if len(taken) == 1 else 'come'} from"
    if count == 1:
        return f"{come} phase 1, which is finished and stays as it is."
    return f"{come} phases 1 to {count}, which are finished and stay as they are."


def name_steps(ids: Sequence[str], order: Sequence[str]) -> str:
    """Return `step 5`, `steps 1 to 5`, `steps 1, 3 and 6 to 9`.

    Args:
        ids: the steps, in their order.
        order: all steps there are.
    """
    stretches: list[list[str]] = []
    for step_id in ids:
        if stretches and order.index(step_id) == order.index(stretches[-1][-1]) + 1:
            stretches[-1].append(step_id)
        else:
            stretches.append([step_id])
    parts: list[str] = []
    for stretch in stretches:
        parts += [f"{stretch[0]} to {stretch[-1]}"] if len(stretch) > 2 else stretch
    return f"{'step' if len(ids) == 1 else 'steps'} {join_words(parts)}"


def join_words(words: Sequence[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def sentence(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _are(things: Sequence[str]) -> str:
    return "is" if len(things) == 1 else "are"
