"""A Streamlit app shows what was chosen and nothing else, and follows what is wanted later."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skills_nb.errors import SqlError
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

pytestmark = pytest.mark.slow
SALES = '"Trade House"."My Sales"'
HOLDS = f"""
CREATE ROLE CLERK; GRANT ROLE CLERK TO USER ADMIN; CREATE ROLE OTHERS; CREATE WAREHOUSE LITTLE;
CREATE DATABASE "Trade House"; CREATE SCHEMA {SALES}; CREATE DATABASE WEB;
GRANT USAGE, CREATE SCHEMA ON DATABASE WEB TO ROLE SYSADMIN;
CREATE TABLE {SALES}."orders" ("id" INT, "Amount €" NUMBER(10, 2), "say ""so"" twice" STRING);
INSERT INTO {SALES}."orders" VALUES (1, 2, 'x'), (2, 3, NULL);
CREATE TABLE {SALES}."the ""big"" one" ("a.b" INT);
CREATE VIEW {SALES}."good orders" AS SELECT "id" FROM {SALES}."orders";
CREATE SCHEMA "Trade House".PRIVATE; CREATE TABLE "Trade House".PRIVATE.PAY (WAGE INT);
CREATE SCHEMA WEB.TAKEN;
"""
ASKED = {
    "target_scope": SALES,
    "app_schema": "WEB.APPS",
    "builder_role": "SYSADMIN",
    "grants_role": "SECURITYADMIN",
    "viewer_role": "CLERK",
    "app_warehouse": "COMPUTE_WH",
}
ROLE = "DATA_BOARD_OWNER"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, HOLDS) as account:
        yield account


def build(account: OwnAccount, **inputs: str) -> list[str]:
    return account.run_to_its_end("build-streamlit-app", **{**ASKED, **inputs})


def changing(account: OwnAccount) -> list[str]:
    """Return what the thread sent, without the session's own secondary roles."""
    return [sql for sql in account.sent() if not sql.startswith("USE SECONDARY")]


def held(account: OwnAccount) -> set[tuple[str, str]]:
    shown = account.rows(f"SHOW GRANTS TO ROLE {ROLE}")
    return {(r["privilege"], r["name"].replace('"', "")) for r in shown}


def app(account: OwnAccount) -> dict[str, Any]:
    (shown,) = account.rows("SHOW STREAMLITS LIKE 'DATA_BOARD' IN SCHEMA WEB.APPS")
    return shown


def source(account: OwnAccount) -> str:
    """Return the text of the main file that the app was made from."""
    folder = app(account)["comment"].split()[-1]
    account.run(f"GET @WEB.APPS.DATA_BOARD_CODE/{folder}/ 'file://{account.home}'")
    return (account.home / "streamlit_app.py").read_text()


def tables_in(text: str) -> list[str]:
    (made,) = (
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "TABLES"
    )
    return list(ast.literal_eval(made.value))


def test_it_ends_prepared_and_not_running_and_again_sends_nothing(house: OwnAccount) -> None:
    shown = build(house)
    assert shown[-1] == COMPLETED
    assert len(shown) <= 6
    assert "hosts no Streamlit apps" in house.events("probes_executed")[-1].warnings[0]
    assert "PREPARED, NOT RUNNING" in shown[-2]
    assert "As CLERK: the app is found. Of its tables and views, none can be seen" in shown[-2]
    text = source(house)
    assert tables_in(text) == [
        f'{SALES}."good orders"',
        f'{SALES}."orders"',
        f'{SALES}."the ""big"" one"',
    ]
    assert (house.home / "environment.yml").read_text().startswith("name: app\nchannels:\n")
    before = house.look()
    again = build(house)
    assert "Its files: the same as now" in again[0]
    assert (again[-1], changing(house), house.changes(before)) == (COMPLETED, [], [])


def test_its_role_may_read_what_was_chosen_and_nothing_else(house: OwnAccount) -> None:
    build(house, chosen_tables='"orders"')
    assert held(house) == {
        ("USAGE", "Trade House"),
        ("USAGE", "Trade House.My Sales"),
        ("SELECT", "Trade House.My Sales.orders"),
        ("USAGE", "WEB"),
        ("USAGE", "WEB.APPS"),
        ("CREATE STREAMLIT", "WEB.APPS"),
        ("CREATE STAGE", "WEB.APPS"),
        ("USAGE", "COMPUTE_WH"),
        ("OWNERSHIP", "WEB.APPS.DATA_BOARD"),
        ("OWNERSHIP", "WEB.APPS.DATA_BOARD_CODE"),
    }
    assert len(house.rows(f'SELECT * FROM {SALES}."orders"', ROLE)) == 2
    for role, table in (
        (ROLE, '"Trade House".PRIVATE.PAY'),
        (ROLE, f'{SALES}."good orders"'),
        ("CLERK", f'{SALES}."orders"'),
    ):
        house.run("GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK")
        with pytest.raises(SqlError, match="not authorized"):
            house.rows(f"SELECT * FROM {table}", role)


