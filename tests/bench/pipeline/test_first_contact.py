"""What is learned of a model by one token, before anything is bound to it."""

import json
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from skills_nb.bench.models import Answer
from skills_nb.bench.models.generators import CachedGenerator, ChatGenerator
from skills_nb.bench.pipeline import evaluate
from skills_nb.bench.pipeline.questions import foretold, messages_of, question_of
from skills_nb.bench.tasks import load_tasks
from skills_nb.errors import UsageError
from skills_nb.llm import Sampling, Usage, provider_of
from skills_nb.llm.chat import ChatClient
from tests.fakes import FakeClock

CHARACTERS = 3.1
"""Of a token, as this endpoint counts; nobody tells it to whoever asks."""


class _Handler(BaseHTTPRequestHandler):
    """An endpoint that knows right answers, counts tokens, and may refuse."""

    def do_GET(self):
        listed = {"id": "gpt-4", "pricing": {"prompt": "0.000002", "completion": "0.00001"}}
        self._say(200, {"data": [listed]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        if self.server.refusal:
            status, said = self.server.refusal
            self._say(status, {"error": {"message": said}})
            return
        prompt = sum(len(m["content"]) for m in body["messages"])
        text = self.server.answer(body["messages"][-1]["content"])
        limit = body.get("max_tokens") or self.server.own_limit
        made = round(len(text) / CHARACTERS)
        is_cut = made > limit
        usage = {
            "prompt_tokens": round(prompt / CHARACTERS) + 8,
            "completion_tokens": min(made, limit),
        }
        choice = {
            "message": {"content": text[: int(limit * CHARACTERS)] if is_cut else text},
            "finish_reason": "length" if is_cut else "stop",
        }
        self._say(200, {"model": "gpt-4-0613", "choices": [choice], "usage": usage})

    def _say(self, status, document):
        text = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass


@pytest.fixture
def server():
    made = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    made.asked, made.refusal, made.own_limit = [], None, 100_000
    made.answer = lambda prompt: "CREATE ROLE R;"
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture
def generator(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    provider = provider_of("gpt-4", base_url=f"http://127.0.0.1:{server.server_port}/v1")
    return ChatGenerator(ChatClient(provider, "gpt-4", FakeClock(), tries=1))


REFUSALS = {
    "a rejected key": ((401, "bad key"), "401 bad key: check the API key environment variable"),
    "an unknown model": ((404, "no such model"), "404 no such model: check that the model"),
    "an endpoint that is down": ((503, "away"), "503 away"),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_a_model_that_cannot_be_asked_binds_no_directory(options, server, generator, what):
    server.refusal, said = REFUSALS[what]
    told = []
    asked = options(generator=generator, tell=told.append)
    with pytest.raises(UsageError, match="preflight failed: model") as refused:
        evaluate(asked)
    assert said in refused.value.message
    assert not asked.output.exists()
    assert any(line.startswith("  x  model") for line in told)
    server.refusal = None
    assert evaluate(asked).left == 0, "the same words begin once it answers"


def test_an_endpoint_that_nobody_serves_binds_no_directory(options, generator, server):
    server.shutdown()
    server.server_close()
    asked = options(generator=generator)
    with pytest.raises(UsageError, match="preflight failed: model"):
        evaluate(asked)
    assert not asked.output.exists()


def test_one_token_is_asked_for_and_hints_fit_the_set(options, server, generator):
    evaluate(options(generator=generator))
    assert [body.get("max_tokens") for body in server.asked] == [1, None]
    server.refusal = (401, "bad key")
    again = options(generator=generator, output=options().output.parent / "other")
    with pytest.raises(UsageError) as refused:
        evaluate(again)
    assert "sf " not in refused.value.hint, "nobody is sent to an org over a Snowflake task"
    assert "API key" in refused.value.hint


def test_who_measures_salesforce_tasks_is_told_of_orgs(options, server, generator):
    server.refusal = (401, "bad key")
    tasks = load_tasks("verified").only(["flow-welcome-customer-001"])
    with pytest.raises(UsageError) as refused:
        evaluate(options(generator=generator, tasks=tasks))
    assert "sf org list --all" in refused.value.hint


def test_what_is_answered_already_asks_nobody(options, server, generator):
    evaluate(options(generator=generator))
    before = len(server.asked)
    server.refusal = (401, "revoked since")
    evaluate(options(generator=generator))
    assert len(server.asked) == before


# ---- cut answers


def _cut(generator, **sampling):
    client = replace(generator.client, sampling=Sampling(**sampling))
    return ChatGenerator(client)


LONG = "CREATE ROLE R;" + " -- a long word" * 40


def test_an_answer_that_is_cut_is_asked_for_again_with_more(server, generator, mask_emails):
    server.answer = lambda prompt: LONG
    made = _cut(generator, max_tokens=100).answer(mask_emails, [{"content": "x"}], 1)
    assert (made.ending, made.text, made.asked) == ("complete", LONG, 2)
    assert [body["max_tokens"] for body in server.asked] == [100, 200]
    assert made.usage.completion_tokens == 100 + round(len(LONG) / CHARACTERS)


def test_it_is_asked_for_no_further_than_is_allowed(server, generator, mask_emails):
    server.answer = lambda prompt: LONG * 50
    made = _cut(generator, max_tokens=100, most_tokens=150).answer(
        mask_emails, [{"content": "x"}], 1
    )
    assert (made.ending, made.asked) == ("truncated", 2)
    assert [body["max_tokens"] for body in server.asked] == [100, 150]
    server.asked.clear()
    assert _cut(generator, max_tokens=100, most_tokens=100).answer(
        mask_emails, [{"content": "x"}], 1
    ) == replace(made, asked=1, text=(LONG * 50)[:310], usage=made.usage.__class__(8, 100))


def test_cut_answers_and_tokens_are_in_the_summary(options, server, generator):
    server.answer = lambda prompt: LONG * 50
    done = evaluate(options(generator=_cut(generator, max_tokens=100, most_tokens=100)))
    assert "1 of 1 answers were cut at the token limit" in done.summary
    assert "Tokens: " in done.summary


# ---- how it was asked


def test_how_a_model_answers_is_sent_and_recorded(options, server, generator):
    sampling = {"temperature": 0.2, "top_p": 0.9, "reasoning_effort": "low"}
    done = evaluate(
        options(
            generator=_cut(generator, **sampling),
            sampling=sampling,
            endpoint="https://example.com/v1",
        )
    )
    assert {name: server.asked[-1][name] for name in sampling} == sampling
    report = json.loads((done.folder / "report.json").read_text())
    assert report["sampling"] == sampling
    assert report["endpoint"] == "https://example.com/v1"
    assert report["version"]
    assert (report["began"], report["evaluation_id"]) != ("", "")
    assert (report["task_set"], report["sealed"]) == ("mask-emails", 0)
    assert report["usage"]["seconds"] is not None
    with pytest.raises(UsageError, match="sampling is"):
        evaluate(options(generator=generator))


def test_a_limit_under_its_newer_name(server, generator, mask_emails):
    def refusing(body):
        return (400, "use 'max_completion_tokens' instead") if "max_tokens" in body else None

    class Newer(_Handler):
        def do_POST(self):
            size = int(self.headers["Content-Length"])
            body = json.loads(self.rfile.read(size))
            self.server.asked.append(body)
            refusal = refusing(body)
            if refusal is not None:
                self._say(refusal[0], {"error": {"message": refusal[1]}})
                return
            self._say(200, {"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}]})

    server.RequestHandlerClass = Newer
    assert generator.first_contact([{"content": "x"}]).trouble == ""
    assert server.asked[-1]["max_completion_tokens"] == 1


def test_answers_are_kept_apart_by_how_they_were_asked(tmp_path, server, generator, mask_emails):
    for temperature in (0.0, 1.0, 0.0):
        made = CachedGenerator(generator, "gpt-4", tmp_path, {"temperature": temperature})
        made.answer(mask_emails, [{"content": "x"}], 1)
    assert len(server.asked) == 2


# ---- what it will take


def _of_one_turn():
    """The shipped tasks that are asked for once; how many turns others take, a model decides."""
    listed = load_tasks("snowflake")
    return listed.only(task.id for task in listed.tasks if task.turns == 1)


def test_the_cost_is_foretold_within_thirty_percent(options, server, generator):
    """The shipped tasks' own answers, with a sentence and a fence around them, as models give."""
    listed = _of_one_turn()
    golds = {task.prompt.strip()[:200]: task.body.gold for task in listed.tasks}
    server.answer = lambda prompt: (
        "Here is the script that does this.\n```sql\n"
        + next(gold for start, gold in golds.items() if prompt.startswith(start))
        + "\n```\nIt leaves everything else as it was.\n"
    )
    asked = options(generator=generator, tasks=listed, model="gpt-4")
    contact, first = foretold(asked.items(), asked)
    assert contact.trouble == ""
    done = [
        (question_of(item, messages), generator.answer(item.task, messages, 1))
        for item in asked.items()
        for messages in [messages_of(item, asked)]
    ]
    used = [answer.usage for _, answer in done]
    actual = sum(u.prompt_tokens * 2e-6 + u.completion_tokens * 1e-5 for u in used)
    assert abs(first.cost_usd - actual) <= 0.3 * actual
    again = first.revised(done[:5])
    assert again.answered == 5
    assert abs(again.cost_usd - actual) <= 0.15 * actual


def test_a_model_that_thinks_shows_with_its_first_answers(options, generator):
    listed = _of_one_turn()
    asked = options(generator=generator, tasks=listed)
    _, first = foretold(asked.items(), asked)
    questions = [question_of(item, messages_of(item, asked)) for item in asked.items()]
    done = [(q, Answer("x", usage=Usage(q.prompt // 3, 2000 + q.answer // 3))) for q in questions]
    actual = sum(answer.usage.completion_tokens for _, answer in done)
    assert first.completion_tokens < 0.7 * actual, "nobody can know that before"
    assert abs(first.revised(done[:5]).completion_tokens - actual) <= 0.3 * actual


def test_where_nobody_says_a_price_tokens_are_said(options, server, generator):
    asked = options(generator=generator, prices=(1e-6, 2e-6))
    _, own = foretold(asked.items(), asked)
    assert own.cost_usd == pytest.approx(own.prompt_tokens * 1e-6 + own.completion_tokens * 2e-6)
    assert "price unknown: --price IN OUT" in replace(own, prices=None).line
