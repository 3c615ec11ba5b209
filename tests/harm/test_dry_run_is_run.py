"""What a dry run says of rows is what the run does, what it reports, and what is there afterwards.

The account is not the demo's: names need quotes, columns are masked, rows are hidden by policies.
What really changed is read below the account, from the numbers that its rows have: nobody counts
what he did himself.
"""

import json
from contextlib import contextmanager

import pytest

from skills_nb.embedded.catalog.entities import Entity, TableDetail
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.storage.lending import MOST_CELLS, AccountRows
from skills_nb.embedded.storage.time_travel import images
from skills_nb.embedded.tools import sharing
from skills_nb.embedded.tools.far_rows import FarRows
from skills_nb.embedded.tools.mirror import mirrored
from skills_nb.embedded.tools.rehearsal import ShadowAccount
from skills_nb.embedded.tools.sharing import SharedAccountWire
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.engine.respond import Answer
from skills_nb.ports import Ports
from skills_nb.routing import resolve
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.conductor import Conductor
from skills_nb.runtime.snowpark import SnowparkSession
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from skills_nb.runtime.system_ports import NoHuman, RandomIds, SystemClock
from skills_nb.sql.identifiers import render_name
from tests.builders import library, playbook, step

S = '"Shop"."My Sales"'
SETUP = f"""
CREATE DATABASE "Shop";
CREATE SCHEMA {S};
CREATE SCHEMA "Shop".ARCHIVE;
CREATE TABLE {S}."Orders" ("Id" INT, "Region" VARCHAR, "Amount" NUMBER(12, 2), "at" TIMESTAMP_NTZ);
INSERT INTO {S}."Orders" SELECT SEQ4(), IFF(MOD(SEQ4(), 3) = 0, 'EU', 'US'), SEQ4() * 1.5, NULL
  FROM TABLE(GENERATOR(ROWCOUNT => 120));
CREATE TABLE {S}."new orders" AS SELECT "Id" + 100 AS "Id", "Region", "Amount", "at"
  FROM {S}."Orders" WHERE "Id" < 40;
CREATE TABLE {S}.EMPTY_ONE (A INT, B VARCHAR);
CREATE TRANSIENT TABLE {S}."Passing" AS SELECT "Id" AS ID FROM {S}."Orders" WHERE "Id" < 7;
CREATE TABLE {S}."People" (ID INT, "E-mail" VARCHAR, CITY VARCHAR, DOC VARIANT);
INSERT INTO {S}."People" SELECT SEQ4(), 'p' || SEQ4() || '@x.org', 'C' || MOD(SEQ4(), 4),
  PARSE_JSON('{{"a": 1}}') FROM TABLE(GENERATOR(ROWCOUNT => 20));
CREATE MASKING POLICY {S}."Hide" AS (V VARCHAR) RETURNS VARCHAR ->
  CASE WHEN CURRENT_ROLE() = 'ACCOUNTADMIN' THEN V ELSE '***' END;
ALTER TABLE {S}."People" MODIFY COLUMN "E-mail" SET MASKING POLICY {S}."Hide";
CREATE TABLE {S}."Guarded" AS SELECT "Id" AS ID, "Region" AS REGION FROM {S}."Orders";
CREATE ROW ACCESS POLICY {S}."Mine" AS (R VARCHAR) RETURNS BOOLEAN ->
  CURRENT_ROLE() = 'ACCOUNTADMIN' AND R = 'EU' OR R = 'US' AND CURRENT_ROLE() = 'Clerk';
ALTER TABLE {S}."Guarded" ADD ROW ACCESS POLICY {S}."Mine" ON (REGION);
CREATE VIEW {S}."Europe" AS SELECT * FROM {S}."Orders" WHERE "Region" = 'EU';
CREATE SECURE VIEW {S}."Folk" AS SELECT ID, "E-mail" FROM {S}."People";
CREATE STREAM {S}."Changes" ON TABLE {S}."Orders";
UPDATE {S}."Orders" SET "Amount" = 0 WHERE "Id" < 4;
CREATE SEQUENCE {S}."Next" START = 500;
CREATE TABLE "Shop".ARCHIVE."Old" AS SELECT * FROM {S}."Orders" WHERE "Id" < 11;
CREATE TABLE "Shop".ARCHIVE.NONE (A INT);
CREATE STAGE {S}."Files";
COPY INTO @{S}."Files"/o.csv FROM (SELECT "Id", "Region" FROM {S}."Orders" WHERE "Id" < 13)
  FILE_FORMAT = (TYPE = CSV COMPRESSION = NONE) SINGLE = TRUE;
CREATE PROCEDURE {S}."Purge"(N INT) RETURNS VARCHAR LANGUAGE SQL EXECUTE AS CALLER AS
  'BEGIN DELETE FROM {S}."Orders" WHERE "Id" >= :N; UPDATE {S}."Passing" SET ID = 0; END';
CREATE TASK {S}."Nightly" WAREHOUSE = COMPUTE_WH AS DELETE FROM {S}."Passing" WHERE ID > 2;
CREATE ROLE "Clerk";
GRANT ROLE "Clerk" TO USER ADMIN;
GRANT USAGE ON DATABASE "Shop" TO ROLE "Clerk";
GRANT USAGE ON ALL SCHEMAS IN DATABASE "Shop" TO ROLE "Clerk";
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE "Clerk";
GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA {S} TO ROLE "Clerk"
"""

