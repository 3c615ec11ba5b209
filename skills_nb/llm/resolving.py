"""A model as `ports.Resolver`: it chooses, fills in and proposes; nothing here decides.

Room: work (llm). Rules of this file: an answer that is not the JSON asked for, or was cut off, is
no answer; a choice outside the options is no choice; a model that cannot be asked is no reason to
stop, because everything works without one.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from skills_nb.llm import prompts
from skills_nb.llm.values import Answered, ModelError
from skills_nb.ports import FieldRequest, ModelReply, PlanRequest

_LOG = logging.getLogger(__name__)


class Asks(Protocol):
    """A client of one model."""

    def ask(
        self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None = None
    ) -> Answered:
        """Return what the model says, in the form of a JSON schema where one is given."""
        ...


class Classifies(Asks, Protocol):
    """A client that also has a function made for choosing."""

    def classify(self, text: str, options: Mapping[str, str]) -> str | None:
        """Return one of the options, or None."""
        ...


@dataclass(frozen=True, slots=True)
class ModelResolver:
    """One model at the joints. Implements `ports.Resolver`."""

    client: Asks
    """Sends the question; what comes back is checked here."""
    name: str
    """As it stands on the thread."""

    def choose(self, question: str, options: Mapping[str, str]) -> ModelReply | None:
        """Return `{choice}` and a confidence, or None where the model does not know."""
        reply = self._reply(*prompts.to_choose(question, options))
        choice = reply.document.get("choice") if reply else None
        if reply is None or choice not in options:
            return None
        return ModelReply({"choice": choice}, reply.confidence, reply.cost)

    def fill(self, words: str, fields: Sequence[FieldRequest]) -> ModelReply | None:
        """Return the fields that the words tell, and no others."""
        reply = self._reply(*prompts.to_fill(words, fields))
        values = reply.document.get("values") if reply else None
        if reply is None or not isinstance(values, Mapping):
            return None
        known = {field.name for field in fields}
        told = {
            name: value for name, value in values.items() if name in known and value is not None
        }
        return ModelReply(told, reply.confidence, reply.cost) if told else None

    def propose(self, request: PlanRequest) -> ModelReply | None:
        """Return a plan, as the model wrote it."""
        reply = self._reply(*prompts.to_propose(request))
        if reply is None or not reply.document.get("steps"):
            return None
        plan = {key: reply.document[key] for key in ("goal", "steps") if key in reply.document}
        return ModelReply(plan, reply.confidence, reply.cost)

    def _reply(
        self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]
    ) -> ModelReply | None:
        try:
            answered = self.client.ask(messages, schema)
        except ModelError as problem:
            _LOG.warning("the model '%s' could not be asked: %s", self.name, problem)
            return None
        document = _document(answered)
        if document is None:
            _LOG.warning("the model '%s' gave no answer of the form asked for", self.name)
            return None
        return ModelReply(document, _confidence(document), _cost(answered))


@dataclass(frozen=True, slots=True)
class ClassifyingResolver(ModelResolver):
    """A model that chooses by a function made for it."""

    client: Classifies

    def choose(self, question: str, options: Mapping[str, str]) -> ModelReply | None:
        """Return `{choice}`; such a function tells no confidence."""
        try:
            choice = self.client.classify(question, options)
        except ModelError as problem:
            _LOG.warning("the model '%s' could not be asked: %s", self.name, problem)
            return None
        return ModelReply({"choice": choice}) if choice in options else None


def _document(answered: Answered) -> Mapping[str, Any] | None:
    if answered.ending != "complete":
        return None
    text = answered.text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _confidence(document: Mapping[str, Any]) -> float | None:
    told = document.get("confidence")
    if isinstance(told, bool) or not isinstance(told, int | float):
        return None
    return float(told) if 0 <= told <= 1 else None


def _cost(answered: Answered) -> Mapping[str, Any]:
    usage = answered.usage
    told = {
        "input_tokens": usage.prompt_tokens,
        "output_tokens": usage.completion_tokens,
        "usd": usage.cost_usd,
    }
    return {name: value for name, value in told.items() if value is not None}
