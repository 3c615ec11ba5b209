"""Changes are merged once: the newest of a key wins, late ones change nothing, again is nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skills_nb.commands.home import connections
from tests.library.messy.test_every_playbook import Mess, changes
from tests.library.messy.wishes import Wish
from tests.library.own_accounts import own_account

pytestmark = pytest.mark.slow
ACCOUNT = """
CREATE ROLE CLERK; GRANT ROLE CLERK TO ROLE ACCOUNTADMIN; GRANT ROLE CLERK TO USER ADMIN;
CREATE DATABASE "My Shop"; CREATE SCHEMA "My Shop"."s";
CREATE TABLE "My Shop"."s"."one" ("id" INT, "Größe" STRING, "at" DATE);
INSERT INTO "My Shop"."s"."one" VALUES
  (1, 'S', '2026-01-01'), (2, 'M', '2026-01-05'), (3, 'L', '2026-01-01');
CREATE TABLE "My Shop"."s"."two" ("id" INT, "Größe" STRING, "from" DATE, "to" DATE, "cur" BOOLEAN);
INSERT INTO "My Shop"."s"."two" SELECT *, NULL, TRUE FROM "My Shop"."s"."one";
CREATE TABLE "My Shop"."s"."new.s" ("id" INT, "Größe" STRING, "at" DATE, "flag" STRING);
INSERT INTO "My Shop"."s"."new.s" VALUES
  (1, 'XS', '2026-01-03', 'u'), (1, 'older', '2026-01-02', 'u'), (2, 'late', '2026-01-02', 'u'),
  (3, 'L', '2026-02-01', 'D'), (5, 'new', '2026-01-01', 'u'), (NULL, 'keyless', '2026-01-01', 'u'),
  (6, 'this', '2026-01-01', 'u'), (6, 'or that', '2026-01-01', 'u');
