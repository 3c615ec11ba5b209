"""Which goals an offered plan is for and which not, and what it does where something is amiss."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills_nb.commands.wiring import shipped_library
from skills_nb.engine.guided.plan_templates import plan_for
from skills_nb.reading import open_library
from tests.library.offered.test_every_offered_plan import HOLDS
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

LIBRARY = open_library(shipped_library())
OTHER_GOALS = [
    ("streams", "stream on a view fails without change tracking"),
    ("streams", "our merge consumes the stream twice and the second statement sees no rows"),
    ("streams", "recreate the stale stream without losing changes"),
    ("tasks", "send a message when a task fails"),
    ("tasks", "after the load task finishes run the merge procedure"),
    ("tasks", "the task turns itself off after deployment"),
    ("tasks", "a task that runs each weekday at 6 in Europe/Berlin"),
    ("materialized-views", "cluster key of a materialized view"),
    ("stored-procedures", "a python procedure that deletes orders older than 7 years"),
    ("stored-procedures", "call a procedure inside a SELECT"),
    ("tables", "drop the primary key of table CLINIC.RAW.VISITS"),
    ("tables", "drop the comment of table CLINIC.RAW.VISITS"),
    ("tables", "delete old rows from the table CLINIC.RAW.VISITS"),
    ("tables", "add a column with a default to CLINIC.RAW.VISITS"),
    ("views", "a recursive view over the organisation chart"),
    ("views", "view declared 5 columns but query produces 6"),
    ("alerts", "the alert never fires although the condition is true"),
    ("time-travel-and-cloning", "clone CLINIC.RAW.VISITS as it was yesterday"),
    ("time-travel-and-cloning", "set the retention of all schemas"),
    ("data-metric-functions", "write a custom data metric function for totals"),
    ("dynamic-tables", "cluster by on a dynamic table"),
    ("stages", "remove old files from the stage"),
    ("stages", "create a stage on our bucket"),
    ("file-formats", "semicolon file with decimal comma"),
    ("time-travel-and-cloning", "COPY INTO CLINIC.RAW.VISITS skipped one of my files, why?"),
    ("secure-data-sharing", "share CLINIC.RAW.VISITS through a reader account"),
    ("copy-into-table", "load only files that match a name pattern"),
    ("copy-into-table", "copy does nothing because the file is known"),
    ("snowpipe", "pipe status says STALLED_EXECUTION"),
]


@pytest.mark.parametrize(("primitive", "goal"), OTHER_GOALS)
def test_a_goal_that_a_plan_does_not_reach_is_not_given_it(primitive: str, goal: str) -> None:
    assert plan_for(goal, LIBRARY.primitives[primitive]) is None


PLANS = [
    (
        "copy-into-table",
        "COPY INTO CLINIC.RAW.VISITS skipped one of my files, why?",
        "COPY_HISTORY",
    ),
    ("querying-data", "pivot CLINIC.RAW.VISITS: one column per ward with the sum", "PIVOT"),
    ("querying-data", "the sum of the fees of CLINIC.RAW.VISITS per ward", "GROUP BY"),
    ("warehouse-metering", "how many credits did each user cost us", "GROUP BY USER_NAME"),
]


@pytest.mark.parametrize(("primitive", "goal", "says"), PLANS)
def test_of_plans_that_share_words_the_one_that_is_meant_is_given(
    primitive: str, goal: str, says: str
) -> None:
    plan = plan_for(goal, LIBRARY.primitives[primitive])
    assert plan is not None
    assert says in plan.steps[0].sql


def test_a_database_is_known_by_the_name_in_full_of_what_lies_in_it() -> None:
    goal = 'my task "My Lab"."s"."nightly sweep" failed, why?'
    plan = plan_for(goal, LIBRARY.primitives["tasks"])
    assert plan is not None
    assert [(spec.name, spec.default) for spec in plan.inputs] == [("database", '"My Lab"')]
    plan = plan_for("share table CLINIC.RAW.VISITS", LIBRARY.primitives["secure-data-sharing"])
    assert plan is not None
    assert next(spec for spec in plan.inputs if spec.name == "share").default is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "database"),
    [
        ("get rid of the tables that nobody uses in CLINIC", "CLINIC"),
        ('get rid of the tables that nobody uses in "My Lab"', '"My Lab"'),
    ],
)
def test_a_database_that_a_goal_names_alone_is_where_it_looks(
    tmp_path: Path, goal: str, database: str
) -> None:
    with own_account(tmp_path, HOLDS + 'CREATE DATABASE "My Lab";') as account:
        account.thread = "goal"
        account.invoke("run", goal, "--dry-run")
        run = account.store.load("goal")
        told = [e.value for e in run if e.type == "input_gathered" and e.name == "scope"]
        assert told == [database]


@pytest.mark.slow
def test_a_name_that_is_taken_stops_it_and_nothing_is_overwritten(tmp_path: Path) -> None:
    taken = "CREATE STREAM CLINIC.RAW.VISITS_STREAM ON TABLE CLINIC.RAW.PATIENTS;"
    with own_account(tmp_path, HOLDS + taken) as account:
        before = account.look()
        _run(account, "create a stream on CLINIC.RAW.VISITS")
        assert account.pause is not None
        assert account.pause.kind == "error_escalated"
        assert "already exists" in account.ended
        account.clean()
        assert account.changes(before) == []


@pytest.mark.slow
def test_a_past_that_is_out_of_reach_is_explained(tmp_path: Path) -> None:
    with own_account(tmp_path, HOLDS) as account:
        _run(account, "show CLINIC.RAW.VISITS as it was 2 days ago")
        assert account.pause is not None
        assert account.pause.kind == "error_escalated"
        assert "Choose a later point in time" in account.ended


@pytest.mark.slow
@pytest.mark.parametrize(
    "goal", ["drop table CLINIC.RAW.VISITS", "truncate CLINIC.RAW.VISITS"], ids=["drop", "empty"]
)
def test_what_takes_rows_away_asks_for_a_phrase(goal: str, tmp_path: Path) -> None:
    with own_account(tmp_path, HOLDS) as account:
        phrases = _run(account, goal)
        assert account.ended == COMPLETED
        assert any(phrases)
        kept = account.rows("SHOW TABLES LIKE 'VISITS' IN SCHEMA CLINIC.RAW")
        assert [row["rows"] for row in kept] == ([] if goal.startswith("drop") else [0])


@pytest.mark.slow
def test_the_hour_that_is_said_is_the_hour_of_the_task(tmp_path: Path) -> None:
    with own_account(tmp_path, HOLDS) as account:
        account.run("CREATE PROCEDURE CLINIC.RAW.TIDY() RETURNS INT AS 'BEGIN RETURN 1; END'")
        _run(account, "run the procedure CLINIC.RAW.TIDY every Monday at 5")
        assert account.ended == COMPLETED
        (task,) = account.rows("SHOW TASKS IN SCHEMA CLINIC.RAW")
        assert (task["name"], task["state"]) == ("TIDY_TASK", "started")
        assert (task["schedule"], task["definition"]) == (
            "USING CRON 0 5 * * 1 UTC",
            "CALL CLINIC.RAW.TIDY()",
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "schedule"),
    [
        ("run TIDY_UP every weekday at 7", "USING CRON 0 7 * * 1-5 UTC"),
        ("run the procedure tidy up on the first of the month", "USING CRON 0 2 1 * * UTC"),
        ("call tidy up every 15 minutes", "15 MINUTE"),
        ("run tidy up every tuesday and friday at 6:30 pm", "USING CRON 30 18 * * 2,5 UTC"),
    ],
)
def test_a_procedure_is_scheduled_on_the_days_that_are_said(
    tmp_path: Path, goal: str, schedule: str
) -> None:
    with own_account(tmp_path, HOLDS) as account:
        account.run("CREATE PROCEDURE CLINIC.RAW.TIDY_UP() RETURNS INT AS 'BEGIN RETURN 1; END'")
        _run(account, goal)
        assert account.ended == COMPLETED
        (task,) = account.rows("SHOW TASKS IN SCHEMA CLINIC.RAW")
        assert (task["schedule"], task["definition"]) == (schedule, "CALL CLINIC.RAW.TIDY_UP()")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "asked"),
    [
        ("run the procedure tidy up every 3 days", "input:schedule"),
        ("run the procedure tidy up every day at 7 Berlin time", "error:plan"),
    ],
)
def test_a_schedule_that_is_not_understood_runs_nothing(
    tmp_path: Path, goal: str, asked: str
) -> None:
    with own_account(tmp_path, HOLDS) as account:
        account.run("CREATE PROCEDURE CLINIC.RAW.TIDY_UP() RETURNS INT AS 'BEGIN RETURN 1; END'")
        _run(account, goal)
        assert account.pause is not None
        assert account.pause.at == asked
        assert account.sent() == []


@pytest.mark.slow
def test_the_alert_warns_of_old_rows_and_is_silent_about_new_ones(tmp_path: Path) -> None:
    with own_account(tmp_path, HOLDS) as account:
        _run(account, "an alert that logs when CLINIC.RAW.VISITS gets no rows for 6 hours")
        assert account.ended == COMPLETED
        warned = "SELECT WARNING FROM CLINIC.RAW.VISITS_WARNINGS"
        account.run(
            "INSERT INTO CLINIC.RAW.VISITS (VISITED_AT)"
            " SELECT DATEADD('HOUR', -1, CURRENT_TIMESTAMP()::TIMESTAMP_NTZ);"
            "EXECUTE ALERT CLINIC.RAW.VISITS_NO_NEW_ROWS"
        )
        assert account.rows(warned) == []
        account.run("DELETE FROM CLINIC.RAW.VISITS; EXECUTE ALERT CLINIC.RAW.VISITS_NO_NEW_ROWS")
        text = "No new rows in CLINIC.RAW.VISITS for 6 hours"
        assert account.rows(warned) == [{"WARNING": text}]


def _run(account: OwnAccount, goal: str) -> list[str]:
    """Do what a goal says as far as it goes; return the phrases that had to be said."""
    account.thread = "job"
    account.invoke("run", goal)
    phrases: list[str] = []
    for _ in range(20):
        pause = account.pause
        option = None if pause is None else pause.option("approve")
        if option is None:
            return phrases
        phrases += [option.phrase] if option.phrase else []
        account.answer("approve")
    raise AssertionError("it did not end")
