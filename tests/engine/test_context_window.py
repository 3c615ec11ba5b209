"""The context window tells what matters, and never more than it may."""

from hypothesis import given
from hypothesis import strategies as st

from skills_nb.engine.compaction import view
from skills_nb.engine.context_window import window
from skills_nb.engine.decide import pause_of
from skills_nb.engine.evolve import fold
from skills_nb.engine.planning.playbook_outputs import outputs_of
from skills_nb.model import events as ev
from skills_nb.model.state import ThreadState
from tests.builders import checkpoint, playbook, step
from tests.engine.driving import Drive
from tests.engine.generating import filmed, scenes
from tests.engine.golden import SCENARIOS
from tests.engine.test_laws import BEFORE, LAWS


def on(name, cut=None):
    """The window on a golden thread, whole or as far as an event."""
    drive = SCENARIOS[name].play()
    events = drive.store.load("t")[:cut]
    state = fold(events, ThreadState(thread_id="t"))
    return window(state, events, pause_of(state, drive.library)), events


def seq_of(name, type_, nth=0):
    events = SCENARIOS[name].play().store.load("t")
    return [event.seq for event in events if event.type == type_][nth]


@LAWS
@given(scenes(), st.data(), st.integers(5, 600))
def test_a_window_never_exceeds_its_budget(scene, data, budget):
    stage, _ = filmed(scene)
    events = stage.events[: data.draw(st.integers(1, len(stage.events)))]
    found = window(fold(events, BEFORE), events, budget=budget)
    assert found.tokens <= budget
    assert found.tokens == -(-len(found.text) // 4)


@LAWS
@given(scenes(), st.data())
def test_the_last_events_are_told_where_there_is_room(scene, data):
    stage, _ = filmed(scene)
    events = stage.events[: data.draw(st.integers(1, len(stage.events)))]
    found = window(fold(events, BEFORE), events, budget=20_000)
    assert found.left_out == 0
    if not isinstance(events[-1], ev.StepFailed | ev.StatementFailed | ev.ErrorEscalated):
        assert f"Event {events[-1].seq}, {events[-1].type}" in found.text


def test_approved_steps_are_lines_and_their_sql_is_not_told():
    found, events = on("happy_path")
    assert "Step 2 is approved; made = [" in found.text
    assert "created READER_OPS, READER_WEB" in found.text
    assert "CREATE ROLE READER_OPS" not in found.text
    assert [f"Event {e.seq}, {e.type}" in found.text for e in events[-4:]] == [False, *[True] * 3]


def test_errors_that_were_overcome_are_dropped_and_open_ones_are_told():
    name = "permission_error_resumed_after_the_grant"
    paused, _ = on(name, seq_of(name, "error_escalated"))
    assert "Step 2 failed (permission): 003001: SQL access control error" in paused.text
    assert "Options: retry, modify, abort, different-approach" in paused.text
    after, _ = on(name, seq_of(name, "step_completed", 1))
    assert "Insufficient privileges" not in after.text


def test_a_statement_that_failed_and_then_succeeded_is_not_told_as_failed():
    name = "transient_error_recovered"
    during, _ = on(name, seq_of(name, "statement_failed"))
    assert "timed out" in during.text
    later, _ = on(name, seq_of(name, "step_completed", 1))
    assert "timed out" not in later.text


def test_what_the_thread_waits_for_is_told_with_its_options():
    found, _ = on("happy_path", seq_of("happy_path", "checkpoint_reached"))
    assert "Thread t is paused at '1'." in found.text
    assert "It waits for an answer to: 2 teams found." in found.text
    assert "only-big" in found.text


def test_a_finished_phase_is_told_by_its_newest_summary():
    events = (
        ev.ThreadStarted(goal="g", seq=1),
        ev.PhaseSummary(phase=1, domain="a", status="running", seq=2),
        ev.PhaseSummary(phase=1, domain="a", outputs={"tables": ["T"]}, seq=3),
        ev.PhaseSummary(phase=2, domain="b", status="running", seq=4),
    )
    found = window(fold(events), events)
    assert 'Phase 1 (a) is completed, giving {"tables": ["T"]}.' in found.text
    assert "Phase 2" not in found.text


def test_a_small_budget_keeps_the_goal_and_says_what_is_missing():
    drive = SCENARIOS["happy_path"].play()
    events = drive.store.load("t")
    found = window(drive.state, events, budget=40)
    assert found.text.splitlines()[0] == "Goal: playbooks/set-up-readers"
    assert found.text.endswith("did not fit; the thread has them.)")
    assert (found.tokens <= 40, found.left_out > 3) == (True, True)


def test_what_people_said_in_words_of_their_own_is_kept_however_old_it_is():
    drive = Drive(
        playbook(*(step(str(n), f"SELECT {n}", checkpoint=checkpoint()) for n in range(1, 30)))
    )
    drive.run()
    drive.respond("approve", at="1", comment="Leave\nthe ledger alone \u202e")
    for n in range(2, 29):
        drive.respond("approve", at=str(n))
    events = view(drive.store.load("t"), "t")
    told = window(fold(events, ThreadState(thread_id="t")), events, drive.pause)
    assert "chose approve at '1' and said: Leave the ledger alone \\u202e" in told.text


def test_what_is_there_no_more_is_not_told_as_made():
    drive = Drive(
        playbook(
            step("1", "CREATE TABLE DB.S.T (A INT)", "CREATE TABLE DB.S.U (A INT)"),
            step("2", "DROP TABLE DB.S.T"),
            step("3", "SELECT 1", checkpoint=checkpoint()),
        )
    )
    drive.run()
    events = drive.store.load("t")
    told = window(drive.state, events, drive.pause, budget=20_000)
    assert "created DB.S.U" in told.text
    assert "created DB.S.T" not in told.text
    assert outputs_of(drive.state, drive.library.playbooks["toy"]) == {"created_tables": ["DB.S.U"]}
