"""The gate lets in what measures, and says of the rest why not."""

from dataclasses import replace

import pytest

from skills_nb.bench.scoring import State
from skills_nb.bench.snowflake.embedded_sandboxes import EmbeddedSandboxes
from skills_nb.bench.snowflake.snowflake_measurement import measure_until_wrong
from skills_nb.bench.task_gate import examine_task, gate, without_each_statement
from skills_nb.bench.tasks import InvalidTask
from skills_nb.bench.tasks.task_values import Mutant, RightAnswer

BOXES = EmbeddedSandboxes()


@pytest.mark.slow
def test_a_task_that_measures_is_green(mask_emails):
    row = examine_task(mask_emails, BOXES)
    assert row.troubles == ()
    assert [(t.answer, t.lower) for t in row.trials if t.answer in ("gold", "empty")] == [
        ("gold", 100.0),
        ("gold", 100.0),
        ("gold", 100.0),
        ("empty", 0.0),
    ]
    assert row.strongest < 60


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "trouble"),
    [
        ({"gold": "CREATE ROLE R;"}, "functional is fail"),
        ({"mutants": (Mutant("same", "{gold}"),)}, "same: scores 100 %"),
        ({"noop": "{gold}"}, "no-op: scores 100 %"),
        ({"bulk": None}, "bulk is not_applicable"),
        ({"rights": (RightAnswer("other form", "CREATE ROLE R;"),)}, "right: other form: "),
    ],
    ids=[
        "gold fails",
        "mutant as good as gold",
        "no-op does the work",
        "no full coverage",
        "right is judged wrong",
    ],
)
def test_a_task_that_does_not_measure_is_red(mask_emails, changes, trouble):
    body = mask_emails.body
    filled = {
        name: value.replace("{gold}", body.gold) if isinstance(value, str) else value
        for name, value in changes.items()
    }
    if "mutants" in filled:
        filled["mutants"] = (Mutant("same", body.gold),)
    row = examine_task(replace(mask_emails, body=replace(body, **filled)), BOXES)
    assert not row.is_green
    assert any(trouble in said for said in row.troubles)


def test_a_wrong_answer_is_measured_no_further_than_that_shows(mask_emails):
    body = mask_emails.body
    card = measure_until_wrong(body, body.mutants[0].text, BOXES)
    assert (card.is_right, card.bulk.state, card.no_tweaks.state) == (
        False,
        State.NOT_RUN,
        State.NOT_RUN,
    )
    whole = measure_until_wrong(body, body.gold, BOXES)
    assert (whole.is_right, whole.coverage) == (True, 100)


def test_a_requirement_that_holds_already_makes_a_task_red(mask_emails):
    body = mask_emails.body
    free = replace(body.requirements[0], sql="SELECT 1, 2")
    free = replace(free, expect=replace(free.expect, kind="row_count", expected=1))
    row = examine_task(replace(mask_emails, body=replace(body, requirements=(free,))), BOXES)
    assert any("proves nothing" in said for said in row.troubles)


def test_a_task_that_cannot_be_read_is_listed(mask_emails):
    (row,) = gate([], [InvalidTask("broken", ("prompt: is missing",))], BOXES)
    assert (row.task, row.troubles) == ("broken", ("task: prompt: is missing",))


def test_gold_loses_each_statement_in_turn():
    assert [m.text for m in without_each_statement("A; B; C")] == ["B;\nC;", "A;\nC;", "A;\nB;"]
    assert without_each_statement("SELECT 1") == ()


def test_a_task_that_breaks_the_gate_is_red_and_harms_no_other(mask_emails):
    class Breaking(EmbeddedSandboxes):
        def open(self, task):
            raise RuntimeError("no room")

    (row,) = gate([mask_emails], [], Breaking())
    assert row.troubles == ("task: RuntimeError: no room",)


def test_what_shows_that_a_task_measures_is_no_part_of_its_identity(mask_emails):
    more = replace(mask_emails.body, rights=(RightAnswer("other form", "SELECT 1;"),))
    assert replace(mask_emails, body=more).digest == mask_emails.digest
    other = replace(mask_emails.body, gold="SELECT 1;")
    assert replace(mask_emails, body=other).digest != mask_emails.digest
