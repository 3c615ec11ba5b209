"""Weigh what the words of an intent say for each target of a library.

Room: routing. The weights come from the routers alone: keywords, examples, descriptions and names
of the targets. A word counts the more, the fewer targets it speaks for, and the less, the more
other words speak for the same target (as in BM25).
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt

from skills_nb.model.library import Library
from skills_nb.model.routers import RouteOption
from skills_nb.routing import phrases
from skills_nb.routing.constructions import is_construction
from skills_nb.routing.described_options import options_of
from skills_nb.routing.features import Lexicon, build_lexicon, features, pair, subjects
from skills_nb.routing.likeness import Heard, heard_from
from skills_nb.routing.made_objects import makers_of
from skills_nb.routing.spelling import Spelling
from skills_nb.routing.words import read_lines, read_words

OTHER_PRODUCTS = "other-products"
"""The meta-router's option whose keywords are names of products that are not ours."""
_KEYWORD, _NAME, _DESCRIPTION, _EXAMPLE = 5.0, 4.0, 1.5, 1.0
"""What a text is worth. A router's keywords are chosen, its examples are heard."""
_SATURATION = 4.0
"""The higher, the more it matters that a word is said of a target often."""
_LENGTH = 0.7
"""How much a target with many words must share its weight among them, 0 to 1."""
_PAIR, _EXACT = 0.6, 2.0
"""What two words that stand close are worth beside one word, and a name of the product."""
_RARITY = 0.8
_CROWD = 90
"""So many targets make a word worthless. A fixed number, not the library's size: what other
domains bring along must not make the words of this one rare or common."""
_DOMAIN_WORD = 3.0
"""What the word of a domain is worth to its targets in a clause, once."""
_LONGEST = 2
"""Meanings that the word of a domain consists of at most."""
_USUAL_MASS = 1000.0
"""How much text a target usually has; fixed for the same reason."""