ORDERS, NEW, PEOPLE = f'{S}."Orders"', f'{S}."new orders"', f'{S}."People"'
GUARDED, PASSING, EMPTY = f'{S}."Guarded"', f'{S}."Passing"', f"{S}.EMPTY_ONE"
OLD = '"Shop".ARCHIVE."Old"'
CLERK = '"Clerk"'
PLANS = {
    "delete some": [f'DELETE FROM {ORDERS} WHERE "Id" > 0'],
    "delete none": [f'DELETE FROM {ORDERS} WHERE "Id" < 0'],
    "delete all": [f"DELETE FROM {ORDERS}"],
    "delete by another table": [
        f'DELETE FROM {ORDERS} o USING {NEW} n WHERE o."Id" = n."Id"',
    ],
    "delete by a view": [f'DELETE FROM {ORDERS} WHERE "Id" IN (SELECT "Id" FROM {S}."Europe")'],
    "delete from an empty table": [f"DELETE FROM {EMPTY}"],
    "truncate": [f"TRUNCATE TABLE {ORDERS}"],
    "truncate a transient table": [f"TRUNCATE {PASSING}"],
    "truncate an empty table": [f"TRUNCATE TABLE {EMPTY}"],
    "update some": [f"""UPDATE {ORDERS} SET "Amount" = 1 WHERE "Region" = 'EU'"""],
    "update all": [f'UPDATE {ORDERS} SET "Amount" = "Amount" + 1'],
    "update from another table": [
        f'UPDATE {ORDERS} o SET "Amount" = n."Amount" FROM {NEW} n WHERE o."Id" = n."Id"',
    ],
    "update a document": [f"UPDATE {PEOPLE} SET DOC = NULL WHERE DOC:a = 1 AND ID < 5"],
    "insert values": [f"INSERT INTO {EMPTY} VALUES (1, 'a'), (2, 'b')"],
    "insert numbers of a sequence": [f"""INSERT INTO {EMPTY} SELECT {S}."Next".NEXTVAL, 'x'"""],
    "insert a query": [f'INSERT INTO {ORDERS} SELECT * FROM {NEW} WHERE "Id" >= 120'],
    "insert from a view": [f'INSERT INTO {EMPTY} (A) SELECT "Id" FROM {S}."Europe"'],
    "insert from a stream": [
        f"""INSERT INTO {EMPTY} SELECT "Id", "Region" FROM {S}."Changes"
            WHERE METADATA$ACTION = 'INSERT'""",
    ],
    "insert overwrite": [f'INSERT OVERWRITE INTO {ORDERS} SELECT * FROM {NEW} WHERE "Id" < 105'],
    "insert into several": [
        f"""INSERT ALL WHEN "Id" < 110 THEN INTO {EMPTY} (A) VALUES ("Id")
            WHEN "Id" >= 105 THEN INTO {PASSING} (ID) VALUES ("Id") SELECT "Id" FROM {NEW}""",
    ],
    "merge": [
        f"""MERGE INTO {ORDERS} o USING {NEW} n ON o."Id" = n."Id"
            WHEN MATCHED AND n."Id" < 105 THEN DELETE
            WHEN MATCHED THEN UPDATE SET "Amount" = n."Amount"
            WHEN NOT MATCHED THEN INSERT ("Id") VALUES (n."Id")""",
    ],
    "load files": [f'COPY INTO {EMPTY} FROM @{S}."Files" FILE_FORMAT = (TYPE = CSV)'],
    "load files twice": [
        f'COPY INTO {EMPTY} FROM @{S}."Files" FILE_FORMAT = (TYPE = CSV)',
        f'COPY INTO {EMPTY} FROM @{S}."Files" FILE_FORMAT = (TYPE = CSV)',
    ],
    "replace a table": [f"CREATE OR REPLACE TABLE {ORDERS} (A INT)"],
    "replace by a query": [f'CREATE OR REPLACE TABLE {OLD} AS SELECT * FROM {NEW} WHERE "Id" < 3'],
    "replace by a clone": [f"CREATE OR REPLACE TABLE {OLD} CLONE {ORDERS}"],
    "make what is there": [f"CREATE TABLE IF NOT EXISTS {OLD} (A INT)"],
    "drop a table": [f"DROP TABLE {ORDERS}"],
    "drop an empty table": [f"DROP TABLE {EMPTY}"],
    "drop a table that is not there": [f'DROP TABLE IF EXISTS {S}."None such"'],
    "drop a schema": ['DROP SCHEMA "Shop".ARCHIVE'],
    "drop a database": [
        f"ALTER TABLE {GUARDED} DROP ALL ROW ACCESS POLICIES",
        'DROP DATABASE "Shop"',
    ],
    "replace a schema": ['CREATE OR REPLACE SCHEMA "Shop".ARCHIVE'],
    "swap": [f"ALTER TABLE {OLD} SWAP WITH {NEW}"],
    "drop a column": [f'ALTER TABLE {ORDERS} DROP COLUMN "at"'],
    "rename": [f'ALTER TABLE {ORDERS} RENAME TO {S}."Renamed"'],
    "execute immediate": [f"""EXECUTE IMMEDIATE 'DELETE FROM {ORDERS} WHERE "Id" < 9'"""],
    "a block": [
        f"""BEGIN
              DELETE FROM {ORDERS} WHERE "Id" < 9;
              INSERT INTO {EMPTY} SELECT "Id", 'b' FROM {NEW};
              UPDATE {PASSING} SET ID = 1 WHERE ID > 3;
            END""",
    ],
    "a branch that is not taken": [
        f"""BEGIN
              IF (1 = 2) THEN DELETE FROM {ORDERS}; END IF;
              TRUNCATE TABLE {PASSING};
            END""",
    ],
    "a block in a block of text": [
        f"""EXECUTE IMMEDIATE 'BEGIN DELETE FROM {ORDERS} WHERE "Id" = 3; END'""",
    ],
    "a procedure": [f'CALL {S}."Purge"(50)'],
    "what the plan made itself": [
        f'CREATE TABLE {S}."Fresh" AS SELECT * FROM {ORDERS} WHERE "Id" < 30',
        f'INSERT INTO {PASSING} SELECT "Id" FROM {S}."Fresh" WHERE "Id" >= 20',
        f'DELETE FROM {ORDERS} WHERE "Id" IN (SELECT "Id" FROM {S}."Fresh")',
    ],
    "what the plan changed itself": [
        f'DELETE FROM {ORDERS} WHERE "Id" >= 100',
        f"INSERT INTO {EMPTY} (A) SELECT COUNT(*) FROM {ORDERS}",
        f'INSERT INTO {PASSING} SELECT "Id" FROM {ORDERS} WHERE "Id" > 90',
    ],
    "a table as it was": [f"INSERT OVERWRITE INTO {OLD} SELECT * FROM {ORDERS} AT (OFFSET => 0)"],
    "masked values": [f"""DELETE FROM {PEOPLE} WHERE "E-mail" LIKE 'p1%'"""],
    "masked values, as another role": [
        "USE ROLE " + CLERK,
        f"""DELETE FROM {PEOPLE} WHERE "E-mail" LIKE 'p1%'""",
        f"""UPDATE {PEOPLE} SET CITY = 'X' WHERE "E-mail" = '***' AND ID < 6""",
    ],
    "hidden rows": [f"DELETE FROM {GUARDED} WHERE ID < 30"],
    "hidden rows, as another role": [
        "USE ROLE " + CLERK,
        f"UPDATE {GUARDED} SET REGION = 'US' WHERE ID < 30",
        f"INSERT INTO {PASSING} SELECT ID FROM {GUARDED} WHERE ID > 100",
    ],
}

