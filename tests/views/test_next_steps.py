"""The statements that an approval lets through are shown whole."""

from skills_nb.model.ahead import Ahead
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.text import to_text
from skills_nb.views.threads.next_steps import next_blocks, next_steps, script_ahead

LONG = ";\n".join(f"SELECT {n}" for n in range(60))


def shown(*found, is_whole=False):
    blocks = next_blocks(next_steps(found), is_whole=is_whole)
    return to_text(b.Sheet("", blocks=tuple(blocks)), 80, "skills-nb")


def test_few_statements_stand_in_the_open_with_their_role():
    one = Ahead("2", "delete them.", (("OWNER", "DELETE FROM T"), ("OWNER", "DROP TABLE T;")))

    assert shown(one) == (
        "Then step 2, Delete them: 2 statements\n"
        "──────────────────────────────────────\n"
        "    -- as OWNER\n    DELETE FROM T;\n\n    DROP TABLE T;"
    )


def test_many_are_folded_with_their_number_and_what_shows_them():
    assert shown(Ahead("2", "Look", ((None, LONG),))) == (
        "  ▸  Then step 2, Look: 1 statement (skills-nb status --sql shows it)"
    )


def test_before_what_is_critical_nothing_is_folded():
    assert "    SELECT 59;" in shown(Ahead("2", "Look", ((None, LONG),)), is_whole=True)


def test_what_is_not_known_yet_is_said():
    assert shown(Ahead("6", "x", is_open=True)) == (
        "What step 6 sends rests on what the steps before it find."
    )
    assert shown(*(Ahead(str(n), "x", is_open=True) for n in (6, 7, 8))) == (
        "What steps 6, 7 and 8 send rests on what the steps before them find."
    )


def test_before_what_is_critical_the_unknown_is_promised_to_be_shown():
    said = shown(Ahead("6", "x", is_open=True), is_whole=True)

    assert " ".join(said.split()) == (
        "What step 6 sends rests on what the steps before it find. "
        "You see it before anything is changed."
    )


def test_the_script_says_each_step_each_role_and_what_is_not_known():
    steps = next_steps(
        [Ahead("2", "Delete\nthem", (("OWNER", "DROP TABLE T"),)), Ahead("3", "x", is_open=True)]
    )

    assert script_ahead(steps) == (
        "-- Step 2: Delete them\n\n-- as OWNER\nDROP TABLE T;\n\n"
        "-- Step 3: x\n\n-- rests on what the steps before it find\n"
    )
    assert script_ahead(()) == ""


def test_a_title_cannot_leave_the_comment_of_the_script():
    assert script_ahead(next_steps([Ahead("2", "a\u2028b\r\nDROP TABLE T", (("R", "X"),))])) == (
        "-- Step 2: a b DROP TABLE T\n\n-- as R\nX;\n"
    )


def test_the_name_of_a_role_cannot_leave_its_comment():
    (step,) = next_steps([Ahead("2", "x", (('"A\nDROP TABLE T"', "SELECT 1"),))])

    assert [line[:2] for line in step.statements[0].split("\n")] == ["--", "SE"]
