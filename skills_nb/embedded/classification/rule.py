"""What a rule is: names, data types and checks of one semantic category.

Room: embedded (classification). Pure data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from skills_nb.embedded.classification.evidence import Strength
from skills_nb.embedded.classification.samples import Family

IDENTIFIER = "IDENTIFIER"
QUASI_IDENTIFIER = "QUASI_IDENTIFIER"
SENSITIVE = "SENSITIVE"

TEXT = frozenset({Family.TEXT})
TEXT_OR_NUMBER = frozenset({Family.TEXT, Family.NUMBER})
DATES = frozenset({Family.TEXT, Family.DATE, Family.TIMESTAMP})
PLAUSIBLE, SUGGESTIVE, DISTINCTIVE = Strength


@dataclass(frozen=True)
class Check:
    """One way in which a value can be of a category."""

    accepts: Callable[[str], bool]
    """Takes trimmed, non-empty text."""
    strength: Strength
    """What an accepted value says by itself."""
    subcategory: str | None = None
    """Snowflake's semantic subcategory, None where the category is global."""


@dataclass(frozen=True)
class Rule:
    """How one semantic category is recognised."""

    category: str
    """Snowflake's semantic category."""
    privacy: str
    """IDENTIFIER, QUASI_IDENTIFIER or SENSITIVE."""
    families: frozenset[Family]
    """The data types that hold it."""
    checks: tuple[Check, ...]
    """Ways in which a value can be of the category."""
    unambiguous: str
    """Phrases that mean nothing else, joined, separated by spaces."""
    likely: str = ""
    """Phrases that mean the category in most tables."""
    hints: str = ""
    """Phrases that also mean other things."""
    needs_name: bool = False
    """Values alone never tell: colours are not ethnicities."""
