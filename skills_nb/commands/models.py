"""Which model is asked at the joints: none until a person sets one.

Room: commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.errors import UsageError

if TYPE_CHECKING:
    from skills_nb.commands.configuration import Configuration
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
