"""The specification's event tables and the code, held together."""

import re

import pytest

from skills_nb.errors import StoreError
from skills_nb.model.events import EVENT_TYPES, EventBase, Rerouted, ThreadStarted, dump, load
from skills_nb.model.events.union import load_json

CORE = {
    "playbook_started": "playbook inputs account_context",
    "probes_executed": "results warnings blocked",
    "probe_checkpoint": "warnings options",
    "step_started": "step primitive",
    "step_completed": "step result created_objects",
    "step_failed": "step error error_category recovery_hint",
    "step_skipped": "step reason",
    "checkpoint_reached": "after_step severity present options",
    "human_response": "choice comment",
    "input_gathered": "name value phase",
    "error_escalated": "step error context",
    "cleanup_proposed": "orphaned_objects compensation_actions",
    "cleanup_executed": "cleaned failed",
    "playbook_completed": "playbook summary created_objects",
    "phase_summary": "phase domain inputs outputs steps_completed",
    "thread_completed": "summary",
    "thread_aborted": "reason at_step cleanup_status",
}
NAVIGATION = {
    "chain_started": "domains order_rationale",
    "phase_started": "domain phase_number context_from_previous",
    "phase_completed": "domain outputs",
    "context_mapped": "mappings",
    "routed": "router target mode confidence alternatives",
    "routing_ambiguous": "top_candidates clarification_options",
    "rerouted": "reason from to",
    "plan_proposed": "steps primitives",
    "plan_rejected": "reason message options",
    "plan_approved": "modifications",
    "environment_probed": "query result",
}
DRY_RUN = {
    "step_planned": "step action would_execute would_create estimated_duration",
    "dry_run_summary": "would_create would_modify estimated_duration estimated_compute options",
}
VALIDATION = {
    "staleness_warning": "primitive last_reviewed days_stale message options",
    "validation_error": "check message resolution",
}
ADDED = {
    "thread_started": "goal library_version",
    "statement_started": "step ordinal attempt sql kind",
    "statement_submitted": "query_id",
    "statement_completed": "query_id row_count duration_s recovered",
    "statement_failed": "error",
    "statement_lost": "",
    "thread_taken_over": "epoch",
    "model_answered": "joint model answer confidence cost",
}
ADDED_FIELDS = {
    "playbook_started": "mode",
    "human_response": "at values confirmed redoing",
    "plan_proposed": "redoing",
    "plan_approved": "redoing",
    "dry_run_summary": "would_drop",
    "routed": "not_covered limits",
    "chain_started": "parts not_covered limits",
    "cleanup_proposed": "left_alone not_restorable",
    "cleanup_executed": "restored left_alone not_restorable",
    "statement_started": "undoes",
    "statement_completed": "row_counts",
    "step_completed": "modified_objects",
    "step_planned": "would_modify foreseen",
    "checkpoint_reached": "before_step foreseen added removed needs_person",
    "probe_checkpoint": "foreseen",
    "probes_executed": "redoing",
}
SHOWN_IN_EXAMPLES = {
    "step_started": "account_context",
    "human_response": "checkpoint_after_step",
    "cleanup_proposed": "options",
    "plan_proposed": "goal options",
    "phase_summary": "status steps_skipped errors_recovered checkpoints_passed archive_reference",
    "statement_started": "role",
}
"""Fields that the specification's examples show, or that a step's `role` needs."""

TABLES = {**CORE, **NAVIGATION, **DRY_RUN, **VALIDATION}
ENVELOPE = set(EventBase.model_fields) | {"type"}


def names(model):
    return {field.alias or name for name, field in model.model_fields.items()}


def test_the_four_tables_hold_32_types():
    assert (len(CORE), len(NAVIGATION), len(DRY_RUN), len(VALIDATION)) == (17, 11, 2, 2)


def test_code_and_tables_have_the_same_types():
    assert set(EVENT_TYPES) == set(TABLES) | set(ADDED)


@pytest.mark.parametrize("type_", [*TABLES, *ADDED])
def test_a_type_has_the_fields_of_its_row_and_no_others(type_):
    row = {**TABLES, **ADDED}[type_].split()
    more = [*ADDED_FIELDS.get(type_, "").split(), *SHOWN_IN_EXAMPLES.get(type_, "").split()]
    assert names(EVENT_TYPES[type_]) - ENVELOPE == {*row, *more}


@pytest.mark.parametrize("type_", [*TABLES, *ADDED])
def test_a_class_is_named_as_its_type(type_):
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", EVENT_TYPES[type_].__name__).lower()
    assert snake == type_


@pytest.mark.parametrize("type_", [*TABLES, *ADDED])
def test_a_class_says_what_it_is(type_):
    assert (EVENT_TYPES[type_].__doc__ or "").strip().endswith(".")


def test_an_event_comes_back_from_its_document():
    event = Rerouted(reason="no", from_="playbooks/a", to="playbooks/b", seq=3)
    assert load(dump(event)) == event


def test_an_unknown_type_is_refused_with_its_name():
    with pytest.raises(StoreError, match="'step_teleported'"):
        load({"type": "step_teleported", "seq": 4})


def test_an_unknown_field_is_refused_with_its_place():
    with pytest.raises(StoreError, match=r"thread_started\.colour"):
        load({"type": "thread_started", "goal": "x", "colour": "red"})


def test_a_torn_document_is_refused():
    with pytest.raises(StoreError, match="not JSON"):
        load_json('{"type": "thread_started", "goal":')


def test_an_event_cannot_be_changed():
    event = ThreadStarted(goal="x")
    with pytest.raises(ValueError, match="frozen"):
        event.goal = "y"
