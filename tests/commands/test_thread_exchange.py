"""Threads as YAML, out and in."""

import pytest
from hypothesis import HealthCheck, given, settings

from skills_nb.commands.exports.thread_exchange import from_yaml, import_thread, to_yaml
from skills_nb.engine.evolve import fold
from skills_nb.errors import ConflictError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.state import ThreadState
from tests.builders import checkpoint, playbook, step
from tests.engine.driving import Drive
from tests.engine.generating import filmed, scenes

SPEC_FORM = """
thread_id: "thr_abc123"
status: paused
events:
  - type: playbook_started
    playbook: toy
    timestamp: "2026-02-22T10:00:00Z"
    inputs: {target_scope: "PROD.CUSTOMER_DATA"}
  - {type: step_started, step: 1, primitive: data-classification}
  - type: step_completed
    step: 1
    result: {pii_found: 4, high_confidence: ["email", "ssn"]}
  - type: checkpoint_reached
    after_step: 1
    present: "Found 4 columns."
    options:
      - {id: approve, description: "Proceed"}
      - {id: abort, description: "Stop here"}
  - {type: human_response, checkpoint_after_step: 1, choice: approve, comment: "Looks good"}
  - {type: step_started, step: 2}
"""


def as_new(events):
    """What an import makes of events: no ids, and keys without a thread."""
    keys = {e.effect_key: e.seq for e in events if e.type == "statement_started"}
    return tuple(
        event.model_copy(
            update={"id": "", "effect_key": event.effect_key and f":{keys[event.effect_key]}"}
        )
        for event in events
    )


@pytest.mark.slow
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenes())
def test_a_thread_comes_back_from_its_yaml(scene):
    stage, state = filmed(scene)
    text = to_yaml(state.thread_id, state.status, stage.events)
    assert from_yaml(text) == as_new(stage.events)


def paused():
    make = "CREATE VIEW V AS\n  SELECT 1 AS N"
    drive = Drive(playbook(step("1", make, checkpoint=checkpoint()), step("2b", "CREATE ROLE B")))
    drive.run()
    return drive


def test_whole_step_numbers_are_unquoted_and_statements_are_blocks():
    drive = paused()
    drive.respond("approve")
    text = to_yaml("t", "completed", drive.store.load("t"))
    assert "thread_id: t\nstatus: completed\nevents:\n- type: thread_started\n" in text
    assert "  step: 1\n" in text
    assert "  step: 2b\n" in text
    assert "  after_step: 1\n" in text
    assert "  sql: |-\n    CREATE VIEW V AS\n      SELECT 1 AS N\n" in text


def test_a_text_that_looks_like_another_type_stays_text():
    awkward = ["1", "true", "null", "2026-01-01", "01", "a\n\tb ", " x", "", "é\u2028", "- a: b"]
    events = (ev.ThreadStarted(goal="g", seq=1), ev.Routed(router="r", mode="x", seq=2))
    events += tuple(
        ev.InputGathered(name=str(number), value=text, seq=number)
        for number, text in enumerate(awkward, 3)
    )
    assert from_yaml(to_yaml("t", "running", events)) == events


def test_a_thread_in_the_form_of_the_specification_is_read_and_can_go_on():
    events = from_yaml(SPEC_FORM)
    assert [event.type for event in events[:3]] == ["thread_started", "routed", "playbook_started"]
    state = fold(events, ThreadState(thread_id="t"))
    assert state.run.step("1").status == "approved"
    drive = paused()
    name = import_thread(drive.conductor, SPEC_FORM, "copy")
    state = drive.conductor.load(name)
    assert state.run.inputs == {"target_scope": "PROD.CUSTOMER_DATA"}
    assert drive.store.load(name)[2].timestamp == "2026-02-22T10:00:00Z"


def test_an_imported_thread_goes_on_where_its_original_stands():
    drive = paused()
    text = to_yaml("t", "paused", drive.store.load("t"))
    name = import_thread(drive.conductor, text)
    assert name == "thr_000000000001"
    assert drive.conductor.pause(drive.conductor.load(name)) == drive.pause
    keys = [e.effect_key for e in drive.store.load(name) if e.effect_key]
    assert keys == ["thr_000000000001:7", "thr_000000000001:7"]


def test_an_import_never_goes_over_a_thread():
    drive = paused()
    with pytest.raises(ConflictError, match="thread 't'"):
        import_thread(drive.conductor, to_yaml("t", "paused", drive.store.load("t")), "t")


def test_a_thread_whose_last_statement_has_no_outcome_is_refused():
    drive = paused()
    events = drive.store.load("t")[:7]
    assert events[-1].type == "statement_started"
    with pytest.raises(UsageError, match="outcome of this thread's last statement is not known"):
        from_yaml(to_yaml("t", "running", events))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("events: [", "this is not YAML"),
        ("- a\n- b\n", "event 1 has no type"),
        ("events: []", "a list of `events` is needed"),
        ("just words", "a list of `events` is needed"),
        ("events: [{type: step_teleported}]", "event 1: .*step_teleported"),
        ("events: [{type: thread_started}]", "event 1: .*goal"),
        ("events: [{type: step_started, step: 1}]", "cannot have happened: .*starts once"),
    ],
)
def test_what_is_no_thread_is_refused_with_the_place(text, complaint):
    with pytest.raises(UsageError, match=complaint):
        from_yaml(text)
