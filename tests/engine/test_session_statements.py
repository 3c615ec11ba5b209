"""A thread goes on in its account, as its role, where it stood, whatever the session is now."""

import pytest

from skills_nb.engine.respond import Answer
from skills_nb.engine.session.session_statements import changes_session, place_of, places_left
from skills_nb.errors import SqlError, ThreadError
from tests.builders import CONTEXT, checkpoint, playbook, step, text_input
from tests.engine.driving import Drive

MAKE_A = "CREATE ROLE A"
MAKE_B = "CREATE ROLE B"


def two_steps(**fields):
    return playbook(
        step("1", MAKE_A, checkpoint=checkpoint()),
        step("2", MAKE_B, checkpoint=checkpoint(**fields)),
    )


def stopped_in_step_2(drive):
    """Leave a thread that died in the middle of its second step."""
    drive.run()
    drive.account.failures[MAKE_B] = [SqlError("connection lost", errno=250001)]
    drive.account.is_blind = True
    assert drive.respond("approve").pause.at == "error:2"


def test_a_thread_is_not_gone_on_with_elsewhere_in_the_middle_of_a_step():
    drive = Drive(two_steps())
    stopped_in_step_2(drive)
    drive.account.where = CONTEXT.model_copy(update={"account_locator": "OTHER"})
    with pytest.raises(ThreadError, match="account OTHER, but thread 't' works on XY12345"):
        drive.respond("retry")
    assert drive.ran == [MAKE_A]
    drive.account.where = CONTEXT
    assert drive.resume().pause.at == "2"
    assert drive.ran == [MAKE_A, MAKE_B]


def test_a_thread_goes_on_as_the_role_it_began_with():
    drive = Drive(two_steps())
    drive.run()
    drive.account.where = CONTEXT.model_copy(update={"current_role": "PUBLIC"})
    drive.respond("approve")
    assert drive.account.ran == [(MAKE_A, None), (MAKE_B, "SECURITYADMIN")]
    assert drive.events("step_started")[1].account_context.current_role == "SECURITYADMIN"


# ---- statements that only change the session

QUIET = "USE SECONDARY ROLES NONE"


def test_another_process_brings_its_session_to_where_the_thread_left_it():
    drive = Drive(
        playbook(step("1", QUIET, MAKE_A, checkpoint=checkpoint()), step("2", MAKE_B, role="R"))
    )
    drive.run()
    drive.respond("approve")
    assert drive.ran == [QUIET, MAKE_A, QUIET, MAKE_B]
    assert [e.sql for e in drive.events("statement_started")] == [QUIET, MAKE_A, MAKE_B]


def test_the_same_process_does_not_set_its_session_twice():
    drive = Drive(playbook(step("1", QUIET, checkpoint=checkpoint()), step("2", MAKE_B)))
    conductor = drive.conductor
    conductor.start(drive.goal, {}, thread_id="t")
    conductor.advance("t")
    conductor.answer("t", Answer("approve"))
    conductor.advance("t")
    assert drive.ran == [QUIET, MAKE_B]


def test_a_step_done_again_sets_the_session_again():
    book = playbook(
        step("1", QUIET, "SELECT {{ n }} AS N", checkpoint=checkpoint()),
        inputs=(text_input("n", type="integer"),),
    )
    drive = Drive(book, n=1)
    conductor = drive.conductor
    conductor.start(drive.goal, drive.inputs, thread_id="t")
    conductor.advance("t")
    conductor.answer("t", Answer("modify", values={"n": 2}))
    conductor.advance("t")
    assert drive.ran == [QUIET, QUIET]


def test_a_session_that_cannot_be_set_stops_the_thread_before_anything_is_sent():
    drive = Drive(playbook(step("1", QUIET, checkpoint=checkpoint()), step("2", MAKE_B)))
    drive.run()
    drive.account.failures[QUIET] = [SqlError("not now")]
    with pytest.raises(ThreadError, match="session cannot be set as the thread left it"):
        drive.respond("approve")
    assert drive.ran == [QUIET]
    assert drive.resume().status == "completed"


def test_a_session_that_stands_elsewhere_is_brought_back_first():
    drive = Drive(two_steps())
    drive.run()
    elsewhere = {"current_warehouse": None, "current_schema": "PUBLIC"}
    drive.account.where = CONTEXT.model_copy(update=elsewhere)
    drive.respond("approve")
    assert drive.ran == [MAKE_A, "USE WAREHOUSE WH", "USE SCHEMA DB.S", MAKE_B]


@pytest.mark.parametrize(
    ("began", "here", "found"),
    [
        ({}, {}, ()),
        ({"current_schema": None}, {"current_database": "X"}, ("USE DATABASE DB",)),
        ({"current_database": None, "current_schema": None}, {}, ()),
        ({"current_warehouse": None}, {}, ()),
        ({"current_schema": "my s"}, {}, ('USE SCHEMA DB."my s"',)),
    ],
)
def test_only_what_differs_is_set_again(began, here, found):
    places = (CONTEXT.model_copy(update=began), CONTEXT.model_copy(update=here))
    assert places_left(*places) == found


@pytest.mark.parametrize(
    ("sql", "of_session"),
    [
        ("ALTER SESSION SET TIMEZONE = 'UTC'", True),
        ("SET x = 1", True),
        ("UNSET x", True),
        ("USE ROLE R", True),
        ("ALTER TABLE T ADD COLUMN A INT", False),
        ("USE CATALOG X", False),
        ("SELECT 1", False),
    ],
)
def test_statements_of_the_session_are_told_from_those_of_the_account(sql, of_session):
    assert changes_session(sql) is of_session


# ---- where a playbook has left its session


def left_at(*sqls):
    """Return where a playbook that sent these statements has left its session."""
    drive = Drive(playbook(step("1", *sqls, checkpoint=checkpoint())))
    drive.run()
    left = place_of(drive.state, CONTEXT)
    return left and (left.current_database, left.current_schema)


def test_what_moves_a_session_is_followed():
    assert left_at(MAKE_A) == ("DB", "S")
    assert left_at("CREATE DATABASE LAB", 'CREATE SCHEMA "x y"') == ("LAB", "x y")
    assert left_at("USE DATABASE LAB", "USE SCHEMA Z", MAKE_A) == ("LAB", "Z")


def test_a_script_leaves_it_somewhere_until_a_schema_is_said():
    script = "BEGIN LET n := 1; END"
    assert left_at(script) is None
    assert left_at(script, "USE SCHEMA Z") == ("DB", "Z")
    assert left_at(script, "USE SCHEMA LAB.Z", MAKE_A) == ("LAB", "Z")


def test_a_session_that_was_moved_while_a_thread_waited_is_brought_back_and_put_back():
    drive = Drive(two_steps())
    conductor = drive.conductor
    conductor.start(drive.goal, {}, thread_id="t")
    conductor.advance("t")
    conductor.answer("t", Answer("approve"))
    drive.account.where = CONTEXT.model_copy(update={"current_schema": "ELSEWHERE"})
    conductor.advance("t")
    assert drive.ran[:3] == [MAKE_A, "USE SCHEMA DB.S", MAKE_B]
