"""Models: who is asked, where, and what came back.

Room: work (llm). Rules: one small client for every endpoint that speaks OpenAI's chat form, no
vendor's package; `httpx` loads with the first call; a key is read from the environment and goes
nowhere but into the request.
"""

from skills_nb.llm.providers import PROVIDERS, Provider, provider_of
from skills_nb.llm.values import Answered, ModelError, Sampling, Usage

__all__ = ["PROVIDERS", "Answered", "ModelError", "Provider", "Sampling", "Usage", "provider_of"]
