"""Lost rows come back by key, and what others did since is kept, shown or set aside, never lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skills_nb.commands.home import connections
from tests.library.messy.test_every_playbook import Mess, changes
from tests.library.messy.wishes import Wish
from tests.library.own_accounts import COMPLETED, own_account

pytestmark = pytest.mark.slow
ACCOUNT = """
CREATE ROLE CLERK; CREATE ROLE READER;
GRANT ROLE CLERK TO ROLE ACCOUNTADMIN;
CREATE DATABASE "My Shop"; CREATE SCHEMA "My Shop"."the sales";
CREATE TABLE "My Shop"."the sales"."or.ders" ("id" INT, "Größe" STRING) COMMENT = 'ours';
INSERT INTO "My Shop"."the sales"."or.ders" VALUES (1, 'S'), (2, 'M'), (3, 'L'), (NULL, 'XL');
GRANT SELECT ON TABLE "My Shop"."the sales"."or.ders" TO ROLE READER;
GRANT OWNERSHIP ON TABLE "My Shop"."the sales"."or.ders" TO ROLE CLERK COPY CURRENT GRANTS;
"""
RECOVER = "recover-lost-data"
TABLE = '"My Shop"."the sales"."or.ders"'
COPY = '"My Shop"."the sales"."or.ders_PAST"'


class Shop(Mess):
    """An account with a table that was damaged, after which others went on working."""

    def __init__(self, home: Path) -> None:
        super().__init__(home, company=ACCOUNT)
        session = self.account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
        session.execute(f'DELETE FROM {TABLE} WHERE "id" = 2 OR "id" IS NULL')
        self.damage = session.execute("SELECT LAST_QUERY_ID()").rows[0][0]
        session.execute(f'UPDATE {TABLE} SET "Größe" = \'XS\' WHERE "id" = 1')
        session.execute(f"INSERT INTO {TABLE} VALUES (9, 'new')")
        session.close()
        self.begun = self.look()

    def recover(self, thread: str, **inputs: str) -> str:
        told = {"target": TABLE, "what_happened": "damaged", "key_columns": '"id"'}
        self.ask(Wish("recover-lost-data", told | {"moment": self.damage} | inputs), thread)
        self.finish()
        return self.ended

    def rows(self, table: str = TABLE) -> list[Any]:
        session = self.account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
        found = session.execute(f"SELECT * FROM {table}").rows
        session.close()
        return sorted(found, key=str)


REPAIRED = {
    "insert-missing": [(1, "XS"), (2, "M"), (3, "L"), (9, "new"), (None, "XL")],
    "put-back": [(1, "S"), (2, "M"), (3, "L"), (9, "new"), (None, "XL")],
    "swap": [(1, "S"), (2, "M"), (3, "L"), (None, "XL")],
    "look-only": [(1, "XS"), (3, "L"), (9, "new")],
}


@pytest.mark.parametrize("remedy", REPAIRED)
def test_a_repair_does_what_it_is_called_and_nothing_when_asked_again(
    remedy: str, tmp_path: Path
) -> None:
    shop = Shop(tmp_path)
    assert shop.recover("first", remedy=remedy) == "completed"
    assert shop.rows() == REPAIRED[remedy]
    before = shop.look()
    assert shop.recover("second", remedy=remedy) == "completed"
    assert changes(before, shop.look()) == []
    shop.close()


def test_a_swap_keeps_owner_comment_and_readers_and_the_rows_that_came_since(
    tmp_path: Path,
) -> None:
    shop = Shop(tmp_path)
    shop.recover("first", remedy="swap")
    after = {(fact.thing, fact.facet): value for fact, value in shop.look().items()}
    thing = f"TABLE: {TABLE}"
    assert after[(thing, "owner")] == "CLERK"
    assert after[(thing, "comment")] == "ours"
    assert (thing, "grant SELECT to ROLE READER") in after
    assert shop.rows(COPY) == REPAIRED["look-only"]
    shop.close()


def test_changed_inputs_are_carried_out_on_the_same_copy(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.recover("first", remedy="look-only")
    assert shop.recover("second", remedy="put-back") == "completed"
    assert shop.rows() == REPAIRED["put-back"]
    shop.close()


def test_a_copy_of_another_moment_stops_it_before_anything_is_changed(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.recover("first", remedy="look-only")
    shop.begun = shop.look()
    shop.run(f'DELETE FROM {TABLE} WHERE "id" = 3')
    before = shop.look()
    shop.recover("second", moment="2026-01-01", moment_by="time")
    assert changes(before, shop.look()) == []
    assert not shop.events("statement_started")
    shop.close()


def test_a_table_of_somebody_else_under_the_copys_name_is_left_alone(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.run(f"CREATE TABLE {COPY} (NOTE STRING)")
    assert "Choose another past_copy" in shop.recover("first")
    assert not shop.events("statement_started")
    shop.close()


def test_a_moment_before_the_table_was_made_is_told_with_fail_safe(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    assert "Fail-safe" in shop.recover("first", moment="2020-01-01 00:00:00", moment_by="time")
    shop.close()


def test_aborted_after_the_repair_the_damaged_rows_stand_as_before(tmp_path: Path) -> None:
    for number in range(4):
        home = tmp_path / str(number)
        home.mkdir()
        shop = Shop(home)
        told = {"target": TABLE, "what_happened": "damaged", "key_columns": '"id"'}
        shop.ask(Wish("recover-lost-data", told | {"moment": shop.damage}), "first")
        for _ in range(number):
            shop.go_on()
        shop.clean()
        assert changes(shop.begun, shop.look()) == [], f"aborted after {number} pauses"
        shop.close()


def test_a_role_that_may_not_copy_is_told_so_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    shop = Shop(tmp_path)
    shop.run(
        'GRANT USAGE ON DATABASE "My Shop" TO ROLE CLERK;'
        'GRANT USAGE ON SCHEMA "My Shop"."the sales" TO ROLE CLERK;'
        "GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK;"
        "GRANT ROLE CLERK TO USER ADMIN;"
    )
    assert "no role of this session has CREATE TABLE" in shop.recover("first")
    shop.close()


def test_a_repair_that_writes_nothing_asks_for_no_phrase_and_says_why(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    assert shop.recover("first", remedy="put-back") == "completed"
    before = shop.look()
    told = {"target": TABLE, "what_happened": "damaged", "key_columns": '"id"'}
    asked = told | {"moment": shop.damage, "remedy": "put-back"}
    shop.ask(Wish("recover-lost-data", asked), "second")
    shop.go_on()
    assert shop.reply is not None
    assert shop.reply.pause is not None
    assert (shop.reply.pause.at, shop.reply.pause.phrase) == ("11c", None)
    assert "1 added since" in shop.ended
    assert "put-back leaves them: nothing is written." in shop.ended
    shop.finish()
    assert (shop.ended, changes(before, shop.look())) == ("completed", [])


def test_a_column_that_others_dropped_since_is_named_before_rows_are_written(
    tmp_path: Path,
) -> None:
    shop = Shop(tmp_path)
    told = {"target": TABLE, "what_happened": "damaged", "key_columns": '"id"'}
    shop.ask(Wish("recover-lost-data", told | {"moment": shop.damage}), "first")
    while shop.reply is not None and shop.reply.pause is not None and shop.reply.pause.at != "11b":
        shop.go_on()
    assert "neither compared nor written back: none;" in shop.ended
    shop.run(f'ALTER TABLE {TABLE} DROP COLUMN "Größe"; ALTER TABLE {TABLE} ADD COLUMN NEWER INT')
    shop.go_on()
    assert shop.reply is not None
    assert shop.reply.pause is not None
    assert shop.reply.pause.at == "11b#2"
    assert 'neither compared nor written back: "Größe" (in the past), NEWER (now);' in shop.ended
    shop.close()


def test_keys_that_occur_twice_are_not_put_back_and_swap_is_offered(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.run(
        """CREATE TABLE "My Shop"."the sales"."a ""b"" it's" ("id" INT);
        INSERT INTO "My Shop"."the sales"."a ""b"" it's" VALUES (1), (1), (2);
        DELETE FROM "My Shop"."the sales"."a ""b"" it's" WHERE "id" = 1"""
    )
    target = """"My Shop"."the sales"."a ""b"" it's\""""
    told = {"target": target, "what_happened": "damaged", "key_columns": '"id"'}
    shop.ask(Wish("recover-lost-data", told | {"remedy": "put-back"}), "first")
    assert "2 statements of the latest 10,000 that you may see" in shop.ended
    shop.go_on()
    assert shop.reply is not None
    assert shop.reply.pause is not None
    deleting = shop.reply.pause.options[0].id
    shop.answer(deleting)
    assert "put-back needs keys that occur once: nothing is written" in shop.ended
    shop.answer("swap")
    assert "Remedy: swap." in shop.ended
    shop.finish()
    assert shop.ended == "completed"
    assert len(shop.rows(target)) == 3


