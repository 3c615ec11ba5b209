"""Protection of columns on a ward's tables: who loses sight, what is proven, what stays clear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

WARD = '"St. Mary"."Ward 1"'
HOME = '"St. Mary".GOVERNANCE'
PROTECT = "secure-sensitive-data"
NOT_ASKED = "or was not asked for (what a database role gives does not count here)"
ROLES = {"authorized_role": "DOCTORS", "restricted_role": '"night nurse"'}
CLINIC = f"""
CREATE ROLE "night nurse"; CREATE ROLE DOCTORS; CREATE ROLE "chief doctor"; CREATE ROLE VISITOR;
CREATE ROLE HERMIT; CREATE ROLE OTHERS; GRANT ROLE OTHERS TO ROLE SYSADMIN;
CREATE USER EVE; GRANT ROLE ACCOUNTADMIN TO USER EVE;
GRANT ROLE "night nurse" TO USER ADMIN; GRANT ROLE DOCTORS TO USER ADMIN;
GRANT ROLE "chief doctor" TO USER ADMIN;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE PUBLIC;
CREATE DATABASE "St. Mary"; CREATE SCHEMA {WARD}; CREATE SCHEMA "St. Mary"."Copies";
CREATE TABLE {WARD}."patients" ("id" INT, "e-mail" STRING, "phone" STRING, "remarks" STRING,
  "file" VARIANT, "fee" NUMBER(8, 2), "Region" STRING);
INSERT INTO {WARD}."patients" SELECT SEQ4(), 'p' || SEQ4() || '@example.com',
  '+49 30 555' || (1000 + SEQ4()), 'Came late, write to x' || SEQ4() || '@example.org',
  OBJECT_CONSTRUCT('kin', OBJECT_CONSTRUCT('mail', 'k' || SEQ4() || '@example.net')),
  SEQ4() * 1.5, IFF(SEQ4() % 2 = 0, 'north', 'south') FROM TABLE(GENERATOR(ROWCOUNT => 40));
CREATE TABLE {WARD}."countries" ("country" STRING);
INSERT INTO {WARD}."countries" VALUES ('Germany'), ('France'), ('Italy');
GRANT USAGE ON DATABASE "St. Mary" TO ROLE "night nurse";
GRANT USAGE ON ALL SCHEMAS IN DATABASE "St. Mary" TO ROLE "night nurse";
GRANT SELECT ON ALL TABLES IN DATABASE "St. Mary" TO ROLE "night nurse";
GRANT USAGE ON DATABASE "St. Mary" TO ROLE DOCTORS; GRANT USAGE ON SCHEMA {WARD} TO ROLE DOCTORS;
GRANT SELECT ON ALL TABLES IN SCHEMA {WARD} TO ROLE DOCTORS;
"""
COPIES = f"""
CREATE DYNAMIC TABLE "St. Mary"."Copies"."mailing" TARGET_LAG = '1 hour' WAREHOUSE = COMPUTE_WH AS
  SELECT "id", "e-mail" FROM {WARD}."patients";
GRANT SELECT ON ALL DYNAMIC TABLES IN SCHEMA "St. Mary"."Copies" TO ROLE "night nurse";
CREATE TABLE "St. Mary"."Copies"."elsewhere" AS SELECT "phone" AS P FROM {WARD}."patients";
"""
CLEAR = (
    """SELECT COUNT_IF("e-mail" LIKE '%@%') AS MAILS, COUNT_IF("remarks" LIKE '%@%') AS REMARKS,"""
    f""" COUNT("file") AS FILES FROM {WARD}."patients" """
)


@pytest.fixture
def clinic(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, CLINIC) as account:
        yield account


def protect(clinic: OwnAccount, **inputs: str) -> list[str]:
    return clinic.run_to_its_end(PROTECT, **{"target_scope": WARD, **ROLES, **inputs})


def refused(clinic: OwnAccount, **inputs: str) -> str:
    """Begin it, see that it stops before anything is changed, and return why."""
    before = clinic.look()
    clinic.ask(PROTECT, **{"target_scope": WARD, **ROLES, **inputs})
    assert clinic.ended != COMPLETED
    assert (changing(clinic), clinic.changes(before)) == ([], [])
    assert clinic.reply is not None
    (found,) = clinic.events("probes_executed")
    assert found.blocked
    return " ".join(found.warnings)


def changing(clinic: OwnAccount) -> list[str]:
    """Return what was sent that changes more than whose eyes look."""
    return [sql for sql in clinic.sent() if not sql.startswith("USE SECONDARY ROLES")]


def masks(clinic: OwnAccount) -> dict[str, str]:
    """Return the policies on the patients' columns, by column."""
    asked = (
        "SELECT REF_COLUMN_NAME, POLICY_NAME FROM TABLE("
        """ "St. Mary".INFORMATION_SCHEMA.POLICY_REFERENCES(REF_ENTITY_DOMAIN => 'TABLE', """
        f"""REF_ENTITY_NAME => '{WARD}."patients"')) WHERE POLICY_KIND = 'MASKING_POLICY' """
    )
    return {row["REF_COLUMN_NAME"]: row["POLICY_NAME"] for row in clinic.rows(asked)}


