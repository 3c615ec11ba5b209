"""The settings of a home folder, and the model that they name."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from skills_nb.commands import App
from skills_nb.commands.home.configuration import Configuration, compact_after, read_configuration
from skills_nb.commands.home.model_choice import resolver_for
from skills_nb.errors import UsageError
from skills_nb.llm.resolving import ClassifyingResolver


def test_nothing_is_set_by_itself(tmp_path):
    assert read_configuration(tmp_path) == Configuration()
    assert resolver_for(Configuration(), None, None) is None


def test_a_file_sets_and_the_environment_goes_before_it(tmp_path, monkeypatch):
    (tmp_path / "config.toml").write_text('model = "m"\nstatement_timeout_s = 60\n')
    assert read_configuration(tmp_path) == Configuration(model="m", statement_timeout_s="60")
    monkeypatch.setenv("SKILLS_NB_MODEL", "n")
    assert read_configuration(tmp_path).model == "n"


@pytest.mark.parametrize("text", ["modle = 'm'", "[model]\nname = 'm'", "model ="])
def test_what_is_not_understood_is_refused(tmp_path, text):
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(UsageError, match=r"config\.toml"):
        read_configuration(tmp_path)


@pytest.mark.parametrize(("said", "number"), [("", 50), ("10", 10), (" 200 ", 200)])
def test_a_thread_is_compacted_after_as_many_events_as_were_set(said, number):
    assert compact_after(Configuration(compact_after=said)) == number


@pytest.mark.parametrize("said", ["9", "0", "-50", "5.5", "many", "٥٠"])
def test_a_number_of_events_that_is_none_is_refused(said):
    with pytest.raises(UsageError, match="no whole number from 10 up"):
        compact_after(Configuration(compact_after=said))


@pytest.mark.slow
def test_the_number_of_events_reaches_the_threads(home):
    (home / "config.toml").write_text("compact_after = 12\n")
    app = App(home)
    scope = "target_scope=PROD.CUSTOMER_DATA"
    app.invoke(["run", "playbooks/secure-sensitive-data", "--input", scope, "--thread", "t"])
    kinds = [event.type for event in app.wiring.store.load("t")]
    app.close()
    assert "phase_summary" in kinds[:14]


def test_the_account_gives_statements_up_after_the_seconds_that_were_set(home, monkeypatch):
    monkeypatch.setenv("SKILLS_NB_STATEMENT_TIMEOUT_S", "77")
    app = App(home)
    shown = app.invoke(["sql", "SHOW PARAMETERS LIKE 'STATEMENT_TIMEOUT_IN_SECONDS'"]).document
    app.close()
    (row,) = [dict(zip(shown["columns"], row, strict=True)) for row in shown["rows"]]
    assert (row["value"], row["level"]) == ("77", "SESSION")


def test_seconds_that_are_none_are_refused(home, monkeypatch):
    monkeypatch.setenv("SKILLS_NB_STATEMENT_TIMEOUT_S", "soon")
    app = App(home)
    with pytest.raises(UsageError, match="no number of seconds"):
        app.invoke(["connect"])
    app.close()


def test_cortex_is_reached_through_the_session():
    assert isinstance(
        resolver_for(Configuration(model="cortex/mistral-large2"), None, None), ClassifyingResolver
    )


def test_a_model_without_its_key_is_refused(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="needs a key"):
        resolver_for(Configuration(model="openai/gpt-4.1"), None, None)


class _Endpoint(BaseHTTPRequestHandler):
    asked: list = []  # noqa: RUF012 - the handler is made anew for each request

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body)
        said = json.dumps({"choice": "playbooks/secure-sensitive-data", "confidence": 0.9})
        answer = json.dumps({"choices": [{"message": {"content": said}}], "model": "m"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args):
        pass


@pytest.fixture
def endpoint():
    server = HTTPServer(("127.0.0.1", 0), _Endpoint)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
def test_a_model_of_the_settings_is_asked_where_a_thread_waits(home, endpoint):
    (home / "config.toml").write_text(f'model = "local"\nmodel_url = "{endpoint}"\n')
    app = App(home)
    words = ["--input", "target_scope=PROD.CUSTOMER_DATA", "--thread", "job"]
    app.invoke(["run", "playbooks/secure-sensitive-data", *words])
    events = app.invoke(["show", "job"]).document["events"]
    app.close()
    (told,) = [event for event in events if event["type"] == "model_answered"]
    assert (told["model"], told["confidence"]) == ("local", None)
    assert events[-1] == told
    assert len(_Endpoint.asked) == 1