CREATE TABLE "My Shop"."s"."source" AS SELECT * FROM "My Shop"."s"."one";
CREATE STREAM "My Shop"."s"."flow" ON TABLE "My Shop"."s"."source";
UPDATE "My Shop"."s"."source" SET "Größe" = 'XXL', "at" = '2026-03-01' WHERE "id" = 1;
DELETE FROM "My Shop"."s"."source" WHERE "id" = 3;
"""
PLACE = '"My Shop"."s".'
TYPE_1 = {
    "target_table": f'{PLACE}"one"',
    "changes": f'{PLACE}"new.s"',
    "key_columns": '"id"',
    "version_column": '"at"',
    "delete_flag": '"flag"',
    "delete_value": "d",
}
TYPE_2 = TYPE_1 | {
    "target_table": f'{PLACE}"two"',
    "history": "type-2",
    "valid_from": '"from"',
    "valid_to": '"to"',
    "is_current": '"cur"',
}


class Shop(Mess):
    """An account with changes that are late, repeated, contradictory and without a key."""

    def __init__(self, home: Path) -> None:
        super().__init__(home, company=ACCOUNT)

    def merge(self, thread: str, inputs: dict[str, str]) -> str:
        self.ask(Wish("merge-changes-with-history", inputs), thread)
        self.finish()
        return self.ended

    def rows(self, table: str) -> list[Any]:
        session = self.account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
        found = session.execute(f"SELECT * FROM {PLACE}{table}").rows
        session.close()
        return sorted(tuple(map(str, row)) for row in found)


def test_type_1_holds_the_newest_row_of_each_key(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    assert shop.merge("first", TYPE_1) == "completed"
    assert shop.rows('"one"') == [
        ("1", "XS", "2026-01-03"),
        ("2", "M", "2026-01-05"),
        ("5", "new", "2026-01-01"),
    ]
    asked = [e.after_step for e in shop.events("checkpoint_reached")]
    before = shop.look()
    assert (shop.merge("second", TYPE_1), changes(before, shop.look())) == ("completed", [])
    # Where nothing is to be merged, nobody types a phrase for it.
    again = [e.after_step for e in shop.events("checkpoint_reached")]
    assert (asked, again) == (["4b", "6"], ["6"])
    shop.close()


def test_type_2_closes_a_version_where_the_next_begins(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    assert shop.merge("first", TYPE_2) == "completed"
    assert shop.rows('"two"') == [
        ("1", "S", "2026-01-01", "2026-01-03", "False"),
        ("1", "XS", "2026-01-03", "None", "True"),
        ("2", "M", "2026-01-05", "None", "True"),
        ("3", "L", "2026-01-01", "2026-02-01", "False"),
        ("5", "new", "2026-01-01", "None", "True"),
    ]
    before = shop.look()
    assert (shop.merge("second", TYPE_2), changes(before, shop.look())) == ("completed", [])
    shop.close()


def test_what_was_deleted_may_come_back_later_but_not_from_before(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.merge("first", TYPE_2)
    shop.run(
        f"INSERT INTO {PLACE}\"new.s\" VALUES (3, 'late', '2026-01-20', 'u');"
        f'DELETE FROM {PLACE}"new.s" WHERE "flag" = \'D\''
    )
    shop.merge("late", TYPE_2)
    assert [row for row in shop.rows('"two"') if row[0] == "3"] == [
        ("3", "L", "2026-01-01", "2026-02-01", "False")
    ]
    shop.run(f"INSERT INTO {PLACE}\"new.s\" VALUES (3, 'back', '2026-05-01', 'u')")
    shop.merge("back", TYPE_2)
    assert [row[1:] for row in shop.rows('"two"') if row[4] == "True" and row[0] == "3"] == [
        ("back", "2026-05-01", "None", "True")
    ]
    shop.close()


STREAM = {name: TYPE_1[name] for name in ("target_table", "key_columns", "version_column")}


def test_a_stream_is_merged_with_its_deletes_and_consumed(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.merge("first", STREAM | {"changes": f'{PLACE}"flow"'})
    assert shop.rows('"one"') == shop.rows('"source"')
    assert shop.rows('"flow"') == []
    shop.close()


def test_a_stream_with_rows_that_stay_out_is_not_consumed(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.run(f"INSERT INTO {PLACE}\"source\" VALUES (NULL, 'keyless', '2026-03-01')")
    before = shop.look()
    shop.merge("first", STREAM | {"changes": f'{PLACE}"flow"'})
    assert changes(before, shop.look()) == []
    assert len(shop.rows('"flow"')) == 4
    shop.close()


REFUSED = {
    "a key with a misspelt name": (TYPE_1 | {"key_columns": "ID"}, "It has id, Größe, at"),
    "history without a version": (
        {name: value for name, value in TYPE_2.items() if name != "version_column"},
        "a version_column is needed",
    ),
    "a key that only the target has": (
        {
            "target_table": f'{PLACE}"two"',
            "changes": f'{PLACE}"new.s"',
            "key_columns": '"from"',
        },
        "Column \"from\", which probe 'columns_of_changes' reads, does not exist there",
    ),
    "a flag that is not there": (TYPE_1 | {"delete_flag": "FLAG"}, "FLAG"),
    "columns of history that are not there": (TYPE_2 | {"valid_to": "UNTIL"}, "UNTIL"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_told_before_anything_is_changed(name: str, tmp_path: Path) -> None:
    inputs, reason = REFUSED[name]
    shop = Shop(tmp_path)
    assert reason in shop.merge("first", inputs)
    assert not shop.events("statement_started")
    shop.close()


def test_a_role_that_may_not_write_is_told_so_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    shop = Shop(tmp_path)
    shop.run(
        'GRANT USAGE ON DATABASE "My Shop" TO ROLE CLERK;'
        'GRANT USAGE ON SCHEMA "My Shop"."s" TO ROLE CLERK;'
        "GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK;"
        'GRANT SELECT ON ALL TABLES IN SCHEMA "My Shop"."s" TO ROLE CLERK;'
    )
    assert "lacks INSERT or UPDATE" in shop.merge("first", TYPE_1)
    assert not shop.events("statement_started")
    shop.close()


@pytest.mark.parametrize("inputs", [TYPE_1, TYPE_2], ids=["type-1", "type-2"])
def test_aborted_at_any_pause_the_target_is_as_it_was(
    inputs: dict[str, str], tmp_path: Path
) -> None:
    for number in range(3):
        home = tmp_path / str(number)
        home.mkdir()
        shop = Shop(home)
        shop.ask(Wish("merge-changes-with-history", inputs), "first")
        for _ in range(number):
            shop.go_on()
        shop.clean()
        assert changes(shop.begun, shop.look()) == [], f"aborted after {number} pauses"
        shop.close()


def test_names_with_apostrophes_and_a_moment_with_its_zone_are_merged(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.run(
        """CREATE TABLE "My Shop"."s"."it's" ("order" INT, "a ""b"" c" STRING, "seen" TIMESTAMP_TZ);
        INSERT INTO "My Shop"."s"."it's" VALUES (1, 'x', '2026-01-01 10:00:00 +0200');
        CREATE TABLE "My Shop"."s"."it's kept" ("order" INT, "a ""b"" c" STRING,
          VALID_FROM TIMESTAMP_NTZ, VALID_TO TIMESTAMP_NTZ, IS_CURRENT BOOLEAN)"""
    )
    asked = {
        "target_table": f"""{PLACE}"it's kept\"""",
        "changes": f"""{PLACE}"it's\"""",
        "key_columns": '"order"',
        "version_column": '"seen"',
        "history": "type-2",
    }
    assert shop.merge("first", asked) == "completed"
    held = [("1", "x", "2026-01-01 10:00:00", "None", "True")]
    assert shop.rows('"it\'s kept"') == held
    before = shop.look()
    assert shop.merge("second", asked) == "completed"
    assert changes(before, shop.look()) == []
    shop.run(
        """UPDATE "My Shop"."s"."it's" SET "a ""b"" c" = 'y',"""
        """ "seen" = '2026-01-02 10:00:00 +0200'"""
    )
    assert shop.merge("third", asked) == "completed"
    assert [row[1] for row in shop.rows('"it\'s kept"')] == ["x", "y"]


