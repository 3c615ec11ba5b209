"""Taking back: newest first, only when a person says so, and never for ever."""

import pytest

from skills_nb.errors import SqlError, ThreadError
from skills_nb.model import events as ev
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


def test_a_compensation_that_is_refused_is_told_and_nothing_is_done_after_it():
    drive = aborted(SqlError("no right", errno=3001))
    drive.respond("cleanup")
    assert drive.ran[2:] == []
    (executed,) = drive.events("cleanup_executed")
    assert (executed.cleaned, executed.failed) == ([], [UNDO_B])
    assert executed.left_alone == [ev.Untouched(fqn="A", why="cleanup came to a stop before it")]
    assert drive.events("thread_aborted")[0].cleanup_status == "partial"


def test_what_was_refused_is_tried_again_when_cleanup_is_asked_for_again():
    drive = aborted(SqlError("no right", errno=3001))
    drive.respond("cleanup")
    assert drive.conductor.propose_cleanup("t").pause.at == "cleanup#2"
    assert drive.events("cleanup_proposed")[1].compensation_actions == [UNDO_B, UNDO_A]
    drive.respond("cleanup")
    assert drive.ran[2:] == [UNDO_B, UNDO_A]
    assert drive.events("cleanup_executed")[1].cleaned == [UNDO_B, UNDO_A]
    with pytest.raises(ThreadError, match="nothing to take back"):
        drive.conductor.propose_cleanup("t")


def test_a_broken_way_to_the_account_ends_a_cleanup_instead_of_spinning():
    drive = aborted(*[SqlError("gone", errno=250001)] * 99, piece="DROP")
    drive.account.is_blind = True
    assert drive.respond("cleanup").status == "failed"
    assert drive.events("cleanup_executed")[0].failed == [UNDO_B]
    assert len(drive.events("statement_lost")) == 4


def test_cleanup_of_a_thread_that_goes_on_is_refused():
    drive = Drive(playbook(step("1", "CREATE ROLE A", checkpoint=checkpoint())))
    drive.run()
    with pytest.raises(ThreadError, match="thread 't' is not over yet"):
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


# ---- what others did since


def test_a_review_of_a_cleanup_looks_at_the_account_again():
    drive = Drive(playbook(step("1", "CREATE ROLE A", "CREATE ROLE B", checkpoint=checkpoint())))
    drive.run()
    drive.respond("abort")
    drive.account.objects.discard("A")
    drive.respond("review")
    first, second = drive.events("cleanup_proposed")
    assert first.compensation_actions == [UNDO_B, UNDO_A]
    assert second.compensation_actions == [UNDO_B]
    assert second.left_alone == [ev.Untouched(fqn="A", why="it is not there any more")]


MADE_ANEW = [{"name": "A", "created_on": "later"}]


@pytest.mark.parametrize(
    ("query", "rows", "why"),
    [
        ("SHOW ROLES LIKE 'A'", MADE_ANEW, "another one has that name now"),
        ("SHOW ROLES LIKE 'A'", [], "it is not there any more"),
        (
            "SHOW GRANTS OF ROLE A",
            [{"role": "A", "granted_to": "USER", "grantee_name": "EVE"}],
            "another session granted it to USER EVE",
        ),
        (
            "SHOW GRANTS TO ROLE A",
            [{"privilege": "USAGE", "granted_on": "DATABASE", "name": "D", "grantee_name": "A"}],
            "another session granted USAGE on D to A",
        ),
    ],
)
def test_what_others_touched_since_is_left_alone_and_named(query, rows, why):
    drive = Drive(playbook(step("1", "CREATE ROLE A", "CREATE ROLE B", checkpoint=checkpoint())))
    drive.run()
    if not rows:
        drive.account.objects.discard("A")
    else:
        drive.account.answers[query] = rows
    drive.respond("abort")
    (proposed,) = drive.events("cleanup_proposed")
    assert proposed.compensation_actions == [UNDO_B]
    assert proposed.left_alone == [ev.Untouched(fqn="A", why=why)]
    drive.respond("cleanup")
    assert drive.ran[2:] == [UNDO_B]
    (executed,) = drive.events("cleanup_executed")
    assert (executed.restored, executed.left_alone) == (["B"], proposed.left_alone)
    assert drive.events("thread_aborted")[0].cleanup_status == "partial"


