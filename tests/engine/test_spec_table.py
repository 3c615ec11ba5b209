"""Every row of the specification's tables, with the test that shows it."""

import ast
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from skills_nb.engine.error_diagnosis import CATEGORIES
from skills_nb.model.events import EVENT_TYPES
from skills_nb.model.events.values import Severity
from skills_nb.model.state import PauseKind
from tests.model.test_events import ADDED, TABLES

ROOT = Path(__file__).parents[2]
STEPS, PAUSES, RECOVERY = (
    "engine/test_steps.py",
    "engine/test_pauses.py",
    "engine/test_error_diagnosis.py",
)
SESSIONS, DECLARED = "engine/test_session_statements.py", "engine/test_declared.py"
EXISTING, SECRECY = "engine/test_existing_objects.py", "engine/test_secrecy.py"
EVOLVE, GOLDEN, MAIN = "engine/test_evolve.py", "engine/test_golden.py", "commands/test_main_job.py"
GUIDED = "engine/test_guided.py"
RULES = "lint/test_rules.py::test_failing_examples_fail_exactly_as_the_case_says"
HAPPY = f"{STEPS}::test_a_playbook_runs_to_its_checkpoints_and_completes"
CHAINS = "engine/test_chains.py"
CHAIN = f"{CHAINS}::test_a_chain_is_one_thread_that_goes_from_phase_to_phase"
HANDOVER = f"{CHAINS}::test_what_a_phase_made_becomes_the_input_of_the_next_by_mapping_and_by_type"
REROUTED = f"{CHAINS}::test_another_target_in_the_same_domain_keeps_the_phases_around_it"

EVENTS = {
    "playbook_started": HAPPY,
    "probes_executed": f"{STEPS}::test_a_passing_probe_is_recorded_and_stays_silent",
    "probe_checkpoint": f"{STEPS}::test_a_confirm_asks_before_step_one",
    "step_started": HAPPY,
    "step_completed": f"{STEPS}::test_created_objects_are_derived_from_the_sql",
    "step_failed": f"{STEPS}::test_a_transient_error_is_retried_with_backoff_and_recovers",
    "step_skipped": f"{STEPS}::test_a_false_condition_skips_the_step_with_its_reason",
    "checkpoint_reached": f"{STEPS}::test_a_checkpoint_offers_five_options_and_those_of_the_step",
    "human_response": f"{EVOLVE}::test_a_checkpoint_pauses_and_approval_closes_the_step",
    "input_gathered": f"{STEPS}::test_an_input_of_a_step_is_asked_for_when_the_step_is_reached",
    "error_escalated": f"{STEPS}::test_an_unknown_error_escalates_at_once",
    "cleanup_proposed": f"{STEPS}::test_abort_offers_to_take_back_in_reverse_order_and_waits",
    "cleanup_executed": f"{STEPS}::"
    "test_review_shows_the_proposal_again_and_a_failed_cleanup_is_told",
    "playbook_completed": HAPPY,
    "phase_summary": "engine/test_laws_compaction.py::test_the_summary_says_what_the_phase_did",
    "thread_completed": HAPPY,
    "thread_aborted": f"{EVOLVE}::test_an_abort_ends_in_the_status_failed_with_its_reason",
    "chain_started": CHAIN,
    "phase_started": CHAIN,
    "phase_completed": CHAIN,
    "context_mapped": HANDOVER,
    "routed": HAPPY,
    "routing_ambiguous": f"{PAUSES}::test_an_ambiguous_intent_offers_one_option_for_each_candidate",
    "rerouted": REROUTED,
    "plan_proposed": f"{GUIDED}::"
    "test_a_plan_is_proposed_before_anything_is_sent_and_then_runs_step_by_step",
    "plan_rejected": f"{GUIDED}::test_a_plan_is_rejected_with_its_reason",
    "plan_approved": f"{GUIDED}::test_a_changed_step_is_proposed_again_and_the_change_is_on_record",
    "environment_probed": f"{STEPS}::"
    "test_the_target_of_a_statement_is_probed_before_it_and_looked_at_behind_it",
    "step_planned": f"{PAUSES}::test_a_step_that_was_planned_is_kept_once",
    "dry_run_summary": f"{PAUSES}::"
    "test_a_dry_run_ends_with_its_options_and_execute_starts_for_real",
    "staleness_warning": f"{PAUSES}::"
    "test_a_stale_primitive_asks_and_its_page_leaves_the_question_open",
    "validation_error": f"{PAUSES}::test_an_invalid_library_ends_the_thread",
    "thread_started": f"{EVOLVE}::test_a_thread_starts_once",
    "statement_started": HAPPY,
    "statement_submitted": f"{STEPS}::"
    "test_a_statement_that_may_take_long_has_its_query_id_on_record_before_it_ends",
    "statement_completed": HAPPY,
    "statement_failed": f"{STEPS}::"
    "test_a_permission_error_escalates_at_once_and_retry_goes_on_after_the_grant",
    "statement_lost": "engine/test_laws.py::test_resuming_at_every_prefix_reaches_the_same_end",
    "thread_taken_over": "runtime/test_race.py::"
    "test_a_kernel_that_died_in_the_middle_is_taken_over_on_record",
    "model_answered": f"{GUIDED}::"
    "test_a_model_proposes_where_one_is_plugged_in_and_is_named_on_the_thread",
}

