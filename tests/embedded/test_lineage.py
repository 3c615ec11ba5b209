"""A rehearsal tells what feeds the objects that its statements touch, and what they feed."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools.rehearsal import ShadowAccount
from skills_nb.model.events.values import AccountContext

S = '"Trade House"."My Sales"'
T, SUMS, BIG, NEWS = f'{S}."or.ders"', f"{S}.SUMS", f'{S}."<i>big"', f"{S}.NEWS"
COPY, LOAD, NEXT = f"{S}.COPIED", f"{S}.LOAD", f"{S}.NEXT_ONE"
SETUP = f"""
CREATE DATABASE "Trade House"; CREATE SCHEMA {S};
CREATE TABLE {T} ("id" INT, DAY DATE, AMOUNT NUMBER);
CREATE TABLE {COPY} ("id" INT);
CREATE VIEW {BIG} AS SELECT * FROM {T} WHERE AMOUNT > 10;
CREATE DYNAMIC TABLE {SUMS} TARGET_LAG = '1 hour' WAREHOUSE = COMPUTE_WH
  AS SELECT DAY, SUM(AMOUNT) AS TOTAL FROM {BIG} GROUP BY DAY;
CREATE STREAM {NEWS} ON TABLE {T};
CREATE TASK {LOAD} WAREHOUSE = COMPUTE_WH SCHEDULE = '5 MINUTE'
  WHEN SYSTEM$STREAM_HAS_DATA('{NEWS}')
  AS INSERT INTO {COPY} SELECT "id" FROM {NEWS};
CREATE TASK {NEXT} WAREHOUSE = COMPUTE_WH AFTER {LOAD} AS SELECT 1;
CREATE TABLE {S}.ALONE (A INT);
"""


@pytest.fixture
def account():
    account = Account.open()
    session = account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    for sql in filter(None, map(str.strip, SETUP.split(";"))):
        session.execute(sql)
    session.close()
    yield account
    account.close()


def told(account, *sqls):
    context = AccountContext(
        account_locator="X",
        current_user="ADMIN",
        current_role="ACCOUNTADMIN",
        current_warehouse="COMPUTE_WH",
    )
    shadow = ShadowAccount.of(account, context)
    try:
        for sql in sqls:
            shadow.execute(sql, role=None, tag="rehearsal")
        return shadow.lineage()
    finally:
        shadow.close()


def named(found):
    names = [node["name"] for node in found["nodes"]]
    return {(names[one], names[other]) for one, other in found["edges"]}


def test_all_that_a_changed_table_feeds_is_followed(account):
    found = told(account, f"ALTER TABLE {T} ADD COLUMN NOTE STRING")

    assert named(found) == {
        (T, BIG),
        (BIG, SUMS),
        (T, NEWS),
        (NEWS, LOAD),
        (LOAD, COPY),
        (LOAD, NEXT),
    }
    assert {node["name"]: (node["type"], node["fate"]) for node in found["nodes"]} == {
        T: ("table", "changed"),
        BIG: ("view", ""),
        SUMS: ("dynamic table", ""),
        NEWS: ("stream", ""),
        LOAD: ("task", ""),
        COPY: ("table", ""),
        NEXT: ("task", ""),
    }


def test_what_feeds_a_view_is_told_and_what_a_drop_leaves_without_its_source(account):
    found = told(account, f"DROP VIEW {BIG}")

    assert named(found) == {(T, BIG), (BIG, SUMS)}
    assert [node["fate"] for node in found["nodes"] if node["name"] == BIG] == ["dropped"]


def test_what_is_new_stands_behind_its_source(account):
    found = told(account, f"CREATE VIEW {S}.FRESH AS WITH ALONE AS (SELECT 1 A) SELECT * FROM {T}")

    assert (T, f"{S}.FRESH") in named(found)
    assert (f"{S}.ALONE", f"{S}.FRESH") not in named(found)


def test_what_feeds_nothing_has_no_picture(account):
    assert told(account, f"ALTER TABLE {S}.ALONE ADD COLUMN B INT") == {}
    assert told(account, "CREATE ROLE R1") == {}


def test_many_are_bounded_and_counted(account):
    session = account.session("ADMIN", "ACCOUNTADMIN")
    for number in range(40):
        session.execute(f"CREATE VIEW {S}.V{number} AS SELECT * FROM {T}")
    found = told(account, f"ALTER TABLE {T} ADD COLUMN NOTE STRING")

    assert (len(found["nodes"]), found["more"]) == (30, 17)
    assert found["nodes"][0]["name"] == T
