"""Quality checks on tables that some people check already: nothing doubled, others' checks stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.views import render_text
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

MILL = """
CREATE ROLE CLERK; GRANT ROLE CLERK TO USER ADMIN; CREATE ROLE OTHERS;
CREATE WAREHOUSE "night wh" WAREHOUSE_SIZE = XSMALL;
CREATE DATABASE "The Mill"; CREATE SCHEMA "The Mill"."flour";
CREATE TABLE "The Mill"."flour"."sacks" ("id" INT, "kg" INT, "doc" VARIANT);
INSERT INTO "The Mill"."flour"."sacks" SELECT 1, 25, NULL UNION ALL SELECT 1, 50, NULL
  UNION ALL SELECT NULL, 25, NULL;
CREATE TABLE "The Mill"."flour"."lots" ("mill" INT, "lot" INT, PRIMARY KEY ("mill", "lot"));
CREATE TABLE "The Mill"."flour"."empty" ("x" STRING);
CREATE DYNAMIC TABLE "The Mill"."flour"."sack.s" TARGET_LAG = '1 hour' WAREHOUSE = COMPUTE_WH AS
  SELECT "id", "kg" FROM "The Mill"."flour"."sacks";
CREATE TABLE "The Mill"."flour"."of others" ("id" INT);
GRANT OWNERSHIP ON TABLE "The Mill"."flour"."of others" TO ROLE OTHERS;
"""
QUALITY = "monitor-data-quality"
PLACE = '"The Mill"."flour"'
ASKED = {"target_scope": PLACE, "check_schedule": "TRIGGER_ON_CHANGES"}
MAILED = {**ASKED, "alert_email": "ann@example.com", "alert_schema": '"duty"'}


@pytest.fixture
def mill(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, MILL) as account:
        yield account


def checks(mill: OwnAccount, table: str) -> list[tuple[str, str, str]]:
    about = f"(REF_ENTITY_NAME => '{PLACE}.\"{table}\"', REF_ENTITY_DOMAIN => 'table')"
    found = mill.rows(
        "SELECT METRIC_NAME AS M, COALESCE(REF_ARGUMENTS[0]:name::STRING, '') AS C, SCHEDULE AS S"
        f' FROM TABLE("The Mill".INFORMATION_SCHEMA.DATA_METRIC_FUNCTION_REFERENCES{about})'
    )
    return sorted((row["M"], row["C"], row["S"]) for row in found)


@pytest.mark.slow
def test_tables_and_dynamic_tables_are_watched_and_again_nothing_is_sent(mill: OwnAccount) -> None:
    shown = mill.run_to_its_end(QUALITY, **ASKED)
    assert shown[-1] == COMPLETED
    assert len(shown) == 3
    assert "Key values missing today: 2, duplicates: 2" in shown[0]
    assert "4 tables of" in shown[0]
    assert "DUPLICATE_COUNT of id on sack.s" in shown[0]
    assert "0 have been measured; not yet: 13" in shown[1]
    assert checks(mill, "sack.s") == [
        ("DUPLICATE_COUNT", "id", "TRIGGER_ON_CHANGES"),
        ("NULL_COUNT", "id", "TRIGGER_ON_CHANGES"),
        ("ROW_COUNT", "", "TRIGGER_ON_CHANGES"),
    ]
    assert [check[:2] for check in checks(mill, "lots")] == [
        ("FRESHNESS", ""),
        ("NULL_COUNT", "lot"),
        ("NULL_COUNT", "mill"),
        ("ROW_COUNT", ""),
    ]
    before = mill.look()
    again = mill.run_to_its_end(QUALITY, **ASKED)
    assert "To attach: nothing. To change: nothing. As wanted already: 13." in again[0]
    assert (mill.sent(), mill.changes(before), again[-1]) == ([], [], COMPLETED)


@pytest.mark.slow
def test_the_report_says_what_was_measured_and_what_was_violated(mill: OwnAccount) -> None:
    mill.run_to_its_end(QUALITY, **ASKED)
    mill.run(
        f'INSERT INTO {PLACE}."sacks" SELECT 2, 25, NULL;'
        f'ALTER DYNAMIC TABLE {PLACE}."sack.s" REFRESH'
    )
    again = mill.run_to_its_end(QUALITY, **ASKED)
    assert "7 have been measured; not yet: 6" in again[1]
    assert "NULL_COUNT of id on sack.s" in again[1]
    assert "DUPLICATE_COUNT of id on sacks" in again[1]


@pytest.mark.slow
def test_checks_of_others_stay_with_their_schedule_unless_it_is_to_change(
    mill: OwnAccount,
) -> None:
    mill.run(
        f"ALTER TABLE {PLACE}.\"sacks\" SET DATA_METRIC_SCHEDULE = '60 MINUTE';"
        f'ALTER TABLE {PLACE}."sacks" ADD DATA METRIC FUNCTION SNOWFLAKE.CORE.NULL_COUNT ON ("kg")'
        " EXPECTATION FEW (VALUE < 9);"
        f'ALTER TABLE {PLACE}."sacks" ADD DATA METRIC FUNCTION SNOWFLAKE.CORE.NULL_COUNT ON ("id")'
        " EXPECTATION FEW (VALUE < 9)"
    )
    before = mill.look()
    shown = mill.run_to_its_end(QUALITY, **ASKED)
    assert "Checks of others, which stay: 2." in shown[0]
    assert "To change: NULL_COUNT of id on sacks (without expectation)." in shown[0]
    assert "on another schedule, to keep: sacks (60 MINUTE)" in shown[0]
    assert {schedule for *_, schedule in checks(mill, "sacks")} == {"60 MINUTE"}
    assert mill.run_to_its_end(QUALITY, **ASKED)[-1] == COMPLETED
    assert mill.sent() == []
    mill.ask(QUALITY, **ASKED)
    mill.answer("change-schedules")
    mill.finish()
    assert {schedule for *_, schedule in checks(mill, "sacks")} == {"TRIGGER_ON_CHANGES"}
    assert len(mill.changes(before)) > 0
    assert [check[:2] for check in checks(mill, "sacks")].count(("NULL_COUNT", "kg")) == 1


@pytest.mark.slow
def test_another_schedule_and_another_expectation_converge(mill: OwnAccount) -> None:
    mill.run_to_its_end(QUALITY, **ASKED)
    mill.run(
        f'ALTER TABLE {PLACE}."sacks" MODIFY DATA METRIC FUNCTION SNOWFLAKE.CORE.NULL_COUNT'
        ' ON ("id") MODIFY EXPECTATION NONE_MISSING (VALUE < 100)'
    )
    changed = {**ASKED, "check_schedule": "60 MINUTE", "key_columns": '{"empty": "x"}'}
    shown = mill.run_to_its_end(QUALITY, **changed)
    assert "NULL_COUNT of id on sacks (other expectation)" in shown[0]
    assert "lots (now TRIGGER_ON_CHANGES)" in shown[0]
    assert "NULL_COUNT of x on empty" in shown[0]
    mill.run_to_its_end(QUALITY, **changed)
    assert mill.sent() == []


@pytest.mark.slow
def test_an_alert_is_made_only_when_chosen_compared_and_brought_back(mill: OwnAccount) -> None:
    shown = mill.run_to_its_end(QUALITY, **MAILED)
    assert mill.events("probes_executed")[-1].warnings == []
    assert 'DATA_QUALITY_VIOLATIONS in "duty": to create. It checks' in shown[1]
    assert "to create" in shown[1]
    before = mill.look()
    again = mill.run_to_its_end(QUALITY, **MAILED)
    assert "as wanted already" in again[1]
    assert (mill.sent(), mill.changes(before)) == ([], [])
    alert = '"The Mill"."duty".DATA_QUALITY_VIOLATIONS'
    mill.run(f"ALTER ALERT {alert} SUSPEND; ALTER ALERT {alert} MODIFY CONDITION EXISTS (SELECT 1)")
    shown = mill.run_to_its_end(QUALITY, **MAILED, alert_warehouse='"night wh"')
    assert "COMPUTE_WH -> night wh, another condition, suspended -> started" in shown[1]
    mill.run_to_its_end(QUALITY, **MAILED)
    assert mill.changes(before) == []


REFUSED = {
    "tables of others": (
        {"target_scope": f'{PLACE}."of others"', "owner_role": "CLERK"},
        "",
        "belong to OTHERS, not to CLERK",
    ),
    "a misspelt key": (
        {"key_columns": '{"sacks": "ID"}'},
        "",
        "columns that do not exist: sacks.ID",
    ),
    "no such table": ({"target_scope": f"{PLACE}.SACKS"}, "", "There is no table in"),
    "an alert of others": (
        MAILED,
        'CREATE SCHEMA "The Mill"."duty"; CREATE ALERT "The Mill"."duty".DATA_QUALITY_VIOLATIONS'
        " WAREHOUSE = COMPUTE_WH SCHEDULE = '60 MINUTE' IF (EXISTS (SELECT 1)) THEN SELECT 1;",
        "which this playbook did not make",
    ),
    "an integration that writes to others": (
        MAILED,
        "CREATE NOTIFICATION INTEGRATION DATA_QUALITY_EMAIL TYPE = EMAIL ENABLED = TRUE"
        " ALLOWED_RECIPIENTS = ('eve@example.com');",
        "does not send to ann@example.com",
    ),
    "a role of others": ({"owner_role": "OTHERS"}, "", "not granted to user ADMIN"),
    "a schema in which the role may not alert": (
        {**MAILED, "owner_role": "CLERK", "target_scope": f'{PLACE}."lots"'},
        f'GRANT OWNERSHIP ON TABLE {PLACE}."lots" TO ROLE CLERK; CREATE SCHEMA "The Mill"."duty";'
        'GRANT USAGE ON DATABASE "The Mill" TO ROLE CLERK;'
        "GRANT EXECUTE DATA METRIC FUNCTION ON ACCOUNT TO ROLE CLERK;",
        'CLERK lacks CREATE ALERT on "duty", which the owner of that schema grants',
    ),
    "a database in which the role may make no schema": (
        {**MAILED, "owner_role": "CLERK", "target_scope": f'{PLACE}."lots"'},
        f'GRANT OWNERSHIP ON TABLE {PLACE}."lots" TO ROLE CLERK;'
        'GRANT USAGE ON DATABASE "The Mill" TO ROLE CLERK;'
        "GRANT EXECUTE DATA METRIC FUNCTION ON ACCOUNT TO ROLE CLERK;",
        "lacks CREATE SCHEMA on the database",
    ),
    "a role that may not measure": (
        {"owner_role": "CLERK", "target_scope": f'{PLACE}."lots"'},
        f'GRANT OWNERSHIP ON TABLE {PLACE}."lots" TO ROLE CLERK;'
        'GRANT USAGE ON DATABASE "The Mill" TO ROLE CLERK;'
        f"GRANT USAGE ON SCHEMA {PLACE} TO ROLE CLERK;"
        "GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK;",
        "CLERK lacks EXECUTE DATA METRIC FUNCTION on the account. ACCOUNTADMIN runs GRANT EXECUTE"
        " DATA METRIC FUNCTION ON ACCOUNT TO ROLE CLERK; then retry",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_stops_it_and_nothing_stays(mill: OwnAccount, name: str) -> None:
    changed, setup, why = REFUSED[name]
    mill.run(setup)
    before = mill.look()
    shown = mill.run_to_its_end(QUALITY, **{**ASKED, **changed})
    assert why in shown[-1]
    assert "not known here" not in shown[-1]
    mill.clean()
    assert mill.changes(before) == []


@pytest.mark.slow
def test_aborted_at_each_pause_nothing_remains(mill: OwnAccount) -> None:
    found = list(mill.aborted_at_each_pause(QUALITY, **MAILED))
    assert [remains for _, remains in found] == [[], [], []]


_HIDDEN = (
    "CREATE ROLE MILLER; GRANT ROLE MILLER TO USER ADMIN; CREATE ROLE HELPER;"
    "GRANT ROLE HELPER TO ROLE MILLER;"
    "GRANT EXECUTE DATA METRIC FUNCTION, EXECUTE ALERT ON ACCOUNT TO ROLE MILLER;"
    "GRANT CREATE INTEGRATION ON ACCOUNT TO ROLE MILLER;"
    'GRANT USAGE, CREATE SCHEMA ON DATABASE "The Mill" TO ROLE MILLER;'
    "GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE MILLER;"
    f"GRANT USAGE ON SCHEMA {PLACE} TO ROLE MILLER;"
    f'GRANT OWNERSHIP ON TABLE {PLACE}."lots" TO ROLE MILLER;'
    "GRANT DATABASE ROLE SNOWFLAKE.DATA_METRIC_USER TO ROLE MILLER;"
    "GRANT APPLICATION ROLE SNOWFLAKE.DATA_QUALITY_MONITORING_VIEWER TO ROLE MILLER;"
    'CREATE SCHEMA "The Mill"."duty";'
)


@pytest.mark.slow
def test_a_schema_that_the_role_cannot_see_is_told_before_a_check_is_attached(
    mill: OwnAccount,
) -> None:
    mill.run(_HIDDEN)
    before = mill.look()
    asked = MAILED | {"owner_role": "MILLER"}
    shown = mill.run_to_its_end(QUALITY, **asked)
    assert (
        'Schema "duty" exists, and MILLER cannot see it. ACCOUNTADMIN, who owns it, can grant'
        " MILLER USAGE and CREATE ALERT on it"
    ) in shown[-1]
    assert (mill.sent(), mill.changes(before)) == ([], [])
    mill.run('GRANT USAGE, CREATE ALERT ON SCHEMA "The Mill"."duty" TO ROLE MILLER')
    mill.answer("retry")
    assert mill.finish()[-1] == COMPLETED


@pytest.mark.slow
def test_an_alert_over_names_with_apostrophes_is_known_again(mill: OwnAccount) -> None:
    mill.run("""CREATE SCHEMA "The Mill"."it's"; CREATE TABLE "The Mill"."it's"."n's" ("id" INT)""")
    asked = MAILED | {"target_scope": """"The Mill"."it's"."n's\""""}
    mill.invoke(
        "run",
        f"playbooks/{QUALITY}",
        "--dry-run",
        *[word for name, value in asked.items() for word in ("--input", f"{name}={value}")],
    )
    assert mill.reply is not None
    foretold = " ".join(render_text(mill.reply.view).split())
    assert 'NULL_COUNT of "id" (NONE_MISSING: VALUE = 0)' in foretold
    assert "{" not in foretold.partition("Objects it touches")[2].partition("Every")[0]
    assert mill.run_to_its_end(QUALITY, **asked)[-1] == COMPLETED
    again = mill.run_to_its_end(QUALITY, **asked)
    assert "as wanted already" in again[1]
    assert mill.sent() == []