@dataclass(frozen=True, slots=True)
class Target:
    """A skill that routing can answer with, or a subject that is not ours (`ref` is empty)."""

    ref: str
    domain: str
    """The router's; empty for a subject that is not ours."""
    mode: str
    """What the router says of it; the intent may ask for reference instead."""
    option: str
    """Id of the router's option that leads to it."""
    description: str
    """The option's, for people."""
    name: frozenset[str] = frozenset()
    """Stems of the skill's name."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A small job that a skill offers, and how it is asked for."""

    number: int
    """The target's place in the evidence."""
    said: tuple[frozenset[str], ...]
    """Lemmas of phrases; who says all of one wants the job."""
    unless: tuple[frozenset[str], ...]
    """Lemmas of phrases; who says all of one wants something else."""

    def most_said(self, words: frozenset[str]) -> int:
        """Return how many words the longest phrase has that is said; 0 for none."""
        if any(phrase <= words for phrase in self.unless):
            return 0
        return max((len(phrase) for phrase in self.said if phrase <= words), default=0)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that routing knows of a library, prepared once."""

    lexicon: Lexicon
    """Words and phrases, and the features that they stand for."""
    outside: frozenset[tuple[str, ...]]
    """Names of products that the library does not cover, in words as they are said."""
    spelling: Spelling
    """The words that it knows, to correct misspelt ones by."""
    targets: tuple[Target, ...]
    """Numbered by their place here."""
    shares: tuple[float, ...]
    """Per target, by how much its many words weaken each of them."""
    said_of: Mapping[str, Sequence[tuple[int, float]]]
    """Feature to the targets that it is said of, and how much."""
    domain_words: Mapping[str, frozenset[str]]
    """Feature to the domains whose word it is, as the meta-router says."""
    offers: tuple[Offer, ...]
    """What the skills offer to do with an object that is named."""
    makers: Mapping[str, tuple[int, ...]]
    """Lemmas of a kind of object, to the targets that make it."""
    heard: Heard
    """What people said before, and which target they meant."""

    def named_domains(self, found: Mapping[str, float]) -> frozenset[str]:
        """Return the domains whose own word is among these features."""
        words = (name for name, strength in found.items() if strength > 0)
        return frozenset().union(*(self.domain_words.get(name, ()) for name in words))

    def score_part(self, found: Mapping[str, float]) -> list[float]:
        """Return one score per target for a part of an intent.

        A part is short, so the word of a domain ("a share for the dealer") has to count for more
        than it does among many.
        """
        scores = self.score(found)
        own = self.named_domains(found)
        if not own:
            return scores
        return [
            score + _DOMAIN_WORD if score and target.domain in own else score
            for score, target in zip(scores, self.targets, strict=True)
        ]

    def score(self, found: Mapping[str, float]) -> list[float]:
        """Return one score per target for these features."""
        scores = [0.0] * len(self.targets)
        for name, strength in found.items():
            said = self.said_of.get(name, ())
            if said and len(said) < _CROWD:
                worth = strength * _rarity(len(said), name) * (_SATURATION + 1)
                for number, count in said:
                    scores[number] += worth * count / (count + _SATURATION * self.shares[number])
        return scores

    def weight(self, name: str, number: int) -> float:
        """Return what one feature says for one target."""
        said = self.said_of.get(name, ())
        count = next((count for at, count in said if at == number), 0.0)
        if not count or len(said) >= _CROWD:
            return 0.0
        saturated = count * (_SATURATION + 1) / (count + _SATURATION * self.shares[number])
        return saturated * _rarity(len(said), name)


_KEPT = 8
_known_libraries: OrderedDict[str, Evidence] = OrderedDict()
"""By digest: the same text gives the same evidence."""


def evidence_of(library: Library) -> Evidence:
    """Return the prepared evidence; a library of the same digest is prepared once."""
    known = _known_libraries.get(library.digest)
    if known is None:
        known = _prepared(library)
        remember(library.digest, known)
    return known


def is_known(digest: str) -> bool:
    """Return whether a library of this digest has been prepared."""
    return digest in _known_libraries


def remember(digest: str, evidence: Evidence) -> None:
    """Take what was prepared before for a library of this digest."""
    _known_libraries[digest] = evidence
    while len(_known_libraries) > _KEPT:
        _known_libraries.popitem(last=False)


def _prepared(library: Library) -> Evidence:
    lexicon = build_lexicon(library.vocabulary.synonyms)
    texts: dict[Target, list[tuple[str, float]]] = {}
    for target, said in _sources(library):
        texts.setdefault(_known(target, texts), []).extend(said)
    known = {word.stem: word.text for word in read_words(phrases.GRAMMAR)}
    counts = [_count(said, lexicon, known) for said in texts.values()]
    said_of = _turn(counts)
    numbers = {target.ref: number for number, target in enumerate(texts) if target.ref}
    return Evidence(
        lexicon,
        frozenset(_outside_names(library)),
        Spelling(known),
        tuple(texts),
        tuple(1 - _LENGTH + _LENGTH * _mass(each) / _USUAL_MASS for each in counts),
        said_of,
        _domain_words(library, lexicon),
        tuple(_offers(library, numbers)),
        makers_of(library, numbers),
        heard_from(
            {
                numbers[skill]: sentences
                for skill, sentences in library.utterances().items()
                if skill in numbers
            }
        ),
    )


def _offers(library: Library, numbers: Mapping[str, int]) -> Iterator[Offer]:
    for name, primitive in library.primitives.items():
        number = numbers.get(f"primitives/{name}")
        if number is not None:
            for plan in primitive.plans:
                yield Offer(number, _lemmas(plan.said), _lemmas(plan.unless))


def _lemmas(phrases_said: Iterable[str]) -> tuple[frozenset[str], ...]:
    read = (read_words(phrase) for phrase in phrases_said)
    return tuple(frozenset(word.lemma for word in words if not word.is_mark) for words in read)


def _domain_words(library: Library, lexicon: Lexicon) -> dict[str, frozenset[str]]:
    """Return the features that the meta-router's keywords name domains by."""
    found: dict[str, frozenset[str]] = {}
    for asked in library.meta.parameters:
        for option in (each for each in asked.options if each.target in library.meta.domains):
            for words in read_lines(option.keywords):
                symbols = [meaning.symbol for meaning in subjects(words, lexicon)]
                if 0 < len(symbols) <= _LONGEST:
                    name = symbols[0] if len(symbols) == 1 else pair(*symbols)
                    found[name] = found.get(name, frozenset()) | {str(option.target)}
    return found


