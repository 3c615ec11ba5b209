"""Behind a wait it is told what others did, to a playbook's own work and to what it counted."""

from skills_nb.errors import SqlError
from skills_nb.model.skills import ProbeCheck, ProbeSpec
from tests.builders import checkpoint, playbook, step
from tests.engine.driving import Drive

MAKE_A, MAKE_B, MAKE_C = "CREATE ROLE A", "CREATE ROLE B", "CREATE ROLE C"
LOOK = "SHOW ROLES LIKE 'A'"


def waiting():
    """Make a role, wait at a checkpoint, then make two others with a checkpoint between."""
    drive = Drive(
        playbook(
            step("1", MAKE_A, checkpoint=checkpoint()),
            step("2", MAKE_B, checkpoint=checkpoint()),
            step("3", MAKE_C),
        )
    )
    drive.run()
    return drive


def test_what_others_dropped_is_told_once_and_then_it_goes_on():
    drive = waiting()
    drive.account.objects.discard("A")
    pause = drive.respond("approve", at="1").pause
    assert (pause.at, drive.ran) == ("before:2", [MAKE_A])
    assert "role A: it is not there any more" in pause.present
    assert drive.respond("approve", at="before:2").pause.at == "2"
    assert drive.respond("approve", at="2").status == "completed"
    assert drive.ran == [MAKE_A, MAKE_B, MAKE_C]


def test_where_nobody_came_nothing_is_asked_and_each_wait_brings_one_look():
    drive = waiting()
    looks = [sql for sql, _ in drive.account.read if sql == LOOK]
    assert drive.respond("approve", at="1").pause.at == "2"
    assert [sql for sql, _ in drive.account.read if sql == LOOK] == [*looks, LOOK]
    assert drive.respond("approve", at="2").status == "completed"


# ---- rows that are counted again

COUNT = "SELECT COUNT(*) AS N FROM T"


def counting(phrase=None, *, recount=True):
    """Count rows, wait, then delete them."""
    drive = Drive(
        playbook(
            step(
                "1",
                COUNT,
                binds={"n": "first.N"},
                recount=recount,
                checkpoint=checkpoint("critical", present="{n} rows.", phrase=phrase),
            ),
            step("2", MAKE_B),
        )
    )
    drive.account.answers[COUNT] = [{"N": 4}]
    drive.run()
    return drive


def count_now(drive, rows):
    """Let others change the number of rows, then approve; return where it waits."""
    drive.account.answers[COUNT] = [{"N": rows}]
    pause = drive.pause
    phrase = pause.option("approve").phrase
    return drive.respond("approve", at=pause.at, phrase=phrase).pause


def test_a_number_that_was_typed_is_asked_for_as_often_as_it_changes():
    drive = counting("delete {n} rows")
    for rows in (5, 6, 7, 8):
        pause = count_now(drive, rows)
        assert (pause.present, pause.option("approve").phrase) == (
            f"{rows} rows.",
            f"delete {rows} rows",
        )
    assert (count_now(drive, 8), drive.ran) == (None, [MAKE_B])


def test_a_number_that_was_only_shown_is_shown_again_twice():
    drive = counting("delete them")
    assert [count_now(drive, rows).present for rows in (5, 6)] == ["5 rows.", "6 rows."]
    assert (count_now(drive, 7), drive.ran) == (None, [MAKE_B])


def test_without_recount_rows_are_read_once():
    drive = counting("delete {n} rows", recount=False)
    assert (count_now(drive, 5), drive.ran) == (None, [MAKE_B])


# ---- the same words again

SHOWN = checkpoint(present="Tables: {names}.")


def listing():
    """List names, wait, then make a role."""
    drive = Drive(
        playbook(
            step("1", "SHOW TABLES", binds={"names": "column.name"}, checkpoint=SHOWN),
            step("2", MAKE_B),
        )
    )
    drive.account.answers["SHOW TABLES"] = [{"name": "a"}]
    drive.run()
    return drive


def test_the_same_kind_of_change_is_told_after_each_answer_until_it_never_stands_still():
    drive = listing()
    for name in "bcde":
        drive.account.answers["SHOW TABLES"] = [{"name": name}]
        pause = drive.respond("approve", at=drive.pause.at).pause
        assert pause.present == f"Tables: {name}."
    drive.account.answers["SHOW TABLES"] = [{"name": "f"}]
    assert drive.respond("approve", at=drive.pause.at).status == "completed"
    assert drive.ran == [MAKE_B]


def test_a_question_that_is_refused_now_is_told():
    drive = listing()
    refused = SqlError("002003 (42S02): no such table", errno=2003)
    drive.account.failures["SHOW TABLES"] = [refused] * 9
    assert drive.respond("approve", at="1").pause.kind == "error_escalated"
    assert "what step 1 reads is refused now" in drive.state.run.redoing.said
    assert drive.ran == []


# ---- a probe without a row


def test_a_probe_that_finds_no_row_says_so_in_its_own_words():
    probe = ProbeSpec(
        "table",
        "SHOW TABLES LIKE 'T'",
        True,
        (
            ProbeCheck("count = 0", "block", "There is no table T."),
            ProbeCheck("name <> 'T'", "block", "It is called {name}."),
        ),
    )
    drive = Drive(playbook(step("1", MAKE_A), probes=(probe,)))
    assert drive.run().pause.present.startswith("There is no table T.")
