"""What nobody reads is parked and dropped; what is read, needed, young or others' stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from skills_nb.errors import SqlError
from skills_nb.views import render_text
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

pytestmark = pytest.mark.slow
PLAYBOOK = "clean-up-unused"
SHOP = '"My Shop"'
SALES = f'{SHOP}."the sales"'
LOG = f"{SHOP}.OPS.LOG_ROWS"
HOLDS = f"""
CREATE ROLE CLERK; CREATE ROLE OUTSIDER;
CREATE DATABASE {SHOP}; CREATE SCHEMA {SALES}; CREATE SCHEMA {SHOP}.OPS;
CREATE TABLE {SALES}."or.ders, old" ("id" INT) COMMENT = 'It''s ours';
INSERT INTO {SALES}."or.ders, old" VALUES (1), (2);
CREATE TABLE {LOG} (A INT); INSERT INTO {LOG} VALUES (1), (2), (3);
GRANT SELECT ON TABLE {LOG} TO ROLE CLERK;
CREATE TABLE {SHOP}.OPS.VIEWED (A INT);
CREATE VIEW {SHOP}.OPS.LOOK AS SELECT A FROM {SHOP}.OPS.VIEWED;
CREATE TABLE {SHOP}.OPS.REFRESHED (A INT);
CREATE DYNAMIC TABLE {SHOP}.OPS.FRESH TARGET_LAG = '1 hour' WAREHOUSE = COMPUTE_WH
  AS SELECT A FROM {SHOP}.OPS.REFRESHED;
CREATE TABLE {SHOP}.OPS.READ_ROWS (A INT);
CREATE TABLE {SHOP}.OPS.LOADED (A INT);
CREATE TABLE {SHOP}.OPS.WATCHED (A INT); CREATE STREAM {SHOP}.OPS.S ON TABLE {SHOP}.OPS.WATCHED;
CREATE TABLE {SHOP}.OPS.NIGHTLY (A INT);
CREATE TASK {SHOP}.OPS.T WAREHOUSE = COMPUTE_WH SCHEDULE = '60 MINUTE'
  AS DELETE FROM {SHOP}.OPS.NIGHTLY;
CREATE TABLE {SHOP}.OPS.REGION_MAP (R STRING);
CREATE ROW ACCESS POLICY {SHOP}.OPS.BY_REGION AS (V STRING) RETURNS BOOLEAN ->
  EXISTS (SELECT 1 FROM {SHOP}.OPS.REGION_MAP WHERE R = V);
CREATE TABLE {SHOP}.OPS.GIVEN_OUT (A INT); CREATE SHARE PARTNERS;
GRANT USAGE ON DATABASE {SHOP} TO SHARE PARTNERS;
GRANT USAGE ON SCHEMA {SHOP}.OPS TO SHARE PARTNERS;
GRANT SELECT ON TABLE {SHOP}.OPS.GIVEN_OUT TO SHARE PARTNERS;
CREATE TABLE {SHOP}.OPS.BY_ROLE (A INT); CREATE DATABASE ROLE {SHOP}."the readers";
GRANT SELECT ON TABLE {SHOP}.OPS.BY_ROLE TO DATABASE ROLE {SHOP}."the readers";
GRANT DATABASE ROLE {SHOP}."the readers" TO SHARE PARTNERS;
CREATE TABLE {SHOP}.OPS.PARENTS (A INT PRIMARY KEY);
CREATE TABLE {SHOP}.OPS.OTHERS (A INT REFERENCES {SHOP}.OPS.PARENTS (A));
GRANT OWNERSHIP ON TABLE {SHOP}.OPS.OTHERS TO ROLE OUTSIDER;
"""
UNUSED = {"OPS.LOG_ROWS", '"the sales"."or.ders, old"', "OPS.FRESH", "OPS.LOOK"}
NEEDED = {
    "OPS.VIEWED": "view OPS.LOOK",
    "OPS.REFRESHED": "dynamic table OPS.FRESH",
    "OPS.WATCHED": "stream OPS.S",
    "OPS.NIGHTLY": "task T",
    "OPS.REGION_MAP": "row access policy BY_REGION",
    "OPS.GIVEN_OUT": "share PARTNERS",
    "OPS.BY_ROLE": 'a share may reach it through database role "the readers"',
    "OPS.PARENTS": "foreign key of OPS.OTHERS",
    "OPS.LOADED": "last written on ",
}


def parked_long_ago(name: str = "LOG_ROWS", comment: str = "") -> str:
    """What an earlier run of the playbook made of a table of the schema OPS."""
    here, there = f"{SHOP}.OPS.{name}", f"{SHOP}.OPS.{name}_UNUSED_20260105"
    said = f"Parked as unused on 2026-01-05. Former name: {name}. Former comment: {comment}"
    return f"COMMENT ON TABLE {here} IS '{said}'; ALTER TABLE {here} RENAME TO {there};"


@contextmanager
def shop(home: Path, holds: str = "") -> Iterator[OwnAccount]:
    """An account where all of this has stood for 120 days, and few people have worked since."""
    with own_account(home, HOLDS + holds, days_ago=120) as account:
        account.run(f"SELECT * FROM {SHOP}.OPS.READ_ROWS; INSERT INTO {SHOP}.OPS.LOADED VALUES (1)")
        account.run(f"CREATE TABLE {SHOP}.OPS.NEW_ROWS (A INT)")
        yield account


def clean(account: OwnAccount, **inputs: str) -> list[str]:
    """Run the playbook to its end."""
    told = {"scope": SHOP, "to_park": "none", "to_drop": "none"} | inputs
    return account.run_to_its_end(PLAYBOOK, **told)


def verdicts(account: OwnAccount) -> dict[str, dict[str, str]]:
    """Return what the second step found, by the object's name."""
    bound = next(e.result for e in account.events("step_completed") if "verdicts" in e.result)
    return {row["LABEL"]: row for row in bound["verdicts"]}