YARD = """
CREATE ROLE CLERK; GRANT ROLE CLERK TO USER ADMIN;
ALTER USER ADMIN SET DEFAULT_SECONDARY_ROLES = ();
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK;
CREATE DATABASE "My Shop"; CREATE SCHEMA "My Shop"."the sales";
CREATE TABLE "My Shop"."the sales"."or.ders" ("id" INT);
CREATE TABLE "My Shop"."the sales"."gone" AS SELECT 1 AS "id";
DROP TABLE "My Shop"."the sales"."gone";
CREATE SCHEMA "My Shop"."old"; CREATE TABLE "My Shop"."old"."t" ("id" INT);
DROP SCHEMA "My Shop"."old";
CREATE DATABASE CLOSED; CREATE SCHEMA CLOSED.S; DROP DATABASE CLOSED;
"""
NOT_LOST = {
    TABLE: "exists, and role ACCOUNTADMIN sees no dropped version of it",
    '"My Shop"."the sales"': "start again with that table and what_happened = damaged",
    '"My Shop"': "there is nothing to bring back",
    '"My Shop"."the sales".GONE': 'There is no table "My Shop"."the sales".GONE, standing or',
    '"My Shop".NEVER': "There is no schema",
    "NEVER": "There is no database NEVER, standing or dropped: it does not exist, or role",
    '"My Shop".NEVER."t"': 'Schema "My Shop".NEVER does not exist, or role ACCOUNTADMIN may not',
    "NEVER.S.T": "Database NEVER does not exist, or role ACCOUNTADMIN may not see it",
    '"My Shop"."old"."t"': 'Bring it back first, with target = "My Shop"."old"',
    "CLOSED.S": "Database CLOSED was dropped itself",
}


