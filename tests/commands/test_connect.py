"""Accounts by name: the real connector, over HTTP, through Snowflake's own files."""

from __future__ import annotations

import json

import pytest

from skills_nb.commands import App
from skills_nb.commands.home.connections import Connection, current, remembered_connection
from skills_nb.errors import SqlError, UsageError

SCOPE = "PROD.CUSTOMER_DATA"
_NAMES = ("ACCOUNT", "USER", "PASSWORD", "HOST", "PORT", "PROTOCOL", "ROLE", "WAREHOUSE")


@pytest.fixture
def served(app, monkeypatch):
    """Serve the home's account; returns the connection file's folder."""
    path = app.invoke(["account", "address"]).document["connections"]
    folder = path.rpartition("/")[0]
    monkeypatch.setenv("SNOWFLAKE_HOME", folder)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return folder


@pytest.fixture
def client(served, tmp_path):
    """Another home, which reaches the served account by name only."""
    client = App(tmp_path / "client")
    yield client
    client.close()


@pytest.mark.slow
def test_a_name_of_connections_toml_reaches_the_account(client):
    document = client.invoke(["connect", "embedded"]).document
    told = {key: document[key] for key in ("current_role", "current_warehouse", "edition")}
    assert told == {
        "current_role": "ACCOUNTADMIN",
        "current_warehouse": "COMPUTE_WH",
        "edition": "ENTERPRISE",
    }
    assert document["connection"] == {"kind": "named", "name": "embedded"}


@pytest.mark.parametrize("name", ["EMBEDDED", "Embedded"])
def test_a_name_is_one_account_in_any_case(client, name, monkeypatch):
    client.invoke(["connect", name])
    assert client.wiring.connection == Connection("named", "embedded")
    monkeypatch.setenv("SKILLS_NB_CONNECTION", name)
    assert current(client.wiring.home) == Connection("named", "embedded")


@pytest.mark.parametrize("name", ["EMBEDDED", "embedded"])
def test_the_account_that_needs_no_file_has_its_name_too(home, name, tmp_path, monkeypatch):
    monkeypatch.setenv("SNOWFLAKE_HOME", str(tmp_path / "empty"))
    app = App(home)
    document = app.invoke(["connect", name]).document
    app.close()
    assert document["connection"] == {"kind": "embedded", "name": ""}


def test_the_edition_is_on_the_thread_whichever_way_the_account_is_reached(client, home):
    here = App(home)
    for app in (client, here):
        if app is client:
            app.invoke(["connect", "embedded"])
        app.invoke(["run", "playbooks/audit-data-access", "--thread", "t"])
        told = [getattr(e, "account_context", None) for e in app.wiring.store.load("t")]
        assert {one.edition for one in told if one is not None} == {"ENTERPRISE"}
    here.close()


def test_an_expected_account_is_met_in_any_case(home):
    app = App(home)
    words = ["run", "playbooks/audit-data-access", "--thread", "t"]
    reply = app.invoke([*words, "--input", "target_account=embedded"])
    app.close()
    assert reply.pause is None or reply.pause.kind != "error_escalated"


def test_the_choice_holds_for_later_processes_and_keeps_no_secret(client, served, tmp_path):
    client.invoke(["connect", "embedded"])
    assert remembered_connection(tmp_path / "client") == Connection("named", "embedded")
    with open(f"{served}/connections.toml", encoding="utf-8") as file:
        password = next(line.split('"')[1] for line in file if line.startswith("password"))
    kept = [path.read_bytes() for path in (tmp_path / "client").rglob("*") if path.is_file()]
    assert not any(password.encode() in text for text in kept)


def test_an_unknown_name_says_the_known_ones_and_changes_nothing(client):
    with pytest.raises(UsageError, match="no connection 'nowhere'") as caught:
        client.invoke(["connect", "nowhere"])
    assert caught.value.hint == "one of: embedded"
    assert client.wiring.connection == Connection()


