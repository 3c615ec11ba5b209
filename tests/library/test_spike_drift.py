"""What a cost spike's investigation says, on an account where there is something and where not."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from tests.library.own_accounts import COMPLETED, own_account

OFFICE = """
CREATE WAREHOUSE "late wh" WAREHOUSE_SIZE = XSMALL AUTO_SUSPEND = 0;
CREATE WAREHOUSE SOON_WH WAREHOUSE_SIZE = XSMALL AUTO_SUSPEND = 60;
CREATE RESOURCE MONITOR LIMIT_ONE WITH CREDIT_QUOTA = 9;
ALTER WAREHOUSE SOON_WH SET RESOURCE_MONITOR = LIMIT_ONE;
CREATE WAREHOUSE HUGE_WH WAREHOUSE_SIZE = '6X-LARGE' AUTO_SUSPEND = 60;
CREATE ROLE OTHERS;
"""
SPIKE = "investigate-cost-spike"


@pytest.mark.slow
def test_it_tells_what_rose_and_which_settings_let_credits_run(tmp_path: Path) -> None:
    with own_account(tmp_path, OFFICE) as office:
        office.run("CREATE DATABASE D; CREATE TABLE D.PUBLIC.T AS SELECT 1 AS A")
        office.run("USE WAREHOUSE HUGE_WH; CALL SYSTEM$WAIT(1); SELECT COUNT(*) FROM D.PUBLIC.T")
        before = office.look()
        shown = office.run_to_its_end(SPIKE)
        assert "WAREHOUSE_METERING rose most, from 0.0000 to 0." in shown[0]
        assert "HUGE_WH rose most, from 0.0000 to 0." in shown[0]
        assert "an average day before had 0.0000" in shown[0]
        assert 'more than 10 minutes or never: "late wh" (never);' in shown[1]
        assert (
            'without a resource monitor of their own: COMPUTE_WH, HUGE_WH, "late wh".' in shown[1]
        )
        assert (shown[-1], office.sent(), office.changes(before)) == (COMPLETED, [], [])


@pytest.mark.slow
def test_an_account_without_any_credits_is_told_so(tmp_path: Path) -> None:
    with own_account(tmp_path, "") as office:
        shown = office.run_to_its_end(SPIKE)
        assert "none rose" in shown[0] or "services: none; of 0 warehouses: none." in shown[0]
        assert shown[-1] == COMPLETED


def test_a_role_that_the_user_lacks_stops_it(tmp_path: Path) -> None:
    with own_account(tmp_path, OFFICE) as office:
        shown = office.run_to_its_end(SPIKE, analyst_role="OTHERS")
        assert "Role OTHERS is not granted to user ADMIN" in shown[-1]


def test_a_role_that_may_not_read_the_usage_is_told_who_grants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "OTHERS")
    grant = "GRANT ROLE OTHERS TO USER ADMIN; GRANT USAGE ON WAREHOUSE SOON_WH TO ROLE OTHERS;"
    with own_account(tmp_path, OFFICE + grant) as office:
        office.run("ALTER USER ADMIN SET DEFAULT_SECONDARY_ROLES = ()")
        shown = office.run_to_its_end(SPIKE)
        assert "is closed to role OTHERS" in shown[-1]
        assert "SNOWFLAKE.USAGE_VIEWER opens credits" in shown[-1]
        office.run("GRANT IMPORTED PRIVILEGES ON DATABASE SNOWFLAKE TO ROLE OTHERS")
        shown = office.run_to_its_end(SPIKE)
        assert shown[-1] == COMPLETED
        # The warehouse that never suspends is out of its sight.
        assert "Of the warehouses that OTHERS sees, those that suspend" in shown[1]
        assert "or never: none;" in shown[1]


def test_the_role_that_will_read_is_the_one_that_is_asked_first(tmp_path: Path) -> None:
    grant = "GRANT ROLE OTHERS TO USER ADMIN; GRANT USAGE ON WAREHOUSE SOON_WH TO ROLE OTHERS;"
    with own_account(tmp_path, OFFICE + grant) as office:
        office.run("ALTER USER ADMIN SET DEFAULT_SECONDARY_ROLES = ()")
        shown = office.run_to_its_end(SPIKE, analyst_role="OTHERS")
        assert "is closed to role OTHERS" in shown[-1]
        assert office.events("step_started") == []
        office.run("GRANT DATABASE ROLE SNOWFLAKE.USAGE_VIEWER TO ROLE OTHERS")
        office.answer("retry")
        assert "GRANT DATABASE ROLE SNOWFLAKE.GOVERNANCE_VIEWER TO ROLE OTHERS" in office.ended
        office.run("GRANT DATABASE ROLE SNOWFLAKE.GOVERNANCE_VIEWER TO ROLE OTHERS")
        office.answer("retry")
        assert office.finish()[-1] == COMPLETED
