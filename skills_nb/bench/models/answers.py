"""An answer to a task, and what gives one.

Room: work (bench). Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from skills_nb.bench.tasks.task_values import Task
from skills_nb.llm import Usage
from skills_nb.llm.values import Ending


@dataclass(frozen=True, slots=True)
class Answer:
    """What was submitted for one attempt at a task."""

    text: str
    """As it was submitted; empty for no answer."""
    ending: Ending = "complete"
    """A truncated answer is not graded: nobody knows what it would have been."""
    usage: Usage = field(default_factory=Usage)
    """What it took; None in all of it where nothing was asked."""
    source: str = ""
    """The model as the endpoint names it, or the file that was replayed."""

    def document(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Answer:
        """Return the answer of a document."""
        return cls(**{**document, "usage": Usage(**document["usage"])})


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
