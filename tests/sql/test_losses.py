"""What a thread made and is there no more is not told as if it were."""

import pytest

from skills_nb.model.events import CreatedObject
from skills_nb.model.state import PlaybookRun, StatementRecord, ThreadState
from skills_nb.sql.objects.losses import Losses, standing_of
from tests.builders import CONTEXT

RUN = PlaybookRun("p", "live", 1, context=CONTEXT)


def losses(*statements, status="completed"):
    records = tuple(
        StatementRecord(
            key=f"t:{seq}",
            seq=seq,
            step="1",
            ordinal=seq,
            attempt=1,
            sql=sql,
            kind="once",
            role=None,
            run_seq=1,
            status=status,
        )
        for seq, sql in enumerate(statements, 10)
    )
    return Losses(ThreadState(run=RUN, statements=records))


def made(fqn, kind="table"):
    return CreatedObject(type=kind, name=fqn.rpartition(".")[2], fqn=fqn)


T = made("DB.S.T")
QUOTED = made('DB.S."My Table"')


@pytest.mark.parametrize(
    ("one", "statements"),
    [
        (T, ["CREATE TABLE T (A INT)", "DROP TABLE IF EXISTS T"]),
        (T, ["CREATE TABLE DB.S.T (A INT)", "DROP SCHEMA DB.S"]),
        (T, ["CREATE TABLE T (A INT)", "DROP DATABASE DB"]),
        (T, ["CREATE TABLE T (A INT)", "CREATE OR REPLACE SCHEMA DB.S"]),
        (T, ["CREATE TABLE T (A INT)", "ALTER TABLE T RENAME TO U"]),
        (T, ["CREATE TABLE T (A INT)", "EXECUTE IMMEDIATE 'DROP TABLE DB.S.T'"]),
        (QUOTED, ['CREATE TABLE "My Table" (A INT)', 'DROP TABLE DB.S."My Table"']),
        (made("DB.S.P", "masking_policy"), ["DROP MASKING POLICY P"]),
        (made("R", "role"), ["CREATE ROLE R", "DROP ROLE R"]),
        (made("DB.S.D", "dynamic_table"), ["DROP TABLE D"]),
    ],
)
def test_it_is_gone(one, statements):
    assert losses(*statements).is_gone(one, 5)
    assert standing_of(losses(*statements), (one,), 5) == ()


@pytest.mark.parametrize(
    ("one", "statements"),
    [
        (T, ["CREATE TABLE T (A INT)"]),
        (T, ["DROP TABLE IF EXISTS T", "CREATE TABLE T (A INT)"]),
        (T, ["CREATE TABLE T (A INT)", "DROP TABLE T", "UNDROP TABLE T"]),
        (T, ["CREATE TABLE T (A INT)", "CREATE OR REPLACE TABLE T (B INT)"]),
        (T, ["CREATE TABLE T (A INT)", 'DROP TABLE "t"', "DROP TABLE OTHER.S.T"]),
        (T, ["CREATE TABLE T (A INT)", "DROP SCHEMA S2", "ALTER TABLE T DROP COLUMN A"]),
        (T, ["CREATE TABLE U (A INT)", "ALTER TABLE U RENAME TO T"]),
        (T, ["DROP MASKING POLICY T"]),
        (made("DB.S.TT"), ["DROP TABLE T"]),
    ],
)
def test_it_is_there(one, statements):
    assert standing_of(losses(*statements), (one,), 5) == (one,)


def test_what_was_refused_and_what_came_before_take_nothing():
    assert not losses("DROP TABLE T", status="failed").is_gone(T, 5)
    assert not losses("DROP TABLE T").is_gone(T, 10)