@pytest.mark.slow
def test_a_right_to_measure_is_missed_before_anything_is_attached_and_counts_when_inherited(
    mill: OwnAccount,
) -> None:
    mill.run(
        'CREATE ROLE "the millers"; CREATE ROLE HELPER; GRANT ROLE HELPER TO ROLE "the millers";'
        'GRANT ROLE "the millers" TO ROLE CLERK;'
        'GRANT USAGE ON DATABASE "The Mill" TO ROLE CLERK;'
        f"GRANT USAGE ON SCHEMA {PLACE} TO ROLE CLERK;"
        "GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK;"
        "GRANT DATABASE ROLE SNOWFLAKE.DATA_METRIC_USER TO ROLE CLERK;"
        "GRANT APPLICATION ROLE SNOWFLAKE.DATA_QUALITY_MONITORING_VIEWER TO ROLE CLERK;"
        f'GRANT OWNERSHIP ON TABLE {PLACE}."lots" TO ROLE "the millers"'
    )
    before = mill.look()
    asked = {**ASKED, "target_scope": f'{PLACE}."lots"', "owner_role": "CLERK"}
    shown = mill.run_to_its_end(QUALITY, **asked)
    assert 'ON ACCOUNT TO ROLE "the millers"; then retry' in shown[-1]
    assert (mill.events("step_started"), mill.changes(before)) == ([], [])
    mill.run("GRANT EXECUTE DATA METRIC FUNCTION ON ACCOUNT TO ROLE HELPER")
    mill.answer("retry")
    assert mill.finish()[-1] == COMPLETED
    assert len(checks(mill, "lots")) == 4
