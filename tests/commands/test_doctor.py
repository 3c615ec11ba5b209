"""What `doctor` finds on a machine that is well, and on ones that are not."""

import subprocess
import sys

import pytest

from skills_nb.commands import App
from skills_nb.commands.verbs import doctor


def found(reply, check):
    return [c for c in reply.document["checks"] if c["check"] == check]


def test_a_machine_that_is_well(app):
    reply = app.invoke(["doctor"])
    assert (reply.status, reply.document["ok"]) == (0, True)
    (connection,) = found(reply, "connection")
    assert connection["found"].startswith("embedded: ")
    names = {"python", "library", "store", "warehouse", "query history", "databases", "model"}
    names |= {"query attribution"}
    assert names <= {check["check"] for check in reply.document["checks"]}


def test_a_role_that_may_not_read_what_statements_cost_is_told_how_it_could(app, home):
    session = app.wiring.session
    for sql in ("CREATE ROLE R", "GRANT ROLE R TO USER ADMIN"):
        session.execute(sql, role=None, tag="x")
    session.query("USE ROLE R")
    (before,) = found(app.invoke(["doctor"]), "query attribution")
    assert before["status"] == "warning"
    session.query("USE ROLE ACCOUNTADMIN")
    session.execute(before["repair"].replace("…", "R"), role=None, tag="x")
    session.query("USE ROLE R")
    (after,) = found(app.invoke(["doctor"]), "query attribution")
    assert after["status"] == "ok"


def test_an_account_that_cannot_be_reached_is_a_finding_with_its_repair(home, monkeypatch):
    monkeypatch.setenv("SKILLS_NB_CONNECTION", "nowhere")
    monkeypatch.setenv("SNOWFLAKE_HOME", str(home))
    app = App(home)
    reply = app.invoke(["doctor"])
    app.close()
    assert (reply.status, reply.document["ok"]) == (4, False)
    (connection,) = found(reply, "connection")
    assert (connection["status"], connection["repair"]) == ("failed", "snow connection add")
    assert found(reply, "store")[0]["status"] == "ok"


def test_a_store_that_cannot_be_used_is_a_finding(home):
    (home / "config.toml").write_text('store = "snowflake://me@account/db"\n')
    app = App(home)
    reply = app.invoke(["doctor"])
    app.close()
    assert reply.status == 4
    assert found(reply, "store")[0]["status"] == "failed"


def test_a_model_without_its_key_is_a_finding(home, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (home / "config.toml").write_text('model = "openai/gpt-4.1"\n')
    app = App(home)
    reply = app.invoke(["doctor"])
    app.close()
    assert found(reply, "model")[0]["repair"] == "export OPENAI_API_KEY=…"


@pytest.mark.parametrize(
    ("found", "is_taken"),
    [("4.4", True), ("4.8.1", True), ("5.0.0", False), ("5.2.0", False), ("4.3.9", False)],
)
def test_a_version_outside_of_what_is_stated_is_a_finding(found, is_taken):
    finding = doctor._version("snowflake-connector-python", found, "<5,>=4.4")
    assert (finding.status == "ok") is is_taken
    assert ("snowflake-connector-python<5,>=4.4" in finding.repair) is not is_taken


@pytest.mark.slow
def test_the_fifth_connector_is_said_in_one_line():
    code = (
        "import sys\n"
        "import snowflake.connector\n"
        "sys.modules['snowflake.connector.session_manager'] = None\n"
        "import skills_nb\n"
        "from skills_nb.errors import SkillsError\n"
        "try:\n"
        "    skills_nb.connect()\n"
        "except SkillsError as problem:\n"
        "    print(problem.message, problem.hint, sep='\\n')\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    said = run.stdout.splitlines()
    assert "take its fourth version" in said[0], run.stderr
    assert "account serve" in said[1]
