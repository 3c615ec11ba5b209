"""From a model's name to who serves it: a table, in order, the first match decides.

Room: work (llm). Pure but for the environment. Every provider speaks OpenAI's chat form at
`{url}/chat/completions`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from skills_nb.errors import UsageError


@dataclass(frozen=True, slots=True)
class Provider:
    """An endpoint."""

    name: str
    """What stands before the model's in `--model`."""
    url: str
    """Base address; `{NAME}` stands for an environment variable."""
    key_variable: str = ""
    """Where its key is; empty for an endpoint without one."""
    prefix: str = ""
    """What is taken off a model's name before it is sent."""

    @property
    def key(self) -> str:
        """Return the key, or an empty text."""
        return os.environ.get(self.key_variable, "") if self.key_variable else ""

    @property
    def address(self) -> str:
        """Return the base address, variables filled in.

        Raises:
            UsageError: a variable is not set.
        """

        def filled(found: re.Match[str]) -> str:
            value = os.environ.get(found[1], "")
            if not value:
                raise UsageError(
                    f"the address of '{self.name}' needs {found[1]}", hint=f"export {found[1]}=…"
                )
            return value

        return re.sub(r"\{(\w+)\}", filled, self.url).rstrip("/")

    def sent_name(self, model: str) -> str:
        """Return a model's name as this endpoint knows it."""
        return model.removeprefix(self.prefix) if self.prefix else model


PROVIDERS: Mapping[str, Provider] = {
    p.name: p
    for p in (
        Provider("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "openai/"),
        Provider("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "openrouter/"),
        Provider("routellm", "https://routellm.abacus.ai/v1", "ROUTELLM_API_KEY", "routellm/"),
        Provider(
            "gemini",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "GEMINI_API_KEY",
            "gemini/",
        ),
        Provider("ollama", "http://localhost:11434/v1", prefix="ollama/"),
        Provider("vllm", "http://localhost:8000/v1", "VLLM_API_KEY", "vllm/"),
        Provider(
            "cortex-rest",
            "{SNOWFLAKE_ACCOUNT_URL}/api/v2/cortex/v1",
            "SNOWFLAKE_TOKEN",
            "cortex/",
        ),
    )
}
_KEYLESS = frozenset({"ollama", "vllm"})

MODELS: tuple[tuple[str, str], ...] = (
    (r"(openai|openrouter|routellm|gemini|ollama|vllm)/", "\\1"),
    (r"cortex/", "cortex-rest"),
    (r"[\w.-]+/[\w.:-]+", "openrouter"),
    (r"grok", "routellm"),
    (r"(gpt|chatgpt|o\d|codex)", "openai"),
    (r"gemini", "gemini"),
    (r"(claude|llama|mistral|mixtral|deepseek|qwen|kimi|glm)", "openrouter"),
    (r"(snowflake|arctic)", "cortex-rest"),
)
"""Beginnings of model names and who serves them."""
_MAKERS = (
    ("claude", "anthropic"),
    ("llama", "meta-llama"),
    ("mistral", "mistralai"),
    ("mixtral", "mistralai"),
    ("deepseek", "deepseek"),
    ("qwen", "qwen"),
    ("kimi", "moonshotai"),
    ("glm", "z-ai"),
)
"""OpenRouter wants a maker before a model's name."""


def provider_of(model: str, named: str | None = None, base_url: str | None = None) -> Provider:
    """Return who serves a model.

    Args:
        model: its name.
        named: a provider of the table, where a person chose one.
        base_url: another address that speaks the same form.

    Raises:
        UsageError: the provider is unknown, or the model's name tells nothing.
    """
    if named is not None and named not in PROVIDERS:
        raise UsageError(f"unknown provider '{named}'", hint="one of: " + ", ".join(PROVIDERS))
    name = named or _named_by(model)
    if name is None and base_url is None:
        raise UsageError(
            f"nobody is known to serve '{model}'", hint="say --provider NAME or --base-url URL"
        )
    found = PROVIDERS[name] if name else Provider("custom", "", "OPENAI_API_KEY")
    return replace(found, url=base_url) if base_url else found


def _named_by(model: str) -> str | None:
    for pattern, provider in MODELS:
        found = re.match(pattern, model, re.IGNORECASE)
        if found:
            return found.expand(provider)
    return None


def name_for(provider: Provider, model: str) -> str:
    """Return a model's name as its provider knows it, the maker added where that is needed."""
    sent = provider.sent_name(model)
    if provider.name != "openrouter" or "/" in sent:
        return sent
    maker = next((maker for start, maker in _MAKERS if sent.lower().startswith(start)), None)
    return f"{maker}/{sent}" if maker else sent


def needs_key(provider: Provider) -> bool:
    """Return whether an endpoint refuses whoever brings no key: those on this machine do not."""
    is_here = re.match(r"https?://(localhost|127\.0\.0\.1|\[::1\])([:/]|\Z)", provider.url)
    return bool(provider.key_variable) and provider.name not in _KEYLESS and is_here is None