def by_kind(role: str) -> dict[str, str]:
    kinds = {"e-mail": "STRING", "phone": "STRING", "remarks": "STRING", "file": "VARIANT"}
    return {column: f"MASK_{kind}_FOR_{role}" for column, kind in kinds.items()}


@pytest.mark.slow
def test_who_loses_sight_is_said_before_a_column_changes(clinic: OwnAccount) -> None:
    clinic.others(f"""SELECT "e-mail" FROM {WARD}."patients" """)
    clinic.ask(PROTECT, target_scope=WARD, **ROLES)
    (weighed,) = clinic.finish(1)[:1]
    assert "Found: countries.country (COUNTRY, high), patients.e-mail (EMAIL, high)" in weighed
    assert "patients.remarks (EMAIL in free text, high)" in weighed
    assert clinic.ended.startswith("2 masking policies are in GOVERNANCE")
    for said in (
        'masks are set on 4 columns in "St. Mary"."Ward 1"',
        "Roles with SELECT today: ACCOUNTADMIN, night nurse.",
        "Holders of DOCTORS: user ADMIN.",
        "EVE as ACCOUNTADMIN (1)",
    ):
        assert said in clinic.ended
    assert masks(clinic) == {}


@pytest.mark.slow
def test_free_text_and_documents_are_masked_and_a_list_of_countries_is_not(
    clinic: OwnAccount,
) -> None:
    shown = protect(clinic)
    assert shown[2].startswith("Protected. night nurse reads 0 clear values among 160; DOCTORS")
    assert "Ward 1.countries.country (a place name with no person beside it)" in shown[2]
    assert shown[-1] == COMPLETED
    assert masks(clinic) == by_kind("DOCTORS")
    assert clinic.rows(CLEAR, "night nurse") == [{"MAILS": 0, "REMARKS": 0, "FILES": 0}]
    assert clinic.rows(CLEAR, "DOCTORS") == [{"MAILS": 40, "REMARKS": 40, "FILES": 40}]


@pytest.mark.slow
def test_the_same_again_changes_nothing_and_proves_it_again(clinic: OwnAccount) -> None:
    protect(clinic)
    before = clinic.look()
    shown = protect(clinic)
    assert (changing(clinic), clinic.changes(before)) == ([], [])
    assert "Already masked and left as they are: 4." in shown[0]
    assert shown[1].startswith("Protected. night nurse reads 0 clear values among 160;")


@pytest.mark.slow
def test_a_copy_that_is_read_clear_is_named_and_nothing_is_called_protected(
    tmp_path: Path,
) -> None:
    with own_account(tmp_path, CLINIC + COPIES) as clinic:
        shown = protect(clinic)
        assert shown[2].startswith("Masked, but not protected: night nurse reads clear values")
        for said in (
            "Copies.mailing.e-mail (looks like a copy, and night nurse reads it clear)",
            "St. Mary.Copies.mailing (a dynamic table over them)",
            "St. Mary.Copies.elsewhere (written from masked columns)",
        ):
            assert said in shown[2]


@pytest.mark.slow
def test_what_lies_elsewhere_unseen_is_not_called_protected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "OTHERS")
    owned = f"""
    CREATE DYNAMIC TABLE "St. Mary"."Copies"."post" TARGET_LAG = '1 hour' WAREHOUSE = COMPUTE_WH
      AS SELECT "e-mail" AS "to" FROM {WARD}."patients";
    GRANT OWNERSHIP ON DATABASE "St. Mary" TO ROLE OTHERS COPY CURRENT GRANTS;
    GRANT OWNERSHIP ON ALL SCHEMAS IN DATABASE "St. Mary" TO ROLE OTHERS COPY CURRENT GRANTS;
    GRANT OWNERSHIP ON ALL TABLES IN SCHEMA {WARD} TO ROLE OTHERS COPY CURRENT GRANTS;
    GRANT ROLE OTHERS TO USER ADMIN;
    """
    with own_account(tmp_path, CLINIC + owned) as clinic:
        shown = protect(clinic, admin_role="OTHERS", monitoring="none")
        said = next(told for told in shown if told.startswith("Protected"))
        assert said.startswith("Protected in these tables; whether their values were copied")
        assert "copied from these columns (the usage history was not read)" in said
        clinic.run("GRANT IMPORTED PRIVILEGES ON DATABASE SNOWFLAKE TO ROLE OTHERS")
        shown = protect(clinic, admin_role="OTHERS", monitoring="none")
        said = next(told for told in shown if told.startswith("Protected"))
        assert said.startswith("Protected in these tables; nothing is proven of what was built")
        assert "St. Mary.Copies.post (a dynamic table over them)" in said