SEVERITIES = {
    "info": (
        f"{STEPS}::test_an_info_checkpoint_goes_on_by_itself_where_nobody_is",
        f"{STEPS}::test_an_info_checkpoint_waits_where_somebody_is",
    ),
    "review": (HAPPY, f"{EVOLVE}::test_nothing_happens_while_a_thread_waits"),
    "critical": (
        f"{STEPS}::test_a_critical_checkpoint_needs_its_phrase",
        f"{STEPS}::test_approve_remaining_answers_reviews_but_never_a_critical",
    ),
}

CATEGORY_TESTS = (
    f"{RECOVERY}::test_words_tell_the_category_whatever_their_case",
    f"{RECOVERY}::test_a_category_is_tried_again_so_often_after_so_long",
)
CATEGORY_ROWS = {
    "permission": (EVENTS["statement_failed"],),
    "object_exists": (
        *CATEGORY_TESTS,
        f"{EXISTING}::test_what_is_in_the_way_is_shown_beside_what_was_wanted_and_never_replaced",
    ),
    "object_not_found": CATEGORY_TESTS,
    "transient": (
        EVENTS["step_failed"],
        f"{STEPS}::test_a_transient_error_escalates_after_three_retries",
    ),
    "resource": (f"{STEPS}::test_a_suspended_warehouse_is_resumed_and_the_statement_tried_again",),
    "syntax": CATEGORY_TESTS,
    "conflict": CATEGORY_TESTS,
}

PRIORITY = {
    "1 step, 2 primitive, 3 category": f"{RECOVERY}::"
    "test_the_step_speaks_before_the_primitive_and_both_before_the_category",
    "4 unknown": f"{RECOVERY}::test_an_unknown_error_is_never_tried_again",
}

OPTIONS = {
    "checkpoint": f"{PAUSES}::test_every_checkpoint_has_the_five_options",
    "probe_checkpoint": f"{PAUSES}::"
    "test_probes_that_must_be_confirmed_have_their_options_and_come_before_step_one",
    "plan_proposed": EVENTS["plan_proposed"],
    "plan_rejected": EVENTS["plan_rejected"],
    "dry_run_summary": EVENTS["dry_run_summary"],
    "error_escalated": f"{PAUSES}::"
    "test_an_escalated_error_offers_skip_only_where_the_step_allows_it",
    "cleanup_proposed": f"{PAUSES}::test_a_cleanup_has_three_options",
    "routing_ambiguous": EVENTS["routing_ambiguous"],
    "input_question": f"{STEPS}::test_inputs_come_from_the_session_then_defaults_then_a_question",
    "staleness_warning": EVENTS["staleness_warning"],
}

