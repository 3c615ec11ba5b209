"""Prepared evidence as text and back: a library is prepared once, and not once for a process.

Room: routing. Pure: whoever has a place for files keeps the text. JSON, because a text from a
folder of caches must not be able to do anything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from skills_nb.routing.evidence import Evidence, Offer, Target
from skills_nb.routing.features import Lexicon
from skills_nb.routing.likeness import Heard
from skills_nb.routing.spelling import Spelling

FORM = 4
"""Raised with every change of the form."""


def write(evidence: Evidence) -> str:
    """Return the evidence as one text."""
    return json.dumps(
        {
            "form": FORM,
            "phrases": evidence.lexicon.phrases,
            "outside": sorted(evidence.outside),
            "known": evidence.spelling.known,
            "targets": [_row(target) for target in evidence.targets],
            "shares": evidence.shares,
            "said_of": evidence.said_of,
            "domain_words": {name: sorted(all_) for name, all_ in evidence.domain_words.items()},
            "offers": [
                [offer.number, [sorted(p) for p in offer.said], [sorted(p) for p in offer.unless]]
                for offer in evidence.offers
            ],
            "makers": evidence.makers,
            "heard": [
                evidence.heard.shares,
                evidence.heard.said_of,
                list(evidence.heard.sentences.items()),
            ],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def read(text: str) -> Evidence:
    """Return the evidence that a text holds.

    Raises:
        ValueError: it is no such text, or one of another form.
    """
    held = json.loads(text)
    try:
        if held["form"] != FORM:
            raise ValueError("another form")
        return Evidence(
            Lexicon(_phrases(held["phrases"])),
            frozenset(tuple(words) for words in held["outside"]),
            Spelling(held["known"]),
            tuple(_target(*row) for row in held["targets"]),
            tuple(held["shares"]),
            held["said_of"],
            {name: frozenset(domains) for name, domains in held["domain_words"].items()},
            tuple(_offer(*row) for row in held["offers"]),
            {kind: tuple(numbers) for kind, numbers in held["makers"].items()},
            _heard(*held["heard"]),
        )
    except (KeyError, TypeError, AttributeError) as problem:
        raise ValueError(f"no evidence: {problem}") from problem


def _row(target: Target) -> list[Any]:
    told = (target.ref, target.domain, target.mode, target.option, target.description)
    return [*told, sorted(target.name)]


def _target(
    ref: str, domain: str, mode: str, option: str, description: str, name: Sequence[str]
) -> Target:
    return Target(ref, domain, mode, option, description, frozenset(name))


def _offer(number: int, said: Sequence[Sequence[str]], unless: Sequence[Sequence[str]]) -> Offer:
    return Offer(number, tuple(map(frozenset, said)), tuple(map(frozenset, unless)))


def _heard(
    shares: Mapping[str, float],
    said_of: Mapping[str, Sequence[tuple[int, int]]],
    sentences: Sequence[tuple[int, int]],
) -> Heard:
    return Heard(shares, said_of, dict(sentences))


def _phrases(
    held: Mapping[str, Mapping[str, Sequence[Any]]],
) -> dict[str, dict[str, list[tuple[tuple[str, ...], str]]]]:
    return {
        first: {
            second: [(tuple(lemmas), term) for lemmas, term in phrases]
            for second, phrases in seconds.items()
        }
        for first, seconds in held.items()
    }
