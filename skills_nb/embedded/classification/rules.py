"""The native semantic categories in one table, and the phrases that name them.

Room: embedded (classification). Pure data. Categories and subcategories are those of the manual.

Snowflake: Native semantic categories of sensitive data classification.
"""

from __future__ import annotations

from functools import lru_cache

from skills_nb.embedded.classification.attributes import ATTRIBUTES
from skills_nb.embedded.classification.identifiers import IDENTIFIERS
from skills_nb.embedded.classification.names import NameEvidence
from skills_nb.embedded.classification.rule import Rule
from skills_nb.embedded.classification.vocabulary import spaced

RULES: tuple[Rule, ...] = (*IDENTIFIERS, *ATTRIBUTES)
NOT_SENSITIVE = spaced(
    "macaddress walletaddress contractaddress memoryaddress registeraddress baseaddress "
    "filelocation warehouselocation stocklocation storagelocation dataland leadtitle pagetitle "
    "booktitle songtitle movietitle documenttitle producttitle jobname solidstate"
)
"""Phrases that end like a sensitive one and are not; they win by being longer."""


@lru_cache(maxsize=1)
def phrase_index() -> dict[str, tuple[tuple[int, NameEvidence], ...]]:
    """Map every joined phrase to the rules (by position) it speaks for, and how clearly."""
    index: dict[str, tuple[tuple[int, NameEvidence], ...]] = {}
    for position, rule in enumerate(RULES):
        for evidence, phrases in (
            (NameEvidence.UNAMBIGUOUS, rule.unambiguous),
            (NameEvidence.LIKELY, rule.likely),
            (NameEvidence.HINT, rule.hints),
        ):
            for phrase in phrases.split():
                index[phrase] = (*index.get(phrase, ()), (position, evidence))
    return index
