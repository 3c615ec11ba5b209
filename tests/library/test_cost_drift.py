"""Cost controls on warehouses that have some already: each has its own limit, and all is shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

YARD = """
CREATE WAREHOUSE "night wh" WAREHOUSE_SIZE = XSMALL AUTO_SUSPEND = 0;
CREATE WAREHOUSE DAY_WH WAREHOUSE_SIZE = SMALL AUTO_SUSPEND = 900;
CREATE WAREHOUSE DAYXWH WAREHOUSE_SIZE = SMALL AUTO_SUSPEND = 30;
CREATE RESOURCE MONITOR LOADS WITH CREDIT_QUOTA = 20 TRIGGERS ON 100 PERCENT DO NOTIFY;
ALTER WAREHOUSE DAYXWH SET RESOURCE_MONITOR = LOADS;
CREATE ROLE CLERK; GRANT ROLE CLERK TO USER ADMIN; CREATE ROLE OTHERS;
"""
COSTS = "set-up-cost-controls"


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, YARD) as account:
        yield account


def settings(yard: OwnAccount) -> dict[str, tuple[str, int | None]]:
    found = yard.rows("SHOW WAREHOUSES")
    return {row["name"]: (row["resource_monitor"], row["auto_suspend"]) for row in found}


def monitors(yard: OwnAccount) -> dict[str, tuple[object, ...]]:
    asked = ("credit_quota", "notify_at", "suspend_at", "suspend_immediately_at")
    found = yard.rows("SHOW RESOURCE MONITORS")
    return {row["name"]: tuple(row[column] for column in asked) for row in found}


@pytest.mark.slow
def test_each_warehouse_gets_a_limit_of_its_own_and_keeps_that_of_others(yard: OwnAccount) -> None:
    shown = yard.run_to_its_end(COSTS, monthly_quota="50")
    assert 'New monitors for: COMPUTE_WH, DAY_WH, "night wh".' in shown[0]
    assert "Warehouses that keep another monitor: DAYXWH (LOADS)." in shown[0]
    assert 'DAY_WH (now 900), "night wh" (now never)' in shown[0]
    assert shown[1:] == [
        "Warehouses: 4. Under a monitor of their own with 50 credits a month: 3. "
        "Under another monitor: 1. Monitor of the whole account: none. "
        "With auto-suspend after 60 seconds or less: 4.",
        COMPLETED,
    ]
    assert settings(yard) == {
        "COMPUTE_WH": ("COST_CONTROL_COMPUTE_WH", 60),
        "DAYXWH": ("LOADS", 30),
        "DAY_WH": ("COST_CONTROL_DAY_WH", 60),
        "night wh": ("COST_CONTROL_night wh", 60),
    }
    before = yard.look()
    again = yard.run_to_its_end(COSTS, monthly_quota="50")
    assert (yard.sent(), yard.changes(before), again) == ([], [], shown[1:])


@pytest.mark.slow
def test_another_limit_shows_what_stands_and_then_holds(yard: OwnAccount) -> None:
    yard.run_to_its_end(COSTS, monthly_quota="100", warehouse_pattern="night wh")
    before = yard.look()
    wanted = {"monthly_quota": "50", "at_the_limit": "NOTIFY", "warehouse_pattern": "night wh"}
    yard.ask(COSTS, **wanted)
    assert (
        'Monitors that change: "COST_CONTROL_night wh" (now 100 credits, notify at 50,80, '
        "suspend at 100, suspend immediately at - percent)" in yard.ended
    )
    yard.finish(1)
    assert monitors(yard)["COST_CONTROL_night wh"] == (50, "50%,80%,100%", None, None)
    yard.clean()
    assert yard.changes(before) == []
    assert monitors(yard)["COST_CONTROL_night wh"] == (100, "50%,80%", "100%", None)


@pytest.mark.slow
def test_what_a_whole_run_did_is_taken_back_and_nobody_is_accused(yard: OwnAccount) -> None:
    before = yard.look()
    yard.ask(COSTS, monthly_quota="50")
    yard.finish(1)
    assert yard.pause is not None
    assert "COST_CONTROL_DAY_WH" in monitors(yard)
    yard.clean()
    assert yard.changes(before) == []
    assert "nother session" not in yard.said().text


@pytest.mark.slow
def test_a_monitor_of_the_whole_account_is_told_and_stays(yard: OwnAccount) -> None:
    yard.run(
        'CREATE RESOURCE MONITOR "all of it" WITH CREDIT_QUOTA = 7'
        " TRIGGERS ON 90 PERCENT DO SUSPEND_IMMEDIATE;"
        'ALTER ACCOUNT SET RESOURCE_MONITOR = "all of it"'
    )
    watched = '"all of it" (7 credits, suspend at -, suspend immediately at 90 percent).'
    shown = yard.run_to_its_end(COSTS, monthly_quota="50", warehouse_pattern="DAY_WH")
    assert f"watches all of them besides and stays as it is: {watched}" in shown[0]
    assert f"Monitor of the whole account: {watched}" in shown[-2]
    assert monitors(yard)["all of it"] == (7, None, None, "90%")


def test_a_monitor_over_other_warehouses_under_one_of_the_names_stops_it(yard: OwnAccount) -> None:
    yard.run(
        "CREATE RESOURCE MONITOR COST_CONTROL_DAY_WH WITH CREDIT_QUOTA = 1;"
        "ALTER WAREHOUSE DAYXWH SET RESOURCE_MONITOR = COST_CONTROL_DAY_WH"
    )
    before = yard.look()
    shown = yard.run_to_its_end(COSTS, monthly_quota="50", warehouse_pattern="DAY_WH")
    assert "COST_CONTROL_DAY_WH" in shown[-1]
    assert yard.changes(before) == []


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"warehouse_pattern": "day_wh"}, "this session sees: COMPUTE_WH"),
        ({"admin_role": "CLERK"}, "CLERK does not inherit it"),
        ({"admin_role": "OTHERS"}, "Role OTHERS is not granted to user ADMIN"),
        ({"monthly_quota": "0"}, "at least one credit"),
        ({"budget_schema": "NO.PLACE"}, "There is no schema NO.PLACE for a budget"),
    ],
)
def test_what_cannot_work_stops_it(yard: OwnAccount, inputs: dict[str, str], reason: str) -> None:
    before = yard.look()
    shown = yard.run_to_its_end(COSTS, **{"monthly_quota": "50", **inputs})
    assert reason in shown[-1]
    assert yard.changes(before) == []


BUDGET = '"Books"."this year".COST_CONTROL_BUDGET'


def calls(yard: OwnAccount) -> list[str]:
    """Return which methods of the budget the thread called to change it."""
    return [sql.partition("!")[2].partition("(")[0] for sql in yard.sent() if sql[:5] == "CALL "]


@pytest.mark.slow
def test_a_budget_is_compared_and_only_the_difference_is_sent(yard: OwnAccount) -> None:
    yard.run('CREATE DATABASE "Books"; CREATE SCHEMA "Books"."this year"')
    wanted = {
        "monthly_quota": "50",
        "budget_schema": '"Books"."this year"',
        "notify_email": "ann@example.com",
    }
    shown = yard.run_to_its_end(COSTS, **wanted)
    assert "does not exist yet. Its limit becomes 200 credits a month for 4 warehouses" in shown[1]
    # Nobody else was at work: that a monitor watches a warehouse now is this run's doing.
    assert not [one for one in shown if "Since the last answer" in one]
    assert calls(yard) == ["SET_SPENDING_LIMIT", "SET_EMAIL_NOTIFICATIONS", *["ADD_RESOURCE"] * 4]
    before = yard.look()
    again = yard.run_to_its_end(COSTS, **wanted)
    assert (len(again), again[-1]) == (2, COMPLETED)
    assert (yard.sent(), yard.changes(before)) == ([], [])
    told = [e.present for e in yard.events("checkpoint_reached") if e.after_step == "6b"]
    assert "limit 200 credits a month, 4 warehouses in it. Changed in this run: nothing." in told[0]
    yard.run(
        f"CALL {BUDGET}!SET_EMAIL_NOTIFICATIONS('cfo@example.com');"
        f"CALL {BUDGET}!REMOVE_RESOURCE(SELECT SYSTEM$REFERENCE("
        "'WAREHOUSE', '\"night wh\"', 'SESSION', 'APPLYBUDGET'))"
    )
    drifted = yard.run_to_its_end(COSTS, **wanted)
    assert (
        "What changes: addresses cfo@example.com -> cfo@example.com,ann@example.com; "
        'warehouses to add: "night wh".'
    ) in drifted[0]
    assert calls(yard) == ["SET_EMAIL_NOTIFICATIONS", "ADD_RESOURCE"]
    other = yard.run_to_its_end(COSTS, **wanted | {"monthly_quota": "10"})
    assert "What changes: limit 200 -> 40." in other[1]
    assert calls(yard) == ["SET_SPENDING_LIMIT"]
    assert yard.run_to_its_end(COSTS, **wanted | {"monthly_quota": "10"})[-1] == COMPLETED
    assert yard.sent() == []


@pytest.mark.slow
def test_what_others_do_to_a_new_monitor_is_told_before_the_budget(
    yard: OwnAccount,
) -> None:
    yard.run('CREATE DATABASE "Books"; CREATE SCHEMA "Books"."this year"')
    yard.ask(COSTS, monthly_quota="50", budget_schema='"Books"."this year"')
    yard.finish(1)
    made = next(sql.split()[3] for sql in yard.sent() if sql.startswith("CREATE RESOURCE MONITOR"))
    yard.run(f"ALTER RESOURCE MONITOR {made} SET CREDIT_QUOTA = 1")
    yard.answer()
    assert "another session changed its credit quota" in yard.ended


@pytest.mark.slow
def test_aborted_at_each_pause_nothing_remains(yard: OwnAccount) -> None:
    found = list(yard.aborted_at_each_pause(COSTS, monthly_quota="50"))
    assert [remains for _, remains in found] == [[], []]
