"""The JSON shapes that scripts rely on, and the exit statuses."""

import json

import pytest

from skills_nb import cli
from tests.commands.flow import begin


@pytest.fixture
def terminal(home, monkeypatch, capsys):
    monkeypatch.setenv("SKILLS_NB_HOME", str(home))

    def run(*words):
        status = cli.main(words)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def test_route_has_its_shape(terminal):
    status, out, _ = terminal("route", "secure my data", "--json")
    document = json.loads(out)
    assert status == 0
    assert set(document) == {
        "mode",
        "domains",
        "targets",
        "confidence",
        "alternatives",
        "options",
        "limits",
        "not_covered",
        "why",
    }
    assert document["targets"] == ["playbooks/secure-sensitive-data"]


def test_threads_is_a_list_newest_first_with_what_waits(app):
    begin(app)
    app.invoke(["run", "playbooks/audit-data-access", "--thread", "later"])
    rows = app.invoke(["threads"]).document
    assert [row["thread_id"] for row in rows] == ["later", "job"]
    assert set(rows[1]) == {"thread_id", "status", "goal", "playbook", "step", "pause"}
    assert rows[1]["status"] == "paused"
    assert {"kind", "at", "severity", "phrase", "options"} <= set(rows[1]["pause"])


def test_show_has_its_events_in_order(app):
    begin(app)
    document = app.invoke(["show", "job"]).document
    assert (document["thread_id"], document["status"]) == ("job", "paused")
    assert [e["seq"] for e in document["events"]] == list(range(1, len(document["events"]) + 1))


def test_a_pause_is_exit_status_3_and_a_wrong_word_2(terminal):
    words = ("run", "playbooks/secure-sensitive-data", "--input", "target_scope=PROD.CUSTOMER_DATA")
    assert terminal(*words)[0] == 3
    status, _, err = terminal("respond", "dance")
    assert (status, err.splitlines()[0][:6]) == (2, "error:")


@pytest.mark.slow
def test_an_aborted_thread_is_exit_status_4(terminal):
    words = ("run", "playbooks/secure-sensitive-data", "--input", "target_scope=PROD.CUSTOMER_DATA")
    terminal(*words)
    assert terminal("abort")[0] == 4


def test_an_invalid_library_is_exit_status_5(terminal, monkeypatch, tmp_path):
    monkeypatch.setattr("skills_nb.commands.wiring.shipped_library", lambda: tmp_path)
    assert terminal("route", "secure my data")[0] == 5


def test_help_has_examples_and_status_0(terminal):
    status, out, _ = terminal("run", "--help")
    assert (status, "examples:" in out) == (0, True)


@pytest.mark.slow
def test_yaml_writes_whole_step_numbers_unquoted(terminal):
    words = ("run", "playbooks/secure-sensitive-data", "--input", "target_scope=PROD.CUSTOMER_DATA")
    terminal(*words)
    _, out, _ = terminal("show", "--yaml")
    assert "after_step: 5\n" in out
