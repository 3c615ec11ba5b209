"""Taking back: newest first, only when a person says so, and never for ever."""

import pytest

from skills_nb.errors import SqlError, ThreadError
from tests.builders import checkpoint, playbook, step
from tests.engine.driving import Drive

UNDO_A, UNDO_B = "DROP ROLE IF EXISTS A", "DROP ROLE IF EXISTS B"


def aborted(*errors, piece="DROP ROLE IF EXISTS B"):
    drive = Drive(playbook(step("1", "CREATE ROLE A", "CREATE ROLE B", checkpoint=checkpoint())))
    drive.run()
    drive.respond("abort", comment="no")
    drive.account.failures[piece] = list(errors)
    return drive


def timed_out():
    return SqlError("timed out", errno=630)


def test_a_compensation_that_timed_out_is_tried_again_before_the_next_one():
    drive = aborted(timed_out(), timed_out())
    assert drive.respond("cleanup").status == "failed"
    assert drive.ran[2:] == [UNDO_B, UNDO_A]
    assert drive.clock.slept == [1.0, 2.0]
    assert drive.events("thread_aborted")[0].cleanup_status == "cleaned"


def test_a_compensation_that_is_refused_is_told_and_the_others_go_on():
    drive = aborted(SqlError("no right", errno=3001))
    drive.respond("cleanup")
    assert drive.ran[2:] == [UNDO_A]
    (executed,) = drive.events("cleanup_executed")
    assert (executed.cleaned, executed.failed) == ([UNDO_A], [UNDO_B])


def test_what_was_refused_is_tried_again_when_cleanup_is_asked_for_again():
    drive = aborted(SqlError("no right", errno=3001))
    drive.respond("cleanup")
    assert drive.conductor.propose_cleanup("t").pause.at == "cleanup#2"
    assert drive.events("cleanup_proposed")[1].compensation_actions == [UNDO_B]
    drive.respond("cleanup")
    assert drive.ran[-1] == UNDO_B
    assert drive.events("cleanup_executed")[1].cleaned == [UNDO_B]
    with pytest.raises(ThreadError, match="nothing to take back"):
        drive.conductor.propose_cleanup("t")


def test_a_broken_way_to_the_account_ends_a_cleanup_instead_of_spinning():
    drive = aborted(*[SqlError("gone", errno=250001)] * 99, piece="DROP")
    drive.account.is_blind = True
    assert drive.respond("cleanup").status == "failed"
    assert drive.events("cleanup_executed")[0].failed == [UNDO_B, UNDO_A]
    assert len(drive.events("statement_lost")) == 8


def test_cleanup_of_a_thread_that_goes_on_is_refused():
    drive = Drive(playbook(step("1", "CREATE ROLE A", checkpoint=checkpoint())))
    drive.run()
    with pytest.raises(ThreadError, match="the thread is not over"):
        drive.conductor.propose_cleanup("t")


def test_asking_twice_for_a_cleanup_asks_once():
    drive = aborted()
    drive.respond("keep")
    first = drive.conductor.propose_cleanup("t")
    assert drive.conductor.propose_cleanup("t").seq == first.seq


def test_cleanup_goes_on_in_another_process():
    drive = aborted()
    send = drive.account.execute

    class Died(BaseException):
        pass

    def dying(sql, **how):
        send(sql, **how)
        drive.account.execute = send
        raise Died

    drive.account.execute = dying
    with pytest.raises(Died):
        drive.respond("cleanup")
    assert drive.resume().status == "failed"
    assert drive.ran[2:] == [UNDO_B, UNDO_A]
