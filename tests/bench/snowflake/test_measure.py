"""Snowflake tasks measured on the embedded account."""

from dataclasses import replace

import pytest

from skills_nb.bench.scoring import State
from skills_nb.bench.snowflake.base_state import holding_before
from skills_nb.bench.snowflake.embedded_sandboxes import EmbeddedSandboxes
from skills_nb.bench.snowflake.snowflake_measurement import measure_script
from skills_nb.bench.tasks.task_values import Invariant
from skills_nb.errors import SqlError

BOXES = EmbeddedSandboxes()


def _states(card):
    return {name: part.state.value for name, part in card.parts()}


@pytest.fixture
def task(mask_emails):
    return mask_emails.body


def test_gold_earns_everything_with_full_coverage(task):
    card = measure_script(task, task.gold, BOXES)
    assert (card.lower, card.coverage, card.verdict) == (100, 100, "pass")


def test_fences_come_off_and_cost_nothing(task):
    card = measure_script(task, f"Here you are:\n```sql\n{task.gold}```\nGood luck.", BOXES)
    assert card.lower == 100


@pytest.mark.parametrize("answer", ["", "  \n", "```sql\n```", "-- nothing to do\n;"])
def test_an_empty_answer_scores_nothing_and_runs_nothing(task, answer):
    card = measure_script(task, answer, BOXES)
    assert (card.lower, card.upper, card.verdict) == (0, 0, "fail")


def test_a_noop_keeps_functional_at_zero_and_fails(task):
    card = measure_script(task, task.noop, BOXES)
    assert card.functional.state is State.FAIL
    assert card.lower <= 50


def test_what_changes_nothing_is_not_deployed(task):
    card = measure_script(task, "SELECT 1;", BOXES)
    assert card.deploy.reason == "every statement ran and nothing changed"
    assert card.lower == 0


def test_destroying_the_data_is_below_gold(task):
    (mutant,) = task.mutants
    card = measure_script(task, mutant.text, BOXES)
    assert card.tests.state is State.PARTIAL
    assert card.tests.reason.startswith("admin-reads: '***'")
    assert card.functional.state is State.PARTIAL
    assert card.lower < 60


def test_a_refused_statement_fails_all_of_it_with_its_line(task):
    card = measure_script(task, task.gold + "\nDROP TABLE SHOP.SALES.NONE_SUCH;", BOXES)
    assert _states(card) == dict.fromkeys(_states(card), "fail")
    assert card.deploy.reason.startswith("line 5: SQL compilation error")
    assert card.deploy.evidence[0].exit_status == 1


def test_an_engine_gap_is_unsupported_and_never_a_failure(task):
    class Lacking(EmbeddedSandboxes):
        def is_gap(self, error: SqlError) -> bool:
            return error.errno == 2003

    card = measure_script(task, task.gold + "\nDROP TABLE SHOP.SALES.NONE_SUCH;", Lacking())
    assert card.deploy.state is State.UNSUPPORTED
    assert (card.lower, card.upper, card.verdict) == (0, 100, "undetermined")


def test_without_functional_the_ceiling_is_fifty(task):
    card = measure_script(task, task.gold, BOXES, functional=False)
    assert card.functional.state is State.NOT_RUN
    assert (card.lower, card.verdict) == (50, "undetermined")


def test_a_requirement_that_holds_before_proves_nothing(task):
    easy = replace(
        task.requirements[0],
        expect=replace(task.requirements[0].expect, kind="row_count", expected=2),
        id="two-rows",
    )
    spoiled = replace(task, requirements=(easy, *task.requirements))
    assert holding_before(spoiled, BOXES) == ("two-rows",)
    assert measure_script(spoiled, task.gold, BOXES).functional.state is State.ERROR
    assert holding_before(task, BOXES) == ()


def test_a_setup_that_fails_is_nobodys_answer(task):
    card = measure_script(replace(task, setup="SELECT * FROM NO.SUCH.PLACE"), task.gold, BOXES)
    assert _states(card) == dict.fromkeys(_states(card), "error")


def test_a_change_of_what_must_stay_costs_points(task):
    kept = Invariant("addresses", "SELECT MAX(EMAIL) FROM SHOP.SALES.CUSTOMERS")
    found = measure_script(replace(task, invariants=(kept,)), task.mutants[0].text, BOXES).tests
    assert "addresses: changed" in found.reason


def test_a_fixture_that_is_smaller_than_promised_is_an_error(task):
    small = replace(task, bulk=replace(task.bulk, rows=5000))
    assert measure_script(small, task.gold, BOXES).bulk.state is State.ERROR


def test_rows_may_arrive_after_the_answer(task):
    late = replace(task, bulk=replace(task.bulk, is_before=False))
    assert measure_script(late, task.gold, BOXES).bulk.state is State.PASS
    dropping = "DROP TABLE SHOP.SALES.CUSTOMERS;"
    found = measure_script(late, dropping, BOXES).bulk
    assert (found.state, found.reason[:22]) == (State.FAIL, "rows that arrive later")


def test_an_answer_that_chance_decides_loses_no_tweaks(task):
    answer = task.gold + "\nINSERT INTO SHOP.SALES.CUSTOMERS SELECT 9, UUID_STRING();"
    card = measure_script(task, answer, BOXES)
    assert (card.no_tweaks.state, card.no_tweaks.reason) == (State.FAIL, "two runs differ")


def test_checks_look_from_a_session_of_their_own(task):
    left_open = task.gold + "\nBEGIN; DELETE FROM SHOP.SALES.CUSTOMERS;"
    assert measure_script(task, left_open, BOXES).lower == 100
