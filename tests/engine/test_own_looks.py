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


# ---- what the steps ahead rest on

READS = "SHOW OBJECTS LIKE 'T' IN SCHEMA D.S"
COLUMNS = "DESCRIBE TABLE D.S.T"


def about_to_copy(*steps):
    """Make a role, wait, copy a table's rows; the table was looked at before the role was made."""
    drive = Drive(
        playbook(
            step("0", "SHOW WAREHOUSES", checkpoint=checkpoint()),
            step("1", MAKE_A, checkpoint=checkpoint()),
            *steps,
            step("9", "INSERT INTO D.S.C (N) SELECT N FROM D.S.T", checkpoint=checkpoint()),
        )
    )
    drive.account.answers |= {
        "SHOW WAREHOUSES": [{"name": "W"}],
        READS: [{"created_on": "monday", "name": "T", "owner": "O", "rows": 1}],
        COLUMNS: [{"name": "N", "type": "NUMBER(38,0)"}],
    }
    drive.run()
    drive.respond("approve", at="0")
    return drive


def test_a_column_that_went_from_what_a_step_ahead_reads_is_told_once():
    drive = about_to_copy()
    drive.account.answers[COLUMNS] = [{"name": "M", "type": "NUMBER(38,0)"}]
    pause = drive.respond("approve", at="1").pause
    assert (pause.at, drive.ran) == ("before:9", [MAKE_A])
    assert pause.present == (
        "Since the last answer, others have changed what the steps ahead read or change: D.S.T: "
        "it no longer has column N, and it has the new column M. Approve to go on with step 9 all "
        "the same."
    )
    assert drive.respond("approve", at="before:9").pause.at == "9"


def test_rows_and_columns_that_came_to_it_are_not_told():
    drive = about_to_copy()
    drive.account.answers[READS] = [
        {"created_on": "monday", "name": "T", "owner": "O", "rows": 2},
    ]
    drive.account.answers[COLUMNS] = [
        {"name": "N", "type": "NUMBER(38,0)"},
        {"name": "M", "type": "NUMBER(38,0)"},
    ]
    assert drive.respond("approve", at="1").pause.at == "9"


def test_what_the_playbook_may_have_done_itself_is_not_told():
    alter = "COMMENT ON COLUMN D.S.T.N IS 'x'"
    drive = about_to_copy(step("2", alter, checkpoint=checkpoint()))
    assert drive.respond("approve", at="1").pause.at == "2"
    drive.account.answers[COLUMNS] = [{"name": "M", "type": "NUMBER(38,0)"}]
    assert drive.respond("approve", at="2").pause.at == "9"
    assert drive.ran[-2] == alter
