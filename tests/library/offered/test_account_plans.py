"""What plans about the account tell and change, looked at, and where they stop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.library.offered.account_jobs import NIGHT, OLD
from tests.library.offered.jobs import LAB
from tests.library.offered.test_every_offered_plan import HOLDS
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

pytestmark = pytest.mark.slow


@pytest.fixture
def clinic(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, HOLDS) as account:
        yield account


def proposed(account: OwnAccount, goal: str) -> list[str]:
    """Return what the plan for a goal would send, step by step; its inputs are in the words."""
    account.threads += 1
    account.thread = f"plan-{account.threads}"
    account.invoke("run", goal)
    assert account.pause is not None
    assert account.pause.kind == "plan_proposed", account.ended
    return [step.sql for step in account.events("plan_proposed")[-1].steps]


def told(account: OwnAccount, goal: str) -> list[list[dict[str, Any]]]:
    return [account.rows(sql) for sql in proposed(account, goal)]


def test_two_tables_are_compared_by_a_key(clinic: OwnAccount) -> None:
    clinic.run(OLD + "DELETE FROM CLINIC.RAW.VISITS WHERE VISIT_ID = 2;")
    counted, listed = told(
        clinic, "compare CLINIC.RAW.VISITS with CLINIC.RAW.VISITS_OLD by visit id"
    )
    assert counted == [
        {
            **{"ONLY_IN_FIRST": 0, "ONLY_IN_SECOND": 1, "ROWS_DIFFER": 1, "SAME_ROWS": 1},
            "KEYS_OF_SEVERAL_ROWS": 0,
        }
    ]
    assert [(int(row["ROW_KEY"]), row["FOUND"]) for row in listed] == [
        (1, "rows differ"),
        (2, "only in the second"),
    ]


def test_a_row_that_stands_twice_in_one_table_is_a_difference(clinic: OwnAccount) -> None:
    clinic.run(f'CREATE TABLE CLINIC."lab work"."once" AS SELECT DISTINCT * FROM {LAB};')
    marks, rows = told(clinic, f'compare {LAB} with CLINIC."lab work"."once"')
    assert [(row["SIDE"], row["ROW_TOTAL"]) for row in marks] == [("FIRST", 2), ("SECOND", 1)]
    assert marks[0]["FINGERPRINT"] != marks[1]["FINGERPRINT"]
    assert [(row["SIDE"], row["test id"], row["TIMES_FOUND"]) for row in rows] == [
        ("FIRST", 1, 2),
        ("SECOND", 1, 1),
    ]


def test_the_same_rows_are_told_as_the_same(clinic: OwnAccount) -> None:
    clinic.run(f'CREATE TABLE CLINIC."lab work"."twin" AS SELECT * FROM {LAB};')
    marks, rows = told(clinic, f'compare {LAB} with CLINIC."lab work"."twin"')
    assert marks[0]["FINGERPRINT"] == marks[1]["FINGERPRINT"]
    assert rows == []
    assert told(clinic, f'compare the columns of {LAB} and CLINIC."lab work"."twin"') == [[]]


def test_tables_with_other_columns_stop_with_the_repair(clinic: OwnAccount) -> None:
    clinic.thread = "other"
    clinic.invoke("run", f"compare {LAB} with CLINIC.RAW.VISITS")
    shown = clinic.finish()
    assert "invalid number of result columns" in shown[-1]
    assert clinic.sent() == []


def test_statements_on_a_table_with_a_quoted_name_are_found_and_others_are_not(
    clinic: OwnAccount,
) -> None:
    (rows,) = told(clinic, f"list the queries on {LAB}")
    kinds = [row["QUERY_TYPE"] for row in rows]
    assert kinds == ["INSERT", "INSERT"]
    assert all('"blood tests"' in row["BEGINNING"] for row in rows)


def test_failures_are_counted_by_error(clinic: OwnAccount) -> None:
    for _ in range(2):
        with pytest.raises(Exception, match="does not exist"):
            clinic.rows("SELECT * FROM CLINIC.RAW.NOTHING")
    counted, listed = told(clinic, "show failed queries since yesterday")
    ours = [row for row in counted if "NOTHING" in row["EXAMPLE"]]
    assert [(row["FAILURES"], row["USERS"]) for row in ours] == [(2, 1)]
    assert len([row for row in listed if row["BEGINNING"].endswith("NOTHING")]) == 2


def test_a_limit_is_put_on_the_warehouse_and_only_on_it(clinic: OwnAccount) -> None:
    clinic.run(NIGHT)
    clinic.invoke("run", "limit the night wh to 50 credits a month")
    assert clinic.finish()[-1] == COMPLETED
    monitors = {row["name"]: row["resource_monitor"] for row in clinic.rows("SHOW WAREHOUSES")}
    assert monitors["night wh"] == "night wh_LIMIT"
    assert [name for name, monitor in monitors.items() if monitor == "night wh_LIMIT"] == [
        "night wh"
    ]


@pytest.mark.parametrize(
    ("goal", "taken"),
    [
        ("limit the night wh to 50 credits a month", 'RESOURCE MONITOR "night wh_LIMIT"'),
        ('create a small warehouse called "late shift"', 'WAREHOUSE "late shift"'),
    ],
)
def test_a_name_that_is_taken_stops_before_anything_changes(
    clinic: OwnAccount, goal: str, taken: str
) -> None:
    clinic.run(f"{NIGHT} CREATE {taken} {'WITH CREDIT_QUOTA = 5' if 'MONITOR' in taken else ''};")
    before = clinic.look()
    clinic.invoke("run", goal)
    shown = clinic.finish()
    assert any("already exists" in text or "exists" in text for text in shown), shown
    assert clinic.ended != COMPLETED
    assert clinic.changes(before) == []


def test_minutes_become_seconds_and_a_size_is_what_was_said(clinic: OwnAccount) -> None:
    change, _ = proposed(clinic, "let CLINIC_WH suspend itself after 15 minutes")
    assert change == "ALTER WAREHOUSE CLINIC_WH SET AUTO_SUSPEND = 900"
    change, _ = proposed(clinic, "resize CLINIC_WH to xlarge")
    assert change == "ALTER WAREHOUSE CLINIC_WH SET WAREHOUSE_SIZE = 'X-Large'"


def test_a_time_that_is_no_choice_is_asked_for_and_never_guessed(clinic: OwnAccount) -> None:
    clinic.invoke("run", "let CLINIC_WH suspend itself after 45 seconds")
    assert clinic.pause is not None
    assert clinic.pause.at == "input:idle"


def test_who_read_a_table_whose_name_needs_quotes_is_told(clinic: OwnAccount) -> None:
    clinic.run(f"SELECT COUNT(*) FROM {LAB}")
    ((read,),) = told(clinic, f"show the access history of {LAB} for 14 days")
    assert (read["USER_NAME"], read["READS"] > 0) == ("ADMIN", True)