def test_what_others_touch_between_the_proposal_and_its_turn_is_left_alone_too():
    drive = aborted()
    drive.account.answers["SHOW ROLES LIKE 'A'"] = MADE_ANEW
    drive.respond("cleanup")
    assert drive.ran[2:] == [UNDO_B]
    assert [one.fqn for one in drive.events("cleanup_executed")[0].left_alone] == ["A"]


def test_what_cannot_be_brought_back_is_named_and_never_called_clean():
    drive = Drive(playbook(step("1", "CALL CHANGE_IT()", checkpoint=checkpoint())))
    drive.run()
    drive.respond("approve", phrase=drive.pause.phrase)
    drive.respond("abort")
    (executed,) = drive.events("cleanup_executed")
    why = "what it did in the account is not known"
    assert executed.not_restorable == [ev.Untouched(fqn="CALL CHANGE_IT()", why=why)]
    assert drive.events("thread_aborted")[0].cleanup_status == "partial"


ROWS = "DELETE FROM D.S.T WHERE A = 1"
QUERY = "HASH_AGG"
SAME = [
    {"MOMENT": "now", "ROW_COUNT": 1, "HASH": 7},
    {"MOMENT": "then", "ROW_COUNT": 1, "HASH": 7},
]
MORE = [{**SAME[0], "ROW_COUNT": 3, "HASH": 8}, SAME[1]]
BACK = "INSERT OVERWRITE INTO D.S.T SELECT * FROM D.S.T BEFORE(STATEMENT => 'q1')"


def deleted(days="1", **answers):
    drive = Drive(playbook(step("1", ROWS, checkpoint=checkpoint())))
    drive.account.answers["SHOW TABLES"] = [{"name": "T", "retention_time": days}]
    drive.run()
    drive.respond("approve", phrase=drive.pause.phrase)
    drive.account.answers |= answers
    drive.respond("abort")
    return drive


def test_deleted_rows_are_put_back_from_the_moment_before_their_statement():
    drive = deleted(HASH_AGG=SAME)
    assert drive.events("cleanup_proposed")[0].compensation_actions == [BACK]
    drive.respond("cleanup")
    assert drive.ran == [ROWS, BACK]
    assert drive.events("cleanup_executed")[0].restored == ["D.S.T"]


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({QUERY: MORE}, "another session changed it: 2 rows more"),
        ({QUERY: []}, "its rows can't be compared with those that this thread left"),
    ],
)
def test_rows_that_others_changed_since_are_left_alone(answers, why):
    drive = deleted(**answers)
    assert drive.events("cleanup_executed")[0].left_alone == [ev.Untouched(fqn="D.S.T", why=why)]
    assert drive.ran == [ROWS]


def test_rows_are_not_put_back_through_a_policy_that_hides_some_of_their_values():
    drive = deleted(HASH_AGG=SAME, POLICY_REFERENCES=[{"POLICY_KIND": "MASKING_POLICY"}])
    (one,) = drive.events("cleanup_executed")[0].left_alone
    assert one.why.startswith("policies hide some of its values")
    assert drive.ran == [ROWS]


def test_rows_of_a_table_without_a_history_are_named_as_lost():
    drive = deleted(days="0")
    why = "it keeps no history: DATA_RETENTION_TIME_IN_DAYS is 0"
    executed = drive.events("cleanup_executed")[0]
    assert executed.not_restorable == [ev.Untouched(fqn="D.S.T", why=why)]