SKILL_CONSTRAINTS = {
    1: "SK115-no-cycle",
    2: "SK114-primitive-is-leaf",
    3: "SK113-playbook-edges",
    4: "SK301-factual-primitive",
    5: "SK303-stated-once",
    6: "SK205-file-length",
    7: "SK402-structured-input",
    8: "SK101-registered-skill",
    9: "SK132-no-file-path",
    10: "SK111-meta-router-to-routers",
    11: "SK105-one-meta-router",
}
"""Skill constraint to the case document of the rule that holds it; `RULES` runs them all."""

EXECUTION_CONSTRAINTS = {
    10: ("SK414-has-checkpoint", RULES),
    11: ("no execution without approval", EVENTS["plan_proposed"]),
    12: ("probed first", f"{MAIN}::test_every_changing_statement_was_probed_and_approved"),
    13: ("SK416-exit-and-pivot", OPTIONS["checkpoint"]),
}

CHECKPOINT_RULES = {
    "batch approval": SEVERITIES["critical"][1],
    "options from the step and its result": EVENTS["checkpoint_reached"],
    "a checkpoint can cycle": f"{GOLDEN}::test_the_same_answers_give_the_same_thread",
    "modify takes back what is superseded": f"{STEPS}::"
    "test_modify_asks_before_it_takes_back_what_is_no_longer_wanted_and_keeps_the_rest",
}

GUARDRAILS = {
    "max steps": f"{GUIDED}::"
    "test_a_plan_that_is_too_long_goes_on_only_with_its_phrase_and_is_still_proposed",
    "primitive requirement": "engine/test_guardrails.py::"
    "test_a_step_without_a_primitive_is_refused",
    "prohibited actions": "engine/test_guardrails.py::"
    "test_what_guided_mode_prohibits_is_refused_wherever_it_hides",
    "checkpoint frequency": f"{GUIDED}::"
    "test_every_step_has_a_checkpoint_and_the_rest_cannot_be_approved_with_it",
}

EXECUTION_RULES = {
    "resume from any prefix": EVENTS["statement_lost"],
    "append-only": "engine/test_laws_kernels.py::test_the_machine_catches_a_seeded_fault",
    "another account is blocked before a step": f"{STEPS}::"
    "test_a_step_on_another_account_is_blocked",
    "another account is blocked on resume": f"{SESSIONS}::"
    "test_a_thread_is_not_gone_on_with_elsewhere_in_the_middle_of_a_step",
    "a step tells itself whether its effect is there": f"{DECLARED}::"
    "test_a_step_whose_effect_is_not_there_is_put_before_a_person",
    "a sub-step by hand": "runtime/test_manual_steps.py::"
    "test_a_sub_step_runs_probed_and_recorded_while_its_step_waits",
    "a secret input": f"{SECRECY}::"
    "test_a_secret_given_at_the_start_reaches_the_account_and_not_the_thread",
    "the role a thread began with": f"{SESSIONS}::test_a_thread_goes_on_as_the_role_it_began_with",
    "the place a thread began in": f"{SESSIONS}::"
    "test_a_session_that_stands_elsewhere_is_brought_back_first",
    "a compensation that fails is told": f"{EXISTING}::"
    "test_a_compensation_that_is_refused_is_put_before_a_person_and_not_forgotten",
    "a thread as YAML": "commands/test_thread_exchange.py::test_a_thread_comes_back_from_its_yaml",
    "two processes on one thread": "runtime/test_race.py::"
    "test_two_kernels_that_work_on_one_thread_send_each_statement_once",
    "a requirement that nothing produces": f"{CHAINS}::"
    "test_a_requirement_that_no_input_takes_is_asked_for_by_its_own_name",
    "a dry run of a chain": f"{CHAINS}::"
    "test_a_dry_run_goes_through_all_phases_on_outputs_that_are_said_to_be_predicted",
    "a failing phase leaves the earlier ones whole": f"{CHAINS}::"
    "test_a_failing_phase_leaves_the_earlier_ones_whole_where_a_person_keeps_them",
    "re-routing inside a domain": REROUTED,
    "re-routing across domains": f"{CHAINS}::"
    "test_another_domain_takes_the_place_of_the_present_one",
    "a chain is expanded": f"{CHAINS}::"
    "test_one_domain_grows_into_a_chain_and_its_playbook_goes_on_where_it_was",
    "a chain is re-ordered": f"{CHAINS}::test_a_chain_is_put_in_another_order_by_saying_it_anew",
    "a re-routing survives its process": f"{CHAINS}::"
    "test_a_kill_in_the_middle_of_a_re_routing_changes_nothing",
    "what was given up is still taken back as declared": f"{DECLARED}::"
    "test_what_a_playbook_given_up_declared_is_still_how_it_is_taken_back",
    "compaction keeps what decides": "engine/test_laws_compaction.py::"
    "test_a_compacted_thread_decides_as_the_whole_one_does_from_there_on",
    "compaction after so many events": "runtime/test_compactor.py::"
    "test_a_thread_is_compacted_after_so_many_events_and_does_the_same",
    "compaction after a phase": "runtime/test_compactor.py::"
    "test_the_end_of_a_domain_phase_is_a_time_to_compact",
    "compaction on request": "runtime/test_compactor.py::"
    "test_a_thread_is_compacted_on_request_also_at_a_pause_and_after_its_end",
    "archive access": "runtime/test_archive.py::test_a_stretch_comes_back_from_its_reference",
    "completed steps are summarised": "engine/test_context_window.py::"
    "test_approved_steps_are_lines_and_their_sql_is_not_told",
    "resolved errors are dropped": "engine/test_context_window.py::"
    "test_errors_that_were_overcome_are_dropped_and_open_ones_are_told",
    "recent events are kept": "engine/test_context_window.py::"
    "test_the_last_events_are_told_where_there_is_room",
    "killed processes": "runtime/test_kill_playbook.py::"
    "test_dying_at_every_boundary_by_exception_changes_nothing",
}


