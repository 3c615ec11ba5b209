"""Slips in what a person wants are refused before a thread begins.

Room: commands. A goal is anybody's words, so only what can hardly be meant is refused:
`NAME=VALUE` of an input, a name that is nearly a skill's, an input that nothing takes.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from skills_nb.commands.grammar.slips import nearest
from skills_nb.commands.home.prepared_routing import resolve
from skills_nb.engine.inputs.typed_inputs import coerce
from skills_nb.errors import UsageError
from skills_nb.runtime.intent_resolution import named_target

if TYPE_CHECKING:
    from skills_nb.model.library import Library
    from skills_nb.model.skills import Playbook

_PAIR = re.compile(r"(?<!\S)([A-Za-z_]\w*)=(\S+)")
_SKILL_NAME = re.compile(r"[A-Za-z]+/\S+|[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+")
"""One word that looks like the name of a skill: with a kind before it, or hyphens in it."""
_SO_NEAR = 0.8


def refuse_slips(goal: str, given: Mapping[str, Any], library: Library) -> None:
    """Refuse a goal that names a skill or an input nearly right, and inputs that do not fit.

    Raises:
        UsageError: something is not as it must be, with the nearest that is.
    """
    _refuse_unknown_skill(goal, library)
    _refuse_pairs(goal, library)
    if given:
        _refuse_unfit_inputs(goal, given, library)


def _refuse_unknown_skill(goal: str, library: Library) -> None:
    """Take a name at its word: one that is not there is a slip, not an intent."""
    if named_target(goal, library) is not None or _SKILL_NAME.fullmatch(goal) is None:
        return
    kind, slash, name = goal.rpartition("/")
    if kind == "playbooks":
        library.playbook(name)
    near = nearest(goal if slash else f"playbooks/{goal}", _runnable(library), _SO_NEAR)
    if kind == "primitives":
        hint = f"did you mean '{near}'?" if near else "list what there is: library"
        raise UsageError(f"there is no primitive '{name}'", hint=hint)
    if near:
        raise UsageError(f"there is no skill '{goal}'", hint=f"did you mean '{near}'?")


def _runnable(library: Library) -> list[str]:
    return [ref for ref, entry in library.index.items() if entry.kind != "routers"]


def _refuse_pairs(goal: str, library: Library) -> None:
    """Refuse an input that stands among the words, where it would be read as words."""
    pairs = _PAIR.findall(goal)
    if not pairs:
        return
    known = {spec.name for book in library.playbooks.values() for spec in book.inputs}
    target = next((word for word in goal.split() if named_target(word, library)), "")
    for name, value in pairs:
        near = name if name in known else nearest(name, known, _SO_NEAR)
        if near or target:
            pair = shlex.quote(f"{near or name}={value}")
            raise UsageError(
                f"'{name}={value}' stands among the words of the goal",
                hint=f"inputs are given behind them: --input {pair}",
            )


def _refuse_unfit_inputs(goal: str, given: Mapping[str, Any], library: Library) -> None:
    """Refuse an input that nothing takes to which the goal leads, and a value that it refuses."""
    books = _led_to(goal, library)
    known = {spec.name for book in books for spec in book.inputs} or _taken_anywhere(library)
    for name, value in given.items():
        plain = name.rpartition(".")[2]
        if plain not in known and not _is_handed_over(name, library):
            raise _unknown_input(name, sorted(known), books)
        spec = books[0].input(plain) if len(books) == 1 else None
        if spec is not None:
            coerce(spec, value)


def _taken_anywhere(library: Library) -> set[str]:
    """Return every input of the library, for goals whose plan is not there yet."""
    plans = (plan for skill in library.primitives.values() for plan in skill.plans)
    planned = {spec.name for plan in plans for spec in plan.inputs}
    return planned | {spec.name for book in library.playbooks.values() for spec in book.inputs}


def _is_handed_over(name: str, library: Library) -> bool:
    """Return whether a chain may ask for it: what a domain needs of another."""
    return any(name in domain.requires for domain in library.meta.domains.values())


def _led_to(goal: str, library: Library) -> list[Playbook]:
    """Return the playbooks that a goal may lead to; none where one of them is not known yet."""
    named = named_target(goal, library)
    if named is not None:
        targets: Iterable[str | None] = (named.target,)
    else:
        route = resolve(goal, library)
        options = (option.target for option in route.options if option.target)
        targets = tuple(options) if route.mode == "clarify" else route.targets
    found = [library.playbooks.get((target or "").removeprefix("playbooks/")) for target in targets]
    return [] if None in found else [book for book in found if book is not None]


def _unknown_input(name: str, known: list[str], books: list[Playbook]) -> UsageError:
    near = nearest(name, known)
    if len(books) == 1:
        what = f"playbook '{books[0].name}' has no input '{name}'"
        others = "its inputs: " + ", ".join(spec.name for spec in books[0].inputs)
    else:
        what = f"nothing that this goal leads to has an input '{name}'"
        others = "see what it leads to with: route"
    return UsageError(what, hint=f"did you mean '{near}'?" if near else others)