@pytest.mark.slow
def test_another_authorized_role_is_shown_and_takes_over(clinic: OwnAccount) -> None:
    protect(clinic)
    shown = protect(clinic, authorized_role='"chief doctor"')
    assert "masked these for another role; they move to the policies for chief doctor" in (shown[0])
    assert masks(clinic) == by_kind("chief doctor")
    assert shown[-1] == COMPLETED
    before = clinic.look()
    protect(clinic, authorized_role='"chief doctor"')
    assert (changing(clinic), clinic.changes(before)) == ([], [])


@pytest.mark.slow
def test_a_rule_that_was_changed_is_shown_and_put_right(clinic: OwnAccount) -> None:
    protect(clinic)
    clinic.run(f"ALTER MASKING POLICY {HOME}.MASK_VARIANT_FOR_DOCTORS SET BODY -> val;")
    before = clinic.look()
    shown = protect(clinic)
    (probed,) = clinic.events("probes_executed")
    assert "The policy MASK_VARIANT_FOR_DOCTORS in GOVERNANCE has another rule: val." in str(
        probed.warnings
    )
    assert any("gets the one wanted: val." in said for said in shown)
    assert [line.partition(":")[0] for line in clinic.changes(before)] == ["MASKING POLICY"]
    assert clinic.rows(CLEAR, "night nurse") == [{"MAILS": 0, "REMARKS": 0, "FILES": 0}]


@pytest.mark.slow
def test_tags_bring_the_masks_and_a_profile_is_prepared_for_columns_to_come(
    clinic: OwnAccount,
) -> None:
    protect(clinic, method="tags")
    assert masks(clinic) == by_kind("DOCTORS")
    told = [found.present for found in clinic.events("checkpoint_reached")]
    assert any("prepared but not running" in said for said in told)
    clinic.run(f'ALTER TABLE {WARD}."patients" ADD COLUMN "mail 2" STRING;')
    clinic.run(
        f"ALTER SCHEMA {WARD} SET CLASSIFICATION_PROFILE = "
        """'"St. Mary".GOVERNANCE.TAGS_SENSITIVE_FOR_DOCTORS';"""
        f"""UPDATE {WARD}."patients" SET "mail 2" = 'z' || "id" || '@example.com';"""
        f"""CALL SYSTEM$CLASSIFY('{WARD}."patients"',"""
        """ '"St. Mary".GOVERNANCE.TAGS_SENSITIVE_FOR_DOCTORS');"""
    )
    assert masks(clinic)["mail 2"] == "MASK_STRING_FOR_DOCTORS"
    before = clinic.look()
    protect(clinic, method="tags")
    assert (changing(clinic), clinic.changes(before)) == ([], [])


@pytest.mark.slow
def test_a_table_that_cannot_be_read_or_masked_is_a_line_of_the_report(tmp_path: Path) -> None:
    apart = f"""
    CREATE TABLE {WARD}."sealed" ("e-mail" STRING);
    GRANT OWNERSHIP ON TABLE {WARD}."sealed" TO ROLE HERMIT;
    CREATE TABLE {WARD}."staff" ("phone" STRING);
    INSERT INTO {WARD}."staff" VALUES ('+49 30 5551234'), ('+49 30 5551235'), ('+49 30 5551236');
    CREATE MATERIALIZED VIEW "St. Mary"."Copies"."staff list" AS
      SELECT "phone" FROM {WARD}."staff";
    """
    with own_account(tmp_path, CLINIC + apart) as clinic:
        shown = protect(clinic)
        assert "3 of 4 tables classified" in shown[0]
        assert "Ward 1.sealed (the session cannot read it, so it was not classified)" in shown[2]
        assert "Ward 1.staff.phone (a materialized view is built on its table)" in shown[2]
        assert shown[-1] == COMPLETED


