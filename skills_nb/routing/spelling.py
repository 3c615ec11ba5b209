"""Find the word that was meant: sub-word matching for typing errors.

Room: routing. Only words that the library does not know are looked up, so a correct word is never
taken for another one that happens to look like it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

_SHORTEST = 5
_TWO_ERRORS = 8
"""From this length on, two errors are forgiven."""
_OVERLAP = 0.4


@dataclass(frozen=True)
class Spelling:
    """The words that the library knows."""

    known: Mapping[str, str]
    """Stem to a word that has it."""

    @cached_property
    def pieces(self) -> Mapping[str, Sequence[str]]:
        """Stems that are long enough to be recognised, by the two-letter pieces they contain."""
        found: dict[str, list[str]] = defaultdict(list)
        for stem in sorted(self.known):
            if len(stem) >= _SHORTEST and _is_word(stem):
                for piece in _pieces(stem):
                    found[piece].append(stem)
        return found

    def nearest(self, stem: str) -> str | None:
        """Return the known word that was most likely meant, or None."""
        if len(stem) < _SHORTEST or not _is_word(stem):
            return None
        shared: dict[str, int] = defaultdict(int)
        own = _pieces(stem)
        for piece in own:
            for known in self.pieces.get(piece, ()):
                shared[known] += 1
        best: tuple[int, int, str] | None = None
        for known, common in shared.items():
            if 2 * common < _OVERLAP * (len(own) + len(known) + 1):
                continue
            allowed = 2 if len(stem) >= _TWO_ERRORS and len(known) >= _TWO_ERRORS - 1 else 1
            errors = distance(stem, known, allowed)
            if errors <= allowed and stem[0] == known[0] and not _replaced(stem, known):
                best = min(filter(None, (best, (errors, -common, known))))
        return self.known[best[2]] if best else None


def _is_word(stem: str) -> bool:
    return stem.replace("_", "").isalpha()


def _pieces(stem: str) -> frozenset[str]:
    edged = f"^{stem}$"
    return frozenset(edged[at : at + 2] for at in range(len(edged) - 1))


def _replaced(stem: str, known: str) -> bool:
    """Tell whether a short word has another letter, which mostly makes another word (`shout`)."""
    return len(stem) == len(known) == _SHORTEST and sorted(stem) != sorted(known)


def distance(one: str, other: str, limit: int) -> int:
    """Return how many letters are missing, extra, wrong or swapped, at most `limit + 1`."""
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before: list[int] = []
    above = list(range(len(other) + 1))
    for i, char in enumerate(one, 1):
        row = [i]
        for j, target in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (char != target))
            swapped = i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == target
            row.append(min(cost, before[j - 2] + 1) if swapped else cost)
        before, above = above, row
    return min(above[-1], limit + 1)