def test_what_takes_no_rows_by_itself_is_no_target(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.run(
        """CREATE VIEW "My Shop"."s"."seen" AS SELECT * FROM "My Shop"."s"."one";
        CREATE DYNAMIC TABLE "My Shop"."s"."kept" TARGET_LAG = '1 hour' WAREHOUSE = COMPUTE_WH
          AS SELECT * FROM "My Shop"."s"."one\""""
    )
    before = shop.look()
    for table, kind in (("seen", "view"), ("kept", "dynamic table")):
        said = shop.merge(table, TYPE_1 | {"target_table": f'{PLACE}"{table}"'})
        assert f'"{table}" is a {kind}, and MERGE writes only to tables' in said
    assert changes(before, shop.look()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("masked", "told"),
    [
        ('"one"', "one that it sees masked differs at each run and is written again"),
        ('"new.s"', 'would be written masked into "My Shop"."s"."one"'),
    ],
)
def test_what_a_mask_does_to_a_merge_is_told_before_it_starts(
    masked: str, told: str, tmp_path: Path
) -> None:
    with own_account(tmp_path, ACCOUNT) as shop:
        shop.run(f"""
        CREATE MASKING POLICY {PLACE}M AS (V STRING) RETURNS STRING -> '*';
        ALTER TABLE {PLACE}{masked} MODIFY COLUMN "Größe" SET MASKING POLICY {PLACE}M;
        """)
        shop.ask("merge-changes-with-history", **TYPE_1)
        assert told in shop.ended
        assert shop.sent() == []