def names(account: OwnAccount, schema: str = "OPS") -> set[str]:
    """Return the tables and views of a schema."""
    rows = account.rows(f"SHOW OBJECTS IN SCHEMA {SHOP}.{schema}")
    return {row["name"] for row in rows}


def test_only_what_nobody_reads_needs_or_owns_elsewhere_is_called_unused(tmp_path: Path) -> None:
    with shop(tmp_path) as account:
        shown = clean(account)
        found = verdicts(account)
        assert shown[-1] == COMPLETED
        assert account.sent() == []
        assert {k for k, row in found.items() if row["VERDICT"] == "unused"} == UNUSED
        needed = {k: row["NEEDED_BY"] for k, row in found.items() if row["VERDICT"] == "needed"}
        assert needed.keys() == NEEDED.keys()
        assert [k for k, why in NEEDED.items() if why not in needed[k]] == []
        assert "OPS.OTHERS (role OUTSIDER)" in shown[0]
        assert "Read in the last 90 days: 1. Not judged, because they are younger" in shown[0]


def test_a_name_counts_as_used_where_it_stands_whole_and_not_as_a_word_of_the_language(
    tmp_path: Path,
) -> None:
    holds = f"""
    CREATE TABLE {SHOP}.OPS."table" (A INT); CREATE TABLE {SHOP}.OPS."ORDER" (A INT);
    CREATE TABLE {SHOP}.OPS.NIGHT (A INT); CREATE TABLE {SHOP}.OPS."GROUP" (A INT);
    CREATE TABLE {SHOP}.OPS."odd ""one" (A INT); CREATE TABLE {SHOP}.OPS.PAID$ (A INT);
    CREATE PROCEDURE {SHOP}.OPS.P() RETURNS STRING LANGUAGE PYTHON RUNTIME_VERSION = '3.11'
      PACKAGES = ('snowflake-snowpark-python') HANDLER = 'go' AS
      $$def go(session): session.sql("TRUNCATE TABLE OPS.\\"odd \\"\\"one\\"").collect()$$;
    CREATE TASK {SHOP}.OPS.U WAREHOUSE = COMPUTE_WH SCHEDULE = '60 MINUTE'
      AS INSERT INTO {SHOP}.OPS."GROUP" SELECT A FROM {SHOP}.OPS.PAID$ ORDER BY A;
    """
    with shop(tmp_path, holds) as account:
        clean(account)
        found = verdicts(account)
        assert {
            name: found[f"OPS.{name}"]["NEEDED_BY"] for name in ('"table"', "ORDER", "NIGHT")
        } == {
            '"table"': "",
            "ORDER": "",
            "NIGHT": "",
        }
        used = ("GROUP", "PAID$", '"odd ""one"')
        assert [found[f"OPS.{name}"]["NEEDED_BY"] for name in used] == [
            "task U",
            "task U",
            "procedure P",
        ]


def test_failed_statements_that_only_have_its_former_name_as_a_word_do_not_miss_it(
    tmp_path: Path,
) -> None:
    with shop(
        tmp_path, f"CREATE TABLE {SHOP}.OPS.LOG (A INT);" + parked_long_ago("LOG")
    ) as account:
        with suppress(SqlError):
            account.run(f"SELECT * FROM {SHOP}.OPS.LOG_OF_OTHERS")
        shown = clean(account)
        assert "LOG_UNUSED_20260105" in shown[0].split("grace period over:")[1].split(";")[0]


