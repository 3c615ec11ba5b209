"""Nothing is deleted, dropped or overwritten that a person did not let through, as it was shown."""

import pytest

from skills_nb.errors import UsageError
from skills_nb.sql.harm import harms_of
from tests.builders import checkpoint, playbook, step, text_input
from tests.engine.driving import Drive

EMPTY = "DELETE FROM DB.S.ORDERS"
LOOK = step("1", "SELECT 1 AS N", checkpoint=checkpoint())
GRAVE = {
    "DELETE FROM T": "delete rows of DB.S.T",
    "TRUNCATE TABLE T": "empty DB.S.T",
    "UPDATE T SET A = 1": "overwrite values in DB.S.T",
    "MERGE INTO T USING S ON T.A = S.A WHEN MATCHED THEN DELETE": "overwrite rows of DB.S.T",
    "INSERT OVERWRITE INTO T SELECT 1": "overwrite DB.S.T",
    "DROP TABLE T": "drop table DB.S.T",
    "DROP USER U": "drop user U",
    "ALTER TABLE T DROP COLUMN A": "drop column DB.S.T.A",
    "ALTER TABLE T RENAME TO U": "rename table DB.S.T",
    "ALTER TABLE T SET DATA_RETENTION_TIME_IN_DAYS = 0": (
        "give up that table DB.S.T can be brought back"
    ),
    "GRANT OWNERSHIP ON TABLE T TO ROLE R": "hand the ownership of table DB.S.T to ROLE R",
    "GRANT ROLE ACCOUNTADMIN TO USER U": "grant role ACCOUNTADMIN to USER U",
    "REVOKE ROLE SECURITYADMIN FROM ROLE R": "revoke role SECURITYADMIN from ROLE R",
    "GRANT SELECT ON TABLE T TO ROLE PUBLIC": "grant SELECT on table DB.S.T to ROLE PUBLIC",
    "ALTER ACCOUNT SET TIMEZONE = 'UTC'": "change the account's own settings",
    "CALL P(1)": "call P, whose code is not shown",
    "EXECUTE TASK DB.S.JOB": "run task DB.S.JOB, whose code is not shown",
    "REMOVE @S": "remove files (REMOVE @S)",
    "EXECUTE IMMEDIATE 'DELETE FROM T'": "delete rows of DB.S.T",
    "EXECUTE IMMEDIATE $X": "run SQL that is made while it runs",
    "BEGIN LET R RESULTSET := (DELETE FROM T); RETURN 1; END": "run a block that holds DELETE",
    "SHOW TABLES ->> DROP TABLE T": "drop table DB.S.T",
}
CALM = [
    "CREATE TABLE T (A INT)",
    "CREATE TABLE IF NOT EXISTS T (A INT)",
    "INSERT INTO T VALUES (1)",
    "MERGE INTO T USING S ON T.A = S.A WHEN NOT MATCHED THEN INSERT (A) VALUES (1)",
    "ALTER TABLE T ADD COLUMN B INT",
    "ALTER TABLE T SET COMMENT = 'DELETE FROM T'",
    "COPY INTO T FROM @S",
    "CALL SYSTEM$CLASSIFY('T', NULL)",
    "CREATE PROCEDURE P() RETURNS INT AS $$BEGIN DELETE FROM T; RETURN 1; END$$",
]


def words_of(sql, weight="critical"):
    return [harm.words for harm in harms_of(sql, "DB", "S") if harm.weight == weight]


@pytest.mark.parametrize(("sql", "words"), GRAVE.items())
def test_what_destroys_is_told_in_words(sql, words):
    assert words_of(sql) == [words]


def test_both_sides_of_a_swap_are_told():
    assert words_of("ALTER TABLE T SWAP WITH U") == ["swap table DB.S.T", "swap table DB.S.U"]


@pytest.mark.parametrize("sql", CALM)
def test_what_only_adds_destroys_nothing(sql):
    assert words_of(sql) == []


def test_rights_of_one_role_are_watched():
    assert words_of("GRANT ROLE A TO ROLE B", "watched") == ["grant role A to ROLE B"]


