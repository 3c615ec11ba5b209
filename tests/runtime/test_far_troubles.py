"""What goes wrong on a real account, met over HTTP through a named connection.

One trouble each: a warehouse that sleeps, a token that ended, a line cut in mid-statement, a role
that may only read, a statement that takes too long, a person who interrupts. What it cost stands
at the end.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from skills_nb.commands import App
from tests.commands.flow import finish
from tests.runtime.faulty import FaultyWay

_SETUP = (
    "CREATE TABLE PROD.ANALYTICS.NUMBERS AS "
    "SELECT SEQ4() AS N FROM TABLE(GENERATOR(ROWCOUNT => 100000))",
    "CREATE ROLE READER",
    "GRANT ROLE READER TO USER ADMIN",
    "GRANT USAGE ON DATABASE PROD TO ROLE READER",
    "GRANT USAGE ON SCHEMA PROD.ANALYTICS TO ROLE READER",
    "GRANT SELECT ON TABLE PROD.ANALYTICS.NUMBERS TO ROLE READER",
    "GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE READER",
)
COPY = "CREATE TABLE PROD.ANALYTICS.COPIED AS SELECT N FROM PROD.ANALYTICS.NUMBERS"
SLOW = (
    "CREATE TABLE PROD.ANALYTICS.PAIRS AS SELECT COUNT(*) AS C FROM PROD.ANALYTICS.NUMBERS A, "
    "PROD.ANALYTICS.NUMBERS B WHERE A.N + B.N > 7"
)
"""Takes minutes: ten billion pairs."""


@pytest.fixture(scope="module")
def seeded(tmp_path_factory):
    home = tmp_path_factory.mktemp("seeded") / "home"
    app = App(home)
    for sql in _SETUP:
        app.wiring.session.execute(sql, role=None, tag="setup")
    app.close()
    return home


@pytest.fixture
def server(seeded, tmp_path):
    app = App(shutil.copytree(seeded, tmp_path / "server"))
    yield app
    app.close()


@pytest.fixture
def way(server, tmp_path, monkeypatch):
    """The way to the account, under the names `far` and `reader`."""
    told = server.invoke(["account", "address"]).document
    text = Path(told["connections"]).read_text(encoding="utf-8")
    made = FaultyWay(told["port"])
    far = text.replace("[embedded]", "[far]").replace(str(told["port"]), str(made.server_port))
    far += "disable_ocsp_checks = true\nnetwork_timeout = 10\nlogin_timeout = 10\n"
    reader = far.replace("[far]", "[reader]").replace("ACCOUNTADMIN", "READER")
    folder = tmp_path / "snowflake"
    folder.mkdir()
    (folder / "connections.toml").write_text(far + reader, encoding="utf-8")
    (folder / "connections.toml").chmod(0o600)
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


def planned(app, tmp_path, sql):
    """Propose a plan of one statement, approve it, and return what comes of it."""
    plan = tmp_path / "plan.yaml"
    step = f'{{step: 1, action: Work, primitive: tables, sql: "{sql}"}}'
    plan.write_text(f"goal: Work on numbers\nsteps:\n  - {step}\n", encoding="utf-8")
    app.invoke(["plan", str(plan), "--thread", "job"])
    return app.invoke(["respond", "approve", "--at", "plan", "--thread", "job"])


def events(app, kind):
    return [e for e in app.invoke(["show", "job"]).document["events"] if e["type"] == kind]


def sent(server, sql):
    """Return how often a statement succeeded in the account."""
    found = server.wiring.session.query(
        "SELECT QUERY_TEXT FROM TABLE(PROD.INFORMATION_SCHEMA.QUERY_HISTORY("
        "RESULT_LIMIT => 10000)) WHERE EXECUTION_STATUS = 'SUCCESS'"
    )
    return sum(row[0] == sql for row in found.rows)


def put_to_sleep(server):
    for change in ("SET AUTO_RESUME = FALSE", "SUSPEND"):
        server.wiring.session.execute(f"ALTER WAREHOUSE COMPUTE_WH {change}", role=None, tag="x")


def test_a_warehouse_that_sleeps_is_woken_and_the_statement_sent_again(client, server, tmp_path):
    put_to_sleep(server)
    assert planned(client, tmp_path, COPY).pause.kind == "checkpoint"
    (failed,) = events(client, "statement_failed")
    assert failed["error"]["errno"] == 606
    recovery = [e["sql"] for e in events(client, "statement_started") if e["kind"] == "recovery"]
    assert recovery == ["ALTER WAREHOUSE COMPUTE_WH RESUME IF SUSPENDED"]
    assert sent(server, COPY) == 1


def test_whoever_may_not_wake_a_warehouse_is_told_which_right_is_missing(client, server, tmp_path):
    grant = "GRANT CREATE TABLE ON SCHEMA PROD.ANALYTICS TO ROLE READER"
    server.wiring.session.execute(grant, role=None, tag="x")
    client.invoke(["connect", "reader"])
    put_to_sleep(server)
    waits = planned(client, tmp_path, COPY)
    assert waits.pause.kind == "error_escalated"
    (error,) = events(client, "error_escalated")
    assert error["context"]["category"] == "permission"
    assert "'COMPUTE_WH'" in error["error"]
    server.wiring.session.execute("ALTER WAREHOUSE COMPUTE_WH RESUME", role=None, tag="x")
    words = ["respond", "retry", "--at", waits.pause.at, "--thread", "job"]
    assert client.invoke(words).pause.kind == "checkpoint"
    assert sent(server, COPY) == 1


@pytest.mark.parametrize("fault", ["expired", "cut_after", "cut_before"])
def test_a_line_that_breaks_over_a_statement_lets_it_run_once(client, server, way, tmp_path, fault):
    broken = []

    def plan(number, path, text):
        if text == COPY and not broken:
            broken.append(number)
            return fault
        return None

    way.plan = plan
    assert planned(client, tmp_path, COPY).pause.kind == "checkpoint"
    assert len(broken) == 1
    assert sent(server, COPY) == 1


def test_what_it_cost_stands_at_the_end(client, tmp_path):
    done = finish(client, planned(client, tmp_path, COPY))
    cost = done.document["cost"]
    assert cost["credits"] > 0
    assert cost["basis"] == "attributed to 1 of its statements by the account"
    assert f"It cost {cost['credits']:.4f} credits: attributed to 1" in done.view.outcome


def test_an_account_that_does_not_bill_tells_no_cost(server, tmp_path):
    done = finish(server, planned(server, tmp_path, COPY))
    assert "cost" not in done.document


def test_a_role_that_may_only_read_is_told_what_it_lacks(client, server, tmp_path):
    client.invoke(["connect", "reader"])
    waits = planned(client, tmp_path, COPY)
    assert waits.pause.kind == "error_escalated"
    (error,) = events(client, "error_escalated")
    assert error["context"]["category"] in ("permission", "object_not_found")
    assert sent(server, COPY) == 0


@pytest.mark.slow
def test_a_statement_that_takes_too_long_is_given_up_by_the_account(way, server, tmp_path):
    home = tmp_path / "hasty"
    home.mkdir()
    (home / "config.toml").write_text("statement_timeout_s = 1\n", encoding="utf-8")
    app = App(home)
    app.invoke(["connect", "far"])
    waits = planned(app, tmp_path, SLOW)
    failed = events(app, "statement_failed")
    app.close()
    assert waits.pause.kind == "error_escalated"
    assert {e["error"]["errno"] for e in failed} == {630}
    assert sent(server, SLOW) == 0


def test_whoever_interrupts_ends_the_statement_and_finds_it_ended(
    client, server, tmp_path, patch_wait
):
    with pytest.raises(KeyboardInterrupt):
        planned(client, tmp_path, SLOW)
    waits = client.invoke(["resume", "job"])
    assert waits.pause.kind == "error_escalated"
    assert len(events(client, "statement_submitted")) == 1
    (failed,) = events(client, "statement_failed")
    assert failed["error"]["errno"] == 604
    assert sent(server, SLOW) == 0


@pytest.fixture
def patch_wait(monkeypatch):
    """Interrupt the first wait for a slow statement, as Ctrl-C does."""
    import time

    once = []
    sleep = time.sleep

    def interrupted(seconds):
        if not once:
            once.append(seconds)
            raise KeyboardInterrupt
        sleep(seconds)

    monkeypatch.setattr("skills_nb.runtime.snowpark.submitted_statements.time.sleep", interrupted)
