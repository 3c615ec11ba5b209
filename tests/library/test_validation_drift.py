"""Migrated data is compared column by column, as both sides are; nothing is glossed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills_nb.views import render_text
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

pytestmark = pytest.mark.slow
VALIDATE = "validate-migrated-data"
BOTH_SIDES = """
CREATE DATABASE "My Ware"; CREATE SCHEMA "My Ware"."old"; CREATE SCHEMA "My Ware"."new";
CREATE TABLE "My Ware"."old"."Or.ders" ("id" NUMBER(9, 1), "Größe" STRING, "at" TIMESTAMP_NTZ,
  "rate" FLOAT, "seen" TIMESTAMP_TZ, "doc" VARIANT, "gone" INT);
INSERT INTO "My Ware"."old"."Or.ders"
  SELECT 1, 'S', '2026-01-01 10:00:00', 0.1, '2026-01-01 10:00:00 +0200', PARSE_JSON('{"a": 1}'), 1
  UNION ALL SELECT 2, 'M', '2026-01-02', 1e40, '2026-01-01', NULL, 2
  UNION ALL SELECT 2, 'M', '2026-01-02', 1e40, '2026-01-01', NULL, 2;
CREATE TABLE "My Ware"."new"."Or.ders" ("id" NUMBER(12, 4), "Größe" STRING, "at" DATE,
  "rate" FLOAT, "seen" TIMESTAMP_LTZ, "doc" VARIANT, "more" INT);
INSERT INTO "My Ware"."new"."Or.ders"
  SELECT "id", "Größe", "at"::DATE, "rate", "seen"::TIMESTAMP_LTZ, "doc", 7
  FROM "My Ware"."old"."Or.ders";