@pytest.mark.parametrize("sql", GRAVE)
@pytest.mark.parametrize("severity", ["info", "review"])
def test_a_step_that_destroys_asks_before_it_does_whatever_its_author_says(sql, severity):
    drive = Drive(playbook(step("1", sql, checkpoint=checkpoint(severity))))
    state = drive.run()
    assert drive.ran == []
    pause = state.pause
    assert (pause.at, pause.severity, pause.is_before) == ("before:1", "critical", True)
    assert pause.added == (sql,)
    with pytest.raises(UsageError, match="needs its phrase typed"):
        drive.respond("approve")
    assert [option.id for option in pause.options] == [
        "approve",
        "modify",
        "abort",
        "different-approach",
    ]
    drive.respond("approve", phrase=pause.phrase)
    assert drive.ran == [sql]
    assert (drive.pause.at, drive.pause.severity) == ("1", "review")


def test_no_timer_and_no_approval_of_the_rest_lets_it_through():
    emptying = step("2", EMPTY, checkpoint=checkpoint("info"))
    drive = Drive(playbook(LOOK, step("1b", "CREATE ROLE A", checkpoint=checkpoint()), emptying))
    drive.run()
    drive.respond("approve_remaining")
    assert (drive.pause.at, drive.pause.severity) == ("1b", "critical")
    assert drive.ran == ["CREATE ROLE A"]


def test_the_checkpoint_before_shows_it_and_is_the_approval():
    drive = Drive(playbook(LOOK, step("2", EMPTY)))
    pause = drive.run().pause
    assert (pause.at, pause.severity, pause.phrase) == (
        "1",
        "critical",
        "delete rows of DB.S.ORDERS",
    )
    assert pause.present == "look\n\nThen step 2 is to delete rows of DB.S.ORDERS."
    assert drive.respond("approve", phrase=pause.phrase).status == "completed"
    assert drive.ran == [EMPTY]


def test_an_authors_critical_checkpoint_keeps_its_phrase():
    stop = checkpoint("critical", phrase="do it")
    drive = Drive(playbook(step("1", "SELECT 1 AS N", checkpoint=stop), step("2", EMPTY)))
    assert drive.run().pause.phrase == "do it"
    assert drive.respond("approve", phrase="do it").status == "completed"


def test_what_was_shown_otherwise_is_asked_about_again():
    inputs = (text_input("what", type="table", phase="step_2"),)
    drive = Drive(playbook(LOOK, step("2", "DELETE FROM {{ what }}"), inputs=inputs))
    drive.run()
    drive.respond("approve")
    drive.respond("other", at="input:what", values={"what": "DB.S.ORDERS"})
    assert (drive.pause.at, drive.ran) == ("before:2", [])
    drive.respond("modify", values={"what": "DB.S.OTHERS"})
    assert (drive.pause.phrase, drive.ran) == ("delete rows of DB.S.OTHERS", [])
    drive.respond("approve", phrase=drive.pause.phrase)
    assert drive.ran == ["DELETE FROM DB.S.OTHERS"]


def test_all_of_a_step_is_asked_about_at_once():
    drive = Drive(playbook(step("1", "CREATE ROLE A", EMPTY, "DROP TABLE DB.S.ORDERS")))
    pause = drive.run().pause
    assert drive.ran == ["CREATE ROLE A"]
    assert pause.phrase == "delete rows of DB.S.ORDERS and 1 more"
    assert drive.respond("approve", phrase=pause.phrase).status == "completed"


def test_the_thread_may_drop_what_it_made_itself():
    drive = Drive(playbook(step("1", "CREATE ROLE A"), step("2", "DROP ROLE A")))
    assert drive.run().status == "completed"
    assert drive.ran == ["CREATE ROLE A", "DROP ROLE A"]


def test_what_is_there_is_replaced_after_an_approval_only():
    replacing = "CREATE OR REPLACE ROLE A"
    drive = Drive(playbook(step("1", replacing)))
    assert drive.run().status == "completed"
    there = Drive(playbook(step("1", replacing)))
    there.account.objects.add("A")
    assert (there.run().pause.at, there.ran) == ("before:1", [])
    assert there.pause.phrase == "replace role A"


def test_a_phrase_can_be_typed_whatever_the_names_are():
    drive = Drive(playbook(step("1", 'DELETE FROM "My ""Table"')))
    assert drive.run().pause.phrase == "do step 1"


def test_an_abort_before_it_leaves_everything_as_it_was():
    drive = Drive(playbook(step("1", EMPTY)))
    drive.run()
    assert drive.respond("abort").status == "failed"
    assert drive.ran == []