KEPT = {
    *("delete some", "delete all", "truncate", "truncate a transient table", "update some"),
    *("update from another table", "insert values", "insert a query", "insert overwrite", "merge"),
    *("insert into several", "masked values"),
}
"""Plans of one statement whose tables keep their former rows, so that the report says where."""


@pytest.fixture
def account():
    with Account.open(None) as opened:
        session = opened.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for sql in SETUP.split(";\n"):
            session.execute(sql)
        session.close()
        yield opened


class Shadows:
    """Shadows of an account that is here, rows and all."""

    def __init__(self, account, most_cells=MOST_CELLS):
        self.account, self.most_cells = account, most_cells

    def shadow(self, session, scope):
        rows = AccountRows(self.account, self.most_cells)
        return ShadowAccount.of(self.account, session.context(), rows=rows)


@contextmanager
def conducting(account, statements, folder, shadows):
    steps = [step(str(n), sql) for n, sql in enumerate(statements, 1)]
    wire = EmbeddedWire(account)
    connection = mounted_connection.connect(
        wire, user="ADMIN", role="ACCOUNTADMIN", warehouse="COMPUTE_WH"
    )
    session = SnowparkSession(mounted_connection.session(connection))
    store = SqliteThreadStore(folder)
    ports = Ports(
        session=session,
        store=store,
        clock=SystemClock(),
        ids=RandomIds(),
        human=NoHuman(),
        router=resolve,
        rehearsal=shadows,
    )
    try:
        yield Conductor(library(playbook(*steps)), ports)
    finally:
        session.close()
        store.close()


