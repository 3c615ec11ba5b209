"""Waves into a database that holds tables already: nothing is overwritten, what differs is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

OFFICE = """
CREATE ROLE CLERK; GRANT ROLE CLERK TO USER ADMIN;
CREATE ROLE READER; GRANT ROLE READER TO USER ADMIN;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE READER;
CREATE DATABASE "New Home"; CREATE SCHEMA "New Home"."sales"; CREATE SCHEMA "New Home"."in";
CREATE STAGE "New Home"."in"."files";
CREATE TABLE "New Home"."sales"."or.ders" ("id" INT, NAME STRING);
CREATE TABLE "New Home"."sales"."people" ("id" INT, "born" DATE);
CREATE TABLE "New Home"."sales"."kept" ("id" INT, NAME STRING);
INSERT INTO "New Home"."sales"."kept" VALUES (7, 'by hand');
CREATE TABLE "New Home"."sales"."bare" ("id" INT);
"""
MIGRATE = "migrate-database"
FILES = {
    "ddl/tables.sql": "CREATE TABLE orders (id INT);\n"
    "!!!RESOLVE EWI!!! /*** SSC-EWI-0036 - XMLTYPE ***/\n-- SSC-FDM-0007 - MISSING\n",
    "or.ders/one.csv": "ID,Name\n1,Ann\n2,Ben\n",
    "people/one.csv": "id,born,shoe\n1,2001-01-01,42\n",
    "kept/one.csv": "id,name\n8,New\n",
}
ASKED = {
    "target_database": '"New Home"',
    "wave_schema": "sales",
    "stage": '"New Home"."in"."files"',
    "file_type": "CSV",
    "reader_role": "READER",
}
SALES = '"New Home"."sales"'
LOG = '"New Home".MIGRATION.MIGRATION_LOG'


@pytest.fixture
def office(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, OFFICE) as account:
        for place, text in FILES.items():
            upload(account, tmp_path, place, text)
        yield account


def upload(office: OwnAccount, folder: Path, place: str, text: str) -> None:
    within, _, name = place.partition("/")
    (folder / name).write_text(text)
    source = f"'file://{folder / name}'"
    office.run(f'PUT {source} \'@"New Home"."in"."files"/{within}/\' AUTO_COMPRESS = FALSE')


def count(office: OwnAccount, table: str) -> int:
    return int(office.rows(f'SELECT COUNT(*) AS N FROM {SALES}."{table}"')[0]["N"])


@pytest.mark.slow
def test_a_wave_shows_what_differs_loads_what_is_empty_and_is_nothing_again(
    office: OwnAccount,
) -> None:
    shown = office.run_to_its_end(MIGRATE, **ASKED, source_counts='{"or.ders": 3}')
    assert shown[-1] == COMPLETED
    assert len(shown) == 5 + 1
    assert "created: schema MIGRATION, the log, file formats for the wave." in shown[0]
    assert "Not converted: 1, listed here: ddl/tables.sql line 2: !!!RESOLVE EWI!!!" in shown[2]
    assert "Lines whose results may differ: 1." in shown[2]
    assert "Wave wave-1 loads 1: or.ders" in shown[3]
    assert "lacks: 1 (leave-out; held back: people)" in shown[3]
    assert "SHOE only in the files" in shown[3]
    assert "or that changed since: kept. Without files in a folder of their name: bare." in shown[3]
    assert "from the source: or.ders (table 2, files 2, source 3)." in shown[4]
    assert "no wave has loaded: sales.bare, sales.kept, sales.people." in shown[4]
    assert [count(office, table) for table in ("or.ders", "people", "kept")] == [2, 0, 1]
    before = office.look()
    again = office.run_to_its_end(MIGRATE, **ASKED)
    assert "Already loaded by a wave: or.ders." in again[3]
    assert (office.sent(), office.changes(before), again[-1]) == ([], [], COMPLETED)


@pytest.mark.slow
def test_future_grants_of_the_database_are_not_switched_off(office: OwnAccount) -> None:
    office.run('GRANT SELECT ON FUTURE TABLES IN DATABASE "New Home" TO ROLE CLERK')
    shown = office.run_to_its_end(MIGRATE, **ASKED, cut_over="now")
    assert "would switch off those of the database (SELECT for CLERK)" in shown[-2]
    office.run(f'CREATE TABLE {SALES}."later" (N INT)')
    holders = {row["grantee_name"] for row in office.rows(f'SHOW GRANTS ON TABLE {SALES}."later"')}
    assert holders == {"ACCOUNTADMIN", "CLERK"}


@pytest.mark.slow
def test_a_held_back_table_is_loaded_when_chosen_and_a_changed_one_is_left_alone(
    office: OwnAccount, tmp_path: Path
) -> None:
    office.run_to_its_end(MIGRATE, **ASKED)
    office.run(f"INSERT INTO {SALES}.\"or.ders\" VALUES (9, 'later')")
    upload(office, tmp_path, "or.ders/two.csv", "ID,Name\n3,Cid\n")
    shown = office.run_to_its_end(MIGRATE, **ASKED, wave="wave-2", columns_apart="load")
    assert "Wave wave-2 loads 1: people" in shown[3]
    assert "or that changed since: kept, or.ders." in shown[3]
    assert [count(office, table) for table in ("or.ders", "people")] == [3, 1]
    logged = office.rows(f"SELECT WAVE, TABLE_NAME, TABLE_ROWS FROM {LOG} ORDER BY 1")
    assert [tuple(row.values()) for row in logged] == [
        ("wave-1", "or.ders", 2),
        ("wave-2", "people", 1),
    ]


@pytest.mark.slow
def test_readers_come_when_they_are_let_in_and_again_nothing_is_granted(
    office: OwnAccount,
) -> None:
    shown = office.run_to_its_end(MIGRATE, **ASKED, cut_over="now")
    assert "READER gets what it lacks to read the tables of schema sales that a wave" in shown[-2]
    assert "Tables to come are covered." in shown[-2]
    assert count(office, "or.ders") == 2
    found = office.rows(f'SELECT COUNT(*) AS N FROM {SALES}."or.ders"', "READER")
    assert found == [{"N": 2}]
    before = office.look()
    again = office.run_to_its_end(MIGRATE, **ASKED, cut_over="now")
    assert (office.sent(), office.changes(before), again[-1]) == ([], [], COMPLETED)


@pytest.mark.slow
def test_a_value_that_does_not_fit_is_foreseen_and_stops_its_table(
    office: OwnAccount, tmp_path: Path
) -> None:
    upload(office, tmp_path, "bare/one.csv", "id\nseven\n")
    before = office.look()
    shown = office.run_to_its_end(MIGRATE, **ASKED, table_pattern="bare")
    assert "bare (id is NUMBER, in the files TEXT)" in shown[3]
    assert "A value does not fit its converted type" in shown[4]
    office.clean()
    assert office.changes(before) == []


_DEPLOYER = (
    "CREATE ROLE DEPLOYER; GRANT ROLE DEPLOYER TO USER ADMIN;"
    "GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE DEPLOYER;"
    'GRANT USAGE, CREATE SCHEMA ON DATABASE "New Home" TO ROLE DEPLOYER;'
    'GRANT USAGE ON SCHEMA "New Home"."in" TO ROLE DEPLOYER;'
    'GRANT READ, WRITE ON STAGE "New Home"."in"."files" TO ROLE DEPLOYER;'
    f"GRANT USAGE ON SCHEMA {SALES} TO ROLE DEPLOYER;"
    f"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA {SALES} TO ROLE DEPLOYER;"
)


@pytest.mark.slow
def test_a_role_that_may_grant_nothing_stops_before_it_starts_or_finds_it_granted(
    office: OwnAccount,
) -> None:
    office.run(_DEPLOYER)
    asked = ASKED | {"migration_role": "DEPLOYER", "cut_over": "now"}
    shown = office.run_to_its_end(MIGRATE, **asked)
    assert "DEPLOYER cannot grant READER USAGE on database New Home, which" in shown[-1]
    assert "schema sales, which ACCOUNTADMIN owns" in shown[-1]
    assert office.sent() == []
    office.run(
        'GRANT USAGE ON DATABASE "New Home" TO ROLE READER;'
        f"GRANT USAGE ON SCHEMA {SALES} TO ROLE READER;"
        f"GRANT SELECT ON ALL TABLES IN SCHEMA {SALES} TO ROLE READER;"
        f"GRANT SELECT ON FUTURE TABLES IN SCHEMA {SALES} TO ROLE READER;"
    )
    shown = office.run_to_its_end(MIGRATE, **asked)
    assert (shown[-1], len(shown)) == (COMPLETED, 5 + 1)
    assert not [sql for sql in office.sent() if sql.startswith("GRANT")]


REFUSED = {
    "a log of others": (
        {},
        'CREATE SCHEMA "New Home".MIGRATION;'
        'CREATE TABLE "New Home".MIGRATION.MIGRATION_LOG (X INT);',
        "did not make",
    ),
    "a format of others": (
        {},
        'CREATE SCHEMA "New Home".MIGRATION;'
        'CREATE FILE FORMAT "New Home".MIGRATION.MIGRATION_CSV TYPE = CSV;',
        "MIGRATION_CSV (ACCOUNTADMIN)",
    ),
    "a role of others": ({"migration_role": "SECURITYADMIN2"}, "", "not granted to user ADMIN"),
    "a role that may not create": ({"migration_role": "CLERK"}, "", "lacks CREATE SCHEMA on it"),
    "a database that may not be made": (
        {"migration_role": "CLERK", "target_database": "ELSEWHERE"},
        "",
        "lacks CREATE DATABASE on the account",
    ),
    "a stage without its schema": ({"stage": "files"}, "", "Name the stage in full"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_stops_it_before_anything_changes(
    office: OwnAccount, name: str
) -> None:
    changed, setup, why = REFUSED[name]
    office.run(setup)
    before = office.look()
    shown = office.run_to_its_end(MIGRATE, **ASKED | changed)
    assert why in shown[-1]
    assert "not known here" not in shown[-1]
    assert office.changes(before) == []


@pytest.mark.slow
def test_a_stage_that_the_role_cannot_see_is_met_before_anything_is_made(
    office: OwnAccount,
) -> None:
    office.run(
        'GRANT USAGE, CREATE SCHEMA ON DATABASE "New Home" TO ROLE CLERK;'
        'GRANT USAGE, CREATE STAGE ON SCHEMA "New Home"."in" TO ROLE CLERK;'
        f"GRANT USAGE ON SCHEMA {SALES} TO ROLE CLERK"
    )
    before = office.look()
    shown = office.run_to_its_end(MIGRATE, **ASKED | {"migration_role": "CLERK"})
    assert "It exists, but CLERK cannot see it" in shown[-1]
    assert office.changes(before) == []


@pytest.mark.slow
def test_aborted_at_each_pause_nothing_remains(office: OwnAccount) -> None:
    found = list(office.aborted_at_each_pause(MIGRATE, **ASKED, cut_over="now"))
    assert [remains for _, remains in found if remains] == []
    assert len(found) == 5


@pytest.mark.slow
def test_a_table_whose_rows_a_policy_hides_is_left_alone_and_told(office: OwnAccount) -> None:
    office.run(
        f"CREATE ROW ACCESS POLICY {SALES}.NOBODY AS (V INT) RETURNS BOOLEAN -> FALSE;"
        f"INSERT INTO {SALES}.\"or.ders\" VALUES (7, 'by hand');"
        f'ALTER TABLE {SALES}."or.ders" ADD ROW ACCESS POLICY {SALES}.NOBODY ON ("id")'
    )
    shown = office.run_to_its_end(MIGRATE, **ASKED, columns_apart="load")
    assert "Wave wave-1 loads 1: people;" in shown[3]
    assert "because a row access policy hides whether they hold rows: or.ders." in shown[3]
    office.run(f'ALTER TABLE {SALES}."or.ders" DROP ROW ACCESS POLICY {SALES}.NOBODY')
    assert count(office, "or.ders") == 1


@pytest.mark.slow
def test_a_table_that_others_fill_behind_the_wait_is_not_loaded(office: OwnAccount) -> None:
    office.ask(MIGRATE, **ASKED)
    assert "Wave wave-1 loads 1: or.ders;" in office.finish(3)[-1]
    office.run(f"INSERT INTO {SALES}.\"or.ders\" VALUES (9, 'others')")
    office.answer()
    assert "Wave wave-1 loads 0: none;" in office.ended
    assert "or that changed since: kept, or.ders." in office.ended
    assert office.finish()[-1] == COMPLETED
    assert count(office, "or.ders") == 1
