"""Which model is asked at the joints: none until a person sets one.

Room: commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from skills_nb.commands.home.configuration import Configuration
    from skills_nb.model.events import Event, ModelAnswered
    from skills_nb.model.state import Pause
    from skills_nb.ports import Clock, Resolver, SqlSession

_CORTEX = "cortex/"
_TIMEOUT_S = 60.0
_TRIES = 2


def resolver_for(
    configuration: Configuration, session: SqlSession, clock: Clock
) -> Resolver | None:
    """Return the model of the settings, or None.

    Raises:
        UsageError: nobody is known to serve it, or its endpoint wants a key that is not set.
    """
    name = configuration.model
    if not name:
        return None
    if name.startswith(_CORTEX) and not (configuration.model_url or configuration.model_provider):
        from skills_nb.llm.cortex import CortexClient
        from skills_nb.llm.resolving import ClassifyingResolver

        return ClassifyingResolver(CortexClient(session, name), name)
    from skills_nb.llm.chat import ChatClient
    from skills_nb.llm.providers import needs_key, provider_of
    from skills_nb.llm.resolving import ModelResolver

    provider = provider_of(
        name, configuration.model_provider or None, configuration.model_url or None
    )
    if needs_key(provider) and not provider.key:
        raise UsageError(
            f"the model '{name}' needs a key", hint=f"export {provider.key_variable}=…"
        )
    # A person waits: sooner asked themselves than kept waiting for a model.
    client = ChatClient(provider, name, clock, timeout_s=_TIMEOUT_S, tries=_TRIES)
    return ModelResolver(client, name)


def suggestion(pause: Pause | None, events: Iterable[Event]) -> ModelAnswered | None:
    """Return what a model would choose at an open pause; None where it was not asked, or is mute.

    Args:
        pause: what waits.
        events: the thread's events, oldest first.
    """
    from skills_nb.model.events import ModelAnswered

    if pause is None:
        return None
    said = [
        event
        for event in events
        if isinstance(event, ModelAnswered) and event.joint == pause.at and event.seq > pause.seq
    ]
    is_told = bool(said) and isinstance(said[-1].answer, dict) and said[-1].answer.get("choice")
    return said[-1] if is_told else None


def suggestion_words(said: ModelAnswered) -> str:
    """Return a model's suggestion in one sentence, with how sure it is and what it took."""
    about = [] if said.confidence is None else [f"{said.confidence:.0%} sure"]
    about += [f"{value} {name.replace('_', ' ')}" for name, value in sorted(said.cost.items())]
    known = f" ({', '.join(about)})" if about else ""
    return f"The model {said.model} would choose '{said.answer['choice']}'{known}. You decide."