@pytest.mark.slow
def test_a_role_that_nobody_can_look_as_is_never_said_to_be_kept_out(clinic: OwnAccount) -> None:
    shown = protect(clinic, restricted_role="VISITOR")
    (probed,) = clinic.events("probes_executed")
    assert "VISITOR is not granted to this user" in str(probed.warnings)
    assert shown[3].startswith("Masked, not proven: VISITOR was not seen to read masks.")


@pytest.mark.slow
def test_policies_of_others_are_neither_met_as_errors_nor_called_clear(tmp_path: Path) -> None:
    apart = f"""
    CREATE TABLE {WARD}."counts" ("e-mail" STRING);
    INSERT INTO {WARD}."counts" VALUES ('a@example.com'), ('b@example.com');
    GRANT SELECT ON TABLE {WARD}."counts" TO ROLE "night nurse";
    CREATE AGGREGATION POLICY "St. Mary"."Copies".AGG AS () RETURNS AGGREGATION_CONSTRAINT ->
      CASE WHEN CURRENT_ROLE() = 'ACCOUNTADMIN' THEN NO_AGGREGATION_CONSTRAINT()
      ELSE AGGREGATION_CONSTRAINT(MIN_GROUP_SIZE => 3) END;
    ALTER TABLE {WARD}."counts" SET AGGREGATION POLICY "St. Mary"."Copies".AGG;
    CREATE MASKING POLICY "St. Mary"."Copies".HASHES AS (V STRING) RETURNS STRING -> 'hidden';
    ALTER TABLE {WARD}."patients" MODIFY COLUMN "phone" SET MASKING POLICY
      "St. Mary"."Copies".HASHES;
    """
    with own_account(tmp_path, CLINIC + apart) as clinic:
        first, again = protect(clinic), protect(clinic)
        assert (first[-1], again[-1], len(first), len(again)) == (COMPLETED, COMPLETED, 4, 3)
        for said in (first[2], again[1]):
            assert "Masked, not proven for all: in 1 of 5 columns, policies that this play" in said
            assert "night nurse reads 0 clear values among" in said
            assert "phone (night nurse reads values that are not stars, by the rule of HAS" in said
            assert f"cannot read, {NOT_ASKED}: 1." in said


@pytest.mark.slow
def test_a_role_that_nobody_can_look_as_says_that_it_was_not_asked_again(
    clinic: OwnAccount,
) -> None:
    for _ in range(2):
        protect(clinic, restricted_role="VISITOR")
        said = next(e.present for e in clinic.events("checkpoint_reached") if e.after_step == "13")
        assert f"VISITOR cannot read, {NOT_ASKED}: 4" in said
        assert "no value was seen" not in said


@pytest.mark.slow
def test_what_cannot_go_well_stops_before_anything_is_changed(clinic: OwnAccount) -> None:
    assert "Role DOCTOR does not exist." in refused(clinic, authorized_role="DOCTOR")
    near = refused(clinic, restricted_role='"Night Nurse"')
    assert 'There is a role "night nurse".' in near
    column = refused(clinic, row_filter_column="REGION")
    assert "No text column in" in column
    assert "Region" in column
    assert "cannot both see clear values" in refused(clinic, restricted_role="DOCTORS")
    assert "is not granted to this user" in refused(clinic, admin_role="HERMIT")
    assert "There is no table" in refused(clinic, target_scope='"St. Mary"."Copies"')
    clinic.run(f"""
      CREATE SCHEMA {HOME};
      CREATE VIEW {HOME}.POLICY_COVERAGE AS SELECT 1 AS N;
      CREATE MASKING POLICY {HOME}.MASK_STRING_FOR_DOCTORS AS (V STRING) RETURNS STRING -> 'x';
      GRANT OWNERSHIP ON MASKING POLICY {HOME}.MASK_STRING_FOR_DOCTORS TO ROLE OTHERS;
    """)
    taken = refused(clinic)
    assert "holds a POLICY_COVERAGE that this playbook did not make" in taken
    assert "holds the policy MASK_STRING_FOR_DOCTORS of OTHERS" in taken


@pytest.mark.slow
def test_aborted_at_any_pause_it_leaves_the_ward_as_it_was(clinic: OwnAccount) -> None:
    wanted = {"target_scope": WARD, **ROLES, "method": "tags"}
    wanted |= {"row_filter_column": "Region", "row_filter_value": "north"}
    for at, remains in clinic.aborted_at_each_pause(PROTECT, **wanted):
        assert remains == [], at


