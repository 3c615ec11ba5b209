"""An answer to a task, and what gives one.

Room: work (bench). Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from skills_nb.bench.code_fences import says_done
from skills_nb.bench.tasks.scripted_turns import scripted_turns
from skills_nb.bench.tasks.task_values import Task
from skills_nb.llm import Usage
from skills_nb.llm.values import Ending


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """A turn that others followed."""

    text: str
    """As it was submitted."""
    shown: str = ""
    """What the model was told of it; empty where nobody was."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was submitted for one attempt at a task, in one turn or in several."""

    text: str
    """The last turn as it was submitted; empty for no answer."""
    ending: Ending = "complete"
    """A truncated answer is not graded: nobody knows what it would have been."""
    usage: Usage = field(default_factory=Usage)
    """What it took; None in all of it where nothing was asked."""
    source: str = ""
    """The model as the endpoint names it, or the file that was replayed."""
    asked: int = 1
    """How often the model was asked: again where an answer ran into its limit."""
    seconds: float | None = None
    """How long that took; None where nobody was asked."""
    earlier: tuple[EarlierTurn, ...] = ()
    """The turns before the last one, first to last."""

    @property
    def turns(self) -> tuple[str, ...]:
        """Return what was submitted, turn by turn."""
        return (*(turn.text for turn in self.earlier), self.text)

    def is_over(self, most_turns: int) -> bool:
        """Return whether no turn follows: it is done, not whole, or its turns are spent."""
        is_spent = len(self.turns) >= most_turns
        return is_spent or self.ending != "complete" or says_done(self.text)

    def followed_by(self, shown: str, answer: Answer) -> Answer:
        """Return both as one: the next turn, after what was shown of this one."""
        both = (self.seconds, answer.seconds)
        return replace(
            answer,
            usage=self.usage + answer.usage,
            asked=self.asked + answer.asked,
            seconds=None if None in both else round(sum(s or 0.0 for s in both), 3),
            earlier=(*self.earlier, EarlierTurn(self.text, shown)),
        )

    @classmethod
    def scripted(cls, script: str, source: str = "") -> Answer:
        """Return the answer of a script, which may hold several turns."""
        *earlier, last = scripted_turns(script)
        return cls(last, source=source, earlier=tuple(map(EarlierTurn, earlier)))

    def document(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Answer:
        """Return the answer of a document."""
        earlier = tuple(EarlierTurn(**turn) for turn in document.get("earlier", ()))
        usage = Usage(**document["usage"])
        return cls(**{**document, "usage": usage, "earlier": earlier})


@dataclass(frozen=True, slots=True)
class FirstContact:
    """What one question of one token shows of a model."""

    trouble: str = ""
    """Why the model cannot be asked; empty where it can."""
    hint: str = ""
    """What repairs that."""
    prompt_tokens: int | None = None
    """What the question took, as the endpoint counts; None where it does not say."""
    prices: tuple[float, float] | None = None
    """USD for a token asked and a token answered; None where nobody says."""


@runtime_checkable
class Contacted(Protocol):
    """A generator that can be asked for one token."""

    def first_contact(self, messages: list[dict[str, str]]) -> FirstContact:
        """Ask for one token, so that a wrong key or name shows before anything is begun."""
        ...


class Generator(Protocol):
    """Gives answers."""

    @property
    def provider(self) -> str:
        """Return who is asked, for the record."""
        ...

    def check(self) -> tuple[str, str]:
        """Return what preflight says of it, and what is wrong (empty: nothing); costs nothing."""
        ...

    def answer(self, task: Task, messages: list[dict[str, str]], attempt: int) -> Answer:
        """Return the answer to a task.

        Raises:
            ModelError: there is none.
        """
        ...
