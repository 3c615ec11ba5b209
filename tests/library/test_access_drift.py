"""What is missing is found, and nothing else is granted; who may not grant is told who may."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from skills_nb.views import render_text
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

pytestmark = pytest.mark.slow
PLAYBOOK = "diagnose-missing-access"
SHOP = '"My Shop"'
SALES = f'{SHOP}."the sales"'
ORDERS = f'{SALES}."or.ders"'
HOLDS = f"""
CREATE ROLE CLERK; CREATE ROLE "night shift"; CREATE ROLE SALES_READ; CREATE ROLE OUTSIDER;
CREATE ROLE KEEPER;
GRANT ROLE SALES_READ TO ROLE "night shift"; GRANT ROLE "night shift" TO ROLE ACCOUNTADMIN;
CREATE USER EVE; GRANT ROLE CLERK TO USER EVE;
CREATE DATABASE {SHOP}; CREATE SCHEMA {SALES};
CREATE TABLE {ORDERS} ("id" INT, "who" STRING); INSERT INTO {ORDERS} VALUES (1, 'ann');
CREATE VIEW {SALES}."a look" AS SELECT "id" FROM {ORDERS};
CREATE DYNAMIC TABLE {SALES}.FRESH TARGET_LAG = '1 hour' WAREHOUSE = COMPUTE_WH
  AS SELECT "id" FROM {ORDERS};