def held(account):
    """Return every table's number and columns, and since when each of its rows stands."""
    cursor = account.store.cursor()
    return {
        render_name(entity.path): (entity.id, len(entity.detail.columns), _rows(cursor, entity))
        for entity in account.catalog.all(Entity)
        if isinstance(entity.detail, TableDetail) and entity.dropped_on is None
    }


def _rows(cursor, entity):
    asked = duck_sql.of(
        "SELECT {listed} FROM {table}",
        listed=duck_sql.names([images.ROW, images.SINCE]),
        table=duck_sql.place(entity.detail.place),
    )
    return dict(cursor.execute(asked).fetchall())


def what_changed(before, after):
    """Return what happened to how many rows of every table that was there before."""
    numbers = {number for number, _, _ in before.values()}
    return {
        name: ways
        for name in before
        if (ways := _ways(before[name], after.get(name), numbers, after))
    }


def _ways(old, new, numbers, after):
    if new is None or old[0] != new[0]:
        is_elsewhere = old[0] in {number for number, _, _ in after.values()}
        if new is None and is_elsewhere:
            return {}
        way = "exchanged" if is_elsewhere else "lost"
        return {way: len(old[2])} if old[2] else {}
    rows, by_now = old[2], new[2]
    ways = {
        "deleted": len(rows.keys() - by_now.keys()),
        "inserted": len(by_now.keys() - rows.keys()),
        "updated": sum(rows[row] != by_now[row] for row in rows.keys() & by_now.keys()),
        "cut": len(rows) if old[1] != new[1] else 0,
    }
    return {way: count for way, count in ways.items() if count}


def said(found, before):
    """Return the same of what is said, step by step, of tables that were there before."""
    told = {}
    for one in found:
        assert (one.rows_are, one.rows) == ("exact", sum(one.how.values())), one
        ways = told.setdefault(one.fqn, {})
        for way, count in one.how.items():
            ways[way] = ways.get(way, 0) + count
    told = {name: {w: n for w, n in ways.items() if n} for name, ways in told.items()}
    return {name: ways for name, ways in told.items() if ways and name in before}