def test_fewer_tables_are_shown_taken_back_and_replace_the_app(house: OwnAccount) -> None:
    build(house)
    house.run("GRANT USAGE ON STREAMLIT WEB.APPS.DATA_BOARD TO ROLE OTHERS")
    house.run('GRANT SELECT ON TABLE "Trade House".PRIVATE.PAY TO ROLE DATA_BOARD_OWNER')
    shown = build(house, chosen_tables='"orders"')
    assert 'PRIVATE.PAY, "My Sales"."good orders"' in shown[0]
    assert "DIFFERENT from the existing ones" in shown[0]
    assert any("The former one is renamed to DATA_BOARD_" in words for words in shown)
    assert shown[-1] == COMPLETED
    assert tables_in(source(house)) == [f'{SALES}."orders"']
    assert {name for privilege, name in held(house) if privilege == "SELECT"} == {
        "Trade House.My Sales.orders"
    }
    openers = house.rows("SHOW GRANTS ON STREAMLIT WEB.APPS.DATA_BOARD")
    assert {r["grantee_name"] for r in openers} == {ROLE, "CLERK", "OTHERS"}


def test_another_title_and_warehouse_change_the_app_in_place(house: OwnAccount) -> None:
    build(house)
    made = app(house)["created_on"]
    shown = build(house, app_title="Sales of the house", app_warehouse="LITTLE")
    assert "wanted: Sales of the house on LITTLE" in shown[0]
    now = app(house)
    assert (now["title"], now["query_warehouse"]) == ("Sales of the house", "LITTLE")
    assert (now["created_on"], shown[-1]) == (made, COMPLETED)


def test_what_others_gave_its_role_and_masks_are_told(house: OwnAccount) -> None:
    house.run(
        "CREATE MASKING POLICY WEB.TAKEN.HIDE AS (V INT) RETURNS INT -> 0;"
        f'ALTER TABLE {SALES}."orders" MODIFY COLUMN "id" SET MASKING POLICY WEB.TAKEN.HIDE'
    )
    assert "Policies on it: 1; aggregation and projection policies among them" in build(house)[0]
    house.run(f"GRANT CREATE DATABASE ON ACCOUNT TO ROLE {ROLE}")
    assert "other people's grants: CREATE DATABASE on ACCOUNT" in build(house)[0]


@pytest.mark.parametrize(
    ("inputs", "holds", "why"),
    [
        ({"app_warehouse": "LITTEL"}, "", "There is no warehouse LITTEL"),
        ({"viewer_role": "CLERKS"}, "", "There is no role CLERKS to use as viewer_role"),
        ({"chosen_tables": "ORDERS"}, "", "lower-case names go in double quotes"),
        ({"target_scope": "WEB.TAKEN"}, "", "There is no table or view in WEB.TAKEN"),
        ({"app_role": "OTHERS"}, "", "every viewer would see through the app"),
        ({"grants_role": "CLERK"}, "", "CLERK holds no CREATE ROLE"),
        (
            {"grants_role": "CLERK"},
            "GRANT CREATE ROLE ON ACCOUNT TO ROLE CLERK",
            "CLERK can grant nothing",
        ),
        (
            {"builder_role": "CLERK"},
            "",
            "WEB.APPS does not exist, or your role may not see it. CLERK can't create it",
        ),
        (
            {"app_schema": "WEB.TAKEN"},
            "CREATE STREAMLIT WEB.TAKEN.DATA_BOARD",
            "DATA_BOARD, owned by ACCOUNTADMIN",
        ),
        (
            {"app_schema": "WEB.TAKEN"},
            "CREATE STAGE WEB.TAKEN.DATA_BOARD_CODE",
            "owned by ACCOUNTADMIN",
        ),
    ],
)
def test_what_cannot_be_done_stops_it_before_anything_changes(
    inputs: dict[str, str], holds: str, why: str, house: OwnAccount
) -> None:
    house.run(holds)
    before = house.look()
    shown = build(house, **inputs)
    assert why in " ".join(shown)
    assert (changing(house), house.changes(before)) == ([], [])


def test_a_builder_that_may_not_create_the_schema_is_told_who_can_grant_it(
    house: OwnAccount,
) -> None:
    shown = build(house, builder_role="CLERK", viewer_role="OTHERS")
    assert "owner of the database" in " ".join(shown)
    before = house.begun
    house.clean()
    assert house.changes(before) == []


