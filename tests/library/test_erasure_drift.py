"""One person's rows go, other people's stay, and nothing is said of what could not be seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from skills_nb.views import render_text
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

pytestmark = pytest.mark.slow
S = '"My Shop"."the sales"'
ACCOUNT = f"""
CREATE ROLE CLERK; CREATE ROLE OTHERS; GRANT ROLE CLERK TO USER ADMIN;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK;
CREATE DATABASE "My Shop"; CREATE SCHEMA {S};
CREATE TABLE {S}."people" ("id" INT NOT NULL, "Full Name" STRING, "e-mail" STRING, "notes" STRING,
  "doc" VARIANT, PRIMARY KEY ("id"));
INSERT INTO {S}."people" SELECT 1, 'Ann Bee', ' Ann.B@example.com', 'calls at six',
  PARSE_JSON('{{"mail": "ann.b@example.com"}}');
INSERT INTO {S}."people" SELECT 2, 'Ben Cee', 'ben@example.com',
  'friend of ANN.B@example.com,ann.b@example.com.', NULL;
INSERT INTO {S}."people" SELECT 3, 'Joann Bee', 'joann.b@example.com', NULL,
  PARSE_JSON('{{"mail": "ann.b@example.com.au"}}');
CREATE TABLE {S}."orders" ("no" INT, "people id" INT REFERENCES {S}."people" ("id"), "sum" INT);
INSERT INTO {S}."orders" VALUES (1, 1, 10), (2, 1, 20), (3, 2, 30);
CREATE TABLE {S}."calls" ("phone" STRING, "note" STRING);
INSERT INTO {S}."calls" VALUES ('+49 (30) 555-1234', NULL),
  ('0049 30 5551239', 'or +49 30/5551234!');
