"""A plan is not done on another account than it was made for, unless somebody says so."""

import shutil

import pytest

from skills_nb.commands import App
from tests.commands.flow import SCOPE, begin


@pytest.fixture(scope="module")
def _planned(seeded, tmp_path_factory):
    """A home in which a dry run of the main job waits for its answer."""
    home = shutil.copytree(seeded, tmp_path_factory.mktemp("planned") / "home")
    app = App(home)
    reply = begin(app, "--dry-run")
    assert reply.pause.kind == "dry_run_summary"
    app.close()
    return home


@pytest.fixture
def home(_planned, tmp_path):
    return shutil.copytree(_planned, tmp_path / "home")


@pytest.fixture
def planned(app):
    return app


def execute(app):
    return app.invoke(["respond", "execute", "--at", "dry_run", "--thread", "job"])


def change(app, *statements):
    for sql in statements:
        app.wiring.snowpark.sql(sql).collect()


def told(pause):
    mark = "Since the dry run: "
    return [line.removeprefix(mark) for line in pause.warnings if line.startswith(mark)]


@pytest.mark.slow
def test_an_account_that_stayed_the_same_is_worked_on_without_a_pause(planned):
    assert execute(planned).pause.kind == "checkpoint"


@pytest.mark.slow
def test_what_the_plan_does_not_rest_on_is_no_change(planned):
    change(planned, "CREATE ROLE STRANGER", "CREATE DATABASE ELSEWHERE", "CREATE WAREHOUSE OTHER")
    assert execute(planned).pause.kind == "checkpoint"


@pytest.mark.slow
def test_rows_that_come_and_go_are_no_change(planned):
    change(planned, f"INSERT INTO {SCOPE}.ORDERS SELECT * FROM {SCOPE}.ORDERS")
    assert execute(planned).pause.kind == "checkpoint"


@pytest.mark.parametrize(
    ("statements", "lines"),
    [
        (
            [f"ALTER TABLE {SCOPE}.CUSTOMERS ADD COLUMN NICKNAME VARCHAR(20)"],
            [f"table {SCOPE}.CUSTOMERS, columns: with NICKNAME VARCHAR(20)"],
        ),
        ([f"DROP TABLE {SCOPE}.ORDERS"], [f"table {SCOPE}.ORDERS is gone"]),
        (
            [
                "CREATE MASKING POLICY PROD.PUBLIC.THEIRS AS (V STRING) RETURNS STRING -> '*'",
                f"ALTER TABLE {SCOPE}.CUSTOMERS MODIFY COLUMN EMAIL SET MASKING POLICY "
                "PROD.PUBLIC.THEIRS",
            ],
            [
                "masking policy PROD.PUBLIC.THEIRS is new",
                f"table {SCOPE}.CUSTOMERS, masking policy on EMAIL: was nothing, "
                "is PROD.PUBLIC.THEIRS",
            ],
        ),
        (
            [f"REVOKE SELECT ON TABLE {SCOPE}.ORDERS FROM ROLE ANALYST"],
            [f"table {SCOPE}.ORDERS, SELECT to role ANALYST: was granted, is nothing"],
        ),
        (
            ["REVOKE ROLE ANALYST FROM ROLE SYSADMIN"],
            ["role ANALYST, granted to role SYSADMIN: was granted, is nothing"],
        ),
    ],
    ids=["column", "table", "policy", "privilege", "role"],
)
def test_what_changed_since_the_dry_run_is_shown_before_anything_is_done(
    planned, statements, lines
):
    change(planned, *statements)
    pause = execute(planned).pause
    assert (pause.kind, told(pause)) == ("probe_checkpoint", lines)
    assert [option.id for option in pause.options] == [
        "dry_run",
        "approve",
        "modify",
        "abort",
        "different-approach",
    ]
    assert started(planned) == []


def started(app):
    events = app.invoke(["show", "job"]).document["events"]
    return [event for event in events if event["type"] == "statement_started"]


def test_another_process_finds_the_same_change(planned, home):
    change(planned, f"ALTER TABLE {SCOPE}.CUSTOMERS DROP COLUMN EMAIL")
    planned.close()
    other = App(home)
    pause = execute(other).pause
    (line,) = told(pause)
    assert line.startswith(f"table {SCOPE}.CUSTOMERS, columns: without EMAIL VARCHAR(120)")
    other.close()


@pytest.mark.slow
def test_it_is_done_on_the_account_as_it_is_when_somebody_says_so(planned):
    change(planned, f"ALTER TABLE {SCOPE}.CUSTOMERS ADD COLUMN NICKNAME VARCHAR(20)")
    execute(planned)
    reply = planned.invoke(["respond", "approve", "--at", "probes", "--thread", "job"])
    assert reply.pause.kind == "checkpoint"


@pytest.mark.slow
def test_a_dry_run_is_followed_by_its_run_in_one_process(seeded, tmp_path):
    app = App(shutil.copytree(seeded, tmp_path / "fresh"))
    assert begin(app, "--dry-run").pause.kind == "dry_run_summary"
    assert execute(app).pause.kind == "checkpoint"
    app.close()


@pytest.mark.slow
def test_it_is_planned_again_on_the_account_as_it_is(planned):
    change(planned, f"ALTER TABLE {SCOPE}.CUSTOMERS ADD COLUMN NICKNAME VARCHAR(20)")
    execute(planned)
    reply = planned.invoke(["respond", "dry_run", "--at", "probes", "--thread", "job"])
    assert (reply.pause.kind, reply.pause.at) == ("dry_run_summary", "dry_run#2")
    reply = planned.invoke(["respond", "execute", "--at", "dry_run#2", "--thread", "job"])
    assert reply.pause.kind == "checkpoint"
