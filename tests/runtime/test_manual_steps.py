"""A person adds a sub-step at a checkpoint, and the thread keeps track of it."""

import re

import pytest

from skills_nb.engine.respond import Answer
from skills_nb.errors import SqlError, ThreadError, UsageError
from skills_nb.runtime.manual_steps import HandWritten
from tests.builders import CONTEXT, checkpoint, playbook, step
from tests.engine.driving import Drive
from tests.engine.test_laws_compaction import check_going_on


def waiting(**fields):
    """A thread at the checkpoint of its first step."""
    drive = Drive(
        playbook(
            step("1", "CREATE ROLE A", checkpoint=checkpoint()),
            step("1a", "CREATE ROLE AA"),
            step("2", "CREATE ROLE C", checkpoint=checkpoint()),
        ),
        **fields,
    )
    drive.run()
    return drive


def by_hand(drive, sql, step_id="1b", role=None):
    return drive.conductor.add_step("t", HandWritten(step_id, sql, role))


def test_a_sub_step_runs_probed_and_recorded_while_its_step_waits():
    drive = waiting()
    before = len(drive.types)
    state = by_hand(drive, "CREATE ROLE B;\nGRANT ROLE B TO ROLE A;", role="R")
    assert drive.account.ran[1:] == [("CREATE ROLE B", "R"), ("GRANT ROLE B TO ROLE A", "R")]
    assert drive.types[before:] == [
        "step_started",
        "environment_probed",
        "statement_started",
        "statement_completed",
        # What was made is looked at as it was left: role, holders, what it may do, tags.
        *["environment_probed"] * 5,
        # The other role was made while nobody looked: others may have worked on it since.
        *["environment_probed"] * 5,
        "statement_started",
        "statement_completed",
        # It is granted on: who holds it, and what both roles may do, as it was left.
        *["environment_probed"] * 10,
        "step_completed",
    ]
    assert [made.fqn for made in state.run.step("1b").created] == ["B"]
    assert drive.pause.at == "1"


def test_the_playbook_goes_on_behind_it():
    drive = waiting()
    by_hand(drive, "CREATE ROLE B")
    drive.respond("approve", at="1")
    assert drive.respond("approve", at="2").status == "completed"
    assert drive.ran == ["CREATE ROLE A", "CREATE ROLE B", "CREATE ROLE AA", "CREATE ROLE C"]


def test_what_it_made_is_offered_for_cleanup():
    drive = waiting()
    by_hand(drive, "CREATE ROLE B")
    drive.respond("abort")
    (proposed,) = drive.events("cleanup_proposed")
    assert proposed.compensation_actions == ["DROP ROLE IF EXISTS B", "DROP ROLE IF EXISTS A"]
    assert [orphan.created_in_step for orphan in proposed.orphaned_objects] == ["1b", "1"]


def test_a_sub_step_that_only_reads_says_how_much_it_found():
    drive = waiting()
    drive.account.answers["FROM DB.S.T"] = [{"N": 1}, {"N": 2}]
    state = by_hand(drive, "SELECT N FROM T")
    assert dict(state.run.step("1b").result) == {"row_count": 2}


@pytest.mark.parametrize("sql", ["CREATE ROLE B; CREATE ROLE D", "SELECT B; CREATE ROLE D"])
def test_a_refused_statement_ends_the_sub_step_and_leaves_the_checkpoint_open(sql):
    drive = waiting()
    drive.account.failures[sql.partition(";")[0]] = [SqlError("Insufficient privileges")]
    state = by_hand(drive, sql)
    assert drive.ran == ["CREATE ROLE A"]
    assert state.run.step("1b").failures == ("Insufficient privileges",)
    assert drive.events("step_failed")[0].error_category == "permission"
    assert drive.pause.at == "1"


def test_a_sub_step_whose_process_died_is_found_and_not_sent_again():
    drive = waiting()
    drive.account.failures["CREATE ROLE B"] = [SqlError("gone", errno=250001)]
    drive.account.is_blind = True
    assert by_hand(drive, "CREATE ROLE B; CREATE ROLE D").pause.at == "error:1b"
    assert drive.respond("skip", at="error:1b").pause.at == "1#2"
    assert drive.ran == ["CREATE ROLE A"]
    assert drive.events("statement_completed")[-1].recovered


@pytest.mark.parametrize("step_id", ["2", "1", "2b", "11", "1-b", "b", "1.5"])
def test_an_id_that_is_no_sub_step_of_the_waiting_step_is_refused(step_id):
    with pytest.raises(UsageError, match="is no sub-step of step 1") as refused:
        by_hand(waiting(), "CREATE ROLE B", step_id)
    assert refused.value.hint == "call it 1b"


def test_an_id_of_the_playbook_is_refused():
    with pytest.raises(UsageError, match="step 1a is the playbook's own"):
        by_hand(waiting(), "CREATE ROLE B", "1a")


def test_a_sub_step_without_sql_is_refused():
    with pytest.raises(UsageError, match="needs SQL"):
        by_hand(waiting(), "-- nothing\n")


def test_a_thread_that_waits_nowhere_takes_no_sub_step():
    drive = waiting()
    drive.respond("approve", at="1")
    drive.respond("approve", at="2")
    with pytest.raises(ThreadError, match="where a step waits"):
        by_hand(drive, "CREATE ROLE B")


def test_a_sub_step_is_refused_on_another_account():
    drive = waiting()
    drive.account.where = CONTEXT.model_copy(update={"account_locator": "OTHER"})
    with pytest.raises(ThreadError, match="account OTHER"):
        by_hand(drive, "CREATE ROLE B")
    assert drive.ran == ["CREATE ROLE A"]


def test_a_thread_with_a_sub_step_is_compacted_as_any_other():
    drive = waiting()
    by_hand(drive, "CREATE ROLE B")
    conductor = drive.conductor
    conductor.answer("t", Answer("approve", at="1"))
    conductor.advance("t")
    events = drive.store.load("t")
    for cut in range(3, len(events) + 1):
        check_going_on(events, drive.library, cut)


# ---- held to what a plan is held to


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("DROP SCHEMA S", "Step 1b does 'DROP SCHEMA', which needs a playbook"),
        ("GRANT OWNERSHIP ON TABLE T TO ROLE R", "Step 1b does 'GRANT OWNERSHIP'"),
        ("EXECUTE IMMEDIATE $x", "Step 1b cannot be read"),
        ("DELETE FROM DB.S.T", "step 1b is about to delete rows of DB.S.T; that needs its phrase"),
        ("ALTER TABLE T SWAP WITH U", "step 1b is about to swap table DB.S.T"),
        ("CALL P()", "step 1b is about to call P, whose code is not shown"),
    ],
)
def test_a_sub_step_that_destroys_is_refused_or_confirmed(sql, why):
    drive = Drive(playbook(step("1", "SELECT 1 AS N", checkpoint=checkpoint())))
    drive.run()
    with pytest.raises(UsageError, match=re.escape(why)):
        drive.conductor.add_step(drive.id, HandWritten("1b", sql))
    assert drive.ran == []
    assert drive.pause.at == "1"


def test_a_confirmed_sub_step_is_done():
    drive = Drive(playbook(step("1", "SELECT 1 AS N", checkpoint=checkpoint())))
    drive.run()
    sub = HandWritten("1b", "DELETE FROM DB.S.T", phrase="delete rows of DB.S.T")
    drive.conductor.add_step(drive.id, sub)
    assert drive.ran == ["DELETE FROM DB.S.T"]
