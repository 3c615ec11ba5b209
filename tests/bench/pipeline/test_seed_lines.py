"""The specification's four command lines, as they are written, with a stub for the model."""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SNOWFLAKE_ONLY = ("--only", "hide-emails-from-analysts")
"""The other types' tests install packages; they are tested by themselves."""


class _Stub(BaseHTTPRequestHandler):
    """An endpoint that gives every task of ours its gold."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        gold = (ROOT / "data/tasks/own/hide-emails-from-analysts/gold.sql").read_text()
        self._reply(
            {
                "model": asked["model"],
                "choices": [
                    {"message": {"content": f"```sql\n{gold}```"}, "finish_reason": "stop"}
                ],
                "usage": {"prompt_tokens": 11, "completion_tokens": 22},
            }
        )

    def do_GET(self):
        self._reply({"data": []})

    def _reply(self, document):
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


@pytest.fixture
def stub():
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Stub)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def here(tmp_path):
    """A folder in which the lines can be typed."""
    (tmp_path / "data").symlink_to(ROOT / "data")
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    return tmp_path


def _typed(here, line, *more):
    words = [sys.executable, *line.split()[1:], *SNOWFLAKE_ONLY, "--workers", "1", *more]
    return subprocess.run(
        words,
        cwd=here,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "SKILLS_NB_HOME": str(here / "home")},
    )


def _only_run(here):
    (found,) = (here / "results").iterdir()
    return found


def test_basic_evaluation_without_a_key_stops_before_it_costs_anything(here, monkeypatch):
    monkeypatch.delenv("ROUTELLM_API_KEY", raising=False)
    line = "python scripts/evaluate.py --model grok-4.1-fast --tasks data/tasks/verified.json"
    ran = _typed(here, line)
    assert ran.returncode == 2
    assert "preflight failed: model: ROUTELLM_API_KEY is not set" in ran.stderr
    assert "env | grep -c _API_KEY" in ran.stderr
    assert not (here / "results").exists()


@pytest.mark.slow
def test_basic_evaluation(here, stub):
    line = "python scripts/evaluate.py --model grok-4.1-fast --tasks data/tasks/verified.json"
    ran = _typed(here, line, "--base-url", f"http://127.0.0.1:{stub.server_port}/v1")
    assert ran.returncode == 0, ran.stderr
    first, asked = stub.asked
    assert (first["max_tokens"], "max_tokens" in asked) == (1, False)
    assert first["model"] == asked["model"] == "grok-4.1-fast"
    result = json.loads((_only_run(here) / "results.jsonl").read_text())
    assert result["scores"]["total"] == 0.5
    assert result["answer"]["usage"] == {
        "prompt_tokens": 11,
        "completion_tokens": 22,
        "cost_usd": None,
    }
    assert json.loads((_only_run(here) / "checkpoint.json").read_text())["metadata"][
        "provider"
    ] == ("routellm")


@pytest.mark.slow
def test_with_functional_validation(here, stub):
    line = (
        "python scripts/evaluate.py --model claude-3-opus --tasks data/tasks/realistic.json "
        "--functional"
    )
    ran = _typed(here, line, "--base-url", f"http://127.0.0.1:{stub.server_port}/v1")
    assert ran.returncode == 0, ran.stderr
    assert json.loads((_only_run(here) / "results.jsonl").read_text())["resolved"] is True


@pytest.mark.slow
def test_resume_from_a_checkpoint(here, stub):
    line = (
        "python scripts/evaluate.py --model gemini-pro --tasks data/tasks/verified.json "
        "--output results/existing-run-dir/"
    )
    url = ("--base-url", f"http://127.0.0.1:{stub.server_port}/v1")
    first = _typed(here, line, *url)
    again = _typed(here, line, *url)
    assert (first.returncode, again.returncode) == (0, 0), again.stderr
    assert len(stub.asked) == 2, "one token, and the answer"
    assert "0 to answer, 0 to measure" in again.stderr


@pytest.mark.slow
def test_with_pre_generated_solutions(here):
    solutions = here / "solutions" / "gpt-4"
    solutions.mkdir(parents=True)
    gold = (ROOT / "data/tasks/own/hide-emails-from-analysts/gold.sql").read_text()
    (solutions / "hide-emails-from-analysts.sql").write_text(gold)
    line = (
        "python scripts/evaluate.py --model gpt-4 --tasks data/tasks/verified.json "
        "--solutions solutions/gpt-4/"
    )
    ran = _typed(here, line)
    assert ran.returncode == 0, ran.stderr
    assert "50 %  hide-emails-from-analysts" in ran.stderr
