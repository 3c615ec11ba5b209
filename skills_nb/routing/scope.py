"""Tell what is not ours: work inside other products, and requests of daily life.

Room: routing. The meta-router's options without a target describe both; the library decides what
is outside, this module only how it is recognised.
"""

from __future__ import annotations

from collections.abc import Sequence

from skills_nb.routing.evidence import Evidence
from skills_nb.routing.hearing import Heard
from skills_nb.routing.ranking import Ranked


def out_of_scope(heard: Heard, ranked: Sequence[Ranked], evidence: Evidence) -> str:
    """Return why an intent is not for this library, or an empty string."""
    outside = [
        (score, number)
        for number, score in enumerate(heard.scores)
        if not evidence.targets[number].ref
    ]
    if not outside:
        return ""
    score, number = max(outside)
    if not ranked or score > ranked[0].score:
        return f"This is about something else: {evidence.targets[number].description}."
    return ""
