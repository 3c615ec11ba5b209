"""An object in the way is shown beside what was wanted, and never replaced."""

import pytest

from skills_nb.errors import SqlError
from skills_nb.model.skills import ExpectedError
from tests.builders import checkpoint, playbook, step, text_input
from tests.engine.driving import Drive

EXISTS = SqlError("SQL compilation error:\nObject 'V' already exists.", errno=2002)
VIEW = "CREATE VIEW V AS SELECT 1 AS N"
DDL = "create or replace view DB.S.V as select 0 as N"


def in_the_way(sql, rows, ddl=DDL, **fields):
    drive = Drive(playbook(step("1", sql, checkpoint=checkpoint(), **fields)))
    drive.account.answers["SHOW"] = rows
    if ddl is not None:
        drive.account.answers["GET_DDL"] = [{"DDL": ddl}]
    drive.account.failures[sql] = [EXISTS] * 9
    return drive


@pytest.mark.parametrize(
    "sql",
    [VIEW, "CREATE TABLE T (A INT)", "CREATE SCHEMA DB.X", "CREATE STREAM F ON TABLE T"],
)
@pytest.mark.parametrize("is_retryable", [True, False])
def test_what_is_in_the_way_is_shown_beside_what_was_wanted_and_never_replaced(sql, is_retryable):
    error = ExpectedError("already exists", "Use CREATE OR REPLACE", retryable=is_retryable)
    rows = [{"name": "V", "owner": "SOMEBODY", "created_on": "2026-01-01"}]
    drive = in_the_way(sql, rows, expected_errors=(error,))
    pause = drive.run().pause
    assert (pause.at, drive.ran) == ("error:1", [])
    (found,) = drive.events("error_escalated")[0].context["existing"]
    assert (found["owner"], found["definition"], found["wanted"]) == ("SOMEBODY", DDL, sql)
    told = pause.present.splitlines()
    assert (
        "is there already, owned by SOMEBODY, made on 2026-01-01. Nothing was replaced." in told[2]
    )
    assert told[3:] == ["What is there:", DDL, "What was wanted:", sql]


def test_what_nobody_may_see_is_told_as_the_account_told_it():
    drive = in_the_way(VIEW, [], ddl=None)
    drive.account.failures["GET_DDL"] = [SqlError("not authorized", errno=2003)] * 9
    assert drive.run().pause.at == "error:1"
    assert drive.events("error_escalated")[0].context["existing"] == []
    assert drive.ran == []


def test_once_it_is_out_of_the_way_a_person_may_try_again():
    drive = in_the_way(VIEW, [{"name": "V"}])
    drive.run()
    drive.account.failures.clear()
    assert drive.respond("retry").pause.at == "1"
    assert drive.ran == [VIEW]


# ---- what takes back, or repairs, may fail too


def modified(*errors):
    book = playbook(
        step("1", "CREATE ROLE {{ ident(name) }}", checkpoint=checkpoint()),
        inputs=(text_input("name"),),
    )
    drive = Drive(book, name="X")
    drive.run()
    drive.account.failures["DROP ROLE"] = list(errors)
    return drive


def test_a_compensation_that_timed_out_is_tried_again_as_a_compensation():
    drive = modified(SqlError("timed out", errno=630))
    drive.respond("modify", values={"name": "Y"})
    assert drive.respond("cleanup").pause.at == "1#2"
    assert drive.ran == ["CREATE ROLE X", "DROP ROLE IF EXISTS X", "CREATE ROLE Y"]
    kinds = [(e.kind, e.attempt) for e in drive.events("statement_started")]
    assert kinds == [("once", 1), ("compensation", 1), ("compensation", 2), ("once", 1)]


def test_a_compensation_that_is_refused_is_put_before_a_person_and_not_forgotten():
    drive = modified(SqlError("no right", errno=3001), SqlError("no right", errno=3001))
    drive.respond("modify", values={"name": "Y"})
    assert drive.respond("cleanup").pause.at == "cleanup#2"
    assert "could not be taken back: DROP ROLE IF EXISTS X" in drive.pause.present
    assert drive.respond("cleanup").pause.at == "cleanup#3"
    assert drive.ran == ["CREATE ROLE X"]
    assert drive.respond("cleanup").pause.at == "1#2"
    assert drive.ran[1:] == ["DROP ROLE IF EXISTS X", "CREATE ROLE Y"]


def test_a_repair_that_timed_out_is_tried_again_as_a_repair():
    drive = Drive(playbook(step("1", "INSERT INTO T VALUES (1)")))
    drive.account.failures["INSERT"] = [SqlError("Warehouse 'WH' is suspended")]
    drive.account.failures["ALTER WAREHOUSE"] = [SqlError("timed out", errno=630)]
    assert drive.run().status == "completed"
    kinds = [e.kind for e in drive.events("statement_started")]
    assert kinds == ["once", "recovery", "recovery", "once"]
