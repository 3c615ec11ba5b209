"""Files in, personal data masked, an app on top: one goal, three phases, one thread."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skills_nb.commands import App

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GOAL = "Get CRM exports into tables, mask what is personal, build a dashboard"


def exported(app, folder):
    """Put what the CRM exported into a stage; let analysts reach what is made of it."""
    rows = "\n".join(f"{n},user{n}@example.com,+1-202-555-{1000 + n},A" for n in range(200))
    (folder / "crm.csv").write_text(f"CUSTOMER_ID,EMAIL,PHONE,SEGMENT\n{rows}\n")
    session = app.wiring.snowpark
    for sql in (
        "CREATE SCHEMA PROD.RAW",
        "CREATE STAGE PROD.RAW.CRM_STAGE",
        "GRANT USAGE ON SCHEMA PROD.RAW TO ROLE ANALYST",
        "GRANT SELECT ON FUTURE TABLES IN SCHEMA PROD.RAW TO ROLE ANALYST",
        "GRANT USAGE ON SCHEMA PROD.RAW TO ROLE PII_READER",
        "GRANT SELECT ON FUTURE TABLES IN SCHEMA PROD.RAW TO ROLE PII_READER",
        "USE SCHEMA PROD.PUBLIC",
    ):
        session.sql(sql).collect()
    session.file.put(str(folder / "crm.csv"), "@PROD.RAW.CRM_STAGE", auto_compress=False)


def answered(app, pause, home):
    """Answer as somebody does who knows what they want; once from another process."""
    words = ["approve", "--at", pause.at, "--thread", "crm"]
    if pause.kind == "input_question":
        words = ["respond", "ANALYST", "--at", pause.at, "--thread", "crm"]
    if pause.phrase:
        words += ["--phrase", pause.phrase]
    if pause.at != "5#2":
        return app, app.invoke(words)
    app.close()
    done = subprocess.run(
        [sys.executable, "-m", "skills_nb.cli", *words],
        cwd=ROOT,
        env={**os.environ, "SKILLS_NB_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stdout + done.stderr
    app = App(home)
    return app, app.invoke(["resume", "crm"])


@pytest.fixture(scope="module")
def through(tmp_path_factory):
    """The goal gone through to its end, with every pause that it made."""
    home = tmp_path_factory.mktemp("chain") / "home"
    app = App(home)
    exported(app, tmp_path_factory.mktemp("files"))
    given = ["target_table=PROD.RAW.CRM", "stage=PROD.RAW.CRM_STAGE"]
    words = [word for pair in given for word in ("--input", pair)]
    reply, pauses = app.invoke(["run", GOAL, "--thread", "crm", *words]), []
    while reply.pause is not None and len(pauses) < 40:
        pauses.append((reply.pause.kind, reply.pause.at))
        assert reply.pause.kind != "error_escalated", reply.pause.present
        app, reply = answered(app, reply.pause, home)
    yield app, pauses
    app.close()


def test_one_thread_of_three_phases_ends_well(through):
    app, pauses = through
    state = app.wiring.conductor.load("crm")
    assert (state.status, [(one.domain, one.status) for one in state.chain.phases]) == (
        "completed",
        [
            ("data-integration", "completed"),
            ("data-security", "completed"),
            ("app-development", "completed"),
        ],
    )
    assert [kind for kind, at in pauses if at.startswith("plan")] == ["plan_proposed"]
    assert [at for kind, at in pauses if kind == "input_question"] == ["input:viewer"]


def test_what_was_loaded_is_what_is_masked(through):
    app, _ = through
    events = app.wiring.store.load("crm")
    mapped = [event for event in events if event.type == "context_mapped"]
    assert [one["value"] for one in mapped[0].mappings] == ["PROD.RAW.CRM"]
    session = app.wiring.snowpark
    session.sql("USE ROLE ANALYST").collect()
    rows = session.sql("SELECT EMAIL FROM PROD.RAW.CRM").collect()
    session.sql("USE ROLE ACCOUNTADMIN").collect()
    assert (len(rows), any("@" in str(row["EMAIL"]) for row in rows)) == (200, False)


def test_the_app_is_there(through):
    app, _ = through
    found = app.wiring.snowpark.sql("SHOW STREAMLITS IN DATABASE PROD").collect()
    made = app.wiring.conductor.load("crm").chain.phases[2].outputs["created_streamlits"]
    assert [f"PROD.{row['schema_name']}.{row['name']}" for row in found] == made


def test_each_finished_phase_was_summed_up(through):
    app, _ = through
    events = app.wiring.store.load("crm")
    ended = [event for event in events if event.type == "phase_summary"]
    completed = [one for one in ended if one.status == "completed"]
    assert [(one.phase, one.domain) for one in completed] == [
        (1, "data-integration"),
        (2, "data-security"),
        (3, "app-development"),
    ]
