"""The laws of the reducer, over generated playbooks, failures and people."""

from copy import deepcopy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skills_nb.engine.decide import decide
from skills_nb.engine.evolve import evolve, fold, refusal
from skills_nb.errors import ThreadError
from skills_nb.model import events as ev
from skills_nb.model.state import ThreadState
from tests.engine.generating import THREAD, end_of, filmed, resumed, scenes

LAWS = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
BEFORE = ThreadState(thread_id=THREAD)


def first_append(events):
    """Where the first append ended: a thread begins in one."""
    return next(e.seq for e in events if e.type not in ("thread_started", "input_gathered"))


@pytest.mark.slow
@LAWS
@given(scenes())
def test_fold_splits_at_every_event_and_every_prefix_folds(scene):
    stage, end = filmed(scene)
    events, head = stage.events, BEFORE
    for cut in range(len(events) + 1):
        assert fold(events[:cut], BEFORE) == head
        assert fold(events[cut:], head) == end
        head = evolve(head, events[cut]) if cut < len(events) else head


@pytest.mark.slow
@LAWS
@given(scenes())
def test_decide_is_total_and_asks_the_same_of_a_thread_read_back_from_text(scene):
    stage, _ = filmed(scene)
    told = [ev.load(ev.dump(event)) for event in stage.events]
    for cut in range(1, len(told) + 1):
        state = fold(stage.events[:cut], BEFORE)
        assert decide(state, stage.library) == decide(fold(told[:cut], BEFORE), stage.library)
        assert (decide(state, stage.library) == ()) == (state.is_over and state.pause is None)


@pytest.mark.slow
@LAWS
@given(scenes(), st.data())
def test_resuming_at_a_prefix_reaches_the_same_end(scene, data):
    stage, end = filmed(scene)
    first, last = first_append(stage.events), len(stage.events)
    for cut in data.draw(st.sets(st.integers(first, last), max_size=8)):
        check_resumption(stage, end, cut)


def check_resumption(stage, end, cut):
    """Go on from the first `cut` events, with every truth that can stand behind a lone intent."""
    expected = end_of(end, stage.account)
    is_lone = stage.events[cut - 1].type == "statement_started"
    film = stage.store.film
    for truth in film[cut - 1 : cut + 1] if is_lone else [film[cut - 1]]:
        for is_blind in {stage.scene.is_blind, True} if is_lone else {stage.scene.is_blind}:
            account = deepcopy(truth)
            account.is_blind = is_blind
            again = resumed(stage, cut, account)
            reached = again.finish()
            assert again.events[:cut] == stage.events[:cut]
            assert account.doubled == []
            if not _failed_unseen(stage, cut, account):
                assert end_of(reached, account) == expected


def _failed_unseen(stage, cut, account):
    """A failure that nobody can see is not counted: one more attempt may end differently."""
    event = stage.events[cut - 1]
    if event.type not in ("statement_started", "statement_submitted") or not account.is_blind:
        return False
    told = (later.type for later in stage.events[cut:] if later.type != "statement_submitted")
    return next(told) == "statement_failed"


@pytest.mark.slow
@settings(LAWS, max_examples=6)
@given(scenes(most_steps=2))
def test_resuming_at_every_prefix_reaches_the_same_end(scene):
    stage, end = filmed(scene)
    for cut in range(first_append(stage.events), len(stage.events) + 1):
        check_resumption(stage, end, cut)


SAMPLES = [
    ev.ThreadStarted(goal="again"),
    ev.StepStarted(step="1"),
    ev.StepCompleted(step="1"),
    ev.StepFailed(step="1", error="no", error_category="unknown"),
    ev.CheckpointReached(after_step="1"),
    ev.HumanResponse(choice="approve"),
    ev.HumanResponse(choice="dance"),
    ev.StatementStarted(step="1", ordinal=9, sql="X", kind="once", effect_key="t:999"),
    ev.StatementCompleted(effect_key="t:999"),
    ev.StatementLost(effect_key="t:999"),
    ev.ProbesExecuted(),
    ev.PlaybookCompleted(playbook="toy"),
    ev.CleanupExecuted(),
    ev.ThreadCompleted(seq=3),
]


@LAWS
@given(scenes(), st.data())
def test_an_illegal_event_changes_nothing_and_carries_its_story(scene, data):
    stage, _ = filmed(scene)
    cut = data.draw(st.integers(0, len(stage.events)))
    state = fold(stage.events[:cut], BEFORE)
    for event in SAMPLES:
        if refusal(state, event) is None:
            continue
        with pytest.raises(ThreadError) as refused:
            evolve(state, event)
        assert state == fold(stage.events[:cut], BEFORE)
        assert refused.value.story == tuple(e.type for e in stage.events[max(0, cut - 6) : cut])
