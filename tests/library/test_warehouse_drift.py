"""Warehouses are measured, compared and changed as approved; what others own is named and left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

pytestmark = pytest.mark.slow
YARD = """
CREATE WAREHOUSE "night wh" WAREHOUSE_SIZE = XSMALL AUTO_SUSPEND = 0;
CREATE WAREHOUSE BIG_WH WAREHOUSE_SIZE = LARGE AUTO_SUSPEND = 900;
CREATE WAREHOUSE CALM_WH WAREHOUSE_SIZE = SMALL AUTO_SUSPEND = 30
  STATEMENT_TIMEOUT_IN_SECONDS = 600;
CREATE ROLE CLERK; CREATE ROLE OTHERS; CREATE ROLE NOBODY;
GRANT ROLE CLERK TO USER ADMIN;
GRANT IMPORTED PRIVILEGES ON DATABASE SNOWFLAKE TO ROLE CLERK;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK;
GRANT MODIFY ON WAREHOUSE BIG_WH TO ROLE CLERK;
GRANT USAGE ON WAREHOUSE "night wh" TO ROLE CLERK;
GRANT OWNERSHIP ON WAREHOUSE "night wh" TO ROLE OTHERS COPY CURRENT GRANTS;
"""
FIT = "optimize-warehouses"
Settings = tuple[str, int | None, int, int, int]


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, YARD) as account:
        yield account


def settings(yard: OwnAccount, name: str) -> Settings:
    """Return size, auto-suspend, both time-outs and the most clusters."""
    (row,) = [row for row in yard.rows("SHOW WAREHOUSES") if row["name"] == name]
    asked = f"SHOW PARAMETERS LIKE 'STATEMENT%' IN WAREHOUSE \"{name}\""
    held = {found["key"]: int(found["value"]) for found in yard.rows(asked)}
    timeout = held["STATEMENT_TIMEOUT_IN_SECONDS"]
    queued = held["STATEMENT_QUEUED_TIMEOUT_IN_SECONDS"]
    return row["size"], row["auto_suspend"], timeout, queued, int(row["max_cluster_count"])


def work(yard: OwnAccount, warehouse: str, times: int) -> None:
    """Run short statements on a warehouse."""
    session = yard.account.session("ADMIN", "ACCOUNTADMIN", warehouse=warehouse)
    for number in range(times):
        session.execute(f"SELECT {number}")
    session.close()


def test_settings_converge_and_the_same_again_sends_nothing(yard: OwnAccount) -> None:
    shown = yard.run_to_its_end(FIT, queued_timeout="1800")
    assert "BIG_WH: auto-suspend 900 s to 60 s, statement time-out 172800 s to 14400 s" in shown[1]
    assert '"night wh": auto-suspend never to 60 s' in shown[1]
    assert "Every approved change is in force, on 4 warehouses." in shown[2]
    assert shown[3:] == [COMPLETED]
    assert settings(yard, "BIG_WH") == ("Large", 60, 14400, 1800, 1)
    assert settings(yard, "CALM_WH") == ("Small", 30, 600, 1800, 1)
    before = yard.look()
    again = yard.run_to_its_end(FIT, queued_timeout="1800")
    assert again[1].startswith("There was nothing to change.")
    assert "what the changes bring" not in again[1]
    assert (yard.sent(), yard.changes(before), again[2:]) == ([], [], [COMPLETED])


def test_a_size_goes_down_by_evidence_once_and_cleanup_gives_it_back(yard: OwnAccount) -> None:
    work(yard, "BIG_WH", 100)
    before = yard.look()
    shown = yard.run_to_its_end(FIT, warehouse_pattern="BIG_WH")
    assert "size LARGE to MEDIUM (100 of 100 statements executed in under 2 seconds" in shown[1]
    assert settings(yard, "BIG_WH")[0] == "Medium"
    again = yard.run_to_its_end(FIT, warehouse_pattern="BIG_WH")
    assert (yard.sent(), again[2:]) == ([], [COMPLETED])
    yard.thread = "thread-1"
    yard.clean()
    assert yard.changes(before) == []


def test_what_a_person_decided_comes_before_proposals(yard: OwnAccount) -> None:
    work(yard, "BIG_WH", 100)
    wanted = {
        "wanted_sizes": '{"BIG_WH": "XXLARGE", "night wh": "SMALL"}',
        "wanted_clusters": '{"night wh": 3}',
        "auto_suspend": "keep",
        "statement_timeout": "keep",
    }
    shown = yard.run_to_its_end(FIT, **wanted)
    assert 'BIG_WH: size LARGE to XXLARGE; "night wh": size XSMALL to SMALL, clusters' in shown[1]
    assert settings(yard, "BIG_WH") == ("2X-Large", 900, 172800, 0, 1)
    assert settings(yard, "night wh") == ("Small", None, 172800, 0, 3)
    yard.run_to_its_end(FIT, **wanted)
    assert yard.sent() == []


def test_what_is_declined_at_the_pause_stays(yard: OwnAccount) -> None:
    yard.ask(FIT)
    yard.finish(1)
    assert yard.pause is not None
    yard.invoke("respond", "modify", "--at", yard.pause.at, "--set", 'leave_out=BIG_WH,"night wh"')
    assert 'BIG_WH (left out); "night wh" (left out)' in yard.ended
    yard.finish()
    assert yard.ended == COMPLETED
    assert settings(yard, "BIG_WH") == ("Large", 900, 172800, 0, 1)
    assert settings(yard, "COMPUTE_WH")[1] == 60


def test_a_role_changes_what_it_may_and_is_told_who_may_change_the_rest(yard: OwnAccount) -> None:
    yard.run("USE ROLE ACCOUNTADMIN; ALTER USER ADMIN SET DEFAULT_SECONDARY_ROLES = ()")
    shown = yard.run_to_its_end(FIT, admin_role="CLERK")
    history = [e for e in yard.events("environment_probed") if "ACCOUNT_USAGE" in e.query]
    assert {e.result.get("role") for e in history} == {"CLERK"}
    assert '"night wh": auto-suspend never to 60 s' in shown[1].partition("may not change:")[2]
    assert "(role OTHERS may change it)" in shown[1]
    assert settings(yard, "BIG_WH")[:2] == ("Large", 60)
    assert settings(yard, "night wh")[:2] == ("X-Small", None)
    shown = yard.run_to_its_end(FIT, admin_role="CLERK", warehouse_pattern="night wh")
    assert shown[1].startswith("Nothing was changed. ")


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"warehouse_pattern": "big_wh"}, "this session sees: BIG_WH, CALM_WH, COMPUTE_WH"),
        ({"admin_role": "OTHERS"}, "Role OTHERS is not granted to user ADMIN"),
        ({"wanted_sizes": '{"BIG_WH": "HUGE"}'}, "wanted_sizes takes XSMALL"),
        ({"wanted_sizes": '{"NIGHT WH": "SMALL"}'}, "not among the warehouses that match %"),
        ({"wanted_clusters": '{"BIG_WH": 0}'}, "whole numbers from 1 to 300"),
        ({"leave_out": "night_wh"}, "NIGHT_WH. Names keep their case"),
    ],
)
def test_what_cannot_work_stops_it(yard: OwnAccount, inputs: dict[str, str], reason: str) -> None:
    before = yard.look()
    shown = yard.run_to_its_end(FIT, **inputs)
    assert reason in shown[-1]
    assert yard.changes(before) == []


def test_aborted_at_each_pause_nothing_remains(yard: OwnAccount) -> None:
    found = list(yard.aborted_at_each_pause(FIT, wanted_clusters='{"night wh": 2}'))
    assert [remains for _, remains in found] == [[], [], []]


def test_each_team_has_its_share_by_what_tells_teams_apart(yard: OwnAccount) -> None:
    session = yard.account.session("ADMIN", "ACCOUNTADMIN", warehouse="BIG_WH")
    session.execute("ALTER SESSION SET QUERY_TAG = 'nightly'")
    session.execute("SELECT COUNT(*) FROM TABLE(GENERATOR(ROWCOUNT => 100000))")
    session.close()
    for team_by, team in {"role": "ACCOUNTADMIN", "user": "ADMIN", "query_tag": "nightly"}.items():
        shown = yard.run_to_its_end(FIT, team_by=team_by, warehouse_pattern="BIG_WH")
        assert f"that statements used: {team} " in shown[0], shown[0]
        assert "up to 8 hours late" in shown[0]


def test_a_role_that_may_not_read_the_usage_is_told_its_grants_before_the_first_step(
    yard: OwnAccount,
) -> None:
    yard.run(
        'CREATE ROLE "the counters"; GRANT ROLE "the counters" TO USER ADMIN;'
        'GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE "the counters";'
        "ALTER USER ADMIN SET DEFAULT_SECONDARY_ROLES = ()"
    )
    shown = yard.run_to_its_end(FIT, admin_role='"the counters"')
    assert 'closed to role "the counters"' in shown[-1]
    assert 'GRANT IMPORTED PRIVILEGES ON DATABASE SNOWFLAKE TO ROLE "the counters"' in shown[-1]
    assert yard.events("step_started") == []
    yard.run('GRANT DATABASE ROLE SNOWFLAKE.USAGE_VIEWER TO ROLE "the counters"')
    yard.answer("retry")
    assert 'GRANT DATABASE ROLE SNOWFLAKE.GOVERNANCE_VIEWER TO ROLE "the counters"' in yard.ended
    assert yard.events("step_started") == []
    yard.run('GRANT DATABASE ROLE SNOWFLAKE.GOVERNANCE_VIEWER TO ROLE "the counters"')
    yard.answer("retry")
    assert yard.finish()[-1] == COMPLETED
