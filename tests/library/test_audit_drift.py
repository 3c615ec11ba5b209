"""The audit follows roles to the people who have them, and takes over no report of others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

CLINIC = """
CREATE DATABASE "Clinic"; CREATE SCHEMA "Clinic"."people"; CREATE SCHEMA "Clinic"."people 2";
CREATE SCHEMA "Clinic".REPORTS;
CREATE TABLE "Clinic"."people"."patients" ("e-mail" STRING, "ward" INT);
INSERT INTO "Clinic"."people"."patients"
  SELECT 'ann.' || SEQ4() || '@example.com', SEQ4() % 3 FROM TABLE(GENERATOR(ROWCOUNT => 50));
CREATE TABLE "Clinic"."people 2"."other" ("n" INT);
CREATE TABLE "Clinic"."people"."hidden" ("x" INT); CREATE ROLE SECRET;
GRANT OWNERSHIP ON TABLE "Clinic"."people"."hidden" TO ROLE SECRET;
CREATE ROLE READS; CREATE ROLE "inherits it"; CREATE ROLE OTHERS;
GRANT USAGE ON DATABASE "Clinic" TO ROLE READS;
GRANT USAGE ON SCHEMA "Clinic"."people" TO ROLE READS;
GRANT SELECT ON TABLE "Clinic"."people"."patients" TO ROLE READS;
GRANT SELECT ON TABLE "Clinic"."people 2"."other" TO ROLE OTHERS;
GRANT ROLE READS TO ROLE "inherits it"; GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE READS;
CREATE USER "Zoë" DEFAULT_ROLE = PUBLIC DEFAULT_SECONDARY_ROLES = ('ALL');
CREATE USER ZED DEFAULT_SECONDARY_ROLES = ();
GRANT ROLE "inherits it" TO USER "Zoë"; GRANT ROLE READS TO USER ZED;
"""
AUDIT = "audit-data-access"
WANTED = {"target_scope": '"Clinic"."people"', "report_schema": "REPORTS"}


@pytest.fixture
def clinic(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, CLINIC) as account:
        yield account


@pytest.mark.slow
def test_people_are_found_through_inherited_and_secondary_roles(clinic: OwnAccount) -> None:
    shown = clinic.run_to_its_end(AUDIT, **WANTED)
    assert shown[0] == (
        "ACCOUNTADMIN may read 1 of 2 tables; the audit says nothing about the others:"
        " people.hidden. In the tables that it reads, 1 column looks sensitive;"
        " without a masking policy: 1."
    )
    found = clinic.rows(
        "SELECT DISTINCT ROLE_NAME, GRANTED_TO_ROLE, PRIVILEGE, TABLE_NAME"
        " FROM \"Clinic\".REPORTS.AUDIT_TABLE_GRANTS WHERE PRIVILEGE = 'SELECT'"
    )
    assert {tuple(row.values()) for row in found} == {
        ("READS", "READS", "SELECT", "patients"),
        ("inherits it", "READS", "SELECT", "patients"),
    }
    assert "2 grants let 3 roles read their tables" in shown[1]
    assert (
        "through them 3 users; for 2 of these, such a role is active without being chosen"
        in shown[1]
    )
    assert shown[-1] == COMPLETED
    before = clinic.look()
    again = clinic.run_to_its_end(AUDIT, **WANTED)
    assert (again[-1], clinic.changes(before)) == (COMPLETED, [])


@pytest.mark.slow
def test_who_read_a_table_whose_name_needs_quotes_is_found(clinic: OwnAccount) -> None:
    clinic.run('SELECT "e-mail" FROM "Clinic"."people"."patients"', user="ZED", role="READS")
    shown = clinic.run_to_its_end(AUDIT, **WANTED)
    assert "The last 30 days show 2 pairs of user and column that were read" in shown[1]
    assert "could be read but were not: 1." in shown[1]
    found = clinic.rows('SELECT * FROM "Clinic".REPORTS.AUDIT_TABLE_READERS')
    assert ('"Clinic"."people"."patients"', "ZED", 1) in {
        (row["OBJECT_NAME"], row["USER_NAME"], row["READS"]) for row in found
    }
    assert {row["OBJECT_NAME"].rpartition(".")[0] for row in found} == {'"Clinic"."people"'}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("held", "inputs", "reason"),
    [
        ("SELECT 1", {"report_schema": "NOWHERE"}, "There is no schema NOWHERE"),
        ("SELECT 1", {"auditor_role": "OTHERS"}, "Role OTHERS is not granted to user ADMIN"),
        (
            'GRANT ROLE OTHERS TO USER ADMIN; GRANT USAGE ON DATABASE "Clinic" TO ROLE OTHERS;'
            'GRANT USAGE ON ALL SCHEMAS IN DATABASE "Clinic" TO ROLE OTHERS;'
            "ALTER USER ADMIN SET DEFAULT_SECONDARY_ROLES = ()",
            {"auditor_role": "OTHERS"},
            "OTHERS lacks CREATE VIEW on REPORTS. Its owner, ACCOUNTADMIN, can grant it",
        ),
        (
            'CREATE TABLE "Clinic".REPORTS.AUDIT_TABLE_READERS (A INT)',
            {},
            "AUDIT_TABLE_READERS (base table, owner ACCOUNTADMIN)",
        ),
        (
            'CREATE VIEW "Clinic".REPORTS.AUDIT_TABLE_GRANTS'
            " COMMENT = 'Access audit of PROD' AS SELECT 1 AS A",
            {},
            "AUDIT_TABLE_GRANTS: Access audit of PROD",
        ),
    ],
)
def test_what_cannot_work_stops_it(
    clinic: OwnAccount, held: str, inputs: dict[str, str], reason: str
) -> None:
    clinic.run(held)
    before = clinic.look()
    shown = clinic.run_to_its_end(AUDIT, **{**WANTED, **inputs})
    assert reason in shown[-1]
    assert clinic.changes(before) == []


@pytest.mark.slow
def test_aborted_at_each_pause_nothing_remains(clinic: OwnAccount) -> None:
    found = list(clinic.aborted_at_each_pause(AUDIT, **WANTED))
    assert [remains for _, remains in found] == [[]] * len(found)


@pytest.mark.slow
def test_a_role_that_sees_nothing_is_told_once_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "OTHERS")
    with own_account(tmp_path, CLINIC + "GRANT ROLE OTHERS TO USER ADMIN;") as account:
        account.ask("erase-a-person", scope='"Clinic"', identifier_kind="key", identifier="1")
        lacks = 'GRANT USAGE ON DATABASE "Clinic" TO ROLE OTHERS'
        assert account.ended.count(lacks) == 1
        account.ask(AUDIT, **WANTED)
        assert account.ended.count(lacks) == 1
        assert "GRANT IMPORTED PRIVILEGES ON DATABASE SNOWFLAKE TO ROLE OTHERS" in account.ended
        assert account.sent() == []