@cache
def functions_of(path):
    tree = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def named():
    tables = (EVENTS, PRIORITY, OPTIONS, CHECKPOINT_RULES, GUARDRAILS, EXECUTION_RULES)
    yield from (test for table in tables for test in table.values())
    yield from (test for row in (*SEVERITIES.values(), *CATEGORY_ROWS.values()) for test in row)
    yield from (test for _, test in EXECUTION_CONSTRAINTS.values())
    yield RULES


@pytest.mark.parametrize("test", sorted(set(named())))
def test_a_row_names_a_test_that_exists(test):
    path, _, name = test.partition("::")
    assert name in functions_of(path)


def test_every_event_of_the_tables_has_its_row():
    assert set(EVENTS) == set(TABLES) | set(ADDED)


def test_every_severity_category_and_pause_has_its_row():
    assert set(SEVERITIES) == set(get_args(Severity))
    assert set(CATEGORY_ROWS) == {category.name for category in CATEGORIES}
    assert set(OPTIONS) == set(get_args(PauseKind))


def test_every_constraint_has_its_row_and_its_rule_has_a_case():
    assert (set(SKILL_CONSTRAINTS), set(EXECUTION_CONSTRAINTS)) == (
        set(range(1, 12)),
        set(range(10, 14)),
    )
    cases = {path.stem for path in (ROOT / "tests/lint/cases").glob("SK*.md")}
    rules = [*SKILL_CONSTRAINTS.values(), *(rule for rule, _ in EXECUTION_CONSTRAINTS.values())]
    assert {rule for rule in rules if rule.startswith("SK")} <= cases


def made_by_the_package():
    """Event types whose class is called somewhere in the package."""
    called = set()
    for path in (ROOT / "skills_nb").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called.add(getattr(node.func, "attr", getattr(node.func, "id", "")))
    return {type_ for type_, model in EVENT_TYPES.items() if model.__name__ in called}


@pytest.mark.slow
def test_every_event_of_the_tables_is_made_by_the_package():
    assert set(EVENT_TYPES) <= made_by_the_package()
