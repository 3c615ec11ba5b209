"""An object in the way is replaced only where that destroys nothing; what fails is tried again."""

import pytest

from skills_nb.engine.replacing import replacement_of
from skills_nb.errors import SqlError
from skills_nb.model.skills import ExpectedError
from tests.builders import checkpoint, playbook, step, text_input
from tests.engine.driving import Drive

EXISTS = SqlError("SQL compilation error:\nObject 'V' already exists.", errno=2002)
VIEW = "CREATE VIEW V AS SELECT 1 AS N"
BETTER = "CREATE OR REPLACE VIEW V AS SELECT 1 AS N"
DDL = "create or replace view DB.S.V as select 0 as N"


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (VIEW, BETTER),
        ("/* a */ create\n role R", "/* a */ create OR REPLACE\n role R"),
        (BETTER, None),
        ("CREATE OR ALTER TABLE T (A INT)", None),
        ("INSERT INTO T VALUES (1)", None),
        ("ALTER VIEW V SET COMMENT = 'CREATE VIEW'", None),
        ("", None),
    ],
)
def test_only_a_plain_create_has_a_replacement(sql, found):
    assert replacement_of(sql) == found


def in_the_way(sql, rows, ddl=DDL, **fields):
    drive = Drive(playbook(step("1", sql, checkpoint=checkpoint(), **fields)))
    drive.account.answers["SHOW"] = rows
    if ddl is not None:
        drive.account.answers["GET_DDL"] = [{"DDL": ddl}]
    drive.account.failures[sql] = [EXISTS, EXISTS]
    return drive


def test_a_view_whose_definition_was_captured_is_replaced_and_can_be_brought_back():
    drive = in_the_way(VIEW, [{"name": "V"}])
    assert drive.run().pause.at == "1"
    assert drive.ran == [BETTER]
    assert [e.kind for e in drive.events("statement_started")] == ["once", "repeatable"]
    drive.respond("abort")
    assert drive.events("cleanup_proposed")[0].compensation_actions == [DDL]


def test_a_view_whose_definition_nobody_shows_is_left_alone():
    drive = in_the_way(VIEW, [{"name": "V"}], ddl=None)
    drive.account.failures["GET_DDL"] = [SqlError("not authorized", errno=2003)]
    assert drive.run().pause.at == "error:1"
    assert drive.ran == []
    assert drive.events("error_escalated")[0].context["category"] == "object_exists"


@pytest.mark.parametrize(("rows", "replaced"), [(0, True), (3, False)])
def test_a_table_is_replaced_only_without_rows(rows, replaced):
    sql = "CREATE TABLE T (A INT)"
    drive = in_the_way(sql, [{"name": "T", "rows": rows}], ddl="create table T (B int)")
    assert drive.run().pause.at == ("1" if replaced else "error:1")
    assert drive.ran == (["CREATE OR REPLACE TABLE T (A INT)"] if replaced else [])


@pytest.mark.parametrize("kind", ["SCHEMA", "DATABASE"])
def test_what_holds_objects_is_never_replaced(kind):
    drive = in_the_way(f"CREATE {kind} X", [{"name": "X"}])
    assert drive.run().pause.at == "error:1"
    assert drive.ran == []


def test_a_role_has_no_definition_and_is_replaced_only_where_the_thread_made_it():
    drive = in_the_way("CREATE ROLE R", [{"name": "R"}], ddl=None)
    assert drive.run().pause.at == "error:1"
    book = playbook(step("1", "CREATE ROLE R"), step("2", "CREATE ROLE R", checkpoint=checkpoint()))
    own = Drive(book)
    execute = own.account.execute

    def refusing(sql, **how):
        if "R" in own.account.objects and sql == "CREATE ROLE R":
            raise EXISTS
        return execute(sql, **how)

    own.account.execute = refusing
    assert own.run().pause.at == "2"
    assert own.ran == ["CREATE ROLE R", "CREATE OR REPLACE ROLE R"]


def test_an_authors_recovery_does_not_make_a_replacement_safe():
    error = ExpectedError("already exists", "Use CREATE OR REPLACE", retryable=True)
    drive = in_the_way("CREATE SCHEMA X", [{"name": "X"}], expected_errors=(error,))
    assert drive.run().pause.at == "error:1"
    assert drive.events("error_escalated")[0].context["recovery_hint"] == "Use CREATE OR REPLACE"


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
    assert drive.respond("modify", values={"name": "Y"}).pause.at == "1#2"
    assert drive.ran == ["CREATE ROLE X", "DROP ROLE IF EXISTS X", "CREATE ROLE Y"]
    kinds = [(e.kind, e.attempt) for e in drive.events("statement_started")]
    assert kinds == [("once", 1), ("compensation", 1), ("compensation", 2), ("once", 1)]


def test_a_compensation_that_is_refused_is_put_before_a_person_and_not_forgotten():
    drive = modified(SqlError("no right", errno=3001), SqlError("no right", errno=3001))
    assert drive.respond("modify", values={"name": "Y"}).pause.at == "error:1"
    assert drive.respond("retry").pause.at == "error:1#2"
    assert drive.ran == ["CREATE ROLE X"]
    assert drive.respond("retry").pause.at == "1#2"
    assert drive.ran[1:] == ["DROP ROLE IF EXISTS X", "CREATE ROLE Y"]


def test_a_repair_that_timed_out_is_tried_again_as_a_repair():
    drive = Drive(playbook(step("1", "INSERT INTO T VALUES (1)")))
    drive.account.failures["INSERT"] = [SqlError("Warehouse 'WH' is suspended")]
    drive.account.failures["ALTER WAREHOUSE"] = [SqlError("timed out", errno=630)]
    assert drive.run().status == "completed"
    kinds = [e.kind for e in drive.events("statement_started")]
    assert kinds == ["once", "recovery", "recovery", "once"]