CREATE TABLE "My Ware"."old"."same" ("a" INT, "b c" STRING);
INSERT INTO "My Ware"."old"."same" VALUES (1, 'x'), (2, NULL);
CREATE TABLE "My Ware"."new"."same" CLONE "My Ware"."old"."same";
CREATE TABLE "My Ware"."new"."empty" ("a" INT);
CREATE TABLE "My Ware"."old"."empty" ("a" INT);
CREATE SCHEMA "My Ware"."reports"; CREATE SCHEMA "My Ware"."taken"; CREATE ROLE OTHERS;
CREATE TABLE "My Ware"."taken".VALIDATION_RESULTS (NOTE STRING);
"""
ASKED = {
    "target_scope": '"My Ware"."new"',
    "source_scope": '"My Ware"."old"',
    "validator_role": "ACCOUNTADMIN",
    "report_schema": '"reports"',
}
REPORT = '"My Ware"."reports".VALIDATION_RESULTS'


def _faults(ware: OwnAccount, report: str = REPORT) -> set[tuple[str, str, str | None]]:
    told = ware.rows(f"SELECT LEVEL, TABLE_NAME, COLUMN_NAME FROM {report} WHERE NOT AGREES")
    return {(row["LEVEL"], row["TABLE_NAME"], row["COLUMN_NAME"]) for row in told}


def test_what_differs_is_found_and_what_only_looks_different_is_not(tmp_path: Path) -> None:
    with own_account(tmp_path, BOTH_SIDES) as ware:
        shown = ware.run_to_its_end(VALIDATE, **ASKED)
        assert "Tables on both sides: 3." in shown[0]
        assert (
            "only the source has: 1; that only the target has: 1; with another type: 2." in shown[0]
        )
        assert shown[-1] == COMPLETED
        assert _faults(ware) == {
            ("schema", "Or.ders", "at"),
            ("schema", "Or.ders", "seen"),
            ("schema", "Or.ders", "gone"),
            ("schema", "Or.ders", "more"),
            ("aggregate", "Or.ders", "at"),
            ("fingerprint", "Or.ders", None),
            ("row", "Or.ders", None),
        }


def test_again_nothing_is_sent_and_what_differs_since_is_compared_anew(tmp_path: Path) -> None:
    with own_account(tmp_path, BOTH_SIDES) as ware:
        ware.run_to_its_end(VALIDATE, **ASKED)
        held, before = len(ware.rows(f"SELECT * FROM {REPORT}")), ware.look()
        again = ware.run_to_its_end(VALIDATE, **ASKED)
        assert (
            "Columns, row counts, values and depth are as reported under label wave-1" in again[0]
        )
        assert f"the report stays as it is: {held} comparisons, 7 disagreements" in again[0]
        assert (again[1:], ware.sent(), ware.changes(before)) == ([COMPLETED], [], [])
        ware.run('INSERT INTO "My Ware"."new"."same" VALUES (3, NULL)')
        drifted = ware.run_to_its_end(VALIDATE, **ASKED)
        assert f"will be replaced: {held}. Why: 2 results differ from" in drifted[0]
        assert "(count of same, fingerprint of same)" in drifted[0]
        assert ("row", "same", None) in _faults(ware)
        assert len(ware.run_to_its_end(VALIDATE, **ASKED)) == 2


@pytest.mark.parametrize(
    ("depth", "level"),
    [("rows", "row"), ("fingerprints", "fingerprint"), ("aggregates", "aggregate")],
)
def test_a_value_changed_under_equal_counts_is_noticed(
    tmp_path: Path, depth: str, level: str
) -> None:
    asked = ASKED | {"depth": depth, "run_label": "it's one"}
    with own_account(tmp_path, BOTH_SIDES) as ware:
        ware.run_to_its_end(VALIDATE, **asked)
        assert len(ware.run_to_its_end(VALIDATE, **asked)) == 2
        assert ware.sent() == []
        ware.run('UPDATE "My Ware"."new"."same" SET "b c" = \'yy\' WHERE "a" = 1')
        drifted = ware.run_to_its_end(VALIDATE, **asked)
        assert "1 result differs from what was reported" in drifted[0]
        assert (level, "same", "b c" if depth == "aggregates" else None) in _faults(ware)
        assert len(ware.run_to_its_end(VALIDATE, **asked)) == 2
        assert ware.sent() == []


def test_a_figure_whose_target_changed_is_measured_anew(tmp_path: Path) -> None:
    asked = ASKED | {"source_kind": "figures", "source_scope": '"My Ware"."reports"."figures"'}
    with own_account(tmp_path, BOTH_SIDES) as ware:
        ware.run(
            'CREATE TABLE "My Ware"."reports"."figures" (TABLE_NAME STRING, COLUMN_NAME STRING,'
            " MEASURE STRING, VALUE STRING);"
            "INSERT INTO \"My Ware\".\"reports\".\"figures\" VALUES ('same', 'a', 'MAX', '2')"
        )
        ware.run_to_its_end(VALIDATE, **asked)
        kept = ware.run_to_its_end(VALIDATE, **asked)
        assert "values they are compared with are as reported" in kept[0]
        assert (ware.sent(), "1 comparison, 0 disagreements" in kept[0]) == ([], True)
        ware.run('UPDATE "My Ware"."new"."same" SET "a" = 9 WHERE "a" = 2')
        assert "1 result differs" in ware.run_to_its_end(VALIDATE, **asked)[0]
        assert _faults(ware) == {("aggregate", "same", "a")}


def test_another_depth_is_compared_anew_and_less_is_reported(tmp_path: Path) -> None:
    with own_account(tmp_path, BOTH_SIDES) as ware:
        ware.run_to_its_end(VALIDATE, **ASKED)
        shown = ware.run_to_its_end(VALIDATE, **ASKED, depth="counts")
        assert "Why: another depth was reported." in shown[0]
        assert {row["LEVEL"] for row in ware.rows(f"SELECT LEVEL FROM {REPORT}")} == {
            "schema",
            "count",
        }
        assert len(ware.run_to_its_end(VALIDATE, **ASKED, depth="counts")) == 2
        ware.run_to_its_end(VALIDATE, **ASKED, run_label="it's new")
        assert len(ware.rows(f"SELECT DISTINCT RUN_LABEL FROM {REPORT}")) == 2


def test_a_person_compares_again_or_keeps_the_report(tmp_path: Path) -> None:
    with own_account(tmp_path, BOTH_SIDES) as ware:
        ware.run_to_its_end(VALIDATE, **ASKED)
        ware.ask(VALIDATE, **ASKED)
        ware.answer("compare-again")
        assert "Why: you chose to compare again." in ware.ended
        assert ware.finish()[-1] == COMPLETED
        ware.ask(VALIDATE, **ASKED, depth="counts")
        ware.answer("keep-report")
        assert "As you chose, the report stays as it is" in ware.ended
        assert (ware.finish()[-1], ware.sent()) == (COMPLETED, [])


def test_numbers_are_compared_to_their_last_digit(tmp_path: Path) -> None:
    with own_account(tmp_path, BOTH_SIDES) as ware:
        for side, value in (("old", "1.000000001"), ("new", "1.000000002")):
            ware.run(f'CREATE TABLE "My Ware"."{side}"."fine" ("n" NUMBER(20, 9))')
            ware.run(f'INSERT INTO "My Ware"."{side}"."fine" VALUES ({value})')
        ware.run_to_its_end(VALIDATE, **ASKED | {"target_scope": '"My Ware"."new"."fine"'})
        assert ("aggregate", "fine", "n") in _faults(ware)
        assert ("row", "fine", None) in _faults(ware)


REFUSED = {
    "a schema that is not there": ({"source_scope": '"My Ware".OLD'}, "does not exist"),
    "a table that is not there": ({"target_scope": '"My Ware"."new".SAME'}, "There is no table"),
    "a schema against itself": ({"source_scope": '"My Ware"."new"'}, "the same schema"),
    "a report among the tables": ({"report_schema": '"new"'}, "among the tables"),
    "a report of others": ({"report_schema": '"taken"'}, "it has NOTE TEXT"),
    "a role of others": ({"validator_role": "OTHERS"}, "Role OTHERS is not granted"),
    "figures that are none": (
        {"source_kind": "figures", "source_scope": '"My Ware"."old"."same"'},
        "and has a, b c",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_told_before_anything_is_changed(name: str, tmp_path: Path) -> None:
    inputs, reason = REFUSED[name]
    with own_account(tmp_path, BOTH_SIDES) as ware:
        shown = ware.run_to_its_end(VALIDATE, **ASKED | inputs)
        assert reason in shown[-1]
        assert ware.sent() == []


def test_a_role_that_may_not_read_a_table_stops_it_before_the_report(tmp_path: Path) -> None:
    with own_account(tmp_path, BOTH_SIDES) as ware:
        ware.run(
            'GRANT ROLE OTHERS TO USER ADMIN; GRANT USAGE ON DATABASE "My Ware" TO ROLE OTHERS;'
            'GRANT USAGE ON ALL SCHEMAS IN DATABASE "My Ware" TO ROLE OTHERS;'
            'GRANT SELECT ON ALL TABLES IN SCHEMA "My Ware"."old" TO ROLE OTHERS;'
            'GRANT INSERT ON ALL TABLES IN SCHEMA "My Ware"."new" TO ROLE OTHERS;'
            "GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE OTHERS;"
        )
        as_others = ASKED | {"validator_role": "OTHERS"}
        shown = ware.run_to_its_end(VALIDATE, **as_others)
        assert 'OTHERS lacks CREATE TABLE on "reports", which the owner' in shown[-1]
        missing = ware.run_to_its_end(VALIDATE, **as_others | {"report_schema": "NEW_ONE"})
        unseen = "NEW_ONE does not exist, or your role may not see it. OTHERS can't create it"
        assert unseen in missing[-1]
        assert ware.sent() == []
        ware.run(
            'CREATE DATABASE ROLE "My Ware".R; GRANT DATABASE ROLE "My Ware".R TO ROLE OTHERS;'
            'GRANT CREATE TABLE ON SCHEMA "My Ware"."reports" TO DATABASE ROLE "My Ware".R'
        )
        ware.run_to_its_end(VALIDATE, **as_others)
        assert ware.pause is not None
        told, repair, raw = ware.pause.present.splitlines()[:3]
        assert told.startswith("Role OTHERS lacks a privilege on table ")
        assert "Grant SELECT on that table" in repair
        assert raw.startswith("Snowflake says: 003001")
        assert ware.sent() == []


def test_figures_are_compared_and_their_table_is_made_once(tmp_path: Path) -> None:
    asked = ASKED | {"source_kind": "figures", "source_scope": '"My Ware"."reports"."figures"'}
    with own_account(tmp_path, BOTH_SIDES) as ware:
        ware.run_to_its_end(VALIDATE, **asked)
        ware.run(
            'INSERT INTO "My Ware"."reports"."figures" VALUES'
            " ('same', NULL, 'ROWS', '2'), ('same', 'a', 'MAX', '3'), ('NO', 'a', 'MAX', '3')"
        )
        before = len(ware.rows('SELECT * FROM "My Ware"."reports"."figures"'))
        assert ware.run_to_its_end(VALIDATE, **asked)[-1] == COMPLETED
        assert _faults(ware) == {("aggregate", "same", "a"), ("aggregate", "NO", "a")}
        assert len(ware.rows('SELECT * FROM "My Ware"."reports"."figures"')) == before == 3


def test_aborted_at_any_pause_the_report_is_as_it_was(tmp_path: Path) -> None:
    with own_account(tmp_path, BOTH_SIDES) as ware:
        assert all(left == [] for _, left in ware.aborted_at_each_pause(VALIDATE, **ASKED))
        held = ware.look()
        assert all(left == [] for _, left in ware.aborted_at_each_pause(VALIDATE, **ASKED))
        assert ware.changes(held) == []


def test_rows_of_all_steps_are_added_up_as_the_dry_run_foretold(tmp_path: Path) -> None:
    words = [word for name, value in ASKED.items() for word in ("--input", f"{name}={value}")]
    with own_account(tmp_path, BOTH_SIDES) as ware:
        ware.invoke("run", f"playbooks/{VALIDATE}", "--dry-run", *words)
        assert ware.reply is not None
        foretold = render_text(ware.reply.view)
        ware.run_to_its_end(VALIDATE, **ASKED)
        count = len(ware.rows(f"SELECT * FROM {REPORT}"))
        assert f"{count} rows inserted" in foretold.partition("Objects it touches")[2]
        ended = render_text(ware.reply.view).partition("What it changed")[2]
        assert f"{count} rows inserted" in ended
        ware.run_to_its_end(VALIDATE, **ASKED, repeat="always")
        ended = render_text(ware.reply.view).partition("What it changed")[2]
        assert f"{count} rows deleted, {count} inserted" in ended


def test_a_source_without_a_table_in_sight_is_nothing_to_compare_with(tmp_path: Path) -> None:
    with own_account(tmp_path, BOTH_SIDES) as ware:
        ware.run('CREATE SCHEMA "My Ware"."bare"')
        shown = ware.run_to_its_end(VALIDATE, **ASKED | {"source_scope": '"My Ware"."bare"'})
        assert "nothing to compare with. Its owner grants ACCOUNTADMIN SELECT" in shown[-1]
        assert ware.sent() == []
