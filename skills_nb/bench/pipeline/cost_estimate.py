"""What a run will take, said before it begins and again once the first answers are there.

Room: work (bench). Pure. Prompts are known to the character, and the first contact tells how many
characters a token of this model has. Answers are taken to be about as long as the tasks' own; what
a model thinks before it answers shows with the first answers alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from skills_nb.bench.models.answers import Answer, FirstContact

CHARACTERS_PER_TOKEN = 3.6
"""Of SQL and code, where the endpoint does not tell."""
_WORDS_AROUND = 1.25
"""An answer's length against the task's own answer: fences, comments, a sentence."""
_CHAT_TOKENS = 8
"""What the form of a conversation takes beside its words."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question that is still to be asked."""

    prompt: int
    """Its characters."""
    answer: int
    """Characters of an answer that is right; 0 where the task brings none."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run's questions take."""

    questions: int
    """How many are asked."""
    prompt_tokens: int
    """Tokens of all prompts."""
    completion_tokens: int
    """Tokens of all answers."""
    characters: tuple[int, int]
    """Of all prompts, and of answers that are right."""
    prices: tuple[float, float] | None = None
    """USD for a token asked and a token answered."""
    answered: int = 0
    """How many answers it rests on."""

    @property
    def cost_usd(self) -> float | None:
        """Return the price of all; None where nobody says what a token costs."""
        if self.prices is None:
            return None
        return self.prompt_tokens * self.prices[0] + self.completion_tokens * self.prices[1]

    @property
    def line(self) -> str:
        """Return it for a person."""
        cost = self.cost_usd
        price = "price unknown: --price IN OUT" if cost is None else f"about {cost:.2g} USD"
        rests = f", after {self.answered} answers" if self.answered else ""
        return (
            f"{self.questions} calls, about {self.prompt_tokens:,} tokens asked and "
            f"{self.completion_tokens:,} answered{rests}; {price}"
        )

    def document(self) -> dict[str, Any]:
        """Return it as plain values."""
        cost = self.cost_usd
        return {
            "questions": self.questions,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cost_usd": None if cost is None else round(cost, 6),
            "answered": self.answered,
        }

    def revised(self, done: Sequence[tuple[Question, Answer]]) -> Estimate:
        """Return the estimate for all questions, by what the first of them took."""
        used = [(q, a.usage) for q, a in done]
        if not used or any(None in (u.prompt_tokens, u.completion_tokens) for _, u in used):
            return self
        prompt = sum(u.prompt_tokens or 0 for _, u in used)
        completion = sum(u.completion_tokens or 0 for _, u in used)
        shares = sum(q.prompt for q, _ in used), sum(q.answer for q, _ in used)
        asked, right = self.characters
        return Estimate(
            self.questions,
            round(prompt * asked / (shares[0] or 1)),
            # By length where right answers are known: a long task takes more than a short one.
            round(completion * (right / shares[1] if shares[1] else self.questions / len(used))),
            self.characters,
            self.prices,
            len(used),
        )


def estimate(
    questions: Sequence[Question],
    sample: int,
    contact: FirstContact | None,
    prices: tuple[float, float] | None,
) -> Estimate:
    """Return what questions take.

    Args:
        questions: all that are to be asked.
        sample: characters of the prompt that the first contact was made with.
        contact: what it showed; None where it was not made.
        prices: as a person says them; the endpoint's own without them.
    """
    per_token = CHARACTERS_PER_TOKEN
    if contact is not None and (contact.prompt_tokens or 0) > _CHAT_TOKENS:
        per_token = sample / ((contact.prompt_tokens or 0) - _CHAT_TOKENS)
    known = [q.answer for q in questions if q.answer]
    usual = sum(known) / len(known) if known else 0
    answers = sum(q.answer or usual for q in questions)
    return Estimate(
        len(questions),
        round(sum(q.prompt for q in questions) / per_token) + _CHAT_TOKENS * len(questions),
        round(answers * _WORDS_AROUND / per_token),
        (sum(q.prompt for q in questions), round(answers)),
        prices or (contact.prices if contact is not None else None),
    )