def _mass(counted: Mapping[str, float]) -> float:
    """Return how much text a target has; what words say together is no more text."""
    return sum(count for name, count in counted.items() if not is_construction(name))


def _known(target: Target, texts: Iterable[Target]) -> Target:
    """Return the target under which the same skill was listed before; its first option counts."""
    if not target.ref:
        return target
    return next((known for known in texts if known.ref == target.ref), target)


def _turn(counts: Sequence[Mapping[str, float]]) -> dict[str, list[tuple[int, float]]]:
    said_of: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, counted in enumerate(counts):
        for name, count in counted.items():
            said_of[name].append((number, count))
    return dict(said_of)


@lru_cache(maxsize=32768)
def _rarity(speaks_for: int, name: str) -> float:
    """Return what it is worth that a feature speaks for so few targets, by the kind of feature."""
    rarity = log(1 + (_CROWD - speaks_for + 0.5) / (speaks_for + 0.5)) ** _RARITY
    if " " in name:
        return float(rarity * _PAIR)
    return float(rarity * (_EXACT if is_exact(name) else 1.0))


def is_exact(name: str) -> bool:
    """Tell whether a feature is the name of a function, view or parameter, which nobody invents."""
    return ("_" in name or "$" in name) and " " not in name


def _sources(library: Library) -> Iterator[tuple[Target, list[tuple[str, float]]]]:
    """Yield every option with its texts and their worth, in the order of the library."""
    for router in library.routers.values():
        for option in options_of(router, library):
            if option.target and option.target in library.index:
                kind, _, name = option.target.partition("/")
                mode = option.mode or ("playbook" if kind == "playbooks" else "guided")
                target = Target(
                    option.target,
                    router.domain,
                    mode,
                    option.id,
                    option.description,
                    frozenset(word.stem for word in read_words(name) if not word.is_function),
                )
                yield target, [*_texts(option), (name.replace("-", " "), _NAME)]
    for option in _not_ours(library):
        yield Target("", "", "", option.id, option.description), [*_texts(option)]


def _not_ours(library: Library) -> Iterator[RouteOption]:
    """Yield the meta-router's options that lead nowhere: what the library does not cover."""
    for asked in library.meta.parameters:
        yield from (option for option in asked.options if option.target is None)


def _outside_names(library: Library) -> Iterator[tuple[str, ...]]:
    for option in _not_ours(library):
        for keyword in option.keywords if option.id == OTHER_PRODUCTS else ():
            yield tuple(word.text for word in read_words(keyword))


def _texts(option: RouteOption) -> Iterator[tuple[str, float]]:
    yield option.description, _DESCRIPTION
    yield from ((keyword, _KEYWORD) for keyword in option.keywords)
    yield from ((example, _EXAMPLE) for example in option.examples)


def _count(
    texts: Sequence[tuple[str, float]], lexicon: Lexicon, known: dict[str, str]
) -> dict[str, float]:
    """Return how much each feature is said in these texts, and note a word for every stem."""
    counted: dict[str, float] = defaultdict(float)
    for words, (_, worth) in zip(read_lines(text for text, _ in texts), texts, strict=True):
        for word in words:
            if len(word.text) < len(known.get(word.stem, word.text + "+")):
                known[word.stem] = word.text
        meanings = subjects(words, lexicon)
        length = sum(not is_construction(one.symbol) for one in meanings)
        share = worth / sqrt(max(1, length)) if worth == _KEYWORD else worth
        for name, strength in features(meanings).items():
            counted[name] += share * strength
    return counted
