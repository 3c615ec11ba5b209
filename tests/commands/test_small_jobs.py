"""Small jobs on a person's own tables: from words to a plan, a dry run, the result, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skills_nb.errors import UsageError
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

pytestmark = pytest.mark.slow
HOLDS = """
CREATE ROLE NURSE; CREATE ROLE RESEARCHER;
CREATE DATABASE CLINIC; CREATE SCHEMA CLINIC.RAW; CREATE SCHEMA CLINIC.MARTS;
CREATE TABLE CLINIC.RAW.PATIENTS (PATIENT_ID INT, EMAIL STRING, CITY STRING);
INSERT INTO CLINIC.RAW.PATIENTS VALUES
  (1, 'ann@x.org', 'Bern'), (2, 'bo@x.org', 'Basel'), (2, 'bo@x.org', 'Basel');
CREATE TABLE CLINIC.RAW.VISITS
  (VISIT_ID INT, VISITED_AT TIMESTAMP_NTZ, FEE NUMBER(10, 2), WARD STRING);
INSERT INTO CLINIC.RAW.VISITS VALUES (1, '2026-11-01 10:00', 100, 'A'),
  (2, '2026-11-01 12:00', 50.5, 'B'), (3, '2026-11-02 10:00', 70, 'A');
CREATE SCHEMA CLINIC."lab work";
CREATE TABLE CLINIC."lab work"."blood tests" ("test id" INT, "Result" STRING);
INSERT INTO CLINIC."lab work"."blood tests" VALUES (1, 'ok'), (1, 'ok');
"""
LAB = 'CLINIC."lab work"."blood tests"'


def wish(account: OwnAccount, words: str, *more: str) -> None:
    """Begin with what a person says."""
    account.threads += 1
    account.thread = f"thread-{account.threads}"
    account.invoke("run", words, *more)


def question(account: OwnAccount) -> tuple[str, list[str]]:
    """Return what is asked, and the choices that come from the account."""
    pause = account.pause
    assert pause is not None
    ways_out = ("other", "abort", "different-approach")
    return pause.at, [option.id for option in pause.options if option.id not in ways_out]


def found(account: OwnAccount) -> list[dict[str, Any]]:
    """Return the rows that the last query of the thread brought."""
    result = account.events("step_completed")[-1].result
    return next(rows for name, rows in result.items() if name.startswith("found_"))


@pytest.fixture
def clinic(tmp_path: Path):
    with own_account(tmp_path, HOLDS) as account:
        yield account


def test_a_table_is_cloned_beside_itself_and_the_clone_is_taken_back(clinic: OwnAccount) -> None:
    before = clinic.look()
    wish(clinic, f"clone {LAB}")
    assert question(clinic)[0] == "plan"
    clinic.answer()
    clone = 'CLINIC."lab work"."blood tests_CLONE"'
    assert clinic.rows(f"SELECT COUNT(*) AS N FROM {clone}") == [{"N": 2}]
    clinic.clean()
    assert clinic.changes(before) == []


def test_a_clone_gets_the_name_that_was_said(clinic: OwnAccount) -> None:
    wish(clinic, "clone the table CLINIC.RAW.PATIENTS to CLINIC.MARTS.PEOPLE")
    assert clinic.finish()[-1] == COMPLETED
    assert clinic.rows("SELECT COUNT(*) AS N FROM CLINIC.MARTS.PEOPLE") == [{"N": 3}]


def test_a_role_that_stands_alone_is_no_schema_of_its_name(clinic: OwnAccount) -> None:
    clinic.run("CREATE TABLE CLINIC.PUBLIC.BEDS (A INT)")
    wish(clinic, "let NURSE read CLINIC.PUBLIC.BEDS")
    assert question(clinic)[0] == "plan"
    assert clinic.finish()[-1] == COMPLETED
    assert "GRANT SELECT ON TABLE CLINIC.PUBLIC.BEDS TO ROLE NURSE" in clinic.sent()


def test_a_role_is_let_in_with_three_grants_and_no_more(clinic: OwnAccount) -> None:
    before = clinic.look()
    wish(clinic, "grant NURSE read access to CLINIC.RAW.PATIENTS")
    assert clinic.finish()[-1] == COMPLETED
    assert clinic.sent() == [
        "GRANT USAGE ON DATABASE CLINIC TO ROLE NURSE",
        "GRANT USAGE ON SCHEMA CLINIC.RAW TO ROLE NURSE",
        "GRANT SELECT ON TABLE CLINIC.RAW.PATIENTS TO ROLE NURSE",
    ]
    clinic.clean()
    assert clinic.changes(before) == []


def test_duplicates_go_and_the_former_rows_stay_beside(clinic: OwnAccount) -> None:
    before = clinic.look()
    wish(clinic, "deduplicate CLINIC.RAW.PATIENTS")
    assert clinic.finish()[-1] == COMPLETED
    count = "SELECT COUNT(*) AS N FROM CLINIC.RAW.PATIENTS"
    assert clinic.rows(count) == [{"N": 2}]
    assert clinic.rows(f"{count}_FORMER") == [{"N": 3}]
    clinic.clean()
    assert clinic.changes(before) == []


def test_what_the_words_leave_open_is_asked_with_choices_of_the_account(clinic: OwnAccount) -> None:
    wish(clinic, "daily revenue")
    at, tables = question(clinic)
    assert (at, set(tables)) == (
        "input:source",
        {LAB, "CLINIC.RAW.PATIENTS", "CLINIC.RAW.VISITS"},
    )
    clinic.answer("CLINIC.RAW.VISITS")
    # Nobody adds up numbers of visits, so that only the fee is left.
    assert question(clinic)[0] == "plan"
    assert clinic.finish()[-1] == COMPLETED
    assert [(str(row["DAY"]), float(row["TOTAL"])) for row in found(clinic)] == [
        ("2026-11-02", 70.0),
        ("2026-11-01", 150.5),
    ]


def test_tables_and_columns_are_found_by_the_words_for_them(clinic: OwnAccount) -> None:
    wish(clinic, "average fee per ward of our visits")
    assert clinic.finish()[-1] == COMPLETED
    assert [(row["WARD"], float(row["AVERAGE"])) for row in found(clinic)] == [
        ("A", 85.0),
        ("B", 50.5),
    ]


def test_a_plain_question_is_answered_with_its_query_shown(clinic: OwnAccount) -> None:
    before = clinic.look()
    wish(clinic, "how many patients do we have")
    (plan,) = clinic.events("plan_proposed")
    assert [step.sql for step in plan.steps] == [
        "SELECT COUNT(*) AS ROW_COUNT FROM CLINIC.RAW.PATIENTS"
    ]
    assert clinic.finish()[-1] == COMPLETED
    assert found(clinic) == [{"ROW_COUNT": 3}]
    assert clinic.changes(before) == []


def test_a_masked_column_is_clear_to_one_role_alone(clinic: OwnAccount) -> None:
    clinic.run("GRANT ROLE RESEARCHER TO ROLE ACCOUNTADMIN; GRANT ROLE NURSE TO ROLE ACCOUNTADMIN;")
    for role in ("RESEARCHER", "NURSE"):
        clinic.run(
            f"GRANT USAGE ON DATABASE CLINIC TO ROLE {role};"
            f"GRANT USAGE ON SCHEMA CLINIC.RAW TO ROLE {role};"
            f"GRANT SELECT ON ALL TABLES IN SCHEMA CLINIC.RAW TO ROLE {role};"
            f"GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE {role}; GRANT ROLE {role} TO USER ADMIN;"
        )
    before = clinic.look()
    wish(clinic, "mask EMAIL in CLINIC.RAW.PATIENTS for RESEARCHER")
    at, roles = question(clinic)
    assert at == "input:clear_role"
    assert "NURSE" in roles
    clinic.answer("NURSE")
    assert clinic.finish()[-1] == COMPLETED
    seen = "SELECT DISTINCT EMAIL FROM CLINIC.RAW.PATIENTS WHERE PATIENT_ID = 1"
    assert clinic.rows(seen, "RESEARCHER") == [{"EMAIL": "***"}]
    assert clinic.rows(seen, "NURSE") == [{"EMAIL": "ann@x.org"}]
    clinic.clean()
    assert clinic.changes(before) == []


def test_a_dynamic_table_is_named_after_what_it_adds_up(clinic: OwnAccount) -> None:
    before = clinic.look()
    wish(clinic, "create a dynamic table in CLINIC.MARTS with FEE per WARD from CLINIC.RAW.VISITS")
    assert clinic.finish()[-1] == COMPLETED
    rows = clinic.rows("SELECT WARD, TOTAL FROM CLINIC.MARTS.VISITS_BY_WARD ORDER BY WARD")
    assert [(row["WARD"], float(row["TOTAL"])) for row in rows] == [("A", 170.0), ("B", 50.5)]
    clinic.clean()
    assert clinic.changes(before) == []


def test_a_table_is_unloaded_to_files_of_ones_own(clinic: OwnAccount) -> None:
    wish(clinic, f"unload {LAB} as parquet")
    assert clinic.finish()[-1] == COMPLETED
    assert len(found(clinic)) == 1


def test_a_dry_run_foretells_a_small_job_and_changes_nothing(clinic: OwnAccount) -> None:
    before = clinic.look()
    wish(clinic, "clone CLINIC.RAW.VISITS", "--dry-run")
    clinic.answer()
    first, _ = clinic.events("step_planned")
    assert [made.fqn for made in first.would_create] == ["CLINIC.RAW.VISITS_CLONE"]
    assert clinic.pause is not None
    assert clinic.pause.options[0].id == "execute"
    assert clinic.changes(before) == []


def test_a_dry_run_that_foretells_a_failure_does_not_propose_to_execute(
    clinic: OwnAccount,
) -> None:
    clinic.run("CREATE TABLE CLINIC.RAW.VISITS_CLONE (MINE INT)")
    wish(clinic, "clone CLINIC.RAW.VISITS", "--dry-run")
    clinic.answer()
    assert clinic.pause is not None
    assert [option.id for option in clinic.pause.options][:3] == [
        "modify",
        "export_plan",
        "execute",
    ]
    with pytest.raises(UsageError):
        clinic.answer("approve")


def test_single_sign_on_and_scim_make_no_user(clinic: OwnAccount) -> None:
    users = clinic.rows("SHOW USERS")
    wish(clinic, "set up SSO with Okta")
    answers = {"provider": "OKTA", "issuer": "i", "sso_url": "https://x.org/sso"}
    _tell(clinic, answers | {"certificate": "MIIC"})
    assert clinic.finish()[-1] == COMPLETED
    wish(clinic, "provision users by SCIM from Okta")
    _tell(clinic, {"client": "OKTA", "runs_as": "OKTA_PROVISIONER"})
    assert clinic.finish()[-1] == COMPLETED
    made = {row["name"]: row["type"] for row in clinic.rows("SHOW SECURITY INTEGRATIONS")}
    assert made == {"COMPANY_SSO": "SAML2", "COMPANY_SCIM": "SCIM"}
    assert clinic.rows("SHOW USERS") == users


def _tell(account: OwnAccount, answers: dict[str, str]) -> None:
    """Answer each question that comes first."""
    for name, value in answers.items():
        assert question(account)[0] == f"input:{name}"
        account.invoke("respond", "other", "--set", f"{name}={value}")


def test_one_row_for_each_key_stays_and_the_former_rows_come_back(clinic: OwnAccount) -> None:
    clinic.run("INSERT INTO CLINIC.RAW.PATIENTS VALUES (2, 'bo@new.org', 'Chur')")
    before = clinic.look()
    wish(clinic, "dedupe the patients by PATIENT_ID")
    at, columns = question(clinic)
    assert (at, columns) == ("input:newest_by", ["EMAIL", "CITY"])
    clinic.answer("CITY")
    assert clinic.finish()[-1] == COMPLETED
    rows = clinic.rows("SELECT CITY FROM CLINIC.RAW.PATIENTS ORDER BY PATIENT_ID")
    assert rows == [{"CITY": "Bern"}, {"CITY": "Chur"}]
    clinic.clean()
    assert clinic.changes(before) == []


def test_a_column_is_shown_to_the_role_that_is_named_alone(clinic: OwnAccount) -> None:
    before = clinic.look()
    wish(clinic, f'only role NURSE may see "Result" in {LAB}')
    assert question(clinic)[0] == "plan"
    assert clinic.finish()[-1] == COMPLETED
    (created,) = (sql for sql in clinic.sent() if sql.startswith("CREATE"))
    assert "IS_ROLE_IN_SESSION('NURSE')" in created
    clinic.clean()
    assert clinic.changes(before) == []


def test_two_wishes_are_two_plans_each_of_its_own_words(clinic: OwnAccount) -> None:
    before = clinic.look()
    wish(clinic, "clone CLINIC.RAW.PATIENTS and then grant read access on it to role NURSE")
    assert clinic.finish()[-1] == COMPLETED
    plans = [plan.goal for plan in clinic.events("plan_proposed")]
    assert plans == ["clone CLINIC.RAW.PATIENTS", "grant read access on it to role NURSE"]
    assert clinic.sent()[-1] == "GRANT SELECT ON TABLE CLINIC.RAW.PATIENTS_CLONE TO ROLE NURSE"
    clinic.clean()
    assert clinic.changes(before) == []


def test_a_changed_input_makes_anew_what_rests_on_what_is_taken_back(clinic: OwnAccount) -> None:
    before = clinic.look()
    wish(clinic, "mask EMAIL in CLINIC.RAW.PATIENTS")
    clinic.answer("NURSE")
    for _ in ("plan", "1"):
        clinic.answer()
    clinic.invoke("respond", "modify", "--set", "clear_role=RESEARCHER")
    clinic.answer()
    assert clinic.pause is not None
    assert "Steps 1 and 2 are done again" in clinic.pause.present
    clinic.answer("cleanup")
    assert clinic.finish()[-1] == COMPLETED
    (ddl,) = clinic.rows("SELECT GET_DDL('POLICY', 'CLINIC.RAW.MASK_PATIENTS_EMAIL') AS DDL")
    assert "'RESEARCHER'" in ddl["DDL"]
    clinic.clean()
    assert clinic.changes(before) == []


def test_a_dropped_table_is_chosen_among_those_that_can_come_back(clinic: OwnAccount) -> None:
    clinic.run(
        f"DROP TABLE {LAB}; CREATE TABLE CLINIC.RAW.GONE (A INT); DROP TABLE CLINIC.RAW.GONE"
    )
    wish(clinic, "I dropped a table")
    assert question(clinic) == ("input:target", ["CLINIC.RAW.GONE", LAB])
    clinic.answer(LAB)
    assert clinic.finish()[-1] == COMPLETED
    assert clinic.rows(f"SELECT COUNT(*) AS N FROM {LAB}") == [{"N": 2}]


def test_a_name_in_full_is_taken_at_its_word_though_others_could_be_chosen(
    clinic: OwnAccount,
) -> None:
    clinic.run("CREATE TABLE CLINIC.RAW.GONE (A INT); DROP TABLE CLINIC.RAW.GONE")
    wish(clinic, "somebody deleted rows in CLINIC.RAW.PATIENTS, bring them back")
    told = {event.name: event.value for event in clinic.events("input_gathered")}
    assert told["what_happened"] == "damaged"
    assert clinic.pause is not None
    assert clinic.pause.at == "input:key_columns"
    assert "PATIENT_ID" in [option.id for option in clinic.pause.options]


def test_none_of_these_leads_somewhere_else_each_time(clinic: OwnAccount) -> None:
    wish(clinic, "fold the table CLINIC.RAW.PATIENTS")
    offered: list[str] = []
    while clinic.pause is not None and (targets := _targets(clinic)):
        assert not set(targets) & set(offered)
        offered += targets
        clinic.answer("none-of-these")
    assert len(offered) > 3
    assert clinic.ended.startswith("Nothing in the library comes near these words.")
    with pytest.raises(UsageError, match="nothing else in the library"):
        clinic.answer("none-of-these")
    clinic.invoke("respond", "none-of-these", "--comment", "clone CLINIC.RAW.PATIENTS")
    assert question(clinic)[0] == "plan"


def test_where_no_plan_can_be_made_what_comes_nearest_is_told(clinic: OwnAccount) -> None:
    wish(clinic, "iron the table CLINIC.RAW.PATIENTS")
    assert clinic.pause is not None
    assert "What comes nearest that I can do:" in clinic.ended
    assert [option.id for option in clinic.pause.options] == ["different-approach", "abort"]
    clinic.answer("different-approach")
    assert "primitives/tables" not in _targets(clinic)
    clinic.invoke("respond", "none-of-these", "--comment", "drop CLINIC.RAW.PATIENTS")
    assert question(clinic)[0] == "plan"


def _targets(account: OwnAccount) -> list[str]:
    assert account.pause is not None
    return [option.id for option in account.pause.options if "/" in option.id]