def test_what_is_parked_keeps_grants_and_its_former_name_and_a_second_run_sends_nothing(
    tmp_path: Path,
) -> None:
    with shop(tmp_path) as account:
        assert clean(account, to_park="all")[-1] == COMPLETED
        today = account.rows("SELECT TO_CHAR(CURRENT_DATE(), 'YYYYMMDD') AS D")[0]["D"]
        assert {f"LOG_ROWS_UNUSED_{today}", f"LOOK_UNUSED_{today}"} < names(account)
        assert not {"LOG_ROWS", "FRESH", "LOOK"} & names(account)
        (old,) = account.rows(f"SHOW TABLES IN SCHEMA {SALES}")
        assert old["name"] == f"or.ders, old_UNUSED_{today}"
        assert old["comment"].endswith("Former name: or.ders, old. Former comment: It's ours")
        (fresh,) = account.rows(f"SHOW DYNAMIC TABLES IN DATABASE {SHOP}")
        assert (fresh["name"], fresh["scheduling_state"]) == (f"FRESH_UNUSED_{today}", "SUSPENDED")
        held = account.rows(f"SHOW GRANTS ON TABLE {LOG}_UNUSED_{today}")
        assert ("SELECT", "CLERK") in {(row["privilege"], row["grantee_name"]) for row in held}
        shown = clean(account, to_park="OPS.LOG_ROWS", to_drop="all")
        assert account.sent() == []
        assert f"LOG_ROWS_UNUSED_{today} (table, 3 rows" in shown[0].split("still waiting:")[1]


def test_after_the_grace_period_it_is_dropped_and_undrop_brings_it_back(tmp_path: Path) -> None:
    with shop(tmp_path, parked_long_ago()) as account:
        shown = clean(account, to_drop="all", grace_days="30")
        assert "3 rows and 192 bytes in all: OPS.LOG_ROWS_UNUSED_20260105" in shown[1]
        assert account.sent() == [f"DROP TABLE {LOG}_UNUSED_20260105"]
        assert "Checked: 1 of 1" in shown[2]
        account.run(f"UNDROP TABLE {LOG}_UNUSED_20260105")


def test_at_the_last_pause_the_drop_can_still_be_left_out(tmp_path: Path) -> None:
    with shop(tmp_path, parked_long_ago()) as account:
        account.ask(PLAYBOOK, scope=SHOP, to_park="OPS.LOOK", to_drop="all")
        while account.pause is not None and account.pause.option("drop-nothing") is None:
            account.answer()
        account.answer("drop-nothing")
        account.finish()
        assert account.ended == COMPLETED
        assert "LOG_ROWS_UNUSED_20260105" in names(account)
        assert [sql for sql in account.sent() if sql.startswith("DROP")] == []
        assert not {"LOOK"} & names(account)


def test_nothing_is_offered_for_a_drop_before_the_grace_period_is_over(tmp_path: Path) -> None:
    with shop(tmp_path, parked_long_ago()) as account:
        shown = clean(account, to_drop="all", grace_days="3650")
        assert account.sent() == []
        assert "LOG_ROWS_UNUSED_20260105" in shown[0].split("still waiting:")[1]


@pytest.mark.parametrize(
    "missed",
    [
        f"SELECT * FROM {LOG}",
        f"SELECT * FROM {LOG}_UNUSED_20260105",
        f"CREATE VIEW {SHOP}.OPS.NEW_LOOK AS SELECT A FROM {LOG}_UNUSED_20260105",
    ],
    ids=["asked for", "read", "needed"],
)
def test_what_somebody_missed_is_never_dropped_and_is_given_back(
    missed: str, tmp_path: Path
) -> None:
    with shop(tmp_path, parked_long_ago(comment="nightly, keep")) as account:
        with suppress(SqlError):
            account.run(missed)
        shown = clean(account, to_drop="all")
        assert account.sent() == []
        assert "LOG_ROWS_UNUSED_20260105" in shown[0].split("missed, or needed:")[1]
        assert clean(account, to_drop="all", give_back="missed")[-1] == COMPLETED
        assert "LOG_ROWS" in names(account)
        (row,) = account.rows(f"SHOW TABLES LIKE 'LOG_ROWS' IN SCHEMA {SHOP}.OPS")
        assert row["comment"] == "nightly, keep"


def test_a_former_name_that_is_taken_is_told_and_nothing_is_renamed(tmp_path: Path) -> None:
    with shop(tmp_path, parked_long_ago() + f"CREATE TABLE {LOG} (OTHER INT);") as account:
        shown = clean(account, give_back="all")
        assert "its former name is taken" in shown[0]
        assert account.sent() == []


def test_names_that_are_needed_or_not_there_are_left_alone_and_named(tmp_path: Path) -> None:
    with shop(tmp_path) as account:
        shown = clean(account, to_park="OPS.VIEWED, ops.nothing")
        assert "left alone: OPS.VIEWED, ops.nothing (to park)." in shown[1]
        assert account.sent() == []
        shown = clean(account, to_park="OPS.VIEWED", with_dependants="allow")
        assert "view OPS.LOOK" in shown[1]
        assert len(account.sent()) == 2