@pytest.mark.parametrize("name", PLANS)
def test_a_dry_run_says_what_the_run_does_and_reports(name, account, tmp_path):
    before, catalog = held(account), account.fingerprint()
    with conducting(account, PLANS[name], tmp_path, Shadows(account)) as conductor:
        conductor.start("playbooks/toy", {}, dry_run=True, thread_id="t")
        state = conductor.advance("t")
        assert state.pause.kind == "dry_run_summary", state.pause.present
        planned = [one for planned in state.run.planned for one in planned.would_modify]
        assert all("WOULD FAIL" not in planned.action for planned in state.run.planned)
        assert (held(account), account.fingerprint()) == (before, catalog)
        conductor.answer("t", Answer(choice="execute", at=state.pause.at))
        state = conductor.advance("t")
        assert state.status == "completed", state.pause and state.pause.present
        reported = [one for at in state.run.steps.values() for one in at.modified]
    changed = what_changed(before, held(account))
    assert said(planned, before) == changed
    assert said(reported, before) == changed
    assert [one for one in planned if one.rows] == [
        one.model_copy(update={"restore_point": None}) for one in reported if one.rows
    ]
    assert all(one.restore_point is None for one in planned)
    if name in KEPT:
        points = [one.restore_point for one in reported]
        ids = [at.query_id for at in state.statements if at.kind == "once" and at.query_id]
        assert points == [
            {"kind": "time_travel", "before_statement": ids[0], "retention_days": 1}
        ] * len(points)


# ---- where the rows are out of reach


class Mirrors:
    """Shadows of an account that is only known by what its session may ask."""

    def shadow(self, session, scope):
        context = session.context()
        twin = mirrored(session, context, ["Shop"])
        try:
            return ShadowAccount.of(twin.account, context, missing=twin.missing)
        finally:
            twin.account.close()


def foretold(account, statements, folder, shadows):
    """Return what a dry run says of the rows of each step."""
    with conducting(account, statements, folder, shadows) as conductor:
        conductor.start("playbooks/toy", {}, dry_run=True, thread_id="t")
        state = conductor.advance("t")
        assert state.pause.kind == "dry_run_summary", state.pause.present
        return [
            (one.fqn.rpartition(".")[2], one.rows, one.rows_are, one.of)
            for planned in state.run.planned
            for one in planned.would_modify
        ]


