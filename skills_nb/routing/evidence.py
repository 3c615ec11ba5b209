"""Weigh what the words of an intent say for each target of a library.

Room: routing. The weights come from the routers alone: keywords, examples, descriptions and names
of the targets. A word counts the more, the fewer targets it speaks for (as in BM25).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt

from skills_nb.model.library import Library
from skills_nb.model.skills import RouteOption
from skills_nb.routing.features import Lexicon, build_lexicon, features, subjects
from skills_nb.routing.spelling import Spelling
from skills_nb.routing.words import read_words

_KEYWORD, _NAME, _DESCRIPTION, _EXAMPLE = 3.0, 2.0, 1.5, 1.0
_SATURATION = 2.0
_DOMAIN_SHARE = 0.35


@dataclass(frozen=True, slots=True)
class Target:
    """A skill that routing can answer with, or a subject that is not ours (`ref` is empty)."""

    ref: str
    domain: str
    mode: str
    """What the router says of it; the intent may ask for reference instead."""
    option: str
    description: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that routing knows of a library, prepared once."""

    lexicon: Lexicon
    spelling: Spelling
    targets: tuple[Target, ...]
    postings: Mapping[str, tuple[tuple[int, float], ...]]
    """Feature to target number and weight."""
    rarity: Mapping[str, float]
    """Feature to its weight regardless of target."""

    def score(self, found: Mapping[str, float]) -> list[float]:
        """Return one score per target for these features."""
        scores = [0.0] * len(self.targets)
        for name, strength in found.items():
            for number, weight in self.postings.get(name, ()):
                scores[number] += strength * weight
        return scores


@dataclass(frozen=True, slots=True)
class _Key:
    digest: str
    library: Library

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.digest == self.digest


def evidence_of(library: Library) -> Evidence:
    """Return the prepared evidence; a library of the same digest is prepared once."""
    return _prepared(_Key(library.digest, library))


@lru_cache(maxsize=8)
def _prepared(key: _Key) -> Evidence:
    library = key.library
    lexicon = build_lexicon(library.vocabulary.synonyms)
    sources = list(_sources(library))
    counts = [_count(texts, lexicon) for _, texts in sources]
    targets = tuple(target for target, _ in sources)
    rarity = _rarity(counts)
    domain_counts = _by_domain(targets, counts)
    domain_rarity = _rarity(list(domain_counts.values()))
    postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, (target, counted) in enumerate(zip(targets, counts, strict=True)):
        for name, count in counted.items():
            postings[name].append((number, _saturated(count) * rarity[name]))
    members: dict[str, list[int]] = defaultdict(list)
    for number, target in enumerate(targets):
        members[target.domain].append(number)
    for domain, counted in domain_counts.items():
        for name, count in counted.items():
            weight = _DOMAIN_SHARE * _saturated(count) * domain_rarity[name]
            for number in members[domain]:
                postings[name].append((number, weight))
    return Evidence(
        lexicon,
        Spelling.of(name for name in rarity if " " not in name),
        targets,
        {name: tuple(_summed(found)) for name, found in postings.items()},
        rarity,
    )


def _summed(found: Iterable[tuple[int, float]]) -> Iterable[tuple[int, float]]:
    total: dict[int, float] = defaultdict(float)
    for number, weight in found:
        total[number] += weight
    return total.items()


def _saturated(count: float) -> float:
    return count * (_SATURATION + 1) / (count + _SATURATION)


def _rarity(counts: list[dict[str, float]]) -> dict[str, float]:
    seen: dict[str, int] = defaultdict(int)
    for counted in counts:
        for name in counted:
            seen[name] += 1
    size = len(counts)
    return {name: log(1 + (size - n + 0.5) / (n + 0.5)) for name, n in seen.items()}


def _by_domain(
    targets: tuple[Target, ...], counts: list[dict[str, float]]
) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for target, counted in zip(targets, counts, strict=True):
        into = found.setdefault(target.domain or target.option, {})
        for name, count in counted.items():
            into[name] = into.get(name, 0.0) + count
    return found


def _sources(library: Library) -> Iterable[tuple[Target, list[tuple[str, float]]]]:
    """Yield every target with its texts and their weights, in the order of the library."""
    for router in library.routers.values():
        for parameter in router.parameters:
            for option in parameter.options:
                if option.target and option.target in library.index:
                    mode = option.mode or (
                        "playbook" if option.target.startswith("play") else "guided"
                    )
                    name = option.target.partition("/")[2]
                    texts = [*_texts(option), (name.replace("-", " "), _NAME)]
                    yield (
                        Target(option.target, router.domain, mode, option.id, option.description),
                        texts,
                    )
    for parameter in library.meta.parameters:
        for option in parameter.options:
            if option.target is None:
                yield Target("", "", "", option.id, option.description), list(_texts(option))


def _texts(option: RouteOption) -> Iterable[tuple[str, float]]:
    yield option.description, _DESCRIPTION
    for keyword in option.keywords:
        yield keyword, _KEYWORD
    for example in option.examples:
        yield example, _EXAMPLE


def _count(texts: list[tuple[str, float]], lexicon: Lexicon) -> dict[str, float]:
    counted: dict[str, float] = defaultdict(float)
    for text, weight in texts:
        found = features(subjects(read_words(text), lexicon))
        share = (
            weight
            if weight < _KEYWORD
            else weight / sqrt(max(1, len(subjects(read_words(text), lexicon))))
        )
        for name, strength in found.items():
            counted[name] += share * strength
    return counted
