"""What a model said, and what it took.

Room: work (llm). Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from skills_nb.errors import SkillsError

Ending = Literal["complete", "truncated", "filtered"]


class ModelError(SkillsError):
    """A model could not be asked, or did not answer; not its answer's fault."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer took; None where the endpoint does not say."""

    prompt_tokens: int | None = None
    """Tokens of the question."""
    completion_tokens: int | None = None
    """Tokens of the answer."""
    cost_usd: float | None = None
    """As the endpoint bills it; never estimated."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model said."""

    text: str
    """Its words, unchecked; may be empty."""
    ending: Ending = "complete"
    """`truncated`: it ran into a length limit; `filtered`: the endpoint withheld it."""
    usage: Usage = field(default_factory=Usage)
    """What it took."""
    model: str = ""
    """As the endpoint names it."""
