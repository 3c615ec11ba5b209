"""The fold: what events do, and which are refused where."""

from dataclasses import replace

import pytest

from skills_nb.engine.evolve import evolve, fold
from skills_nb.engine.pauses import checkpoint_options
from skills_nb.engine.transitions.event_handlers import HANDLERS
from skills_nb.errors import ThreadError
from skills_nb.model import events as ev
from skills_nb.model.state import AbortState, ThreadState

START = [
    ev.ThreadStarted(goal="secure my data", library_version="1.0"),
    ev.Routed(router="routers/s", target="playbooks/toy", mode="playbook"),
    ev.PlaybookStarted(playbook="toy", inputs={"scope": "DB"}),
]
STEP = [
    ev.ProbesExecuted(),
    ev.StepStarted(step="1"),
    ev.StatementStarted(step="1", ordinal=1, sql="CREATE ROLE R", kind="once", effect_key="t:6"),
    ev.StatementCompleted(effect_key="t:6", query_id="q1"),
    ev.StepCompleted(step="1", result={"n": 1}),
]
CHECKPOINT = ev.CheckpointReached(
    after_step="1", present="look", options=list(checkpoint_options("review", None))
)


def after(*events):
    return fold(events, ThreadState(thread_id="t"))


def test_every_event_type_has_a_handler():
    assert set(HANDLERS) == set(ev.EVENT_TYPES.values())


def test_a_checkpoint_pauses_and_approval_closes_the_step():
    paused = after(*START, *STEP, CHECKPOINT)
    assert (paused.status, paused.pause.at, paused.run.step("1").status) == ("paused", "1", "done")
    approved = evolve(paused, ev.HumanResponse(choice="approve", at="1"))
    assert (approved.status, approved.pause) == ("running", None)
    assert approved.run.step("1").status == "approved"


def test_modify_changes_inputs_and_opens_the_step_again():
    paused = after(*START, *STEP, CHECKPOINT)
    answer = ev.HumanResponse(choice="modify", at="1", values={"scope": "DB2"})
    state = evolve(paused, answer)
    assert state.run.inputs == {"scope": "DB2"}
    assert state.run.step("1").status == "pending"


def test_the_second_pause_at_a_step_has_a_name_of_its_own():
    again = [
        ev.HumanResponse(choice="modify", at="1", values={"scope": "X"}),
        ev.StepStarted(step="1"),
        ev.StepCompleted(step="1"),
        CHECKPOINT,
    ]
    assert after(*START, *STEP, CHECKPOINT, *again).pause.at == "1#2"


def test_an_answer_meant_for_another_pause_is_refused_and_changes_nothing():
    paused = after(*START, *STEP, CHECKPOINT)
    before = replace(paused)
    with pytest.raises(ThreadError, match="waits at 1, not at 2") as refused:
        evolve(paused, ev.HumanResponse(choice="approve", at="2"))
    assert paused == before
    assert refused.value.story[-1] == "checkpoint_reached"


def test_an_option_that_is_not_offered_is_refused():
    with pytest.raises(ThreadError, match="'dance' is not an option"):
        evolve(after(*START, *STEP, CHECKPOINT), ev.HumanResponse(choice="dance", at="1"))


@pytest.mark.parametrize("choice", ["approve", "approve_remaining"])
def test_a_critical_approval_without_its_phrase_is_not_even_a_legal_event(choice):
    critical = ev.CheckpointReached(
        after_step="1", severity="critical", options=list(checkpoint_options("critical", "yes"))
    )
    paused = after(*START, *STEP, critical)
    with pytest.raises(ThreadError, match="needs its phrase typed"):
        evolve(paused, ev.HumanResponse(choice=choice, at="1"))
    assert evolve(paused, ev.HumanResponse(choice=choice, at="1", confirmed=True)).pause is None


def test_abort_at_a_checkpoint_is_remembered_with_its_reason():
    state = evolve(
        after(*START, *STEP, CHECKPOINT),
        ev.HumanResponse(choice="abort", at="1", comment="wrong database"),
    )
    assert state.abort == AbortState(reason="wrong database", at_step="1", since_seq=state.seq)


def test_nothing_happens_while_a_thread_waits():
    with pytest.raises(ThreadError, match="waits at 1"):
        evolve(after(*START, *STEP, CHECKPOINT), ev.StepStarted(step="2"))


def test_an_outcome_needs_an_open_statement():
    with pytest.raises(ThreadError, match="no statement is open"):
        evolve(after(*START), ev.StatementCompleted(effect_key="t:4"))


def test_an_outcome_of_another_statement_is_refused():
    with pytest.raises(ThreadError, match="open statement is t:6, not t:9"):
        evolve(after(*START, *STEP[:3]), ev.StatementLost(effect_key="t:9"))


def test_a_step_cannot_start_while_a_statement_is_open():
    with pytest.raises(ThreadError, match="t:6 is open"):
        evolve(after(*START, *STEP[:3]), ev.StepStarted(step="2"))


def test_a_step_cannot_complete_before_it_started():
    with pytest.raises(ThreadError, match="step 1 is pending"):
        evolve(after(*START), ev.StepCompleted(step="1"))


def test_a_gap_in_the_sequence_is_refused():
    with pytest.raises(ThreadError, match="its seq is 9"):
        evolve(after(*START), ev.ProbesExecuted(seq=9))


def test_a_thread_starts_once():
    with pytest.raises(ThreadError, match="starts once"):
        evolve(after(*START), START[0])
    with pytest.raises(ThreadError, match="starts once"):
        evolve(ThreadState(), START[1])


def test_nothing_but_cleanup_follows_the_end():
    over = after(*START, ev.ThreadCompleted(summary="done"))
    with pytest.raises(ThreadError, match="thread is completed"):
        evolve(over, ev.StepStarted(step="1"))
    proposed = evolve(over, ev.CleanupProposed(options=[ev.Option(id="keep")]))
    kept = evolve(proposed, ev.HumanResponse(choice="keep", at="cleanup"))
    assert (kept.status, kept.abort, kept.pause) == ("completed", None, None)


def test_an_abort_ends_in_the_status_failed_with_its_reason():
    aborted = after(*START, ev.ThreadAborted(reason="enough", cleanup_status="kept"))
    assert (aborted.status, aborted.failure) == ("failed", "enough")


def test_fold_goes_on_from_any_prefix():
    events = [*START, *STEP, CHECKPOINT, ev.HumanResponse(choice="approve", at="1")]
    whole = after(*events)
    for cut in range(len(events) + 1):
        head = fold(events[:cut], ThreadState(thread_id="t"))
        assert fold(events[cut:], head) == whole
