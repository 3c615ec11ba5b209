"""A few rows as roles would see them: each is told no more than whoever asks can read alone."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.storage.lending import AccountRows
from skills_nb.embedded.tools.rehearsal import ShadowAccount
from skills_nb.model.events.values import AccountContext

S = '"Trade House"."My Sales"'
TABLE = f'{S}."people"'
SETUP = f"""
CREATE ROLE CLERK; CREATE ROLE "read & see"; CREATE ROLE STEWARD;
CREATE DATABASE "Trade House"; CREATE SCHEMA {S};
CREATE TABLE {TABLE} ("e-mail" STRING, N NUMBER(3, 0));
INSERT INTO {TABLE} VALUES ('a@x', 1), ('b@x', 2), ('c@x', 3), ('d@x', 4), ('e@x', 5);
CREATE TABLE {S}.SECRETS (WORD STRING);
INSERT INTO {S}.SECRETS VALUES ('sesame');
CREATE VIEW {S}.FEW AS SELECT * FROM {TABLE} WHERE N < 4;
""" + "".join(
    f"""GRANT USAGE ON DATABASE "Trade House" TO ROLE {role};
GRANT USAGE ON SCHEMA {S} TO ROLE {role}; GRANT SELECT ON TABLE {TABLE} TO ROLE {role};
"""
    for role in ("CLERK", '"read & see"', "STEWARD")
)
MASK = f"CREATE MASKING POLICY {S}.M AS (v STRING) RETURNS STRING -> "
SET = f'ALTER TABLE {TABLE} MODIFY COLUMN "e-mail" SET MASKING POLICY {S}.M'
SPARES_CLERK = MASK + "IFF(CURRENT_ROLE() = 'CLERK', v, '***')"


def run(account, *sqls):
    session = account.session("ADMIN", "ACCOUNTADMIN")
    for sql in sqls:
        session.execute(sql)
    session.close()


@pytest.fixture
def account():
    account = Account.open(None)
    run(account, *filter(None, map(str.strip, SETUP.split(";"))))
    yield account
    account.close()


def look(account, *sqls, role="ACCOUNTADMIN", rows=True):
    context = AccountContext(account_locator="X", current_user="ADMIN", current_role=role)
    lender = AccountRows(account) if rows is True else rows
    shadow = ShadowAccount.of(account, context, rows=lender)
    try:
        for sql in sqls:
            shadow.execute(sql, role="ACCOUNTADMIN", tag="rehearsal")
        return shadow.seen_rows(shadow.access())
    finally:
        shadow.close()


def as_role(found, role):
    (one,) = [one for one in found.roles if one.role == role]
    return [said(one.before), said(one.after)]


def said(rows):
    return [tuple(cell.word or cell.value for cell in row) for row in rows]


ALL = [("a@x", 1), ("c@x", 3), ("e@x", 5)]


def test_rows_are_the_same_before_and_after_and_masked_for_those_whom_the_mask_is_for(account):
    (found,) = look(account, SPARES_CLERK, SET)

    assert (found.table, found.columns, found.why) == (TABLE, ("e-mail", "N"), "")
    assert said(found.own) == ALL
    assert as_role(found, "read & see") == [ALL, [("***", 1), ("***", 3), ("***", 5)]]
    assert [one.role for one in found.roles] == ["ACCOUNTADMIN", "STEWARD", "read & see"]


def test_a_role_that_nobody_holds_is_judged_as_itself(account):
    context = AccountContext(account_locator="X", current_user="ADMIN", current_role="ACCOUNTADMIN")
    shadow = ShadowAccount.of(account, context, rows=AccountRows(account))
    for sql in (SPARES_CLERK, SET):
        shadow.execute(sql, role=None, tag="rehearsal")
    (matrix,) = shadow.access()
    shadow.close()

    (clerk,) = [one for one in matrix["roles"] if one["role"] == "CLERK"]
    assert clerk["after"] == ["clear", "clear"]


def test_a_row_that_a_policy_hides_is_said_to_be_hidden(account):
    made = f"CREATE ROW ACCESS POLICY {S}.R AS (n NUMBER) RETURNS BOOLEAN -> "
    (found,) = look(
        account,
        made + "CURRENT_ROLE() <> 'CLERK' OR n < 4",
        f"ALTER TABLE {TABLE} ADD ROW ACCESS POLICY {S}.R ON (N)",
    )

    assert as_role(found, "CLERK") == [ALL, [*ALL[:2], ("row hidden",) * 2]]
    assert as_role(found, "STEWARD") == [ALL, ALL]


def test_a_row_policy_may_look_at_a_table_that_the_plan_makes(account):
    (found,) = look(
        account,
        f"CREATE TABLE {S}.WHO AS SELECT 'CLERK' AS ROLE, 3 AS NO",
        f"CREATE ROW ACCESS POLICY {S}.R AS (n NUMBER) RETURNS BOOLEAN -> "
        f"EXISTS (SELECT 1 FROM {S}.WHO w WHERE w.ROLE = CURRENT_ROLE() AND w.NO = n)",
        f"ALTER TABLE {TABLE} ADD ROW ACCESS POLICY {S}.R ON (N)",
    )

    assert as_role(found, "CLERK")[1] == [("row hidden",) * 2, ALL[1], ("row hidden",) * 2]


def test_what_the_one_who_asks_sees_masked_is_not_told_as_others_see_it(account):
    run(account, MASK + "IFF(CURRENT_ROLE() = 'CLERK', v, '***')", SET)
    (found,) = look(
        account,
        f"ALTER MASKING POLICY {S}.M SET BODY -> "
        "CASE CURRENT_ROLE() WHEN 'STEWARD' THEN v WHEN 'CLERK' THEN LEFT(v, 1) ELSE '***' END",
    )

    assert said(found.own) == [("***", 1), ("***", 3), ("***", 5)]
    hidden = [("not shown", 1), ("not shown", 3), ("not shown", 5)]
    assert as_role(found, "STEWARD") == [said(found.own), hidden]
    assert as_role(found, "CLERK") == [hidden, hidden]


def test_a_row_that_is_hidden_from_the_one_who_asks_is_in_no_sample(account):
    made = f"CREATE ROW ACCESS POLICY {S}.R AS (n NUMBER) RETURNS BOOLEAN -> "
    run(
        account,
        made + "CURRENT_ROLE() = 'CLERK' OR n = 2",
        f"ALTER TABLE {TABLE} ADD ROW ACCESS POLICY {S}.R ON (N)",
    )
    (found,) = look(account, SPARES_CLERK, SET)

    assert said(found.own) == [("b@x", 2)]
    assert {cell for one in found.roles for row in said((*one.before, *one.after)) for cell in row}
    assert "a@x" not in repr(found)


def test_whose_role_may_not_read_the_table_is_shown_nothing(account):
    (found,) = look(account, SPARES_CLERK, SET, role="USERADMIN")

    assert (found.own, found.roles) == ((), ())
    assert found.why == "Your active role reads no rows of it now, so none are shown."


def test_a_mask_that_reads_another_table_tells_nothing_of_it(account):
    (found,) = look(account, MASK + f"(SELECT MAX(WORD) FROM {S}.SECRETS)", SET)

    assert as_role(found, "CLERK")[1] == [("not shown", 1), ("not shown", 3), ("not shown", 5)]
    assert "sesame" not in repr(found)


def test_a_mask_that_calls_a_function_of_the_accounts_own_tells_nothing_either(account):
    run(account, f"CREATE FUNCTION {S}.F(v STRING) RETURNS STRING AS 'v'")
    (found,) = look(account, MASK + f"{S}.F(v) || '!'", SET)

    assert as_role(found, "CLERK")[1] == [("not shown", 1), ("not shown", 3), ("not shown", 5)]


def test_a_grant_lets_a_role_see_rows_and_those_of_a_view_only_as_they_are_seen(account):
    (found,) = look(account, f"GRANT SELECT ON VIEW {S}.FEW TO ROLE CLERK")

    rows = [("a@x", 1), ("b@x", 2), ("c@x", 3)]
    assert as_role(found, "CLERK") == [[("no access",) * 2] * 3, rows]


def test_the_plans_own_changes_to_rows_are_not_taken_for_what_a_role_sees(account):
    (found,) = look(
        account,
        f'UPDATE {TABLE} SET "e-mail" = s.WORD FROM {S}.SECRETS s',
        SPARES_CLERK,
        SET,
    )

    assert as_role(found, "STEWARD") == [ALL, [("***", 1), ("***", 3), ("***", 5)]]
    assert "sesame" not in repr(found)


def test_where_no_rows_are_lent_that_is_said(account):
    (found,) = look(account, SPARES_CLERK, SET, rows=None)

    assert (found.own, found.roles) == ((), ())
    assert found.why == (
        "This account is rehearsed on a copy without its rows, and it is not asked as another "
        "role, so no rows are shown."
    )


def test_a_table_with_too_many_rows_to_lend_is_said_to_have_them(account):
    (found,) = look(account, SPARES_CLERK, SET, rows=AccountRows(account, 3))

    assert found.why == "This table has too many rows for the rehearsal copy, so none are shown."


def test_nothing_of_the_account_changes(account):
    look(account, SPARES_CLERK, SET)

    session = account.session("ADMIN", "ACCOUNTADMIN")
    found = session.execute(f"SELECT * FROM {TABLE} ORDER BY N").rows
    assert [row[1] for row in found] == [1, 2, 3, 4, 5]
    assert session.execute(f"SHOW MASKING POLICIES IN SCHEMA {S}").rows == ()
