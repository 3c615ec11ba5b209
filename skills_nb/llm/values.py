"""What a model said, and what it took.

Room: work (llm). Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeVar

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

    def __add__(self, other: Usage) -> Usage:
        """Return both together; what one of them does not say is unknown."""
        return Usage(
            _sum(self.prompt_tokens, other.prompt_tokens),
            _sum(self.completion_tokens, other.completion_tokens),
            _sum(self.cost_usd, other.cost_usd),
        )


_N = TypeVar("_N", int, float)


def _sum(one: _N | None, two: _N | None) -> _N | None:
    return None if one is None or two is None else one + two


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model is to answer; None leaves a thing to whoever serves it."""

    temperature: float | None = None
    """0 for the likeliest words."""
    top_p: float | None = None
    """Share of the likelihood that words are drawn from, of 0 to 1."""
    max_tokens: int | None = None
    """The longest answer, in tokens."""
    most_tokens: int | None = None
    """How far that limit may be raised for an answer that ran into it."""
    reasoning_effort: str | None = None
    """As the endpoint calls it: `low`, `medium`, `high`, …."""


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
