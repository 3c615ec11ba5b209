"""Options that say only what they are: which skill each of them means.

Room: routing. A router need not name a target for every option. Where it does not, the option means
the skill of its own name, else the one that its words describe; where they describe none better
than the others, the skills still speak for themselves.
Spec: The Skill DAG (a router's parameters and `routes_to`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from skills_nb.model.library import Library
from skills_nb.model.routers import RouteOption, Router
from skills_nb.routing.words import read_words

_SHARED = 2
"""How many words an option and a skill share at least, where none of them names the skill."""
_NAMED = 2.0
"""What a word of a skill's name counts beside one of its description."""


def options_of(router: Router, library: Library) -> Iterator[RouteOption]:
    """Yield the options of a router with their targets, then one for each skill without any."""
    told = [option for asked in router.parameters for option in asked.options]
    meant = _meant([option for option in told if option.target is None], router, library)
    known: set[str] = set()
    for option in told:
        target = option.target or meant.get(option.id)
        if target is not None:
            known.add(target)
            yield _with_words(replace(option, target=target), option.target is None, library)
    if any(option.target is None for option in told):
        for ref in _skills(router, library):
            if ref not in known:
                yield _option_of(ref, library)


def _with_words(option: RouteOption, is_inferred: bool, library: Library) -> RouteOption:
    """Return an option whose target was not told with what its skill says of itself."""
    if not is_inferred or option.target is None:
        return option
    words = _said(option.target, library)
    return replace(option, keywords=(*option.keywords, option.id.replace("-", " "), *words))


def _option_of(ref: str, library: Library) -> RouteOption:
    said = _said(ref, library)
    return RouteOption(
        id=ref.partition("/")[2], description=said[0] if said else "", keywords=said, target=ref
    )


def _said(ref: str, library: Library) -> tuple[str, ...]:
    """Return the title and the description of a skill, as far as it has them."""
    kind, _, name = ref.partition("/")
    skill = (library.playbooks if kind == "playbooks" else library.primitives).get(name)
    return tuple(text for text in (skill.title, skill.description) if text) if skill else ()


def _skills(router: Router, library: Library) -> tuple[str, ...]:
    """Return what a router leads to: what it says, else the skills of its domain."""
    said = tuple(ref for ref in router.routes_to if ref in library.index)
    if said:
        return said
    entries = library.index.values()
    own = (one.ref for one in entries if one.domain == router.domain and one.kind != "routers")
    return tuple(own)


def _meant(options: Sequence[RouteOption], router: Router, library: Library) -> Mapping[str, str]:
    """Return the skill that each option means, by the option's id."""
    skills = _skills(router, library) if options else ()
    stems = {ref: _Words(ref, _said(ref, library)) for ref in skills}
    found = {option.id: _nearest(option, stems) for option in options}
    return {name: ref for name, ref in found.items() if ref is not None}


class _Words:
    """The stems by which a skill is known."""

    def __init__(self, ref: str, texts: Iterable[str]) -> None:
        self.name = ref.partition("/")[2]
        self.named = _stems(self.name.replace("-", " "))
        self.described = frozenset().union(*map(_stems, texts)) - self.named

    def shared(self, said: frozenset[str]) -> float:
        """Return how much an option's words speak for the skill."""
        named, described = len(said & self.named), len(said & self.described)
        if not named and described < _SHARED:
            return 0.0
        return _NAMED * named + described


def _nearest(option: RouteOption, skills: Mapping[str, _Words]) -> str | None:
    same = next((ref for ref, words in skills.items() if words.name == option.id), None)
    if same is not None:
        return same
    said = _stems(f"{option.id.replace('-', ' ')} {option.description}")
    scored = sorted(((words.shared(said), ref) for ref, words in skills.items()), reverse=True)
    if not scored or not scored[0][0]:
        return None
    is_tie = len(scored) > 1 and scored[0][0] == scored[1][0]
    return None if is_tie else scored[0][1]


def _stems(text: str) -> frozenset[str]:
    return frozenset(
        word.stem for word in read_words(text) if not (word.is_mark or word.is_function)
    )