CREATE TABLE {S}."empty" ("e-mail" STRING);
CREATE TABLE {S}."theirs" ("e-mail" STRING); INSERT INTO {S}."theirs" VALUES ('ann.b@example.com');
GRANT USAGE ON DATABASE "My Shop" TO ROLE CLERK; GRANT USAGE ON SCHEMA {S} TO ROLE CLERK;
GRANT SELECT, DELETE, UPDATE ON TABLE {S}."people" TO ROLE CLERK;
GRANT SELECT ON TABLE {S}."orders" TO ROLE CLERK;
GRANT REFERENCES ON TABLE {S}."theirs" TO ROLE CLERK;
GRANT OWNERSHIP ON TABLE {S}."theirs" TO ROLE OTHERS COPY CURRENT GRANTS;
"""
ANN = {"scope": '"My Shop"', "identifier_kind": "email", "identifier": "ann.b@example.com"}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, ACCOUNT) as account:
        yield account


def erase(shop: OwnAccount, **more: str) -> list[str]:
    return shop.run_to_its_end("erase-a-person", **(ANN | more))


def test_a_dry_run_foretells_the_rows_that_go_and_does_not_write_the_identifier_down(
    shop: OwnAccount,
) -> None:
    shop.thread = "rehearsal"
    told = [word for name, value in ANN.items() for word in ("--input", f"{name}={value}")]
    reply = shop.invoke("run", "playbooks/erase-a-person", "--dry-run", *told)
    foretold = render_text(reply.view)
    assert "2 of 3 rows deleted" in foretold
    assert "1 of 3 rows deleted" in foretold
    events = repr(list(shop.store.load(shop.thread))).lower()
    assert "ann.b@example.com" not in events + foretold.lower()


def ids(shop: OwnAccount, table: str, column: str) -> list[object]:
    return [r[column] for r in shop.rows(f'SELECT "{column}" FROM {S}."{table}" ORDER BY 1')]


def test_own_rows_go_and_only_mentions_leave_other_rows_no_event_has_it_and_again_finds_nothing(
    shop: OwnAccount,
) -> None:
    shown = erase(shop)
    assert shown[-1] == COMPLETED
    assert "the sales.orders 2 by link (delete); the sales.people 1 in e-mail (delete)" in shown[0]
    assert "the sales.people 1 in notes (redact)" in shown[0]
    assert "4 rows in 2 tables to change. The person's rows: the sales.orders 2 by" in shown[1]
    assert (ids(shop, "people", "id"), ids(shop, "orders", "no")) == ([2, 3], [3])
    notes = shop.rows(f'SELECT "notes" FROM {S}."people" WHERE "id" = 2')
    assert notes == [{"notes": "friend of [erased],[erased]."}]
    assert "example.com.au" in str(shop.rows(f'SELECT "doc" FROM {S}."people" WHERE "id" = 3'))
    assert "still hold the identifier or point to the person: 0 (none)" in shown[2]
    told = repr(list(shop.store.load(shop.thread))).lower()
    assert "«secret:identifier»" in told
    assert "ann.b@example.com" not in told
    before = shop.look()
    again = erase(shop)
    assert "Rows to change: 0" in again[0]
    assert (again[-1], shop.sent(), shop.changes(before)) == (COMPLETED, [], [])


def test_what_is_kept_by_law_is_anonymised_or_left_as_wished(shop: OwnAccount) -> None:
    shop.run(
        f'ALTER TABLE {S}."people" ADD COLUMN "shoe size" STRING DEFAULT \'41\';'
        f"CREATE DYNAMIC TABLE {S}.\"mailing\" TARGET_LAG = '1 day' WAREHOUSE = COMPUTE_WH"
        f' AS SELECT "e-mail" FROM {S}."people" WHERE "id" = 1'
    )
    shown = erase(
        shop,
        treatment='{"the sales.orders": "keep", "the sales.people": "anonymise"}',
        mentions="keep",
    )
    assert shown[-1] == COMPLETED
    assert (
        "in frozen rows until they are deleted there (rows now): the sales.mailing (1)" in shown[0]
    )
    assert "keep their values unless you add them" in shown[1]
    assert "columns: the sales.people.id, the sales.people.shoe size. What" in shown[1]
    shop.run(f'ALTER TABLE {S}."people" DROP COLUMN "shoe size"')
    ann = shop.rows(f'SELECT * FROM {S}."people" WHERE "id" = 1')
    assert ann == [{"id": 1, "Full Name": None, "e-mail": None, "notes": None} | {"doc": None}]
    assert ids(shop, "orders", "no") == [1, 2, 3]
    assert "friend of ANN" in str(shop.rows(f'SELECT "notes" FROM {S}."people" WHERE "id" = 2'))
    assert "4 (the sales.mailing 1, the sales.orders 2, the sales.people 1)" in shown[2]


def test_a_link_is_not_followed_where_the_person_says_so_and_purge_ends_the_retention(
    shop: OwnAccount,
) -> None:
    erase(shop, links='{"the sales.orders.people id": "none"}', past_rows="purge")
    assert (ids(shop, "people", "id"), ids(shop, "orders", "no")) == ([2, 3], [1, 2, 3])
    found = shop.rows(
        'SELECT TABLE_NAME, RETENTION_TIME FROM "My Shop".INFORMATION_SCHEMA.TABLES'
        " WHERE TABLE_SCHEMA = 'the sales' AND TABLE_OWNER = 'ACCOUNTADMIN' ORDER BY 1"
    )
    days = {row["TABLE_NAME"]: row["RETENTION_TIME"] for row in found}
    assert days == {"calls": 1, "empty": 1, "orders": 1, "people": 0}


def test_a_dynamic_table_that_shows_the_person_only_by_link_is_named(shop: OwnAccount) -> None:
    shop.run(
        f"CREATE DYNAMIC TABLE {S}.\"sums\" TARGET_LAG = '1 hour' WAREHOUSE = COMPUTE_WH AS"
        f' SELECT "people id", SUM("sum") AS "all" FROM {S}."orders" GROUP BY 1'
    )
    shown = erase(shop)
    assert "(rows now): the sales.sums (rows by link, not counted)." in shown[0]
    assert "until they refresh, but not their rows by link." in shown[2]


def test_a_key_as_short_as_a_count_is_erased(shop: OwnAccount) -> None:
    shown = erase(shop, identifier_kind="key", identifier="1", key_column="people id")
    assert (shown[-1], ids(shop, "orders", "no")) == (COMPLETED, [3])


def test_a_number_is_found_however_it_is_written(shop: OwnAccount) -> None:
    erase(shop, identifier_kind="phone", identifier="+49 30 5551234")
    assert shop.rows(f'SELECT * FROM {S}."calls"') == [
        {"phone": "0049 30 5551239", "note": "or +[erased]!"}
    ]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"identifier": "ann"}, "does not look like email"),
        ({"identifier": "a@example.com;;b@example.com"}, "empty part"),
        ({"identifier_kind": "key"}, "give key_column"),
        ({"scope": f'{S}."people"'}, "whole database or schema"),
        ({"scope": '"My Shop"."The Sales"'}, "no table in"),
        ({"treatment": '{"the sales.bills": "keep"}'}, "the sales.bills"),
        ({"treatment": '{"the sales.orders": "burn"}'}, "the sales.orders"),
        ({"links": '{"the sales.orders.who": "the sales.people.id"}'}, "the sales.orders.who"),
    ],
)
def test_it_stops_before_anything_changes(
    shop: OwnAccount, told: dict[str, str], said: str
) -> None:
    before = shop.look()
    shown = erase(shop, **told)
    assert said in shown[-1]
    assert (shop.sent(), shop.changes(before)) == ([], [])


def test_a_role_hears_what_it_lacks_and_who_grants_it(
    shop: OwnAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    shown = erase(shop)
    said = " ".join(shown)
    assert "the sales.orders needs DELETE, which its owner ACCOUNTADMIN grants" in said
    assert "sees, but on which no active role has SELECT: the sales.theirs (owner OTHERS)" in said
    assert shown[-1] == COMPLETED
    assert (ids(shop, "people", "id"), ids(shop, "orders", "no")) == ([2, 3], [1, 2, 3])


def test_rows_that_a_policy_hides_are_told_and_stay(shop: OwnAccount) -> None:
    shop.run(
        f'CREATE ROW ACCESS POLICY {S}."some rows" AS (V INT) RETURNS BOOLEAN -> V <> 1;'
        f'ALTER TABLE {S}."people" ADD ROW ACCESS POLICY {S}."some rows" ON ("id")'
    )
    shown = erase(shop)
    assert "hide rows or values in: the sales.people" in shown[0]
    assert "from your role (the sales.people), cleanup may be unable to put rows back" in shown[1]
    assert (
        "This says nothing about rows that policies hide from this role, in: the sales.peo"
        in shown[2]
    )
    shop.run(f'ALTER TABLE {S}."people" DROP ROW ACCESS POLICY {S}."some rows"')
    assert ids(shop, "people", "id") == [1, 2, 3]


def test_clones_streams_and_dates_are_told_before_anything_goes(shop: OwnAccount) -> None:
    shop.run(
        f'CREATE DATABASE ELSEWHERE; CREATE TABLE ELSEWHERE.PUBLIC.P CLONE {S}."people";'
        f'CREATE STREAM {S}."news" ON TABLE {S}."people"; CREATE STAGE {S}."drop box"'
    )
    shop.ask("erase-a-person", **ANN)
    shown = shop.finish(1)
    for told in (
        "ELSEWHERE.PUBLIC.P",
        "consumed: news",
        "stages (drop box)",
        "Time Travel until 2",
    ):
        assert told in shown[1]


def test_aborted_at_any_pause_cleanup_brings_the_rows_back(shop: OwnAccount) -> None:
    left = [remains for _, remains in shop.aborted_at_each_pause("erase-a-person", **ANN)]
    assert left == [[], [], []]


@pytest.fixture
def counted(shop: OwnAccount) -> OwnAccount:
    shop.run(
        'CREATE SCHEMA "My Shop".RULES; CREATE AGGREGATION POLICY "My Shop".RULES.ONLY_GROUPS'
        " AS () RETURNS AGGREGATION_CONSTRAINT -> CASE WHEN CURRENT_ROLE() = 'OTHERS'"
        " THEN NO_AGGREGATION_CONSTRAINT() ELSE AGGREGATION_CONSTRAINT(MIN_GROUP_SIZE => 2) END;"
        f'CREATE TABLE {S}."counted" ("e-mail" STRING, "people id" INT);'
        f"INSERT INTO {S}.\"counted\" VALUES ('ann.b@example.com', 1);"
        f'ALTER TABLE {S}."counted" SET AGGREGATION POLICY "My Shop".RULES.ONLY_GROUPS'
    )
    return shop


def test_a_table_with_an_aggregation_policy_is_left_out_by_name_and_the_others_are_erased(
    counted: OwnAccount,
) -> None:
    shown = erase(counted)
    left = "tables with an aggregation, join or projection policy: the sales.counted;"
    assert shown[-1] == COMPLETED
    assert left in shown[0]
    assert left in shown[-2]
    assert "the sales.people 1 in e-mail (delete)" in shown[0]
    assert ids(counted, "people", "id") == [2, 3]


def test_a_table_with_an_aggregation_policy_is_searched_on_demand_and_a_refusal_says_what_helps(
    counted: OwnAccount,
) -> None:
    before = counted.look()
    erase(counted, closed_tables="search")
    assert "choose closed_tables leave" in counted.ended + repr(counted.events("step_failed"))
    assert counted.changes(before) == []
    counted.run(
        'ALTER AGGREGATION POLICY "My Shop".RULES.ONLY_GROUPS SET BODY ->'
        " NO_AGGREGATION_CONSTRAINT()"
    )
    shown = erase(counted, closed_tables="search")
    assert shown[-1] == COMPLETED
    assert "the sales.counted 1 in e-mail (delete)" in shown[0]
