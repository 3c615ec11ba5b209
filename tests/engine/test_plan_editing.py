"""A plan is edited before it is proposed; what the editor lets through, the thread proposes."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.engine.guided import plan_editing as ed
from skills_nb.errors import UsageError
from skills_nb.model.events import PlannedStep
from skills_nb.model.skills import InputSpec
from skills_nb.model.state import ThreadState
from tests.builders import library
from tests.engine.test_guided import NINE, ROLES, drive, plan, proposed

LIBRARY = library(primitives={"roles": ROLES})
A, B = "CREATE ROLE A", "CREATE ROLE B"


def draft(*sqls, done=0):
    return ed.Draft("Two roles", plan(*sqls).steps, done)


def told(edited):
    return [(step.step, step.sql) for step in edited.steps]


# ---- edits


def test_a_step_is_added_below_another_and_goes_on_with_its_primitive():
    edited = ed.add_step(draft(A, B), 1)
    assert told(edited) == [("1", A), ("2", ""), ("3", B)]
    assert edited.steps[1].primitive == "roles"


def test_the_first_step_of_an_empty_plan_names_no_primitive():
    edited = ed.add_step(ed.Draft("g", ()), 0)
    assert edited.steps == (PlannedStep(step="1", action="", primitive=None),)


def test_a_step_is_left_out_and_the_others_are_numbered_anew():
    assert told(ed.remove_step(draft(A, B), 0)) == [("1", B)]


def test_a_step_is_moved_and_the_numbers_tell_the_new_order():
    assert told(ed.move_step(draft(A, B), 1, 0)) == [("1", B), ("2", A)]


@pytest.mark.parametrize(
    ("part", "text"), [("action", "Say it"), ("primitive", "tags"), ("sql", "SELECT 1")]
)
def test_one_part_of_one_step_is_changed_and_nothing_else(part, text):
    before = draft(A, B)
    edited = ed.change_step(before, 1, part, text)
    assert edited.steps == (before.steps[0], before.steps[1].model_copy(update={part: text}))


@pytest.mark.parametrize(
    "edit",
    [
        lambda d: ed.add_step(d, 0),
        lambda d: ed.remove_step(d, 0),
        lambda d: ed.move_step(d, 0, 1),
        lambda d: ed.move_step(d, 1, 0),
        lambda d: ed.change_step(d, 0, "sql", B),
    ],
)
def test_what_is_done_is_not_edited(edit):
    with pytest.raises(UsageError, match="1 of 2 are done"):
        edit(draft(A, B, done=1))


@pytest.mark.parametrize(
    "edit",
    [
        lambda d: ed.add_step(d, 3),
        lambda d: ed.remove_step(d, 2),
        lambda d: ed.move_step(d, 0, 2),
        lambda d: ed.change_step(d, 2, "sql", B),
    ],
)
def test_there_is_nothing_to_edit_behind_the_end(edit):
    with pytest.raises(UsageError, match="no step to edit there"):
        edit(draft(A, B))


def test_new_numbers_go_on_behind_what_is_done():
    done = (PlannedStep(step="2b", action="x", primitive="roles", sql=A),)
    edited = ed.add_step(ed.Draft("g", done, 1), 1)
    assert [step.step for step in edited.steps] == ["2b", "3"]
    odd = (PlannedStep(step="first", action="x", primitive="roles", sql=A),)
    assert [s.step for s in ed.add_step(ed.Draft("g", odd, 1), 1).steps] == ["first", "1"]


@given(
    sqls=st.lists(st.sampled_from([A, B, "CREATE ROLE C"]), min_size=1, max_size=6),
    moves=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=6),
)
def test_moving_loses_nothing_and_numbers_stay_in_order(sqls, moves):
    edited = draft(*sqls)
    for at, to in moves:
        edited = ed.move_step(edited, at % len(sqls), to % len(sqls))
    assert sorted(step.sql for step in edited.steps) == sorted(sqls)
    assert [step.step for step in edited.steps] == [str(n) for n in range(1, len(sqls) + 1)]
    if moves:
        at, to = (n % len(sqls) for n in moves[-1])
        before = ed.move_step(edited, to, at)
        assert ed.move_step(before, at, to) == edited


# ---- judging


def test_each_step_is_judged_by_the_guardrails():
    mixed = ed.change_step(draft(A, "DROP SCHEMA S", B), 2, "primitive", "nothing-such")
    found = ed.judge_draft(mixed, LIBRARY)
    assert found.steps == (
        "",
        "Step 2 does 'DROP SCHEMA', which needs a playbook: DROP SCHEMA S",
        "Step 3 names 'nothing-such', which is no primitive.",
    )
    assert not found.is_proposable


def test_a_draft_without_objections_can_be_proposed():
    assert ed.judge_draft(draft(A, B), LIBRARY) == ed.Judgement(("", ""))
    assert ed.judge_draft(draft(A, B), LIBRARY).is_proposable


def test_an_empty_draft_cannot_be_proposed():
    assert ed.judge_draft(ed.Draft("g", ()), LIBRARY) == ed.Judgement((), "A plan needs steps.")
    assert not ed.judge_draft(ed.Draft("g", ()), LIBRARY).is_proposable


def test_a_long_draft_says_so_but_is_a_persons_to_propose():
    found = ed.judge_draft(draft(*[f"CREATE ROLE R{n}" for n in range(9)]), LIBRARY)
    assert found.whole == "This goal requires 9 steps. Guided mode is limited to 8."
    assert found.is_proposable


# ---- from a thread and back


def test_a_thread_without_a_plan_begins_with_an_empty_draft():
    assert ed.draft_of(ThreadState(thread_id="t", goal="Do it")) == ed.Draft("Do it", ())


def test_a_plan_that_waits_is_edited_and_proposed_on_its_thread():
    made = proposed(A, B)
    edited = ed.move_step(ed.draft_of(made.state), 1, 0)
    made.propose(ed.plan_of(edited))
    assert made.pause.kind == "plan_proposed"
    assert [(s.step, s.sql) for s in made.events("plan_proposed")[-1].steps] == [("1", B), ("2", A)]
    made.respond("approve")
    assert made.ran == [B]


def test_values_are_filled_in_before_somebody_edits():
    made = drive()
    spec = InputSpec("role", type="role", default="A", has_default=True)
    made.propose(replace(plan("CREATE ROLE {{ role }}"), inputs=(spec,)))
    assert told(ed.draft_of(made.state)) == [("1", A)]


def test_what_is_done_already_keeps_its_place():
    made = proposed(*NINE)
    made.respond("break_down")
    for _ in range(9):
        made.respond("approve")
    assert (made.pause.kind, made.ran) == ("plan_proposed", NINE[:8])
    before = ed.draft_of(made.state)
    assert before.done == 8
    made.propose(ed.plan_of(ed.change_step(before, 8, "sql", "CREATE ROLE LAST")))
    made.respond("break_down")
    assert [s.sql for s in made.events("plan_proposed")[-1].steps][-1] == "CREATE ROLE LAST"


def test_a_proposed_step_always_has_words_and_no_blanks_around_them():
    bare = PlannedStep(step="1", action="  ", primitive=" ", sql="\n SELECT 1 \n")
    assert ed.plan_of(ed.Draft("g", (bare,))).steps == (
        PlannedStep(step="1", action="Step 1", primitive=None, sql="SELECT 1"),
    )