def test_a_refused_login_changes_nothing(client, served):
    with open(f"{served}/connections.toml", "a", encoding="utf-8") as file:
        file.write(
            '[wrong]\naccount = "embedded"\nhost = "127.0.0.1"\nport = 1\nprotocol = "http"\n'
            'user = "ADMIN"\npassword = "not-it"\nlogin_timeout = 1\n'
        )
    with pytest.raises(SqlError):
        client.invoke(["connect", "wrong"])
    assert client.wiring.connection == Connection()


def test_the_connections_are_listed_without_what_they_log_in_with(client):
    document = client.invoke(["connect", "--list"]).document
    assert document["connections"] == ["embedded"]
    assert "password" not in json.dumps(document)


def test_the_environment_may_tell_the_account(client, served, monkeypatch):
    import tomllib

    with open(f"{served}/connections.toml", "rb") as file:
        told = tomllib.load(file)["embedded"]
    for name in _NAMES:
        monkeypatch.setenv(f"SNOWFLAKE_{name}", str(told[name.lower()]))
    assert client.invoke(["connect", "--environment"]).document["current_user"] == "ADMIN"


def test_an_environment_without_an_account_is_refused(client, monkeypatch):
    monkeypatch.delenv("SNOWFLAKE_ACCOUNT", raising=False)
    with pytest.raises(UsageError, match="names no account"):
        client.invoke(["connect", "--environment"])


def test_a_variable_of_the_process_names_the_connection(client, monkeypatch):
    monkeypatch.setenv("SKILLS_NB_CONNECTION", "embedded")
    assert client.invoke(["connect"]).document["connection"]["name"] == "embedded"


def test_a_notebooks_own_session_is_used_and_left_open(home, tmp_path):
    import skills_nb

    session = skills_nb.connect(role="SYSADMIN")
    client = App(tmp_path / "client", variables={"mine": session, "number": 1})
    assert client.invoke(["connect", "--session", "mine"]).document["current_role"] == "SYSADMIN"
    with pytest.raises(UsageError, match="'number' is no Snowpark session"):
        client.invoke(["connect", "--session", "number"])
    with pytest.raises(UsageError, match="no variable 'other'"):
        client.invoke(["connect", "--session", "other"])
    client.close()
    assert session.sql("SELECT 1").collect()[0][0] == 1
    session.close()


def test_a_password_is_refused_and_not_repeated(client):
    with pytest.raises(UsageError, match="never written in a cell") as caught:
        client.invoke(["connect", "embedded", "--password", "hunter2"])
    assert "hunter2" not in f"{caught.value} {caught.value.hint}"


def test_one_account_at_a_time(client):
    with pytest.raises(UsageError, match="one account at a time"):
        client.invoke(["connect", "embedded", "--embedded"])


@pytest.mark.parametrize(("pattern", "status"), [("^embed", "production"), ("^acme", "connected")])
def test_a_persons_pattern_marks_production(client, pattern, status):
    reply = client.invoke(["connect", "embedded", "--production", pattern])
    assert reply.document["is_production"] is (status == "production")
    assert reply.view.is_production is (status == "production")


def test_an_odd_pattern_is_refused(client):
    with pytest.raises(UsageError, match="no regular expression"):
        client.invoke(["connect", "--production", "("])


@pytest.mark.slow
def test_a_dry_run_over_a_named_connection_says_what_it_says_at_home(client, app):
    words = ["run", "playbooks/secure-sensitive-data", "--input", f"target_scope={SCOPE}"]
    client.invoke(["connect", "embedded"])
    there = client.invoke([*words, "--thread", "job", "--dry-run"])
    here = app.invoke([*words, "--thread", "job", "--dry-run"])
    assert _summary(client) == _summary(app)
    assert _summary(client)["would_create"]
    assert there.pause.kind == here.pause.kind


def _summary(app):
    events = app.invoke(["show", "job"]).document["events"]
    (summary,) = [event for event in events if event["type"] == "dry_run_summary"]
    return {key: summary[key] for key in ("would_create", "would_modify", "would_drop")}
