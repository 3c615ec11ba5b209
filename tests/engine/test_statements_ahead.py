"""What an approval lets through is told before it, as it will be sent."""

from skills_nb.engine.approvals.statements_ahead import steps_ahead
from skills_nb.model.ahead import Ahead
from skills_nb.model.skills import ForEach
from tests.builders import checkpoint, playbook, step, text_input
from tests.engine.driving import Drive

BOOK = playbook(
    step("1", "SELECT N FROM C", binds={"found": "column.N"}, checkpoint=checkpoint()),
    step("2", "CREATE TABLE {{ target }} (A INT)", "SELECT 1"),
    step("3", "DELETE FROM {{ target }}", role="OWNER", checkpoint=checkpoint("info")),
    step("4", "DROP TABLE {{ late }}", when="found IS NULL"),
    step("5", "DELETE FROM {{ made }}", binds={"gone": "row_count"}),
    step("6", "DROP VIEW V", checkpoint=checkpoint("critical")),
    step("7", "DROP SCHEMA S", checkpoint=checkpoint()),
    inputs=(text_input("target", type="table"),),
)


def test_an_approval_lets_through_what_comes_before_the_next_person():
    drive = Drive(BOOK, target="DB.S.T")
    state = drive.run()

    assert steps_ahead(drive.state, BOOK, state.pause) == (
        Ahead("2", "Step 2", ((None, "CREATE TABLE DB.S.T (A INT)"), (None, "SELECT 1"))),
        Ahead("3", "Step 3", (("OWNER", "DELETE FROM DB.S.T"),)),
        Ahead("5", "Step 5", is_open=True),
        Ahead("6", "Step 6", ((None, "DROP VIEW DB.S.V"),)),
    )


def test_at_no_other_pause_is_anything_let_through():
    drive = Drive(BOOK, target="DB.S.T")
    drive.run()

    assert steps_ahead(drive.state, BOOK, None) == ()
    assert steps_ahead(drive.state, None, drive.pause) == ()
    drive.respond("abort", at="1")
    assert steps_ahead(drive.state, BOOK, drive.pause) == ()


def test_every_round_of_a_loop_is_told():
    book = playbook(
        step("1", "SELECT N FROM C", checkpoint=checkpoint()),
        step("2", "DROP TABLE {{ t }}", for_each=ForEach("t", "targets")),
        step("3", "SELECT 2", checkpoint=checkpoint()),
        inputs=(text_input("targets", type="column_list"),),
    )
    drive = Drive(book, targets=["A", "B"])
    state = drive.run()
    (first, _) = steps_ahead(drive.state, book, state.pause)

    assert len(first.statements) == 2


def test_an_input_that_is_asked_for_later_is_not_taken_for_nothing():
    book = playbook(
        step("1", "SELECT 1", checkpoint=checkpoint()),
        step("2", "DROP TABLE {{ late }}", checkpoint=checkpoint()),
        inputs=(text_input("late", type="table", phase="step_2"),),
    )
    drive = Drive(book)
    state = drive.run()

    assert steps_ahead(drive.state, book, state.pause) == (Ahead("2", "Step 2", is_open=True),)


def test_an_input_that_will_have_its_default_is_known():
    late = text_input("late", type="table", phase="step_2", default="T", has_default=True)
    book = playbook(
        step("1", "SELECT 1", checkpoint=checkpoint()),
        step("2", "DROP TABLE {{ late }}", checkpoint=checkpoint()),
        inputs=(late,),
    )
    drive = Drive(book)
    state = drive.run()

    assert steps_ahead(drive.state, book, state.pause) == (
        Ahead("2", "Step 2", ((None, "DROP TABLE T"),)),
    )


def test_where_the_session_will_stand_is_no_matter_to_names_in_full():
    book = playbook(
        step("1", "SELECT N FROM C", checkpoint=checkpoint()),
        step("2", "SELECT N FROM DB.S.C", binds={"found": "column.N"}),
        step("3", "CREATE SCHEMA IDENTIFIER({{ found }})"),
        step("4", "DELETE FROM DB.S.T WHERE A = 1"),
        step("5", "DELETE FROM T"),
        step("6", "SELECT 2", checkpoint=checkpoint()),
    )
    drive = Drive(book)
    state = drive.run()

    assert steps_ahead(drive.state, book, state.pause)[1:4] == (
        Ahead("3", "Step 3", is_open=True),
        Ahead("4", "Step 4", ((None, "DELETE FROM DB.S.T WHERE A = 1"),)),
        Ahead("5", "Step 5", is_open=True),
    )


def test_a_change_of_role_moves_no_names():
    book = playbook(
        step("1", "SELECT N FROM C", checkpoint=checkpoint(), binds={"found": "column.N"}),
        step(
            "2", "USE SECONDARY ROLES NONE", "DELETE FROM {{ gone }}", binds={"gone": "row_count"}
        ),
        step("3", "DELETE FROM T", checkpoint=checkpoint()),
    )
    drive = Drive(book)
    state = drive.run()

    assert steps_ahead(drive.state, book, state.pause)[-1] == Ahead(
        "3", "Step 3", ((None, "DELETE FROM T"),)
    )
