"""Others change what a playbook is about while it waits: it notices, and says what happened.

Each of these stops before a change, so what the others made is still theirs when it is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.library.own_accounts import COMPLETED, OwnAccount, own_account
from tests.library.test_cleanup_drift import LOG, parked_long_ago
from tests.library.test_cleanup_drift import PLAYBOOK as CLEAN_UP
from tests.library.test_cleanup_drift import SHOP as UNUSED_IN
from tests.library.test_cleanup_drift import shop as unused_shop
from tests.library.test_clone_drift import ACCOUNT as CLONED
from tests.library.test_clone_drift import INPUTS as COPY
from tests.library.test_cost_drift import COSTS, YARD
from tests.library.test_erasure_drift import ACCOUNT, ANN, S
from tests.library.test_loading_drift import ASKED as LOADED
from tests.library.test_loading_drift import BOX, GOOD, HOLDS, SALES, put
from tests.library.test_loading_drift import TABLE as ORDERS
from tests.library.test_merge_drift import ACCOUNT as MERGED
from tests.library.test_merge_drift import PLACE, TYPE_1
from tests.library.test_other_sessions import MONITOR, go_on_behind, told
from tests.library.test_recovery_drift import ACCOUNT as DAMAGED
from tests.library.test_recovery_drift import COPY as PAST
from tests.library.test_recovery_drift import RECOVER, TABLE
from tests.library.test_role_drift import DEPOT, ROLES, STOCK, WANTED
from tests.library.test_sharing_drift import MILL, SHARING
from tests.library.test_sharing_drift import WANTED as SHARED
from tests.library.test_tuning_drift import COPY as TRIAL_COPY
from tests.library.test_tuning_drift import SLOW, TRIAL, TUNE
from tests.library.test_tuning_drift import YARD as TUNED

pytestmark = pytest.mark.slow
LOAD = "load-files-from-stage"
MERGE = "merge-changes-with-history"
THEIRS = "another one has that name now"


@pytest.fixture
def damaged(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, DAMAGED) as account:
        yield account


def to_the_comparison(account: OwnAccount, **more: str) -> None:
    """Damage a table, and go on to the pause that shows what is gone."""
    session = account.account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    session.execute(f'DELETE FROM {TABLE} WHERE "id" = 2 OR "id" IS NULL')
    moment = str(session.execute("SELECT LAST_QUERY_ID()").rows[0][0])
    session.close()
    told = {"target": TABLE, "what_happened": "damaged", "key_columns": '"id"', "moment": moment}
    account.ask(RECOVER, **told, **more)
    account.answer()
    assert "2 gone, 0 changed" in account.ended


# ---- recover-lost-data


def test_rows_that_others_deleted_are_counted_before_they_come_back(damaged: OwnAccount) -> None:
    to_the_comparison(damaged)
    sent = damaged.sent()
    assert "3 gone, 0 changed" in go_on_behind(damaged, f'DELETE FROM {TABLE} WHERE "id" = 3')
    assert damaged.sent() == sent
    assert damaged.finish()[-1] == COMPLETED
    assert len(damaged.rows(f"SELECT * FROM {TABLE}")) == 4


def test_a_value_that_others_wrote_is_shown_before_put_back_takes_it(damaged: OwnAccount) -> None:
    to_the_comparison(damaged, remedy="put-back")
    change = f'UPDATE {TABLE} SET "Größe" = \'theirs\' WHERE "id" = 3'
    assert "2 gone, 1 changed" in go_on_behind(damaged, change)
    assert damaged.rows(f'SELECT "Größe" FROM {TABLE} WHERE "id" = 3') == [{"Größe": "theirs"}]


def test_another_table_under_the_name_of_the_past_copy_is_named(damaged: OwnAccount) -> None:
    to_the_comparison(damaged)
    sent = damaged.sent()
    go_on_behind(damaged, f'CREATE OR REPLACE TABLE {PAST} ("id" INT, "Größe" STRING)')
    assert f"table {PAST}: {THEIRS}" in told(damaged)
    theirs = damaged.look()
    damaged.clean()
    assert (damaged.sent()[len(sent) :], damaged.changes(theirs)) == ([], [])


@pytest.mark.parametrize("gone", [TABLE, PAST])
def test_where_one_of_the_two_tables_went_it_says_that_nothing_was_written(
    gone: str, damaged: OwnAccount
) -> None:
    to_the_comparison(damaged)
    sent = damaged.sent()
    shown = go_on_behind(damaged, f"DROP TABLE {gone}")
    assert "nothing was compared, and nothing was written" in shown
    assert (damaged.finish()[-1], damaged.sent()) == (COMPLETED, sent)


def test_a_damaged_table_that_is_not_there_is_told_in_plain_words(damaged: OwnAccount) -> None:
    damaged.ask(RECOVER, target=f'{TABLE[:-1]}s"', what_happened="damaged", key_columns='"id"')
    assert damaged.ended.startswith("There is no table")
    assert "lacks" not in damaged.ended


# ---- erase-a-person


def test_rows_that_were_added_are_counted_and_asked_for_as_often_as_they_come(
    tmp_path: Path,
) -> None:
    with own_account(tmp_path, ACCOUNT) as shop:
        shop.ask("erase-a-person", **ANN)
        shop.answer()
        for number in (5, 6, 7):
            go_on_behind(shop, f'INSERT INTO {S}."orders" VALUES ({number}, 1, 9)')
            assert f"the phrase of step 8 is 'erase {number} rows' now" in told(shop)
            shop.answer()
            assert (shop.ended.split(" in ")[0], shop.sent()) == (f"{number} rows", [])
        assert shop.finish()[-1] == COMPLETED
        assert shop.rows(f'SELECT COUNT(*) AS N FROM {S}."orders"') == [{"N": 1}]


# ---- merge-changes-with-history


def test_changes_that_came_are_counted_before_they_are_merged(tmp_path: Path) -> None:
    with own_account(tmp_path, MERGED) as shop:
        shop.ask(MERGE, **TYPE_1)
        assert "1 to insert" in shop.ended
        more = f"INSERT INTO {PLACE}\"new.s\" VALUES (8, 'added', '2026-04-01', 'u')"
        assert "2 to insert" in go_on_behind(shop, more)
        assert shop.sent() == []


def test_a_stream_is_not_consumed_once_a_row_without_a_key_came(tmp_path: Path) -> None:
    asked = {k: v for k, v in TYPE_1.items() if not k.startswith("delete")}
    with own_account(tmp_path, MERGED) as shop:
        shop.ask(MERGE, **(asked | {"changes": f'{PLACE}"flow"'}))
        assert "0 rows without a key" in shop.ended
        more = f"INSERT INTO {PLACE}\"source\" VALUES (NULL, 'lost?', '2026-04-01')"
        go_on_behind(shop, more)
        assert "no longer sent: MERGE INTO" in told(shop)
        shop.finish()
        left = shop.rows(f'SELECT COUNT(*) AS N FROM {PLACE}"flow" WHERE "id" IS NULL')
        assert (shop.sent(), left) == ([], [{"N": 1}])


def test_a_column_of_the_changes_that_went_is_told_before_anything_is_sent(tmp_path: Path) -> None:
    with own_account(tmp_path, MERGED) as shop:
        shop.ask(MERGE, **TYPE_1)
        go_on_behind(shop, f'ALTER TABLE {PLACE}"new.s" DROP COLUMN "flag"')
        assert "what step 3 reads is refused now" in told(shop)
        assert shop.sent() == []


# ---- load-files-from-stage


@pytest.fixture
def house(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, HOLDS) as account:
        put(account, GOOD)
        account.ask(LOAD, **LOADED)
        yield account


def to_the_load(house: OwnAccount) -> None:
    house.answer()
    house.answer()
    assert house.ended.startswith("Tried without touching")


def test_files_that_others_loaded_meanwhile_are_not_called_loaded_by_this_run(
    house: OwnAccount,
) -> None:
    to_the_load(house)
    load = (
        f"COPY INTO {ORDERS} FROM @{BOX} FILES = ('one.csv') MATCH_BY_COLUMN_NAME ="
        f" CASE_INSENSITIVE FILE_FORMAT = (FORMAT_NAME = {SALES}.ORDERS_FORMAT)"
    )
    shown = go_on_behind(house, load)
    assert shown.startswith("NOTHING WAS LOADED: another session loaded 1 of these files before.")
    assert "This load brought 0 rows; ACCOUNTADMIN sees 3 in" in shown
    assert "now, 3 before." in shown


def test_rows_that_went_before_the_load_are_not_counted_as_there(house: OwnAccount) -> None:
    to_the_load(house)
    shown = go_on_behind(house, f"TRUNCATE TABLE {ORDERS}")
    assert "This load brought 2 rows; ACCOUNTADMIN sees 2 in" in shown
    assert "now, 0 before." in shown


def test_a_format_that_others_changed_is_told_before_files_are_loaded_with_it(
    house: OwnAccount,
) -> None:
    to_the_load(house)
    sent = house.sent()
    change = f"ALTER FILE FORMAT {SALES}.ORDERS_FORMAT SET FIELD_DELIMITER = ';'"
    shown = go_on_behind(house, change)
    assert "ORDERS_FORMAT: another session changed its format options" in shown
    assert house.sent() == sent
    house.answer()
    assert house.sent()[len(sent) :] != []


def test_a_table_that_went_is_not_said_to_exist(house: OwnAccount) -> None:
    shown = go_on_behind(house, f"DROP TABLE {ORDERS}")
    assert "does not exist yet and is created" in shown


# ---- clone-environment


def test_a_database_of_others_under_the_copys_name_is_named_and_gets_no_grants(
    tmp_path: Path,
) -> None:
    with own_account(tmp_path, CLONED) as shop:
        shop.ask("clone-environment", **COPY)
        shop.answer()
        sent = shop.sent()
        go_on_behind(shop, 'CREATE OR REPLACE DATABASE "My dev"')
        assert f'database "My dev": {THEIRS}' in told(shop)
        assert shop.sent() == sent
        theirs = shop.look()
        shop.clean()
        assert shop.changes(theirs) == []


def test_a_copy_that_went_is_told_as_gone(tmp_path: Path) -> None:
    with own_account(tmp_path, CLONED) as shop:
        shop.ask("clone-environment", **COPY)
        shop.answer()
        sent = shop.sent()
        go_on_behind(shop, 'DROP DATABASE "My dev"')
        assert 'database "My dev": it is not there any more' in told(shop)
        assert shop.sent() == sent


# ---- share-data-with-consumers


def test_a_view_that_others_replaced_is_named_before_a_consumer_is_added(tmp_path: Path) -> None:
    view = '"Mill"."for partners"."sales"'
    other = f'CREATE OR REPLACE SECURE VIEW {view} COPY GRANTS AS SELECT 1 AS "id"'
    with own_account(tmp_path, MILL) as mill:
        mill.ask(SHARING, **SHARED)
        mill.answer()
        sent = mill.sent()
        shown = go_on_behind(mill, other)
        assert f"view {view}: {THEIRS}" in shown
        assert mill.sent() == sent
        assert mill.finish()[-1] == COMPLETED
        assert mill.sent()[-1].startswith("ALTER SHARE PARTNERS ADD ACCOUNTS")


# ---- tune-slow-query


def test_a_trial_copy_that_others_replaced_is_named_before_it_would_be_dropped(
    tmp_path: Path,
) -> None:
    with own_account(tmp_path, TUNED) as yard:
        yard.ask(TUNE, statement=SLOW, runs="1", remedy="cluster", **TRIAL)
        yard.answer()
        yard.answer()
        sent = yard.sent()
        shown = go_on_behind(yard, f"CREATE OR REPLACE TABLE {TRIAL_COPY} (MINE INT)")
        assert f"table {TRIAL_COPY}: {THEIRS}" in shown
        theirs = yard.look()
        yard.clean()
        assert (yard.sent()[len(sent) :], yard.changes(theirs)) == ([], [])


# ---- clean-up-unused

MEANWHILE = {
    "replaced": f"DROP TABLE {LOG}; CREATE TABLE {LOG} (MINE INT)",
    "renamed": f"ALTER TABLE {LOG} RENAME TO {UNUSED_IN}.OPS.USED_AGAIN",
    "given away": f"GRANT OWNERSHIP ON TABLE {LOG} TO ROLE OUTSIDER COPY CURRENT GRANTS",
    "written to": f"INSERT INTO {LOG} VALUES (4)",
    "needed": f"CREATE VIEW {UNUSED_IN}.OPS.NEW_LOOK AS SELECT A FROM {LOG}",
}


@pytest.mark.parametrize("how", MEANWHILE)
def test_what_is_no_longer_what_was_looked_at_is_not_parked(how: str, tmp_path: Path) -> None:
    with unused_shop(tmp_path) as shop:
        shop.ask(CLEAN_UP, scope=UNUSED_IN, to_park="OPS.LOG_ROWS", to_drop="none")
        shop.answer()
        assert "OPS.LOG_ROWS (table, 3 rows" in shop.ended
        go_on_behind(shop, MEANWHILE[how])
        assert "no longer sent: COMMENT ON TABLE" in told(shop)
        theirs = shop.look()
        assert shop.finish()[-1] == COMPLETED
        assert (shop.sent(), shop.changes(theirs)) == ([], [])


def test_another_table_under_a_parked_name_is_not_dropped(tmp_path: Path) -> None:
    parked = f"{LOG}_UNUSED_20260105"
    with unused_shop(tmp_path, parked_long_ago()) as shop:
        shop.ask(CLEAN_UP, scope=UNUSED_IN, to_park="none", to_drop="all")
        shop.answer()
        assert "LOG_ROWS_UNUSED_20260105" in shop.ended
        go_on_behind(shop, f"CREATE OR REPLACE TABLE {parked} (MINE INT)")
        assert f"no longer sent: DROP TABLE {parked}" in told(shop)
        assert shop.finish()[-1] == COMPLETED
        assert shop.sent() == []


# ---- again and again


def test_the_same_kind_of_change_is_told_each_time_it_is_made(tmp_path: Path) -> None:
    with own_account(tmp_path, ACCOUNT) as shop:
        shop.ask("erase-a-person", **ANN)
        for before, after in (("orders", "bills"), ("bills", "dues"), ("dues", "debts")):
            shop.answer()
            shown = go_on_behind(shop, f'ALTER TABLE {S}."{before}" RENAME TO {S}."{after}"')
            assert f"the sales.{after} 2 by link" in shown
            assert "The account has changed since the last answer" in told(shop)
        assert shop.sent() == []


def test_numbers_alone_are_told_twice_and_then_it_goes_on(tmp_path: Path) -> None:
    with own_account(tmp_path, DEPOT) as depot:
        depot.ask(ROLES, **WANTED)
        for number in (4, 5):
            more = f'CREATE TABLE {STOCK}."more {number}" ("id" INT)'
            assert f"{number} tables and views" in go_on_behind(depot, more)
            assert depot.sent() == []
        go_on_behind(depot, f'CREATE TABLE {STOCK}."one more" ("id" INT)')
        assert depot.sent() != []


def test_a_quota_that_changed_twice_is_shown_twice(tmp_path: Path) -> None:
    wanted = {"monthly_quota": "50", "warehouse_pattern": "night wh"}
    with own_account(tmp_path, YARD + MONITOR) as yard:
        yard.ask(COSTS, **wanted)
        for quota in (70, 80):
            change = f'ALTER RESOURCE MONITOR "COST_CONTROL_night wh" SET CREDIT_QUOTA = {quota}'
            assert f"(now {quota} credits" in go_on_behind(yard, change)
            assert yard.sent() == []


def test_a_column_that_others_dropped_is_not_left_out_of_the_load_unsaid(
    house: OwnAccount,
) -> None:
    to_the_load(house)
    shown = go_on_behind(house, f'ALTER TABLE {ORDERS} DROP COLUMN "who"')
    assert shown.startswith("NOTHING WAS LOADED: since it was compared, the table has lost columns")
    assert "of the files: who. Start again." in shown


def test_a_table_that_others_renamed_is_named_as_what_stops_the_load(house: OwnAccount) -> None:
    to_the_load(house)
    shown = go_on_behind(house, f'ALTER TABLE {ORDERS} RENAME TO {SALES}."elsewhere"')
    assert f"{ORDERS} was dropped or renamed since it was compared; start again" in shown