def test_aborted_at_any_pause_everything_is_taken_back(house: OwnAccount) -> None:
    for shown, remains in house.aborted_at_each_pause("build-streamlit-app", **ASKED):
        assert remains == [], shown


def test_an_aborted_replacement_leaves_the_app_that_stood(house: OwnAccount) -> None:
    build(house)
    few = {**ASKED, "chosen_tables": '"orders"'}
    for shown, remains in house.aborted_at_each_pause("build-streamlit-app", **few):
        assert remains == [], shown


def test_a_rehearsal_without_the_right_to_make_the_role_says_what_to_repair(
    house: OwnAccount,
) -> None:
    house.run("CREATE ROLE POOR; CREATE ROLE HELPER; GRANT ROLE POOR TO USER ADMIN")
    house.run("GRANT ROLE HELPER TO ROLE POOR")  # which might hold it
    inputs = ASKED | {"grants_role": "POOR"}
    told = [word for name, value in inputs.items() for word in ("--input", f"{name}={value}")]
    house.thread = "rehearsal"
    house.invoke("run", "playbooks/build-streamlit-app", "--dry-run", *told)
    planned = " ".join(event.action for event in house.events("step_planned"))
    assert "Choose a grants_role with CREATE ROLE" in planned
    assert "not known here" not in planned


_BUILDER = (
    "CREATE ROLE BUILDER; GRANT ROLE BUILDER TO USER ADMIN;"
    "GRANT USAGE, CREATE SCHEMA ON DATABASE WEB TO ROLE BUILDER;"
    'GRANT USAGE ON DATABASE "Trade House" TO ROLE BUILDER;'
    f"GRANT USAGE ON SCHEMA {SALES} TO ROLE BUILDER;"
    f"GRANT SELECT ON ALL TABLES IN SCHEMA {SALES} TO ROLE BUILDER;"
    "GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE BUILDER;"
)


def test_a_schema_that_the_builder_cannot_see_stops_it_before_anything_is_created(
    house: OwnAccount,
) -> None:
    house.run(_BUILDER)
    asked = {"builder_role": "BUILDER", "app_schema": "WEB.TAKEN"}
    before = house.look()
    shown = build(house, **asked)
    assert (
        "Schema WEB.TAKEN exists, and BUILDER cannot see it. ACCOUNTADMIN, who owns it, can grant"
        " BUILDER USAGE on it."
    ) in shown[-1]
    house.run("CREATE ROLE HELPER; GRANT ROLE HELPER TO ROLE BUILDER")  # which might see it
    before = house.look()
    shown = build(house, **asked)
    assert "BUILDER cannot see the schema of this name: its owner can grant" in shown[-1]
    assert house.changes(before) == []
    house.run("GRANT USAGE ON SCHEMA WEB.TAKEN TO ROLE BUILDER")
    assert build(house, **asked)[-1] == COMPLETED


def test_apostrophes_in_names_and_a_quoted_warehouse_work_and_are_the_same_again(
    house: OwnAccount,
) -> None:
    house.run(
        f"""CREATE TABLE {SALES}."O'Neill" ("id" INT); CREATE WAREHOUSE "a ""b"" c";"""
        """CREATE SCHEMA WEB."it's"; GRANT USAGE ON SCHEMA WEB."it's" TO ROLE SYSADMIN"""
    )
    asked = {"app_warehouse": '"a ""b"" c"', "app_schema": 'WEB."it\'s"', "app_name": '"my app"'}
    first = build(house, **asked)
    assert (len(first), first[-1]) == (4, COMPLETED)
    before = house.look()
    again = build(house, **asked)
    assert "CLERK already holds what opening the app takes" in again[1]
    assert (again[-1], changing(house), house.changes(before)) == (COMPLETED, [], [])


def test_an_app_beside_its_data_is_granted_nothing_twice_and_goes_without_a_trace(
    house: OwnAccount,
) -> None:
    house.run("CREATE TABLE WEB.TAKEN.SEEN (A INT)")
    before = house.look()
    asked = {"target_scope": "WEB.TAKEN", "app_schema": "WEB.TAKEN"}
    assert build(house, builder_role="ACCOUNTADMIN", **asked)[-1] == COMPLETED
    grants = [sql for sql in house.sent() if sql.startswith("GRANT")]
    assert len(grants) == len(set(grants))
    house.clean()
    assert house.changes(before) == []
    assert [one for e in house.events("cleanup_executed") for one in e.left_alone] == []
    assert "stays as it is" not in house.said().text
