"""Which steps a change of a name reaches: the names that each step reads, and those that it binds.

Room: laws. Rules of this file:
- A name reaches a step that reads it; a step reaches the names that it binds, and so the steps that
  read those. An input that is worked out from a name is reached like a step's result.
- What cannot be read is taken to read everything: doing a step again is safe, leaving it is not.
- Names are compared without regard to case, as conditions do.
Spec: Checkpoints > Checkpoints can cycle; FORMATS, A playbook step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from skills_nb.errors import UsageError
from skills_nb.model.skills import InputSpec, Playbook, ProbeSpec, Step
from skills_nb.sql.conditions import names_in as names_in_condition
from skills_nb.sql.templates import names_in as names_in_template
from skills_nb.sql.templates import names_in_message

_NOTHING: Mapping[str, Collection[str]] = MappingProxyType({})
EVERYTHING = "*"
"""What a text reads that nobody can read."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a change of names reaches in a playbook."""

    steps: tuple[str, ...] = ()
    """Steps whose work depends on it, in the order of the file."""
    shown: tuple[str, ...] = ()
    """Other steps whose checkpoint tells of it."""
    inputs: tuple[str, ...] = ()
    """Other inputs that are worked out from it, or chosen from it."""
    probes: bool = False
    """Whether a probe looks at it."""


def reach_of(
    playbook: Playbook,
    names: Iterable[str],
    *,
    steps: Collection[str] = (),
    within: Collection[str] | None = None,
    sources: Mapping[str, Collection[str]] = _NOTHING,
) -> Reach:
    """Return what depends on names, directly or through the results of steps.

    Args:
        playbook: what is gone through.
        names: inputs that change.
        steps: steps that are done again for another reason.
        within: the steps that count; None: all.
        sources: input to the names that it was worked out from.
    """
    known = [step for step in playbook.steps if within is None or step.id in within]
    told, inputs = {name.lower() for name in names}, set[str]()
    found = {step.id for step in known if step.id in steps}
    while True:
        told |= bound_by(step for step in known if step.id in found)
        fresh = {s.id for s in known if s.id not in found and _meets(work_of(s), told)}
        worked_out = {n for n, read in sources.items() if n not in inputs and _meets(read, told)}
        worked_out = {name for name in worked_out if name.lower() not in told}
        if not fresh and not worked_out:
            break
        found |= fresh
        inputs |= worked_out
        told |= {name.lower() for name in worked_out}
    return Reach(
        steps=tuple(step.id for step in known if step.id in found),
        shown=tuple(s.id for s in known if s.id not in found and _meets(names_shown_by(s), told)),
        inputs=tuple(spec.name for spec in playbook.inputs if spec.name in inputs),
        probes=any(_meets(_looked_at(probe), told) for probe in playbook.probes),
    )


def bound_by(steps: Iterable[Step]) -> frozenset[str]:
    """Return the names that steps bind, lower-cased; `step_N` among them."""
    return frozenset(name.lower() for step in steps for name in (*step.binds, f"step_{step.id}"))


def _meets(read: Iterable[str], changed: Collection[str]) -> bool:
    return any(name == EVERYTHING or name.lower() in changed for name in read)


# ---- what is read


def work_of(step: Step) -> frozenset[str]:
    """Return the names that decide on what a step does."""
    return frozenset(_work_of(step))


def _work_of(step: Step) -> Iterator[str]:
    own = {step.for_each.name} if step.for_each is not None else set[str]()
    texts = [block.text for block in (*step.sql, *step.shell) if block.is_template]
    texts += [step.verify or "", *(spec.name for spec in step.creates)]
    for text in texts:
        yield from _in_template(text) - own
    yield from names_in_message(step.role or "") - own
    yield from _in_condition(step.when)
    if step.for_each is not None:
        yield from _in_path(step.for_each.path)


def names_shown_by(step: Step) -> frozenset[str]:
    """Return the names that a step's checkpoint tells of, or offers options by."""
    spec = step.checkpoint
    if spec is None:
        return frozenset()
    found = names_in_message(spec.present) | names_in_message(spec.phrase or "")
    for option in spec.options:
        found |= frozenset(_in_condition(option.when))
    return found


def _looked_at(probe: ProbeSpec) -> Iterator[str]:
    yield from _in_template(probe.query)
    yield from names_in_message(probe.role or "")
    for check in probe.validate:
        names = frozenset(_in_condition(check.condition)) | names_in_message(check.message)
        yield from names
        if "expected_account" in names:
            yield "target_account"


def inference_names(spec: InputSpec) -> frozenset[str]:
    """Return the names that an input is worked out from, before anybody is asked."""
    sources = (s for s in spec.infer_from if s != "intent" and not s.startswith("session."))
    return frozenset(source.partition(".")[0] for source in sources)


def choice_names(spec: InputSpec) -> frozenset[str]:
    """Return the names whose values are what a person chooses an input from."""
    texts = (str(choice) for choice in spec.choices)
    lists = (text[1:-1] for text in texts if text.startswith("{") and text.endswith("}"))
    return frozenset(path.partition(".")[0] for path in lists if not path.startswith("session."))


def _in_template(text: str) -> frozenset[str]:
    found = names_in_template(text)
    return frozenset((EVERYTHING,)) if found is None else found


def _in_condition(condition: str | None) -> Iterator[str]:
    if condition is None:
        return
    try:
        paths = names_in_condition(condition)
    except UsageError:
        yield EVERYTHING
        return
    for path in paths:
        head = path.partition(".")[0]
        yield head
        # `current_role()` reads an input that is called `role`, too.
        yield head.removeprefix("current_").removesuffix("()")


def _in_path(path: str) -> Iterator[str]:
    parts = path.strip().removeprefix("[").removesuffix("]").split(",")
    yield from (part.strip().partition(".")[0] for part in parts)
