"""A whole playbook over HTTP through a named connection, with a line that breaks.

However the line breaks, the thread ends, no statement runs twice, and no event is lost.
"""

from __future__ import annotations

import pytest

from skills_nb.commands import App
from tests.commands.flow import SCOPE, finish
from tests.runtime.faulty import FAULTS, FaultyWay

WORDS = ["run", "playbooks/secure-sensitive-data", "--input", f"target_scope={SCOPE}"]


@pytest.fixture(scope="module")
def seeded(tmp_path_factory):
    home = tmp_path_factory.mktemp("seeded") / "home"
    app = App(home)
    app.invoke(["connect"])
    app.close()
    return home


@pytest.fixture
def server(seeded, tmp_path):
    import shutil

    app = App(shutil.copytree(seeded, tmp_path / "server"))
    yield app
    app.close()


@pytest.fixture
def way(server, tmp_path, monkeypatch):
    """The faulty way, as the connection `far`."""
    told = server.invoke(["account", "address"]).document
    with open(told["connections"], encoding="utf-8") as file:
        text = file.read()
    made = FaultyWay(told["port"])
    folder = tmp_path / "snowflake"
    folder.mkdir()
    path = folder / "connections.toml"
    text = text.replace("[embedded]", "[far]").replace(str(told["port"]), str(made.server_port))
    path.write_text(text + "disable_ocsp_checks = true\nnetwork_timeout = 10\nlogin_timeout = 10\n")
    path.chmod(0o600)
    monkeypatch.setenv("SNOWFLAKE_HOME", str(folder))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield made
    made.close()


@pytest.fixture
def client(way, tmp_path):
    app = App(tmp_path / "client")
    app.invoke(["connect", "far"])
    yield app
    app.close()


def run_twice(server):
    """Return the tags of statements that succeeded more than once."""
    sql = (
        "SELECT QUERY_TAG, COUNT(*) AS N FROM TABLE(PROD.INFORMATION_SCHEMA.QUERY_HISTORY("
        "RESULT_LIMIT => 10000)) WHERE QUERY_TAG <> '' AND EXECUTION_STATUS = 'SUCCESS' "
        "GROUP BY QUERY_TAG HAVING COUNT(*) > 1"
    )
    return server.invoke(["sql", sql]).document["rows"]


def numbers(app, thread):
    return [event["seq"] for event in app.invoke(["show", thread]).document["events"]]


def whole(app, thread):
    """Return whether every statement that was begun has one outcome."""
    events = app.invoke(["show", thread]).document["events"]
    begun = [e["effect_key"] for e in events if e["type"] == "statement_started"]
    ends = ("statement_completed", "statement_failed", "statement_lost")
    ended = [e["effect_key"] for e in events if e["type"] in ends]
    return sorted(begun) == sorted(ended) and len(set(begun)) == len(begun)


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_playbook_ends_whatever_happens_to_the_line(client, server, way, fault):
    way.plan = lambda number, path, text: fault if number % 40 == 7 else None
    done = finish(client, client.invoke([*WORDS, "--thread", "job"]))
    way.plan = lambda number, path, text: None
    assert done.document["status"] == "completed"
    assert {kind for kind, _ in way.met} == {fault}
    assert run_twice(server) == []
    assert whole(client, "job")
    assert numbers(client, "job") == list(range(1, len(numbers(client, "job")) + 1))
