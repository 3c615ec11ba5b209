"""What compaction leaves of a thread goes on as the whole thread does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.engine.compaction import RECENT, events_to_keep, fold_view, stretch, summary, view
from skills_nb.engine.decide import decide
from skills_nb.engine.evolve import evolve, fold
from skills_nb.model import events as ev
from skills_nb.model.skills import Production
from skills_nb.model.state import ThreadState
from tests.builders import checkpoint, playbook, step, text_input
from tests.engine.driving import Drive
from tests.engine.generating import THREAD, filmed, scenes
from tests.engine.golden import SCENARIOS
from tests.engine.test_laws import BEFORE, LAWS, first_append

PAUSES = (
    ev.CheckpointReached,
    ev.HumanResponse,
    ev.ProbeCheckpoint,
    ev.ErrorEscalated,
    ev.CleanupProposed,
)
ERRORS = (ev.StepFailed, ev.StatementFailed, ev.ErrorEscalated)


def check_going_on(events, library, cut):
    """Compact after `cut` events, go on with the others, and compare at each."""
    whole = fold(events[:cut], BEFORE)
    left = fold_view(events_to_keep(events[:cut], THREAD), THREAD)
    assert decide(left, library) == decide(whole, library)
    for event in events[cut:]:
        whole, left = evolve(whole, event), evolve(left, event)
        assert decide(left, library) == decide(whole, library)
    return left


@pytest.mark.slow
@LAWS
@given(scenes(), st.data())
def test_a_compacted_thread_decides_as_the_whole_one_does_from_there_on(scene, data):
    stage, _ = filmed(scene)
    first, last = first_append(stage.events), len(stage.events)
    for cut in data.draw(st.sets(st.integers(first, last), min_size=1, max_size=6)):
        check_going_on(stage.events, stage.library, cut)


@pytest.mark.slow
def test_every_cut_of_a_rich_thread_decides_as_the_whole():
    for name in (
        "modify_twice_then_approve",
        "abort_with_a_partial_cleanup",
        "different_approach",
        "guided_plan_refused_changed_and_done",
    ):
        drive = SCENARIOS[name].play()
        for cut in range(3, len(drive.store.load("t")) + 1):
            check_going_on(drive.store.load("t"), drive.library, cut)


@LAWS
@given(scenes(), st.data())
def test_pauses_errors_and_the_last_events_are_preserved_in_order(scene, data):
    stage, _ = filmed(scene)
    cut = data.draw(st.integers(1, len(stage.events)))
    events = stage.events[:cut]
    left = events_to_keep(events, THREAD)
    assert list(left) == [event for event in events if event in left]
    assert left[-RECENT:] == events[-RECENT:]
    assert {e.seq for e in events if isinstance(e, PAUSES + ERRORS)} <= {e.seq for e in left}


def finished():
    """A thread of two steps, of which the first read much and the second made roles."""
    book = playbook(
        step("1", "SELECT N FROM T", binds={"names": "column.N"}, checkpoint=checkpoint()),
        step("2", "CREATE ROLE {{ ident(extra) }}", checkpoint=checkpoint()),
        step("3", "CREATE ROLE C", when="extra = 'Z'"),
        inputs=(text_input("extra", default="A", has_default=True),),
    )
    drive = Drive(book)
    drive.account.answers["FROM T"] = [{"N": f"X{n}"} for n in range(99)]
    drive.run()
    drive.respond("approve")
    drive.respond("modify", values={"extra": "B"})
    drive.respond("cleanup")
    drive.respond("approve", at="before:2")
    drive.respond("approve")
    return drive


def test_what_finished_steps_read_is_left_to_the_archive():
    drive = finished()
    events = drive.store.load("t")
    left = events_to_keep(events, "t")
    asked = [e.query for e in events if isinstance(e, ev.EnvironmentProbed)]
    # What tells how the roles were before and after each statement stays: cleanup rests on it.
    assert asked[0] == "SELECT N FROM T"
    assert {query for query in asked[1:] if query.startswith("SHOW ROLES")} == {
        "SHOW ROLES LIKE 'A'",
        "SHOW ROLES LIKE 'B'",
    }
    kept = [e.query for e in left if isinstance(e, ev.EnvironmentProbed)]
    assert kept[:4] == [
        "SHOW ROLES LIKE 'A'",
        "SHOW ROLES LIKE 'A'",
        "SHOW GRANTS OF ROLE A",
        "SHOW GRANTS TO ROLE A",
    ]
    assert "SELECT N FROM T" not in kept
    assert [e.step for e in left if isinstance(e, ev.StepStarted)] == []


def test_the_summary_says_what_the_phase_did():
    drive = finished()
    events = drive.store.load("t")
    assert summary(drive.state, events, drive.library, "archive/x") == ev.PhaseSummary(
        phase=1,
        domain="data-security",
        status="completed",
        inputs={"extra": "B"},
        outputs={"created_roles": ["B"]},
        steps_completed=["1", "2"],
        steps_skipped=["3"],
        errors_recovered=0,
        checkpoints_passed=2,
        archive_reference="archive/x",
    )


def test_errors_that_were_overcome_are_counted():
    drive = SCENARIOS["transient_error_recovered"].play()
    found = summary(drive.state, drive.store.load("t"), drive.library, "")
    assert (found.errors_recovered, found.steps_skipped) == (2, ["3"])


def test_a_thread_without_a_summary_is_its_own_view():
    events = finished().store.load("t")
    assert view(events, "t") == events
    assert stretch(events) == events


def test_a_view_keeps_everything_from_the_last_summary_on():
    drive = finished()
    events = drive.store.load("t")
    summed = ev.PhaseSummary(phase=1, domain="d", seq=len(events) + 1)
    later = ev.ModelAnswered(joint="route", model="m", seq=len(events) + 2)
    found = view((*events, summed, later), "t")
    assert found == (*events_to_keep((*events, summed), "t"), later)
    assert stretch((*events, summed, later)) == (summed, later)
    assert fold_view(found, "t").status == "completed"
    assert fold((*events, summed, later), ThreadState(thread_id="t")).seq == found[-1].seq


def test_the_summary_gives_what_the_playbook_says_that_it_produces():
    book = playbook(
        step("1", "CREATE MASKING POLICY D.S.P AS (v STRING) RETURNS STRING -> v"),
        step("2", "CREATE ROLE R", checkpoint=checkpoint()),
        produces=(
            Production("policies", "step_1.created_objects.masking_policy"),
            Production("nothing", "step_1.created_objects.table.deeper"),
        ),
    )
    drive = Drive(book)
    drive.run()
    found = summary(drive.state, drive.store.load("t"), drive.library, "")
    assert found.outputs == {
        "created_masking_policies": ["D.S.P"],
        "created_roles": ["R"],
        "policies": ["D.S.P"],
        "nothing": None,
    }
    assert (found.status, found.steps_completed) == ("paused", ["1", "2"])


def test_a_thread_that_is_in_no_playbook_yet_is_preserved_whole():
    events = (
        ev.ThreadStarted(goal="g", seq=1),
        ev.Routed(router="routers/x", target="playbooks/toy", mode="playbook", seq=2),
        *[ev.ModelAnswered(joint="route", model="m", seq=n) for n in range(3, 20)],
    )
    state = fold(events, ThreadState(thread_id="t"))
    assert events_to_keep(events, "t") == events
    found = summary(state, events, finished().library, "")
    assert (found.phase, found.domain, found.outputs) == (1, "x", {})


def test_the_phase_of_a_chain_is_the_one_it_is_in():
    events = (
        ev.ThreadStarted(goal="g", seq=1),
        ev.ChainStarted(domains=["a", "b"], seq=2),
        ev.PhaseStarted(domain="a", phase_number=1, seq=3),
        ev.PhaseCompleted(domain="a", seq=4),
        ev.PhaseStarted(domain="b", phase_number=2, seq=5),
    )
    found = summary(fold(events), events, finished().library, "")
    assert (found.phase, found.domain) == (2, "b")
