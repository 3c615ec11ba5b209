"""Others work while a playbook waits: it sees the difference, and takes nothing of theirs away."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.library.own_accounts import COMPLETED, OwnAccount, own_account
from tests.library.test_cost_drift import COSTS, YARD
from tests.library.test_erasure_drift import ACCOUNT, ANN, S
from tests.library.test_pipeline_drift import ASKED, HARBOUR, OUT, PIPELINE, PLACE
from tests.library.test_protection_drift import CLINIC, PROTECT, WARD
from tests.library.test_protection_drift import ROLES as VIEWERS
from tests.library.test_role_drift import DEPOT, ROLES, STOCK, WANTED
from tests.library.test_sharing_drift import MILL, SHARING
from tests.library.test_sharing_drift import WANTED as SHARED

pytestmark = pytest.mark.slow
MONITOR = """
CREATE RESOURCE MONITOR "COST_CONTROL_night wh" WITH CREDIT_QUOTA = 100
  TRIGGERS ON 100 PERCENT DO SUSPEND;
ALTER WAREHOUSE "night wh" SET RESOURCE_MONITOR = "COST_CONTROL_night wh";
"""


def told(account: OwnAccount) -> str:
    """Return what was said of the change, at the pause that the thread waits at now."""
    assert account.reply is not None
    return str(account.reply.document.get("redoing", ""))


def go_on_behind(account: OwnAccount, script: str) -> str:
    """Let somebody else work while the thread waits, then approve; return where it waits then."""
    account.run(script)
    account.answer()
    return account.ended


def test_a_quota_that_somebody_changed_is_shown_before_it_changes_again(tmp_path: Path) -> None:
    wanted = {"monthly_quota": "50", "warehouse_pattern": "night wh"}
    with own_account(tmp_path, YARD + MONITOR) as yard:
        yard.ask(COSTS, **wanted)
        assert "(now 100 credits" in yard.ended
        change = 'ALTER RESOURCE MONITOR "COST_CONTROL_night wh" SET CREDIT_QUOTA = 70'
        assert "(now 70 credits" in go_on_behind(yard, change)
        assert (yard.sent(), "The account has changed since the last answer" in told(yard)) == (
            [],
            True,
        )
        yard.answer()
        assert told(yard) == ""
        assert yard.finish()[-1] == COMPLETED


def test_an_object_that_somebody_made_under_a_name_stops_it_and_stays(tmp_path: Path) -> None:
    with own_account(tmp_path, DEPOT) as depot:
        depot.ask(ROLES, **WANTED)
        depot.run('CREATE ROLE "my depot_WRITE"')
        theirs = depot.look()
        depot.answer()
        assert "Roles that this playbook did not make" in depot.ended
        depot.clean()
        assert (depot.sent(), depot.changes(theirs)) == ([], [])


def test_a_table_that_came_is_counted_and_one_that_went_is_missed(tmp_path: Path) -> None:
    with own_account(tmp_path, DEPOT) as depot:
        depot.ask(ROLES, **WANTED)
        assert "3 tables and views" in depot.ended
        more = f'CREATE TABLE {STOCK}."more" ("id" INT)'
        assert "4 tables and views" in go_on_behind(depot, more)
        assert "There is no schema" in go_on_behind(depot, f"DROP SCHEMA {STOCK}")
        assert depot.sent() == []


def test_a_view_of_others_is_not_taken_for_the_share_s(tmp_path: Path) -> None:
    with own_account(tmp_path, MILL) as mill:
        mill.ask(SHARING, **SHARED)
        mill.run('CREATE SCHEMA "Mill"."for partners"')
        mill.run('CREATE VIEW "Mill"."for partners"."sales" AS SELECT 1 AS A')
        theirs = mill.look()
        mill.answer()
        assert "Objects that this playbook did not make" in mill.ended
        mill.clean()
        assert (mill.sent(), mill.changes(theirs)) == ([], [])


def test_a_column_that_came_is_carried_only_once_it_was_seen(tmp_path: Path) -> None:
    with own_account(tmp_path, HARBOUR) as port:
        port.ask(PIPELINE, **ASKED)
        waits = port.pause
        go_on_behind(port, f'ALTER TABLE {PLACE}."ships" ADD COLUMN "cargo" STRING')
        assert waits is not None
        assert port.pause is not None
        assert port.pause.step == waits.step
        assert port.sent() == []
        assert "no longer sent: CREATE DYNAMIC TABLE" in told(port)
        assert port.finish()[-1] == COMPLETED
        assert "cargo" in port.rows(f'SELECT * FROM {OUT}."ships_CLEAN"')[0]


def test_a_mask_that_somebody_set_meanwhile_is_left_out(tmp_path: Path) -> None:
    with own_account(tmp_path, CLINIC) as clinic:
        clinic.ask(PROTECT, target_scope=WARD, **VIEWERS)
        assert "Already masked and left as they are: 0." in clinic.ended
        clinic.run(f"""CREATE MASKING POLICY {WARD}."own" AS (V STRING) RETURNS STRING -> '*'""")
        shown = go_on_behind(
            clinic,
            f'ALTER TABLE {WARD}."patients" MODIFY COLUMN "phone" SET MASKING POLICY {WARD}."own"',
        )
        assert "Already masked and left as they are: 1." in shown
        assert "patients.phone (masked by own)" in shown


def test_a_renamed_table_is_searched_and_shown_under_its_new_name(tmp_path: Path) -> None:
    with own_account(tmp_path, ACCOUNT) as shop:
        shop.ask("erase-a-person", **ANN)
        shop.answer()
        shown = go_on_behind(shop, f'ALTER TABLE {S}."orders" RENAME TO {S}."bills"')
        assert "the sales.bills 2 by link (delete)" in shown
        assert shop.sent() == []


def test_of_two_threads_the_one_that_comes_second_finds_what_the_first_made(
    tmp_path: Path,
) -> None:
    with own_account(tmp_path, DEPOT) as depot:
        depot.ask(ROLES, **WANTED)
        first = depot.thread
        depot.run_to_its_end(ROLES, **WANTED)
        made = depot.look()
        depot.thread = first
        depot.invoke("status")
        depot.answer()
        assert "4 of these roles exist and hold" in depot.ended
        assert (depot.finish()[-1], depot.sent(), depot.changes(made)) == (COMPLETED, [], [])


def test_without_a_change_of_others_nothing_is_asked_twice(tmp_path: Path) -> None:
    with own_account(tmp_path, MILL) as mill:
        assert mill.run_to_its_end(SHARING, **SHARED)[-1] == COMPLETED
        assert [e for e in mill.events("probes_executed") if e.redoing is not None] == []


def test_a_column_that_came_behind_the_search_is_named_and_not_called_protected(
    tmp_path: Path,
) -> None:
    with own_account(tmp_path, CLINIC) as clinic:
        clinic.ask(PROTECT, **{"target_scope": WARD, **VIEWERS})
        clinic.answer()
        assert clinic.ended.startswith("2 masking policies are in GOVERNANCE")
        clinic.run(
            f'ALTER TABLE {WARD}."patients" ADD COLUMN "old mail" STRING;'
            f'UPDATE {WARD}."patients" SET "old mail" = \'a@example.com\';'
            f'CREATE TABLE {WARD}."visits" ("who\'s there" STRING);'
        )
        _, verdict, ended = clinic.finish()
        assert ended == COMPLETED
        assert verdict.startswith("Protected in the columns that were looked through;")
        for added in ("Ward 1.patients.old mail", "Ward 1.visits.who's there"):
            assert f"{added} (added since the columns were looked through)" in verdict
