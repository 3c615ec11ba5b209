"""The chat client against a server of this process."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from skills_nb.errors import UsageError
from skills_nb.llm import ModelError, Usage, provider_of
from skills_nb.llm.chat import ChatClient
from skills_nb.llm.providers import name_for, needs_key
from tests.fakes import FakeClock

GOOD = {
    "model": "served",
    "choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 3, "completion_tokens": 5, "cost": 0.25},
}


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.path, dict(self.headers), json.loads(body)))
        status, headers, document = self.server.script.pop(0)
        text = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass


@pytest.fixture
def server():
    made = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    made.script, made.seen = [], []
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture
def client(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    provider = provider_of("gpt-4", base_url=f"http://127.0.0.1:{server.server_port}/v1")
    return ChatClient(provider, "gpt-4", FakeClock())


def _asked(client):
    return client.ask([{"role": "user", "content": "hi"}])


def test_an_answer_comes_with_its_usage_and_cost(client, server):
    server.script = [(200, {}, GOOD)]
    said = _asked(client)
    assert (said.text, said.ending, said.model) == ("hello", "complete", "served")
    assert said.usage == Usage(3, 5, 0.25)
    path, headers, body = server.seen[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer sk-secret"
    assert body == {"model": "gpt-4", "messages": [{"role": "user", "content": "hi"}]}


def test_what_the_endpoint_does_not_say_is_unknown(client, server):
    server.script = [(200, {}, {k: v for k, v in GOOD.items() if k != "usage"})]
    assert _asked(client).usage == Usage(None, None, None)


@pytest.mark.parametrize(
    ("reason", "ending"),
    [("length", "truncated"), ("content_filter", "filtered"), ("stop", "complete")],
)
def test_an_answer_says_how_it_ended(client, server, reason, ending):
    choice = {"message": {"content": "hel"}, "finish_reason": reason}
    server.script = [(200, {}, {**GOOD, "choices": [choice]})]
    assert _asked(client).ending == ending


@pytest.mark.parametrize("status", [429, 500, 503, 408])
def test_what_may_pass_is_tried_again(client, server, status):
    server.script = [(status, {}, {"error": {"message": "busy"}}), (200, {}, GOOD)]
    assert _asked(client).text == "hello"
    (slept,) = client.clock.slept
    assert 0.5 <= slept <= 1.5


@pytest.mark.parametrize(("told", "slept"), [("7", 7.0), ("0.5", 0.5), ("9999", 60.0)])
def test_retry_after_is_heeded(client, server, told, slept):
    server.script = [(429, {"Retry-After": told}, {}), (200, {}, GOOD)]
    _asked(client)
    assert client.clock.slept == [slept]


def test_retry_after_may_be_a_date(client, server):
    server.script = [
        (503, {"Retry-After": "Thu, 01 Jan 2026 00:00:30 GMT"}, {}),
        (200, {}, GOOD),
    ]
    _asked(client)
    assert client.clock.slept[0] == pytest.approx(30, abs=0.1)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_will_not_pass_is_said_at_once(client, server, status):
    server.script = [(status, {}, {"error": {"message": "no such model"}})]
    with pytest.raises(ModelError, match=f"openai: {status} no such model") as refused:
        _asked(client)
    assert refused.value.hint
    assert "sk-secret" not in str(refused.value)


def test_after_all_tries_it_is_given_up(client, server):
    server.script = [(500, {}, b"<html>down</html>")] * 5
    with pytest.raises(ModelError, match=r"500 <html>down</html> \(5 tries\)"):
        _asked(client)
    assert len(client.clock.slept) == 4


@pytest.mark.parametrize("document", [b"not json", [1], {"choices": []}, {"choices": [{}]}])
def test_an_answer_in_another_form_is_refused(client, server, document):
    server.script = [(200, {}, document)]
    with pytest.raises(ModelError):
        _asked(client)


def test_a_broken_connection_is_tried_again(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    provider = provider_of("gpt-4", base_url="http://127.0.0.1:9/v1")
    client = ChatClient(provider, "gpt-4", FakeClock(), tries=2)
    with pytest.raises(ModelError, match="2 tries"):
        _asked(client)


# ---- providers


@pytest.mark.parametrize(
    ("model", "provider", "sent"),
    [
        ("gpt-4", "openai", "gpt-4"),
        ("o3-mini", "openai", "o3-mini"),
        ("claude-3-opus", "openrouter", "anthropic/claude-3-opus"),
        ("gemini-pro", "gemini", "gemini-pro"),
        ("grok-4.1-fast", "routellm", "grok-4.1-fast"),
        ("meta-llama/llama-3-70b", "openrouter", "meta-llama/llama-3-70b"),
        ("ollama/qwen3:8b", "ollama", "qwen3:8b"),
        ("vllm/my-model", "vllm", "my-model"),
        ("cortex/mistral-large2", "cortex-rest", "mistral-large2"),
    ],
)
def test_a_name_leads_to_whoever_serves_it(model, provider, sent):
    found = provider_of(model)
    assert (found.name, name_for(found, model)) == (provider, sent)


def test_nobody_is_guessed():
    with pytest.raises(UsageError, match="nobody is known to serve 'my-own'"):
        provider_of("my-own")
    with pytest.raises(UsageError, match="unknown provider 'acme'"):
        provider_of("gpt-4", "acme")
    assert provider_of("my-own", base_url="http://localhost:1/v1").name == "custom"


def test_endpoints_of_this_machine_need_no_key():
    assert needs_key(provider_of("gpt-4"))
    assert not needs_key(provider_of("gpt-4", base_url="http://127.0.0.1:80/v1"))
    assert not needs_key(provider_of("ollama/x"))


def test_an_address_with_a_variable_needs_it(monkeypatch):
    monkeypatch.delenv("SNOWFLAKE_ACCOUNT_URL", raising=False)
    provider = provider_of("cortex/mistral-large2")
    with pytest.raises(UsageError, match="SNOWFLAKE_ACCOUNT_URL"):
        _ = provider.address
    monkeypatch.setenv("SNOWFLAKE_ACCOUNT_URL", "https://o-a.snowflakecomputing.com")
    assert provider.address == "https://o-a.snowflakecomputing.com/api/v2/cortex/v1"