@pytest.mark.slow
def test_rows_are_filtered_by_a_column_of_any_name_under_the_same_one_phrase(
    clinic: OwnAccount,
) -> None:
    shown = protect(clinic, row_filter_column="Region", row_filter_value="north")
    assert "the rows of 1 table are filtered by Region" in shown[1]
    counted = f"""SELECT COUNT(*) AS N FROM {WARD}."patients" """
    assert clinic.rows(counted, "night nurse") == [{"N": 20}]
    assert clinic.rows(counted, "DOCTORS") == [{"N": 40}]
    before = clinic.look()
    protect(clinic, row_filter_column="Region", row_filter_value="north")
    assert (changing(clinic), clinic.changes(before)) == ([], [])


@pytest.mark.slow
def test_columns_beyond_those_that_a_check_covers_are_not_called_proven(tmp_path: Path) -> None:
    columns = ", ".join(f'"email {n}" STRING' for n in range(210))
    values = ", ".join(f"'m{n}@example.com'" for n in range(210))
    wide = f"""
    CREATE TABLE {WARD}."wide" ({columns}); INSERT INTO {WARD}."wide" VALUES ({values});
    GRANT SELECT ON TABLE {WARD}."wide" TO ROLE "night nurse";
    """
    with own_account(tmp_path, CLINIC + wide) as clinic:
        shown = protect(clinic, target_scope=f'{WARD}."wide"', confidence="MEDIUM")
        assert "masks are set on 210 columns" in shown[1]
        assert shown[2].startswith("Protected: 200 of 210 columns, the others are masked but were")
        assert "10 more masked columns (a check covers 200)" in shown[2]
        assert shown[-1] == COMPLETED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "inputs", "lacks"),
    [
        ("", {}, "CREATE SCHEMA on database"),
        ("CREATE SCHEMA {home};", {}, "CREATE MASKING POLICY on schema"),
        (
            "CREATE SCHEMA {home}; GRANT CREATE MASKING POLICY ON SCHEMA {home} TO ROLE DEPUTY;",
            {"method": "tags", "row_filter_column": "Region"},
            "CREATE ROW ACCESS POLICY, CREATE TABLE, CREATE TAG on schema",
        ),
        (
            "CREATE SCHEMA {home}; GRANT CREATE MASKING POLICY ON SCHEMA {home} TO ROLE DEPUTY;",
            {},
            "CREATE VIEW on schema",
        ),
    ],
)
def test_a_privilege_that_a_late_step_needs_is_missed_before_anything_changes(
    given: str, inputs: dict[str, str], lacks: str, clinic: OwnAccount
) -> None:
    # What DEPUTY lacks GUARD lacks too; what DEPUTY has GUARD inherits.
    clinic.run(GUARD + given.format(home=HOME))
    said = refused(clinic, admin_role="GUARD", **inputs)
    assert f"GUARD lacks {lacks}" in said
    assert re.search("ACCOUNTADMIN,? can grant", said)


@pytest.mark.slow
@pytest.mark.parametrize("holder", ["ROLE DEPUTY", 'DATABASE ROLE "St. Mary".MAKERS'])
def test_privileges_that_are_inherited_are_enough(holder: str, clinic: OwnAccount) -> None:
    all_of_them = (
        'CREATE DATABASE ROLE "St. Mary".MAKERS;'
        'GRANT DATABASE ROLE "St. Mary".MAKERS TO ROLE DEPUTY;'
        f"CREATE SCHEMA {HOME}; GRANT USAGE ON SCHEMA {HOME} TO ROLE DEPUTY;"
        f"GRANT CREATE MASKING POLICY, CREATE VIEW ON SCHEMA {HOME} TO {holder};"
        f"GRANT SELECT ON ALL TABLES IN SCHEMA {WARD} TO ROLE DEPUTY;"
        f"GRANT IMPORTED PRIVILEGES ON DATABASE SNOWFLAKE TO ROLE DEPUTY;"
    )
    clinic.run(GUARD + all_of_them)
    shown = protect(clinic, admin_role="GUARD")
    assert shown[-1] == COMPLETED
    assert masks(clinic) == by_kind("DOCTORS")


GUARD = f"""
CREATE ROLE GUARD; CREATE ROLE DEPUTY; GRANT ROLE DEPUTY TO ROLE GUARD;
GRANT ROLE GUARD TO USER ADMIN; GRANT APPLY MASKING POLICY ON ACCOUNT TO ROLE GUARD;
GRANT APPLY ROW ACCESS POLICY, APPLY TAG ON ACCOUNT TO ROLE GUARD;
GRANT USAGE ON DATABASE "St. Mary" TO ROLE DEPUTY; GRANT USAGE ON SCHEMA {WARD} TO ROLE DEPUTY;
"""
