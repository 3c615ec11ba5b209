"""From evidence to confidence: the one table that weighs a name against values.

Room: embedded (classification). Pure. Snowflake says what its confidence means, not how it is
computed; this table is ours. Its 80 % is the manual's threshold for custom categories ("high
confidence"), the lower ones are ours too.

===============  ==================  ==================  ==============  ===========
values           unambiguous name    likely name         hint            no name
===============  ==================  ==================  ==============  ===========
distinctive      HIGH                HIGH                HIGH            HIGH (1)
suggestive       HIGH                HIGH                HIGH            MEDIUM
plausible        HIGH                MEDIUM              LOW             -
half of them     MEDIUM              LOW                 -               LOW (2)
some             LOW                 -                   -               LOW (3)
fewer            LOW                 -                   -               -
no values        HIGH                MEDIUM              LOW             -
===============  ==================  ==================  ==============  ===========

The first three rows ask for 80 % of the valid values, "half" for 50 %, "some" for 15 %.
(1) with at least five different values, MEDIUM below that; (2) of suggestive ones;
(3) of distinctive ones. A name never lowers what values say by themselves. A name alone (an empty
table) reaches HIGH only where it means nothing else. LOW is never a recommendation; it shows among
the alternates.

Snowflake: SYSTEM$GET_CLASSIFICATION_RESULT; Threshold for custom categories.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from skills_nb.embedded.classification.names import NameEvidence

MOST = 0.8
HALF = 0.5
SOME = 0.15
ENOUGH_DISTINCT = 5


class Strength(IntEnum):
    """How much an accepted value says by itself."""

    PLAUSIBLE = 1
    """It could be one; so could many others: nine digits, a number below 120."""
    SUGGESTIVE = 2
    """It usually is one: `078-05-1120`, `Norway`, `female`."""
    DISTINCTIVE = 3
    """Little else looks like it: a check digit over a rich structure, an address with an @."""


class Confidence(IntEnum):
    """Snowflake's three words, in order."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


@dataclass(frozen=True)
class Coverage:
    """The share of valid values that reach each strength."""

    plausible: float = 0.0
    """Accepted by any check."""
    suggestive: float = 0.0
    """Accepted by a suggestive or distinctive check."""
    distinctive: float = 0.0
    """Accepted by a distinctive check."""
    distinct: int = 0
    """How many different valid values there are; 0 means that the name is all there is."""


def weigh(name: NameEvidence, seen: Coverage) -> Confidence | None:
    """Read the table above; None where the category is not worth naming."""
    if not seen.distinct:
        return Confidence(name.value) if name else None
    if seen.distinctive >= MOST:
        lone = name is NameEvidence.NONE and seen.distinct < ENOUGH_DISTINCT
        return Confidence.MEDIUM if lone else Confidence.HIGH
    if seen.suggestive >= MOST:
        return Confidence.HIGH if name else Confidence.MEDIUM
    found = filter(None, (_without_name(seen), _with_name(name, seen.plausible)))
    return max(found, default=None)


def _with_name(name: NameEvidence, coverage: float) -> Confidence | None:
    """Weigh plausible values, and any that fall short, against the name."""
    if name is NameEvidence.NONE:
        return None
    if coverage >= MOST:
        return Confidence(name.value)
    if coverage >= HALF and name > NameEvidence.HINT:
        return Confidence(name.value - 1)
    return Confidence.LOW if name is NameEvidence.UNAMBIGUOUS else None


def _without_name(seen: Coverage) -> Confidence | None:
    """Weigh values that nothing in the name announces."""
    return Confidence.LOW if seen.suggestive >= HALF or seen.distinctive >= SOME else None
