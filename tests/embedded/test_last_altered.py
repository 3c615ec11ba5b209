"""LAST_ALTERED moves with whatever is done to a table, LAST_DDL with its definition alone.

See https://docs.snowflake.com/en/sql-reference/info-schema/tables
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.sql.statements import split

_TABLE = '"My Shop"."s"."orders"'
_SETUP = f"""CREATE DATABASE "My Shop"; CREATE SCHEMA "My Shop"."s";
CREATE TABLE {_TABLE} ("id" INT, "by" STRING);
INSERT INTO {_TABLE} VALUES (1, 'ann'), (2, 'ben'); CREATE TABLE "My Shop"."s".OTHER LIKE {_TABLE};
CREATE TAG "My Shop"."s".TIER;
CREATE MASKING POLICY "My Shop"."s".HIDE AS (V STRING) RETURNS STRING -> '***';
CREATE STAGE "My Shop"."s".FILES; COPY INTO @"My Shop"."s".FILES/one FROM {_TABLE}"""
_ROWS = {
    "insert": f"INSERT INTO {_TABLE} VALUES (3, 'cay')",
    "update": f'UPDATE {_TABLE} SET "by" = UPPER("by")',
    "update of no row": f'UPDATE {_TABLE} SET "id" = 0 WHERE FALSE',
    "delete": f'DELETE FROM {_TABLE} WHERE "id" = 1',
    "truncate": f"TRUNCATE TABLE {_TABLE}",
    "overwrite": f"INSERT OVERWRITE INTO {_TABLE} SELECT * FROM {_TABLE}",
    "merge": f'MERGE INTO {_TABLE} AS t USING (SELECT 1 AS N) AS s ON t."id" = s.N '
    "WHEN MATCHED THEN DELETE",
    "several": f'INSERT ALL INTO {_TABLE} SELECT "id", "by" FROM {_TABLE}',
    "copy": f'COPY INTO {_TABLE} FROM @"My Shop"."s".FILES/one',
}
_DEFINITION = {
    "add a column": f"ALTER TABLE {_TABLE} ADD COLUMN MORE INT",
    "comment": f"COMMENT ON TABLE {_TABLE} IS 'ours'",
    "comment on a column": f"COMMENT ON COLUMN {_TABLE}.\"id\" IS 'key'",
    "set": f"ALTER TABLE {_TABLE} SET DATA_RETENTION_TIME_IN_DAYS = 0",
    "tag": f'ALTER TABLE {_TABLE} SET TAG "My Shop"."s".TIER = \'gold\'',
    "mask": f'ALTER TABLE {_TABLE} MODIFY COLUMN "by" SET MASKING POLICY "My Shop"."s".HIDE',
    "swap": f'ALTER TABLE "My Shop"."s".OTHER SWAP WITH {_TABLE}',
}


@pytest.fixture
def shop() -> Iterator[AccountSession]:
    with Account.open() as account:
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for statement in split(_SETUP):
            session.execute(statement.text)
        yield session


def _times(session: AccountSession) -> tuple[object, object]:
    asked = (
        'SELECT LAST_ALTERED, LAST_DDL FROM "My Shop".INFORMATION_SCHEMA.TABLES '
        "WHERE TABLE_NAME = 'orders'"
    )
    altered, ddl = session.execute(asked).rows[0]
    return altered, ddl


@pytest.mark.parametrize("how", _ROWS)
def test_rows_move_it_and_leave_the_moment_of_ddl(how: str, shop: AccountSession) -> None:
    altered, ddl = _times(shop)
    shop.execute(_ROWS[how])
    assert _times(shop)[0] > altered
    assert _times(shop)[1] == ddl


@pytest.mark.parametrize("how", _DEFINITION)
def test_the_definition_moves_both(how: str, shop: AccountSession) -> None:
    before = max(_times(shop))
    shop.execute(_DEFINITION[how])
    altered, ddl = _times(shop)
    assert ddl > before
    assert altered >= ddl


def test_looking_granting_and_what_is_rolled_back_move_nothing(shop: AccountSession) -> None:
    before = _times(shop)
    for statement in (
        f"SELECT * FROM {_TABLE}",
        f"GRANT SELECT ON TABLE {_TABLE} TO ROLE PUBLIC",
        f'CREATE TABLE "My Shop"."s".TWIN CLONE {_TABLE}',
        "BEGIN",
        _ROWS["insert"],
        "ROLLBACK",
    ):
        shop.execute(statement)
    assert _times(shop) == before


def test_a_transaction_counts_as_of_its_commit_and_others_see_nothing_of_it_before(
    shop: AccountSession,
) -> None:
    other = shop.account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    before = _times(shop)
    shop.execute("BEGIN")
    shop.execute(_ROWS["insert"])
    own = _times(shop)[0]
    assert _times(other) == before
    shop.execute("COMMIT")
    assert _times(other)[0] > own > before[0]


def test_two_sessions_write_to_one_table_and_the_account_remembers_it(tmp_path: Path) -> None:
    with Account.open(tmp_path / "account") as account:
        one = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        two = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for statement in ('CREATE DATABASE "My Shop"', 'CREATE SCHEMA "My Shop"."s"'):
            one.execute(statement)
        one.execute(f'CREATE TABLE {_TABLE} ("id" INT)')
        for session in (one, two):
            session.execute("BEGIN")
            session.execute(f"INSERT INTO {_TABLE} VALUES (1)")
        for session in (one, two):
            session.execute("COMMIT")
        written = _times(one)
        assert written[0] > written[1]
    with Account.open(tmp_path / "account") as account:
        assert _times(account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")) == written