def test_what_was_not_dropped_or_is_unknown_stops_it_before_its_first_step(tmp_path: Path) -> None:
    with own_account(tmp_path, YARD) as yard:
        before = yard.look()
        for target, why in NOT_LOST.items():
            yard.ask(RECOVER, target=target, what_happened="dropped")
            assert why in yard.ended, target
            assert "operation cannot be performed" not in yard.ended
            assert not yard.events("step_started"), target
        assert yard.changes(before) == []


def test_what_was_dropped_comes_back_once_and_a_second_wish_says_so(tmp_path: Path) -> None:
    with own_account(tmp_path, YARD) as yard:
        told = {"target": '"My Shop"."the sales"."gone"', "what_happened": "dropped"}
        shown = yard.run_to_its_end(RECOVER, **told)
        assert (shown[-1], shown[-2].startswith("Brought back.")) == (COMPLETED, True)
        before = yard.look()
        again = yard.run_to_its_end(RECOVER, **told)
        assert "or it was brought back already" in again[0]
        assert again[-2].startswith("Nothing was brought back: no dropped version was there.")
        assert (yard.sent(), yard.changes(before)) == ([], [])


def test_where_the_name_is_taken_and_kept_it_says_that_nothing_came_back(tmp_path: Path) -> None:
    with own_account(tmp_path, YARD) as yard:
        yard.run('CREATE TABLE "My Shop"."the sales"."gone" ("other" INT)')
        told = {"target": '"My Shop"."the sales"."gone"', "what_happened": "dropped"}
        shown = yard.run_to_its_end(RECOVER, **told)
        assert shown[-2].startswith("Nothing was brought back: the object that has the name")
        assert yard.sent() == []


def test_a_role_that_may_not_see_it_is_told_that_and_who_can_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    with own_account(tmp_path, YARD) as yard:
        told = {"target": '"My Shop"."the sales"."gone"', "what_happened": "dropped"}
        for place, grant in (
            ("Database", 'GRANT USAGE ON DATABASE "My Shop" TO ROLE CLERK'),
            ("Schema", 'GRANT USAGE ON SCHEMA "My Shop"."the sales" TO ROLE CLERK'),
        ):
            shown = yard.run_to_its_end(RECOVER, **told)[-1]
            assert shown.startswith(f'{place} "My Shop"')
            assert "does not exist, or role CLERK may not see it" in shown
            assert "its owner or SECURITYADMIN can grant USAGE on it to CLERK" in shown
            yard.run(grant)
        shown = yard.run_to_its_end(RECOVER, **told)[-1]
        assert "it does not exist, or role CLERK may not see it" in shown
        assert "run this as its owner, or ask SECURITYADMIN for that role" in shown
        assert not yard.events("step_started")
        yard.run("GRANT ROLE ACCOUNTADMIN TO ROLE CLERK")
        assert yard.run_to_its_end(RECOVER, **told)[-1] == COMPLETED