CREATE STAGE {SALES}.DROPS;
CREATE PROCEDURE {SALES}.P(A INT, B STRING) RETURNS INT LANGUAGE SQL AS $$ BEGIN RETURN 1; END $$;
CREATE PROCEDURE {SALES}.P(A INT) RETURNS INT LANGUAGE SQL AS $$ BEGIN RETURN 1; END $$;
CREATE WAREHOUSE "little wh" WAREHOUSE_SIZE = XSMALL INITIALLY_SUSPENDED = TRUE;
CREATE DATABASE ROLE {SHOP}."readers"; GRANT DATABASE ROLE {SHOP}."readers" TO ROLE SALES_READ;
GRANT USAGE ON SCHEMA {SALES} TO DATABASE ROLE {SHOP}."readers";
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE PUBLIC;
CREATE SCHEMA {SHOP}.KEPT WITH MANAGED ACCESS; CREATE TABLE {SHOP}.KEPT.ROWS_KEPT (A INT);
GRANT OWNERSHIP ON TABLE {SHOP}.KEPT.ROWS_KEPT TO ROLE KEEPER;
"""
CHAIN = [f"USAGE ON DATABASE {SHOP}", f"USAGE ON SCHEMA {SALES}"]
NEEDED = {
    ("select", ORDERS): f"SELECT ON TABLE {ORDERS}",
    ("select", f'{SALES}."a look"'): f'SELECT ON VIEW {SALES}."a look"',
    ("select", f"{SALES}.FRESH"): f"SELECT ON DYNAMIC TABLE {SALES}.FRESH",
    ("insert", ORDERS): f"INSERT ON TABLE {ORDERS}",
    ("update", ORDERS): f"UPDATE ON TABLE {ORDERS}",
    ("delete", ORDERS): f"DELETE ON TABLE {ORDERS}",
    ("truncate", ORDERS): f"TRUNCATE ON TABLE {ORDERS}",
    ("create-table", SALES): f"CREATE TABLE ON SCHEMA {SALES}",
    ("create-view", SALES): f"CREATE VIEW ON SCHEMA {SALES}",
    ("read-stage", f"{SALES}.DROPS"): f"READ ON STAGE {SALES}.DROPS",
    ("write-stage", f"{SALES}.DROPS"): f"WRITE ON STAGE {SALES}.DROPS",
    ("run-procedure", f"{SALES}.P"): f"USAGE ON PROCEDURE {SALES}.P(NUMBER, VARCHAR)",
    ("use-warehouse", '"little wh"'): 'USAGE ON WAREHOUSE "little wh"',
}


@contextmanager
def shop(home: Path, holds: str = "") -> Iterator[OwnAccount]:
    """An account in which nobody but the administrator may do anything."""
    with own_account(home, HOLDS + holds) as account:
        yield account


def ask(account: OwnAccount, role: str, want: str, on: str, **inputs: str) -> list[str]:
    """Run the playbook to its end."""
    told = {"role": role, "want": want, "object": on, "argument_types": "NUMBER, VARCHAR"} | inputs
    return account.run_to_its_end(PLAYBOOK, **told)


def granted(account: OwnAccount) -> list[str]:
    """Return the grants that the last thread sent."""
    return [sql for sql in account.sent() if not sql.startswith("USE SECONDARY ROLES")]


def test_each_wish_gets_what_is_missing_once_and_nothing_the_second_time(tmp_path: Path) -> None:
    with shop(tmp_path) as account:
        there: set[str] = set()
        for (want, on), privilege in NEEDED.items():
            wanted = [privilege] if want == "use-warehouse" else [*CHAIN, privilege]
            grants = [f"GRANT {one} TO ROLE CLERK" for one in wanted if one not in there]
            assert ask(account, "CLERK", want, on)[-1] == COMPLETED, want
            assert granted(account) == grants, want
            there.update(wanted)
        before = account.look()
        for want, on in list(NEEDED)[::5]:
            shown = ask(account, "CLERK", want, on)
            assert (granted(account), "nothing is missing." in shown[-2]) == ([], True), want
        assert account.changes(before) == []


def test_what_comes_through_roles_below_and_database_roles_is_not_granted_again(
    tmp_path: Path,
) -> None:
    with shop(tmp_path) as account:
        shown = ask(account, '"night shift"', "select", ORDERS, warehouse="COMPUTE_WH")
        assert granted(account) == [f'GRANT SELECT ON TABLE {ORDERS} TO ROLE "night shift"']
        assert f"USAGE ON DATABASE {SHOP} is there through readers" in shown[0]
        assert f"USAGE ON SCHEMA {SALES} is there through readers" in shown[0]
        assert "USAGE ON WAREHOUSE COMPUTE_WH is there through PUBLIC" in shown[0]
        assert "the statement is allowed" in shown[1]


def test_the_role_that_is_granted_to_must_be_one_that_the_role_inherits(tmp_path: Path) -> None:
    with shop(tmp_path) as account:
        shown = ask(account, '"night shift"', "select", ORDERS, grant_to="OUTSIDER")
        assert "Nothing is granted" in shown[1]
        fitting = f'GRANT SELECT ON TABLE {ORDERS} TO ROLE "night shift"'
        assert [fitting in said for said in shown[:2]] == [True, True]
        assert "TO ROLE OUTSIDER" not in shown[0] + shown[1]
        assert granted(account) == []
        ask(account, '"night shift"', "select", ORDERS, grant_to="SALES_READ")
        assert granted(account) == [f"GRANT SELECT ON TABLE {ORDERS} TO ROLE SALES_READ"]


def test_finding_out_alone_grants_nothing_and_leaves_the_statements(tmp_path: Path) -> None:
    with shop(tmp_path) as account:
        shown = ask(account, "CLERK", "insert", ORDERS, want_grants="no")
        assert f"GRANT INSERT ON TABLE {ORDERS} TO ROLE CLERK" in shown[0]
        assert "what is missing stays missing" in shown[-2]
        assert granted(account) == []


def test_in_a_managed_schema_the_owner_of_the_table_is_sent_to_the_schemas_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "KEEPER")
    rights = f"""GRANT ROLE KEEPER TO USER ADMIN; GRANT USAGE ON DATABASE {SHOP} TO ROLE KEEPER;
    GRANT USAGE ON SCHEMA {SHOP}.KEPT TO ROLE KEEPER;
    GRANT IMPORTED PRIVILEGES ON DATABASE SNOWFLAKE TO ROLE KEEPER;
    GRANT USAGE ON DATABASE {SHOP} TO ROLE CLERK; GRANT USAGE ON SCHEMA {SHOP}.KEPT TO ROLE CLERK;
    ALTER USER ADMIN SET DEFAULT_SECONDARY_ROLES = ();"""
    with shop(tmp_path, rights) as account:
        shown = ask(account, "CLERK", "select", f"{SHOP}.KEPT.ROWS_KEPT")
        assert "owner ACCOUNTADMIN of the schema, whose access is managed" in shown[0]
        assert "this session may: no" in shown[0]
        assert "Nothing is granted" in shown[1]
        assert granted(account) == []


REFUSED = {
    f'{SHOP}."The Sales".T': 'Same name in another case: "the sales"',
    f'{SALES}."Or.ders"': 'Same name in another case in this database: "the sales"."or.ders"',
    '"my shop".A.B': 'Same name in another case: "My Shop"',
    f"{SALES}.NOWHERE": "Same name in another case in this database: none",
    SALES: "does not fit select",
}


def test_a_misspelt_name_is_told_with_what_is_there_before_anything_starts(tmp_path: Path) -> None:
    with shop(tmp_path) as account:
        for on, words in REFUSED.items():
            assert words in ask(account, "CLERK", "select", on)[-1]
            assert not account.events("statement_started")
        assert "no role can insert" in ask(account, "CLERK", "insert", f'{SALES}."a look"')[-1]
        assert "Same name in another case: CLERK" in ask(account, '"clerk"', "select", ORDERS)[-1]
        several = account.run_to_its_end(
            PLAYBOOK, role="CLERK", want="run-procedure", object=f"{SALES}.P"
        )
        assert "There are 2 procedures" in several[-1]


def test_policies_messages_and_users_are_told_beside_the_grants(tmp_path: Path) -> None:
    policy = f"""CREATE ROW ACCESS POLICY {SALES}.NONE_SEEN AS (V INT) RETURNS BOOLEAN -> FALSE;
    ALTER TABLE {ORDERS} ADD ROW ACCESS POLICY {SALES}.NONE_SEEN ON ("id");
    GRANT SELECT ON FUTURE TABLES IN SCHEMA {SALES} TO ROLE CLERK;"""
    with shop(tmp_path, policy) as account:
        shown = ask(
            account,
            "OUTSIDER",
            "select",
            ORDERS,
            user_name="EVE",
            error_text="Incoming request with IP 1.2.3.4 is not allowed to access Snowflake.",
        )
        assert "No grant can fix that" in " ".join(account.events("probes_executed")[-1].warnings)
        assert "Row access policies on it: 1" in shown[0]
        assert "not granted to the user directly" in shown[0]
        assert "roles of EVE: CLERK" in shown[0]
        shown = ask(account, "CLERK", "select", ORDERS, want_grants="no")
        assert "SELECT on " in shown[0].split("Future grants")[1]


def test_aborted_at_each_pause_the_grants_are_taken_back(tmp_path: Path) -> None:
    with shop(tmp_path) as account:
        told = {"role": '"night shift"', "want": "write-stage", "object": f"{SALES}.DROPS"}
        for at, remains in account.aborted_at_each_pause(PLAYBOOK, **told):
            assert remains == [], at


def test_a_session_that_does_not_see_the_object_either_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "OUTSIDER")
    rights = "GRANT ROLE OUTSIDER TO USER ADMIN; ALTER USER ADMIN SET DEFAULT_SECONDARY_ROLES = ();"
    with shop(tmp_path, rights) as account:
        shown = ask(account, "CLERK", "select", ORDERS)
        assert "this session cannot see it either" in shown[-1]
        assert not account.events("statement_started")


def test_who_manages_grants_need_not_be_let_into_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "SECURITYADMIN")
    with shop(tmp_path) as account:
        told = {"role": "CLERK", "want": "select", "object": f'{SALES}."a look"'}
        words = [word for key, value in told.items() for word in ("--input", f"{key}={value}")]
        account.thread = "rehearsal"
        reply = account.invoke("run", f"playbooks/{PLAYBOOK}", "--dry-run", *words)
        # The usage history is closed to it: one step fails, and the others wait for it.
        said = render_text(reply.view)
        assert said.count("WOULD FAIL") == 1
        assert "needs what step 1 would have found" in said
        assert "NoneType" not in said
        account.run("GRANT DATABASE ROLE SNOWFLAKE.SECURITY_VIEWER TO ROLE SECURITYADMIN")
        shown = ask(account, "CLERK", "select", f'{SALES}."a look"')
        assert (shown[-1], len(granted(account))) == (COMPLETED, 3)
        assert (
            "another case in this database: " in ask(account, "CLERK", "select", f"{SALES}.X")[-1]
        )


def test_any_privilege_on_the_place_is_enough_to_reach_what_is_in_it(tmp_path: Path) -> None:
    rights = f"""GRANT MONITOR ON DATABASE {SHOP} TO ROLE CLERK; GRANT ROLE CLERK TO ROLE SYSADMIN;
    GRANT CREATE TABLE ON SCHEMA {SALES} TO ROLE CLERK;"""
    with shop(tmp_path, rights) as account:
        shown = ask(account, "CLERK", "select", ORDERS)
        assert f"another privilege ON DATABASE {SHOP} is there through CLERK" in shown[0]
        assert f"another privilege ON SCHEMA {SALES} is there through CLERK" in shown[0]
        assert granted(account) == [f"GRANT SELECT ON TABLE {ORDERS} TO ROLE CLERK"]
        assert "the statement is allowed" in shown[1]


def test_who_holds_the_privilege_with_the_grant_option_may_give_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "KEEPER")
    rights = f"""GRANT ROLE KEEPER TO USER ADMIN; GRANT USAGE ON DATABASE {SHOP} TO ROLE PUBLIC;
    GRANT USAGE ON SCHEMA {SALES} TO ROLE PUBLIC; GRANT USAGE ON SCHEMA {SHOP}.KEPT TO ROLE PUBLIC;
    GRANT IMPORTED PRIVILEGES ON DATABASE SNOWFLAKE TO ROLE KEEPER;
    GRANT SELECT ON TABLE {ORDERS} TO ROLE KEEPER WITH GRANT OPTION;
    GRANT INSERT ON TABLE {ORDERS} TO ROLE KEEPER;
    ALTER USER ADMIN SET DEFAULT_SECONDARY_ROLES = ();"""
    with shop(tmp_path, rights) as account:
        shown = ask(account, "CLERK", "select", ORDERS)
        assert "a role with the grant option (KEEPER)" in shown[0]
        assert granted(account) == [f"GRANT SELECT ON TABLE {ORDERS} TO ROLE CLERK"]
        shown = ask(account, "CLERK", "insert", ORDERS)
        assert "the grant option" not in shown[0]
        assert granted(account) == []
