"""One small client for endpoints that speak OpenAI's chat form.

Room: work (llm). What may pass by itself (429, 5xx, time-outs, a broken connection) is tried
again, as `Retry-After` says or after a growing wait with jitter; anything else is said at once.
An answer that ran into a length limit is marked as such and never passed off as whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from skills_nb.llm.providers import Provider, name_for
from skills_nb.llm.values import Answered, Ending, ModelError, Sampling, Usage
from skills_nb.ports import Clock

if TYPE_CHECKING:
    import httpx

TRIES = 5
LONGEST_WAIT_S = 60.0
_ENDINGS: Mapping[str, Ending] = {
    "stop": "complete",
    "end_turn": "complete",
    "length": "truncated",
    "max_tokens": "truncated",
    "content_filter": "filtered",
}
_NEWER = "max_completion_tokens"
"""What models that think call the limit on an answer."""
Message = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ChatClient:
    """Asks one model at one endpoint."""

    provider: Provider
    """Where it is asked, and with which key."""
    model: str
    """As it was asked for; the endpoint is told its own name for it."""
    clock: Clock
    """Waits between tries."""
    timeout_s: float = 300.0
    """Seconds for one try."""
    tries: int = TRIES
    """How often a request is sent at most, where the endpoint is busy or away."""
    sampling: Sampling = field(default_factory=Sampling)
    """How it is to answer."""
    transport: httpx.BaseTransport | None = None
    """Another way to the endpoint; the network by default."""

    def ask(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Answered:
        """Return what the model says, in the form of a JSON schema where one is given.

        Raises:
            ModelError: it could not be asked, after all tries.
        """
        sampling = self.sampling
        asked: dict[str, Any] = {
            "model": name_for(self.provider, self.model),
            "messages": list(messages),
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
            "reasoning_effort": sampling.reasoning_effort,
        }
        body = {name: value for name, value in asked.items() if value is not None}
        if schema is not None:
            named = {"name": "answer", "schema": dict(schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return _answered(self._completed(body))

    def _completed(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a question; an endpoint that knows the limit by its newer name is told that."""
        try:
            return self._requested("POST", "chat/completions", body)
        except ModelError as problem:
            if "max_tokens" not in body or _NEWER not in problem.message:
                raise
        limit = body["max_tokens"]
        rest = {name: value for name, value in body.items() if name != "max_tokens"}
        return self._requested("POST", "chat/completions", {**rest, _NEWER: limit})

    def prices(self) -> tuple[float, float] | None:
        """Return what a token asked and a token answered cost in USD, where the endpoint lists it.

        Raises:
            ModelError: it could not be asked.
        """
        wanted = name_for(self.provider, self.model)
        for entry in self._requested("GET", "models", None).get("data") or ():
            told = entry.get("pricing") if entry.get("id") == wanted else None
            if isinstance(told, Mapping) and {"prompt", "completion"} <= told.keys():
                return float(told["prompt"]), float(told["completion"])
        return None

    def models(self) -> tuple[str, ...]:
        """Return the names of the models that the endpoint lists, which costs nothing.

        Raises:
            ModelError: it could not be asked.
        """
        listed = self._requested("GET", "models", None).get("data")
        return tuple(str(entry["id"]) for entry in listed or () if "id" in entry)

    def _requested(self, method: str, path: str, body: Any) -> Mapping[str, Any]:
        import httpx

        headers = {"Authorization": f"Bearer {self.provider.key}"} if self.provider.key else {}
        url = f"{self.provider.address}/{path}"
        with httpx.Client(timeout=self.timeout_s, transport=self.transport) as client:
            return self._tried(lambda: client.request(method, url, json=body, headers=headers))

    def _tried(self, send: Callable[[], httpx.Response]) -> Mapping[str, Any]:
        import httpx

        trouble, told = "", ""
        for attempt in range(1, self.tries + 1):
            try:
                response = send()
            except httpx.TransportError as problem:
                trouble, told = f"{type(problem).__name__}: {problem}", ""
            else:
                if response.is_success:
                    return self._document(response)
                trouble, told = _refusal(response), response.headers.get("Retry-After", "")
                if not _may_pass(response.status_code):
                    raise ModelError(f"{self.provider.name}: {trouble}", hint=_hint(response))
            if attempt < self.tries:
                self.clock.sleep(self._wait_s(attempt, told))
        raise ModelError(
            f"{self.provider.name}: {trouble} ({self.tries} tries)",
            hint="run again with the same --output: what was answered is not asked again",
        )

    def _document(self, response: httpx.Response) -> Mapping[str, Any]:
        try:
            document = response.json()
        except ValueError as problem:
            raise ModelError(f"{self.provider.name}: the answer is not JSON") from problem
        if not isinstance(document, Mapping):
            raise ModelError(f"{self.provider.name}: the answer is not an object")
        return document

    def _wait_s(self, attempt: int, told: str) -> float:
        """Return how long to wait: what the endpoint says, else doubling, with jitter.

        The jitter comes from the model's name and the clock, so that several runners spread.
        """
        said = _told_s(told, self.clock)
        if said is not None:
            return min(said, LONGEST_WAIT_S)
        seed = f"{self.model} {attempt} {self.clock.monotonic()}".encode()
        share = hashlib.sha256(seed).digest()[0] / 255
        return min(2.0 ** (attempt - 1) * (0.5 + share), LONGEST_WAIT_S)


def _may_pass(status: int) -> bool:
    return status in (408, 425, 429) or status >= 500


def _told_s(told: str, clock: Clock) -> float | None:
    """Return the seconds of a `Retry-After`, which may also be a date."""
    if not told:
        return None
    if told.replace(".", "", 1).isdigit():
        return float(told)
    try:
        until = parsedate_to_datetime(told)
    except ValueError:
        return None

    return max(0.0, (until - datetime.fromisoformat(clock.now())).total_seconds())


def _refusal(response: httpx.Response) -> str:
    try:
        said = response.json()["error"]
        text = said["message"] if isinstance(said, Mapping) else str(said)
    except (ValueError, KeyError, TypeError):
        text = response.text
    return f"{response.status_code} {' '.join(text.split())[:200]}".strip()


def _hint(response: httpx.Response) -> str:
    return {
        401: "check the API key environment variable",
        403: "check what the API key may use",
        404: "check that the model is available there: --provider, --base-url",
    }.get(response.status_code, "see the provider's documentation of this status")


def _answered(document: Mapping[str, Any]) -> Answered:
    try:
        choice = document["choices"][0]
        text = choice["message"]["content"] or ""
    except (KeyError, IndexError, TypeError) as problem:
        raise ModelError("the endpoint's answer has no choices[0].message.content") from problem
    ending = _ENDINGS.get(choice.get("finish_reason") or "stop", "complete")
    usage = document.get("usage") or {}
    return Answered(
        text=text,
        ending=ending,
        usage=Usage(usage.get("prompt_tokens"), usage.get("completion_tokens"), usage.get("cost")),
        model=str(document.get("model") or ""),
    )
