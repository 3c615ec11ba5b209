"""A slow query is looked into and a remedy tried on a copy; the original changes when approved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from skills_nb.views import render_text
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

pytestmark = pytest.mark.slow
YARD = """
CREATE DATABASE "My Shop"; CREATE SCHEMA "My Shop"."the sales"; CREATE SCHEMA "My Shop"."trials";
CREATE TABLE "My Shop"."the sales"."or.ders" ("id" INT, "Größe" STRING, DAY DATE);
INSERT INTO "My Shop"."the sales"."or.ders"
  SELECT SEQ4(), IFF(SEQ4() % 3 = 0, 'S', 'L'), DATEADD('day', SEQ4() % 50, '2026-01-01'::DATE)
  FROM TABLE(GENERATOR(ROWCOUNT => 2000));
CREATE VIEW "My Shop"."the sales"."large" AS
  SELECT * FROM "My Shop"."the sales"."or.ders" WHERE "Größe" = 'L';
CREATE ROLE CLERK; GRANT ROLE CLERK TO USER ADMIN;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK;
"""
TUNE = "tune-slow-query"
TABLE = '"My Shop"."the sales"."or.ders"'
COPY = '"My Shop"."trials"."or.ders"'
SLOW = f"SELECT \"Größe\", COUNT(*) FROM {TABLE} WHERE DAY > '2026-02-01' GROUP BY 1"
TRIAL = {"trial_schema": '"My Shop"."trials"', "trial_table": TABLE, "key_columns": 'DAY,"Größe"'}
SAME = "Both sides return the same 2 rows, by their hash."


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, YARD) as account:
        yield account


def tune(yard: OwnAccount, **inputs: str) -> list[str]:
    """Run it with one run a side, and take every proposal."""
    told = {"statement": SLOW, "runs": "1"} | inputs
    return yard.run_to_its_end(TUNE, **told)


def times_told(text: str) -> bool:
    return "Original: " in text and "Trial: " in text and "bytes scanned" in text


REMEDIES = {
    "cluster": TRIAL,
    "search": TRIAL,
    "stored-result": {"trial_schema": TRIAL["trial_schema"]},
    "bigger-warehouse": {},
    "rewrite": {"rewritten": SLOW.replace("> '2026-02-01'", ">= '2026-02-02'")},
}


@pytest.mark.parametrize("remedy", REMEDIES)
def test_each_remedy_is_tried_compared_and_gone_and_again(yard: OwnAccount, remedy: str) -> None:
    before = yard.look()
    shown = tune(yard, remedy=remedy, **REMEDIES[remedy])
    assert shown[-1] == COMPLETED, shown
    assert ("masks and row policies" in shown[1]) is (remedy == "stored-result")
    assert SAME in shown[2]
    assert "the original stays as it is." in shown[2]
    assert times_told(shown[2])
    assert yard.changes(before) == []
    assert tune(yard, remedy=remedy, **REMEDIES[remedy])[-1] == COMPLETED
    assert yard.changes(before) == []


def test_both_sides_take_turns_with_the_result_cache_off(yard: OwnAccount) -> None:
    tune(yard, remedy="cluster", runs="3", **TRIAL)
    history = yard.rows(
        "SELECT QUERY_TEXT FROM TABLE(SNOWFLAKE.INFORMATION_SCHEMA.QUERY_HISTORY("
        "RESULT_LIMIT => 10000)) WHERE NOT CONTAINS(QUERY_TEXT, 'QUERY_HISTORY') "
        "AND (CONTAINS(QUERY_TEXT, 'AS MEASURED') OR STARTSWITH(QUERY_TEXT, 'ALTER SESSION')) "
        "ORDER BY START_TIME"
    )
    sent = [row["QUERY_TEXT"] for row in history]
    off, again = (f"ALTER SESSION {word}" for word in ("SET USE_CACHED_RESULT = FALSE", "UNSET"))
    assert sent[::2] == [off] * 6 + [f"{again} USE_CACHED_RESULT"]
    assert [COPY in sql for sql in sent[1::2]] == [False, True] * 3


def test_another_result_is_told_and_is_never_applied(yard: OwnAccount) -> None:
    shown = tune(yard, remedy="rewrite", rewritten=SLOW.replace("2026-02-01", "2026-02-10"))
    assert "The results differ: 2 rows of the original, 2 of the trial" in shown[2]
    unsure = f"SELECT RANDOM() FROM {TABLE}"
    shown = tune(yard, statement=unsure, remedy="cluster", apply="yes", runs="3", **TRIAL)
    assert "returns different rows from run to run" in shown[2]
    assert not any("CLUSTER BY" in sql and COPY not in sql for sql in yard.sent())


def test_a_remedy_is_applied_once_when_approved_and_cleanup_takes_it_back(
    yard: OwnAccount,
) -> None:
    before = yard.look()
    shown = tune(yard, remedy="cluster", apply="yes", **TRIAL)
    assert "dropped, and you are asked next whether the table itself gets the same" in shown[2]
    assert f"The same is applied to {TABLE} itself" in shown[3]
    assert yard.changes(before) == [f'TABLE: {TABLE}: cluster_by:  -> LINEAR(DAY, "Größe")']
    applied = yard.look()
    again = tune(yard, remedy="cluster", apply="yes", **TRIAL)
    assert (len(again), yard.changes(applied)) == (4, [])
    assert again[2].endswith("the table itself stays as it is: it already has the same.")
    other = tune(yard, remedy="cluster", apply="yes", **TRIAL | {"key_columns": '"id"'})
    assert (other[-1], yard.changes(applied)) == (COMPLETED, [])
    assert (
        'stays as it is: it is clustered by LINEAR(DAY, "Größe"), and a table has one' in other[2]
    )
    yard.thread = "thread-1"
    yard.clean()
    assert yard.changes(before) == []


def test_a_kept_copy_stops_the_next_trial_under_its_name(yard: OwnAccount) -> None:
    tune(yard, remedy="cluster", keep="keep", **TRIAL)
    assert len(yard.rows(f"SELECT * FROM {COPY}")) == 2000
    before = yard.look()
    shown = tune(yard, remedy="cluster", **TRIAL)
    assert f"{COPY} already exists" in shown[1]
    assert (shown[2:], yard.changes(before)) == ([COMPLETED], [])


def test_a_kept_stored_result_is_read_again_and_another_one_stops_the_trial(
    yard: OwnAccount,
) -> None:
    kept = {"remedy": "stored-result", "trial_schema": '"My Shop"."trials"', "keep": "keep"}
    assert tune(yard, **kept)[-1] == COMPLETED
    result = '"My Shop"."trials".TUNING_RESULT'
    before = yard.look()
    for again in (kept, kept | {"keep": "drop"}):
        shown = tune(yard, **again)
        assert f"{result} of an earlier trial stores the result of this query" in shown[1]
        assert SAME in shown[2]
        assert "the dynamic table of the earlier trial stays" in shown[2]
        assert shown[3:] == [COMPLETED]
        sent = [sql for sql in yard.sent() if not sql.startswith("ALTER SESSION")]
        assert (sent, yard.changes(before)) == ([], [])
    shown = tune(yard, **kept, statement=SLOW.replace("02-01", "02-10"))
    assert f"{result} already exists and is no trial of this query" in shown[1]
    assert (shown[2:], yard.sent(), yard.changes(before)) == ([COMPLETED], [], [])
    yard.run(f"DROP DYNAMIC TABLE {result}; CREATE TABLE {result} (X INT)")
    assert "already exists and is no trial of this query" in tune(yard, **kept)[1]


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"trial_schema": '"My Shop"."the sales"'}, "the copy needs another schema"),
        ({"key_columns": "SIZE"}, "lacks some of the key columns; it has id, Größe, DAY"),
        ({"trial_table": '"My Shop"."the sales"."large"'}, "does not name"),
        (
            {
                "statement": 'SELECT * FROM "My Shop"."the sales"."large"',
                "trial_table": '"My Shop"."the sales"."large"',
            },
            "is not a plain table",
        ),
    ],
)
def test_what_cannot_be_tried_is_told_before_anything_is_made(
    yard: OwnAccount, inputs: dict[str, str], reason: str
) -> None:
    before = yard.look()
    shown = tune(yard, remedy="cluster", **TRIAL | inputs)
    assert reason in shown[1]
    assert (shown[2:], yard.sent(), yard.changes(before)) == ([COMPLETED], [], [])


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (f"DELETE FROM {TABLE}", "the statement may change the account"),
        (f"SELECT 1; DROP TABLE {TABLE}", "the statement holds 2 statements"),
        ("SELECT SOMEBODYS(1)", "the statement calls SOMEBODYS"),
        (f'SELECT * FROM {TABLE} WHERE "id" = ?', "has bind variables"),
        ("SHOW TABLES", "is no query"),
    ],
)
def test_only_a_query_is_run_again(yard: OwnAccount, statement: str, reason: str) -> None:
    before = yard.look()
    shown = tune(yard, statement=statement)
    assert reason in shown[-1]
    assert (yard.sent(), yard.changes(before)) == ([], [])


def test_a_statement_is_found_by_its_query_id_or_among_the_slowest(yard: OwnAccount) -> None:
    session = yard.account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    session.execute('USE SCHEMA "My Shop"."the sales"')
    session.execute('SELECT COUNT(*) FROM "or.ders" WHERE "id" > 5 -- monthly')
    told = session.execute("SELECT LAST_QUERY_ID()").rows[0][0]
    session.execute('UPDATE "or.ders" SET DAY = DAY WHERE "id" < 0')
    changing = session.execute("SELECT LAST_QUERY_ID()").rows[0][0]
    session.close()
    yard.ask(TUNE, runs="1", remedy="cluster", **TRIAL)
    assert yard.pause is not None
    assert told in [option.id for option in yard.pause.options]
    yard.answer(told)
    shown = yard.finish()
    assert "columns in conditions: id" in shown[0]
    assert "Both sides return the same 1 row," in shown[2]
    shown = yard.run_to_its_end(TUNE, query_id=changing, remedy="cluster", **TRIAL)
    assert "It is not run again: the statement may change the account" in shown[0]
    shown = yard.run_to_its_end(TUNE, query_id="no-such-id", remedy="cluster", **TRIAL)
    assert "is not in the history that your role sees" in shown[0]


def test_masks_would_be_written_into_a_sorted_copy_so_it_is_not_made(yard: OwnAccount) -> None:
    yard.run(
        'CREATE MASKING POLICY "My Shop"."trials".HIDE AS (V STRING) RETURNS STRING -> \'*\';'
        f'ALTER TABLE {TABLE} MODIFY COLUMN "Größe" SET MASKING POLICY "My Shop"."trials".HIDE'
    )
    assert "has masking or row access policies" in tune(yard, remedy="cluster", **TRIAL)[1]
    assert yard.sent() == []


def test_a_role_that_may_not_copy_is_told_who_grants_it(
    yard: OwnAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    yard.run("ALTER USER ADMIN SET DEFAULT_SECONDARY_ROLES = ()")
    told = tune(yard, remedy="cluster", **TRIAL)[-1]
    assert "GRANT IMPORTED PRIVILEGES ON DATABASE SNOWFLAKE TO ROLE CLERK, or grant only" in told
    assert yard.events("step_started") == []
    yard.run("GRANT DATABASE ROLE SNOWFLAKE.USAGE_VIEWER TO ROLE CLERK")
    told = tune(yard, remedy="cluster", **TRIAL)[-1]
    assert "GRANT DATABASE ROLE SNOWFLAKE.GOVERNANCE_VIEWER TO ROLE CLERK" in told
    assert yard.events("step_started") == []
    yard.run(
        "GRANT DATABASE ROLE SNOWFLAKE.GOVERNANCE_VIEWER TO ROLE CLERK;"
        'GRANT USAGE ON DATABASE "My Shop" TO ROLE CLERK;'
        'GRANT USAGE ON ALL SCHEMAS IN DATABASE "My Shop" TO ROLE CLERK;'
        f"GRANT SELECT ON TABLE {TABLE} TO ROLE CLERK"
    )
    shown = tune(yard, remedy="cluster", **TRIAL)
    assert 'your role lacks CREATE TABLE on schema "My Shop"."trials"' in shown[1]
    shown = tune(yard, remedy="bigger-warehouse")
    assert "your role lacks CREATE WAREHOUSE ON ACCOUNT" in shown[1]
    assert yard.sent() == []


def test_aborted_at_each_pause_nothing_remains(yard: OwnAccount) -> None:
    told = {"statement": SLOW, "runs": "1", "remedy": "cluster", "apply": "yes", **TRIAL}
    found = list(yard.aborted_at_each_pause(TUNE, **told))
    assert [remains for _, remains in found] == [[], [], [], []]


@pytest.mark.parametrize("remedy", ["cluster", "bigger-warehouse"])
def test_what_came_and_went_is_no_change_before_or_after_and_stays_gone(
    yard: OwnAccount, remedy: str
) -> None:
    told = {"statement": SLOW, "runs": "1", "remedy": remedy, **REMEDIES[remedy]}
    words = [word for name, value in told.items() for word in ("--input", f"{name}={value}")]
    before = yard.look()
    yard.invoke("run", f"playbooks/{TUNE}", "--dry-run", *words)
    assert yard.reply is not None
    assert "Would change  nothing" in render_text(yard.reply.view)
    yard.run_to_its_end(TUNE, **told)
    ending = render_text(yard.reply.view).partition("DONE")[2]
    assert ("created" in ending, "changed" in ending) == (False, False)
    yard.clean()
    assert "nothing to take back" in str(yard.answered)
    assert yard.changes(before) == []