def test_where_the_history_is_shorter_than_the_period_nothing_is_called_unused(
    tmp_path: Path,
) -> None:
    with shop(tmp_path) as account:
        shown = clean(account, to_park="all", unused_days="121")
        assert "reaches back 120 days, less than the 121" in " ".join(
            warning for event in account.events("probes_executed") for warning in event.warnings
        )
        assert "nothing depends on them: none" in shown[0]
        assert account.sent() == []


def test_aborted_at_each_pause_names_comments_and_refreshes_are_as_before(tmp_path: Path) -> None:
    with shop(tmp_path, parked_long_ago("WATCHED") + parked_long_ago("NIGHTLY")) as account:
        told = {"scope": SHOP, "to_park": "all", "to_drop": "all", "give_back": "missed"}
        for at, remains in account.aborted_at_each_pause(PLAYBOOK, **told):
            assert remains == [], at


def test_a_role_without_the_usage_views_is_told_which_to_ask_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    with shop(tmp_path, "GRANT ROLE CLERK TO USER ADMIN;") as account:
        account.run(
            f"GRANT USAGE ON DATABASE {SHOP} TO ROLE CLERK; GRANT USAGE ON ALL SCHEMAS IN DATABASE"
            f" {SHOP} TO ROLE CLERK; GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK;"
        )
        shown = clean(account)
        assert "GOVERNANCE_VIEWER" in shown[-1]
        assert not account.events("statement_started")


def test_a_dry_run_calls_a_new_name_a_new_name_and_no_drop(tmp_path: Path) -> None:
    told = {"scope": SHOP, "to_park": "all", "to_drop": "none"}
    words = [word for name, value in told.items() for word in ("--input", f"{name}={value}")]
    with shop(tmp_path) as account:
        account.invoke("run", f"playbooks/{PLAYBOOK}", "--dry-run", *words)
        assert account.reply is not None
        text = render_text(account.reply.view)
        assert "Would create  nothing" in text
        assert "Would change  1 dynamic table, 2 tables, 1 view" in text
        assert "Would drop    nothing" in text
        assert "renamed to" in text
        clean(account, to_park="all")
        assert account.reply is not None
        assert render_text(account.reply.view).count("renamed to") == 4


ODD = f"""
CREATE TABLE {SHOP}.OPS."one, two" (A INT); INSERT INTO {SHOP}.OPS."one, two" VALUES (1);
CREATE VIEW {SHOP}.OPS."the ""big"" view" AS SELECT A FROM {SHOP}.OPS.WATCHED;
CREATE ROW ACCESS POLICY {SHOP}.OPS.FEW AS (V INT) RETURNS BOOLEAN -> V > 1;
CREATE TABLE {SHOP}.OPS.HIDDEN (A INT) WITH ROW ACCESS POLICY {SHOP}.OPS.FEW ON (A);
INSERT INTO {SHOP}.OPS.HIDDEN VALUES (1), (2);
"""


def test_names_with_commas_are_picked_and_rows_that_are_not_shown_are_not_called_none(
    tmp_path: Path,
) -> None:
    with shop(tmp_path, ODD) as account:
        shown = clean(account, to_park='OPS."one, two", OPS.HIDDEN, OPS."no, such"')
        assert 'OPS."one, two" (table, 1 row, 64 bytes, owner ACCOUNTADMIN)' in shown[0]
        assert "OPS.HIDDEN (table, rows not shown, owner ACCOUNTADMIN)" in shown[0]
        assert 'stream OPS.S, view OPS."the ""big"" view")' in shown[0]
        assert 'left alone: OPS."no, such" (to park).' in shown[1]
        assert "To be dropped: none." in shown[2]
        assert {"one, two", "HIDDEN"}.isdisjoint(names(account))
        assert "offers to drop them or restore their names." in shown[3]
        back = clean(account, give_back="all")
        assert "0 objects. Nothing there waits for its grace period any more." in back[2]
        assert {"one, two", "HIDDEN"} < names(account)


def test_what_is_dropped_is_counted_as_far_as_it_is_shown(tmp_path: Path) -> None:
    parked = parked_long_ago("HIDDEN") + parked_long_ago("LOG_ROWS")
    with shop(tmp_path, ODD + parked) as account:
        shown = clean(account, to_drop="all")
        assert (
            "To be dropped: 3 rows and 192 bytes in all besides rows that are not shown: "
            in (shown[1])
        )
        assert "UNDROP brings tables back for 1 day at least" in shown[1]
        assert "HIDDEN_UNUSED_20260105" not in names(account)
