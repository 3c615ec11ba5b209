"""What no pause asked about is shown all the same: what went by itself, warned, or was added."""

from skills_nb.engine.planning.template_names import playbook_of
from skills_nb.model.skills import ProbeCheck, ProbeSpec
from skills_nb.runtime.manual_steps import HandWritten
from skills_nb.views import render_text, thread_card
from tests.builders import checkpoint, playbook, step
from tests.engine.driving import Drive

BOOK = playbook(
    step("1", "SELECT 1", checkpoint=checkpoint("info", "first")),
    step("2", "SELECT 2", checkpoint=checkpoint("review", "second")),
    step("3", "SELECT 3", checkpoint=checkpoint("info", "third")),
    step("4", "SELECT 4", checkpoint=checkpoint("review", "fourth")),
    step("5", "SELECT 5", checkpoint=checkpoint("info", "fifth\nnot a line of ours")),
)
WARNING = ProbeCheck("count >= 0", "warn", "{count} rows are old\x1b[2J")


def card(drive):
    state = drive.state
    playbook_ = playbook_of(state.run, drive.library)
    return thread_card(state, playbook_, drive.pause)


def test_what_went_on_by_itself_is_shown_until_a_person_answers():
    drive = Drive(BOOK)
    assert drive.run().passed == (("1", "first"),)
    assert "i INFO  Checkpoint after step 1, which went on by itself" in render_text(card(drive))
    assert drive.respond("approve", at="2").passed == (("3", "third"),)
    done = drive.respond("approve", at="4")
    assert (done.status, done.passed) == ("completed", (("5", "fifth\nnot a line of ours"),))
    assert "\nnot a line" not in render_text(card(drive))


def test_what_is_approved_with_the_rest_is_shown_too():
    drive = Drive(BOOK)
    drive.run()
    done = drive.respond("approve_remaining", at="2")

    assert [name for name, _ in done.passed] == ["3", "4", "5"]


def warned(*steps):
    probes = (ProbeSpec(id="old", query="SELECT N FROM C", validate=(WARNING,)),)
    return playbook(*steps, probes=probes)


def test_a_warning_is_shown_at_the_checkpoint_and_at_the_end():
    drive = Drive(warned(step("1", "SELECT 1", checkpoint=checkpoint())))
    drive.run()
    assert render_text(card(drive)).count("? WARNING") == 1
    drive.respond("approve", at="1")
    shown = render_text(card(drive))
    assert "? WARNING" in shown
    assert "rows are old\\x1b[2J" in shown


def test_a_warning_is_shown_where_no_checkpoint_follows():
    drive = Drive(warned(step("1", "SELECT 1")))

    assert drive.run().status == "completed"
    assert "? WARNING" in render_text(card(drive))


def test_a_sub_step_by_hand_stands_behind_its_step():
    drive = Drive(BOOK)
    drive.run()
    drive.conductor.add_step("t", HandWritten("2b", "SELECT\n'\u202e C'", None))
    lines = [(line.number, line.title, line.status) for line in card(drive).steps]

    assert lines[1:4] == [
        ("2", "Step 2", "waits for you: REVIEW"),
        ("2b", "By hand: SELECT '\u202e C'", "done · row count 0"),
        ("3", "Step 3", ""),
    ]
    assert "By hand: SELECT '\\u202e C'" in render_text(card(drive))
