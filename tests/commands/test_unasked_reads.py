"""What is asked of an account before anybody approved anything: reads, and nothing else."""

import time

import pytest

from tests.commands.authored import TARGET, asked, opened, probing, step

ROWS = "SELECT COUNT(*) FROM PROD.CUSTOMER_DATA.ORDERS"
LOOK = step("1", "SELECT 1 AS ONE;", 'checkpoint: {severity: review, present: "Looked."}')
ACTS = [
    "DELETE FROM PROD.CUSTOMER_DATA.ORDERS",
    "GRANT ROLE ACCOUNTADMIN TO ROLE PUBLIC",
    "EXECUTE IMMEDIATE 'CREATE DATABASE HARMED'",
    "SELECT SYSTEM$WAIT(3600)",
]


def test_a_probe_that_acts_is_sent_neither_in_a_run_nor_in_a_dry_run(home, tmp_path):
    for number, query in enumerate(ACTS):
        front = probing(query, required=False)
        app = opened(home, tmp_path / f"library{number}", LOOK, front=front)
        before = asked(app, ROWS), asked(app, "SHOW GRANTS TO ROLE PUBLIC")
        for dry in ([], ["--dry-run"]):
            began = time.monotonic()
            reply = app.invoke(["run", TARGET, *dry])
            assert time.monotonic() - began < 30
            last = app.wiring.store.load(reply.thread_id)[-1]
            assert (last.type, reply.status) == ("validation_error", 5)
            assert "not provably a read" in last.message
        assert (asked(app, ROWS), asked(app, "SHOW GRANTS TO ROLE PUBLIC")) == before
        assert asked(app, "SHOW DATABASES LIKE 'HARMED'") == ()
        app.close()


def test_a_probe_whose_input_makes_it_act_is_refused_when_it_is_filled_in(home, tmp_path):
    front = "inputs:\n  - {name: wanted, type: boolean, default: true, description: d}\n" + probing(
        "{% if wanted %}CALL P(){% else %}SELECT 1{% endif %}"
    )
    app = opened(home, tmp_path / "library", LOOK, front=front)
    reply = app.invoke(["run", TARGET, "--thread", "t"])
    assert reply.pause.at == "error:probes"
    assert "calls a procedure" in reply.pause.present
    reply = app.invoke(["respond", "modify", "--set", "wanted=false", "--thread", "t"])
    assert (reply.pause.kind, reply.pause.at) == ("checkpoint", "1")
    app.close()


def test_a_verification_that_acts_is_refused_before_its_step_sends_anything(home, tmp_path):
    block = 'verify: "{% if true %}DELETE FROM{% endif %} PROD.CUSTOMER_DATA.ORDERS"'
    making = step("2", "CREATE TABLE IF NOT EXISTS PROD.CUSTOMER_DATA.MADE (A INT);", block)
    app = opened(home, tmp_path / "library", LOOK, making)
    before = asked(app, ROWS)
    app.invoke(["run", TARGET, "--thread", "t"])
    reply = app.invoke(["respond", "approve", "--thread", "t"])
    assert reply.pause.at == "error:2"
    assert "verification is not provably a read" in reply.pause.present
    assert asked(app, "SHOW TABLES LIKE 'MADE' IN SCHEMA PROD.CUSTOMER_DATA") == ()
    assert asked(app, ROWS) == before
    app.close()


def test_a_playbook_that_neither_looks_nor_stops_is_not_begun(home, tmp_path):
    making = step("1", "CREATE TABLE PROD.CUSTOMER_DATA.MADE (A INT);")
    app = opened(home, tmp_path / "library", making)
    reply = app.invoke(["run", TARGET, "--thread", "t"])
    assert reply.status == 5
    last = app.wiring.store.load("t")[-1]
    assert (last.check, last.resolution) == (
        "SK414",
        "Add a probe, and a 'review' checkpoint. `lint` names every place.",
    )
    assert asked(app, "SHOW TABLES LIKE 'MADE' IN SCHEMA PROD.CUSTOMER_DATA") == ()
    app.close()


def test_a_playbook_that_looks_or_stops_is_begun(home, tmp_path):
    making = step("1", "CREATE TABLE PROD.CUSTOMER_DATA.MADE (A INT);")
    app = opened(home, tmp_path / "library", making, front=probing("SELECT 1"))
    assert app.invoke(["run", TARGET, "--thread", "t"]).status == 0
    app.close()


@pytest.mark.slow
def test_what_only_looks_has_a_time_limit(home, tmp_path, monkeypatch):
    monkeypatch.setenv("SKILLS_NB_PROBE_TIMEOUT_S", "1")
    many = "TABLE(GENERATOR(ROWCOUNT => 1000000))"
    endless = f"SELECT COUNT(*) FROM {many} A, {many} B WHERE RANDOM() = 1"
    app = opened(home, tmp_path / "library", LOOK, front=probing(endless))
    began = time.monotonic()
    reply = app.invoke(["run", TARGET, "--thread", "t"])
    assert time.monotonic() - began < 30
    assert reply.pause.at == "error:probes"
    assert "timeout of 1 second(s)" in reply.pause.present
    assert "probe_timeout_s" in reply.pause.present
    app.close()


def test_sql_asks_one_thing_at_a_time(app):
    from skills_nb.errors import UsageError

    with pytest.raises(UsageError, match="one thing at a time"):
        app.invoke(["sql", "SELECT 1; SELECT 2"])


def test_rows_are_not_emptied_before_a_person_typed_what_happens(home, tmp_path):
    """Whatever severity, default or waiting time the author gives, and with nobody there."""
    block = "checkpoint: {severity: info, present: Done.}"
    emptying = step("2", "DELETE FROM PROD.CUSTOMER_DATA.ORDERS;", block)
    quiet = LOOK.replace("review", "info")
    looked = opened(home, tmp_path / "library", quiet, emptying, front=probing(ROWS))
    before = asked(looked, ROWS)
    phrase = "delete rows of PROD.CUSTOMER_DATA.ORDERS"
    reply = looked.invoke(["run", TARGET, "--thread", "u"])
    assert (reply.pause.severity, reply.pause.phrase) == ("critical", phrase)
    assert asked(looked, ROWS) == before
    looked.invoke(["respond", "approve", "--phrase", phrase, "--thread", "u"])
    assert asked(looked, ROWS) != before
    looked.close()
