"""Who answers a run's tasks, as the words of `eval` say it, and how.

Room: commands. What a person says about answers and who answers cannot heed is refused.
"""

from __future__ import annotations

import re
import shlex
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.errors import UsageError

if TYPE_CHECKING:
    from skills_nb.bench.models import Generator
    from skills_nb.commands.app_context import AppContext
    from skills_nb.llm import Sampling

LIBRARY_MODEL = "library"
"""Stands for a model where the library itself answers."""
_FLAGS = ("temperature", "top_p", "max_tokens", "most_tokens", "reasoning_effort")


@dataclass(frozen=True, slots=True)
class AskedModel:
    """Who answers, and how."""

    generator: Generator
    """Gives the answers."""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    """What was said about how it answers, by name."""
    endpoint: str = ""
    """Where it is asked, without any secret; empty where nobody is."""
    prices: tuple[float, float] | None = None
    """USD for a token asked and a token answered, as a person says them."""


def asked_model(app: AppContext, words: Namespace, model: str, output: Path) -> AskedModel:
    """Return who answers.

    Raises:
        UsageError: the words contradict each other, or ask for what who answers cannot heed.
    """
    free = _free(words, model, output)
    if free is not None:
        _refuse_sampling(words, free.provider, *_FLAGS)
        return AskedModel(free)
    sampling, prices = _sampling(words), _prices(words)
    said = {name: value for name, value in asdict(sampling).items() if value is not None}
    if words.provider == "cortex":
        _refuse_sampling(words, "cortex", "reasoning_effort")
        return AskedModel(_cortex(app, model, sampling), said, "AI_COMPLETE", prices)
    from skills_nb.bench.models.generators import CachedGenerator, ChatGenerator
    from skills_nb.llm import provider_of
    from skills_nb.llm.chat import ChatClient

    provider = provider_of(model, words.provider, words.base_url)
    asked: Generator = ChatGenerator(
        ChatClient(provider, model, app.wiring.clock, sampling=sampling)
    )
    if words.cache:
        asked = CachedGenerator(asked, model, Path(words.cache), said)
    return AskedModel(asked, said, without_secrets(provider.url), prices)


def _free(words: Namespace, model: str, output: Path) -> Generator | None:
    """Return who answers without a model, where the words say so."""
    from skills_nb.bench.models.generators import CommandGenerator, OwnAnswers, ReplayGenerator

    if words.solutions:
        return ReplayGenerator(Path(words.solutions))
    if words.provider in ("gold", "empty"):
        return OwnAnswers(words.provider)
    if words.provider == "command" or words.command_line:
        if not words.command_line:
            raise UsageError("--provider command needs --command", hint='--command "my-model -"')
        return CommandGenerator(tuple(shlex.split(words.command_line)))
    return ReplayGenerator(output, LIBRARY_MODEL) if model == LIBRARY_MODEL else None


def _cortex(app: AppContext, model: str, sampling: Sampling) -> Generator:
    from skills_nb.bench.models.generators import CortexGenerator
    from skills_nb.llm.cortex import CortexClient

    return CortexGenerator(CortexClient(app.wiring.session, model, sampling))


def without_secrets(url: str) -> str:
    """Return an address without a name, a password or a query, which may hold a key."""
    return re.sub(r"//[^/@]*@", "//", url.partition("?")[0].partition("#")[0])


# ---- how it answers


def _refuse_sampling(words: Namespace, who: str, *flags: str) -> None:
    for name in flags:
        if getattr(words, name) is not None:
            flag = "--" + name.replace("_", "-")
            raise UsageError(f"{flag} says how a model answers, and '{who}' cannot heed it")


def _sampling(words: Namespace) -> Sampling:
    from skills_nb.llm import Sampling

    _require("--temperature", words.temperature, 0, 2)
    _require("--top-p", words.top_p, 0, 1)
    _require("--max-tokens", words.max_tokens, 1, None)
    _require("--most-tokens", words.most_tokens, words.max_tokens or 1, None)
    return Sampling(
        words.temperature,
        words.top_p,
        words.max_tokens,
        words.most_tokens,
        words.reasoning_effort,
    )


def _require(flag: str, value: float | None, least: float, most: float | None) -> None:
    if value is not None and (value < least or (most is not None and value > most)):
        bound = f"at least {least:g}" if most is None else f"from {least:g} to {most:g}"
        raise UsageError(f"{flag} {value:g} is not {bound}")


def _prices(words: Namespace) -> tuple[float, float] | None:
    """Return what tokens cost in USD; people say it for a million of them."""
    if words.price is None:
        return None
    told, made = words.price
    _require("--price", min(told, made), 0, None)
    return told / 1e6, made / 1e6
