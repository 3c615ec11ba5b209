"""A rehearsal tells for which roles and columns its statements change what is seen."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools.rehearsal import ShadowAccount
from skills_nb.model.events.values import AccountContext

S = '"Trade House"."My Sales"'
SETUP = f"""
CREATE ROLE CLERK; CREATE ROLE "read & see"; CREATE ROLE NOBODY;
CREATE DATABASE "Trade House"; CREATE SCHEMA {S};
CREATE TABLE {S}."<b>people" ("e-mail" STRING, N NUMBER(3, 0), D DATE, CODE NUMBER(2, 2));
CREATE TABLE {S}.OTHER (A INT);
GRANT USAGE ON DATABASE "Trade House" TO ROLE "read & see";
GRANT USAGE ON SCHEMA {S} TO ROLE "read & see";
GRANT SELECT ON TABLE {S}."<b>people" TO ROLE "read & see";
"""
TABLE = f'{S}."<b>people"'
STEPS = (
    f"CREATE MASKING POLICY {S}.M AS (val STRING) RETURNS STRING -> "
    "CASE WHEN CURRENT_ROLE() = 'CLERK' OR IS_ROLE_IN_SESSION('ACCOUNTADMIN') THEN val "
    "ELSE '***' END",
    f'ALTER TABLE {TABLE} MODIFY COLUMN "e-mail" SET MASKING POLICY {S}.M',
)


@pytest.fixture
def account():
    account = Account.open(None)
    session = account.session("ADMIN", "ACCOUNTADMIN")
    for sql in filter(None, map(str.strip, SETUP.split(";"))):
        session.execute(sql)
    session.close()
    yield account
    account.close()


def told(account, *sqls):
    context = AccountContext(account_locator="X", current_user="ADMIN", current_role="ACCOUNTADMIN")
    shadow = ShadowAccount.of(account, context)
    try:
        for sql in sqls:
            shadow.execute(sql, role=None, tag="rehearsal")
        return shadow.access()
    finally:
        shadow.close()


def seen(found, role, column):
    (one,) = [line for line in found["roles"] if line["role"] == role]
    at = found["columns"].index(column)
    return one["before"][at], one["after"][at]


def test_a_mask_turns_what_roles_see_but_for_those_that_it_spares(account):
    (found,) = told(account, *STEPS)

    assert found["table"] == TABLE
    assert found["columns"] == ["e-mail", "N", "D", "CODE"]
    assert seen(found, "read & see", "e-mail") == ("clear", "masked")
    assert seen(found, "read & see", "N") == ("clear", "clear")
    assert seen(found, "ACCOUNTADMIN", "e-mail") == ("clear", "clear")
    assert [line["role"] for line in found["roles"]] == ["read & see", "ACCOUNTADMIN"]


def test_a_grant_gives_what_was_not_seen_and_a_revoke_takes_it(account):
    given = (
        'GRANT USAGE ON DATABASE "Trade House" TO ROLE CLERK',
        f"GRANT USAGE ON SCHEMA {S} TO ROLE CLERK",
        f"GRANT SELECT ON TABLE {TABLE} TO ROLE CLERK",
    )
    (found,) = told(account, *given)
    assert seen(found, "CLERK", "D") == ("no access", "clear")
    assert told(account, *given[1:]) == []

    (found,) = told(account, f'REVOKE SELECT ON TABLE {TABLE} FROM ROLE "read & see"')
    assert seen(found, "read & see", "N") == ("clear", "no access")


def test_a_role_that_is_granted_brings_what_it_sees(account):
    (found,) = told(account, 'GRANT ROLE "read & see" TO ROLE NOBODY')

    assert seen(found, "NOBODY", "e-mail") == ("no access", "clear")


def test_a_mask_that_comes_with_a_tag_counts(account):
    (found,) = told(
        account,
        STEPS[0],
        f"CREATE TAG {S}.PII",
        f"ALTER TAG {S}.PII SET MASKING POLICY {S}.M",
        f"ALTER TABLE {TABLE} MODIFY COLUMN \"e-mail\" SET TAG {S}.PII = 'yes'",
    )

    assert seen(found, "read & see", "e-mail") == ("clear", "masked")


def test_a_policy_whose_text_changes_changes_what_is_seen(account):
    session = account.session("ADMIN", "ACCOUNTADMIN")
    for sql in STEPS:
        session.execute(sql)
    (found,) = told(account, f"ALTER MASKING POLICY {S}.M SET BODY -> val")

    assert seen(found, "read & see", "e-mail") == ("masked", "clear")


def test_what_depends_on_other_columns_or_rows_is_not_guessed(account):
    (found,) = told(
        account,
        f"CREATE MASKING POLICY {S}.K AS (val STRING, n NUMBER) RETURNS STRING -> "
        "CASE WHEN n > 1 THEN val ELSE '***' END",
        f'ALTER TABLE {TABLE} MODIFY COLUMN "e-mail" SET MASKING POLICY {S}.K USING ("e-mail", N)',
        f"CREATE MASKING POLICY {S}.L AS (val DATE) RETURNS DATE -> "
        f"CASE WHEN EXISTS (SELECT 1 FROM {S}.OTHER) THEN val ELSE NULL END",
        f"ALTER TABLE {TABLE} MODIFY COLUMN D SET MASKING POLICY {S}.L",
    )

    assert seen(found, "read & see", "e-mail") == ("clear", "varies")
    assert seen(found, "read & see", "D") == ("clear", "varies")


def test_numbers_of_any_size_are_judged_or_said_to_vary(account):
    (found,) = told(
        account,
        f"CREATE MASKING POLICY {S}.Z AS (val NUMBER(3, 0)) RETURNS NUMBER(3, 0) -> 0",
        f"CREATE MASKING POLICY {S}.Y AS (val NUMBER(2, 2)) RETURNS NUMBER(2, 2) -> 0",
        f"ALTER TABLE {TABLE} MODIFY COLUMN N SET MASKING POLICY {S}.Z",
        f"ALTER TABLE {TABLE} MODIFY COLUMN CODE SET MASKING POLICY {S}.Y",
    )

    assert seen(found, "read & see", "N") == ("clear", "masked")
    assert seen(found, "read & see", "CODE") == ("clear", "varies")


def test_a_row_access_policy_is_named_before_and_after(account):
    (found,) = told(
        account,
        f"CREATE ROW ACCESS POLICY {S}.R AS (n NUMBER) RETURNS BOOLEAN -> n > 1",
        f"ALTER TABLE {TABLE} ADD ROW ACCESS POLICY {S}.R ON (N)",
    )

    assert found["rows"] == ["", "Trade House.My Sales.R"]


def test_what_is_new_or_the_same_is_not_told(account):
    assert told(account, f"CREATE TABLE {S}.NEW_ONE (A INT)") == []
    assert told(account, f"INSERT INTO {S}.OTHER VALUES (1)") == []


def test_fifteen_hundred_columns_are_counted_and_what_changes_comes_first(account):
    columns = ", ".join(f"C{n} STRING" for n in range(1500))
    session = account.session("ADMIN", "ACCOUNTADMIN")
    session.execute(f"CREATE TABLE {S}.WIDE ({columns})")
    session.execute(f'GRANT SELECT ON TABLE {S}.WIDE TO ROLE "read & see"')
    (found,) = told(
        account,
        STEPS[0],
        f"ALTER TABLE {S}.WIDE MODIFY COLUMN C1400 SET MASKING POLICY {S}.M",
    )

    assert found["columns"][:2] == ["C1400", "C0"]
    assert (len(found["columns"]), found["more_columns"]) == (60, 1440)
    assert seen(found, "read & see", "C1400") == ("clear", "masked")