BOUNDED = {
    "a filter is asked for": (
        [f'DELETE FROM {ORDERS} WHERE "Id" > 0'],
        [('"Orders"', 119, "exact", 120)],
    ),
    "a filter after another change is a bound": (
        [f'DELETE FROM {ORDERS} WHERE "Id" > 100', f'DELETE FROM {ORDERS} WHERE "Id" > 50'],
        [('"Orders"', 19, "exact", 120), ('"Orders"', 101, "at_most", 101)],
    ),
    "rows that join others are a bound": (
        [f'DELETE FROM {ORDERS} o USING {NEW} n WHERE o."Id" = n."Id"', f"TRUNCATE {ORDERS}"],
        [('"Orders"', 120, "at_most", 120), ('"Orders"', 120, "at_most", 120)],
    ),
    "a whole table is known": (
        [f"TRUNCATE TABLE {ORDERS}", f"DROP TABLE {PASSING}"],
        [('"Orders"', 120, "exact", 120), ('"Passing"', 7, "exact", 7)],
    ),
    "values are counted": (
        [f'INSERT INTO {ORDERS} ("Id") VALUES (1), (2)', f"TRUNCATE TABLE {ORDERS}"],
        [('"Orders"', 2, "exact", 120), ('"Orders"', 122, "exact", 122)],
    ),
    "a merge is not known": (
        [
            f"""MERGE INTO {ORDERS} o USING {NEW} n ON o."Id" = n."Id"
                WHEN MATCHED THEN DELETE"""
        ],
        [('"Orders"', None, "unknown", 120)],
    ),
    "what was made of rows that are not here is not known": (
        [
            f'CREATE TABLE {S}."Copy" AS SELECT * FROM {ORDERS}',
            f'DELETE FROM {S}."Copy"',
            f'INSERT INTO {EMPTY} (A) SELECT "Id" FROM {S}."Copy"',
        ],
        [('"Copy"', None, "unknown", None), ("EMPTY_ONE", None, "unknown", 0)],
    ),
    "a new table is known": (
        [f'CREATE TABLE {S}."Copy" (A INT)', f'INSERT INTO {S}."Copy" VALUES (1)'],
        [('"Copy"', 1, "exact", 0)],
    ),
    "another's name is not taken for it": (
        [
            f'ALTER TABLE {ORDERS} RENAME TO {S}."Away"',
            f"ALTER TABLE {NEW} RENAME TO {ORDERS}",
            f"TRUNCATE TABLE {ORDERS}",
        ],
        [('"Orders"', None, "unknown", None)],
    ),
    "hidden rows are not known": (
        [f"TRUNCATE TABLE {GUARDED}"],
        [('"Guarded"', None, "unknown", None)],
    ),
    "a procedure's statements are followed": (
        [f'CALL {S}."Purge"(50)'],
        [('"Orders"', None, "unknown", None), ('"Passing"', None, "unknown", None)],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOUNDED)
def test_without_rows_a_dry_run_says_bounds_or_nothing(name, account, tmp_path):
    statements, expected = BOUNDED[name]
    assert foretold(account, statements, tmp_path, Mirrors()) == expected


def test_a_table_that_is_too_large_to_borrow_is_bounded(account, tmp_path):
    shadows = Shadows(account, most_cells=300)
    plan = [
        f'DELETE FROM {ORDERS} USING {NEW} n WHERE {ORDERS}."Id" = n."Id"',
        f"UPDATE {PASSING} SET ID = 0",
    ]
    assert foretold(account, plan, tmp_path, shadows) == [
        ('"Orders"', 120, "at_most", 120),
        ('"Passing"', 7, "exact", 7),
    ]


CHANCE = {
    "a sample": (
        [f'INSERT INTO {EMPTY} (A) SELECT "Id" FROM {ORDERS} SAMPLE (50)'],
        [("EMPTY_ONE", None, "unknown", 0)],
    ),
    "a filter by chance": (
        [f"DELETE FROM {ORDERS} WHERE RANDOM() > 0"],
        [('"Orders"', 120, "at_most", 120)],
    ),
    "values of chance that are filtered later": (
        [
            f"INSERT INTO {PASSING} SELECT UNIFORM(1, 9, RANDOM()) FROM {NEW}",
            f"DELETE FROM {PASSING} WHERE ID > 4",
        ],
        [('"Passing"', 40, "exact", 7), ('"Passing"', 47, "at_most", 47)],
    ),
}


@pytest.mark.parametrize("name", CHANCE)
def test_what_is_left_to_chance_is_never_exact(name, account, tmp_path):
    statements, expected = CHANCE[name]
    assert foretold(account, statements, tmp_path, Shadows(account)) == expected


class FarShadows:
    """Shadows of an account that another process has open."""

    def __init__(self, account):
        self.wire = SharedAccountWire(account)

    def ask(self, path, question):
        answer = self.wire.handle("POST", f"http://x{path}", {}, json.loads(json.dumps(question)))
        return json.loads(json.dumps(answer["data"]))

    def shadow(self, session, scope):
        twin = sharing.twin(self.ask(sharing.CATALOG, {})["records"])
        rows = FarRows(lambda question: self.ask(sharing.ROWS, question))
        return ShadowAccount.of(twin, session.context(), rows=rows)


def test_rows_come_from_another_process_too(account, tmp_path):
    plan = [
        f"""DELETE FROM {PEOPLE} WHERE DOC:a = 1 AND "E-mail" LIKE 'p1%'""",
        f'DELETE FROM {NEW} WHERE "Amount" > 10 AND "at" IS NULL',
        f'INSERT INTO {EMPTY} (A) SELECT "Id" FROM {NEW}',
        f'DELETE FROM {ORDERS} o USING {NEW} n WHERE o."Id" = n."Id"',
    ]
    assert foretold(account, plan, tmp_path, FarShadows(account)) == [
        ('"People"', 11, "exact", 20),
        ('"new orders"', 33, "exact", 40),
        ("EMPTY_ONE", 7, "exact", 0),
        # It was updated, and what it held before is not borrowed.
        ('"Orders"', 120, "at_most", 120),
    ]
