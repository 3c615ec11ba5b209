"""What finds a target for words: the router, and models at the joints.

Room: contracts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from skills_nb.model.library import Library
    from skills_nb.model.routes import Route


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What a model is told to make a guided plan of."""

    goal: str
    """What the plan is for, in the person's words."""
    pages: Mapping[str, Mapping[str, str]]
    """`primitives/{name}` to its sections, the nearest first; a step may name no other."""
    most_steps: int
    """A plan with more steps would be rejected."""
    prohibited_actions: tuple[str, ...]
    """Beginnings of statements that no plan may hold."""


@dataclass(frozen=True, slots=True)
class FieldRequest:
    """An input that a model is asked to find in somebody's words."""

    name: str
    """As the playbook declares it."""
    type: str
    """What a value must be: `table`, `choice`, `integer`, …."""
    description: str = ""
    """What is asked, for people."""
    choices: tuple[str, ...] = ()
    """The only answers that count; empty where any does."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model said, as a document that is checked before anybody relies on it."""

    document: Mapping[str, Any]
    """A plan is `{goal, steps: [{step, action, primitive, sql}]}`; inputs are `{name: value}`."""
    confidence: float | None = None
    """0 to 1, in its own estimation; None where it gave none."""
    cost: Mapping[str, Any] = field(default_factory=dict)
    """`{input_tokens, output_tokens, credits}`, as far as known."""


class Resolver(Protocol):
    """A model at the joints: it chooses and proposes, the deterministic part checks and decides."""

    @property
    def name(self) -> str:
        """Return what the model is called; it stands on the thread beside what it said."""
        ...

    def choose(self, question: str, options: Mapping[str, str]) -> ModelReply | None:
        """Return `{choice}`, one of the options (id and description), or None."""
        ...

    def fill(self, words: str, fields: Sequence[FieldRequest]) -> ModelReply | None:
        """Return the inputs that somebody's words tell, or None when they tell nothing."""
        ...

    def propose(self, request: PlanRequest) -> ModelReply | None:
        """Return a plan for a goal, or None when it has none."""
        ...


class Router(Protocol):
    """Resolves an intent; the routing room, bound to its library."""

    def __call__(self, intent: str, library: Library) -> Route:
        """Return the route."""
        ...
