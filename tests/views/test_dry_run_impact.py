"""A dry run by words, as a tree, as a script."""

from dataclasses import replace

from skills_nb.views import dry_run_plan, render_html, render_text, thread_card
from skills_nb.views.threads.dry_run_impact import (
    narrow_plan,
    script_of,
    tree_blocks,
    without_measures,
)
from tests.views import states as s

PLAN = dry_run_plan(s.PLANNED, s.SUMMARY)


def test_words_narrow_objects_and_steps_and_leave_the_counts():
    found = narrow_plan(PLAN, "email CUSTOMERS")

    assert [row[2] for row in found.objects] == ["PROD.A.CUSTOMERS.EMAIL"]
    assert (found.creates, found.modifies) == (PLAN.creates, PLAN.modifies)
    assert narrow_plan(PLAN, "  ") is PLAN


def test_what_would_fail_cannot_be_filtered_away():
    found = narrow_plan(PLAN, "no such word")

    assert found.objects == ()
    assert [step.step for step in found.steps] == ["3"]


def test_a_script_has_every_statement_under_its_step():
    assert script_of(PLAN) == (
        "-- Step 1: Look\n\nSELECT 1;\n\n"
        "-- Step 2: Make policies\n\nCREATE MASKING POLICY M;\n\nCREATE MASKING POLICY N;\n"
    )
    assert script_of(replace(PLAN, steps=())) == ""


def test_the_tree_goes_by_database_and_schema():
    objects = (
        ("create", "role", "R", ""),
        ("create", "database", "D", ""),
        ("create", "schema", "D.S", ""),
        ("create", "table", 'D."a.b".T', ""),
        ("change", "table", "D.S.T", "owner: A → B"),
    )
    blocks = tree_blocks(replace(PLAN, objects=objects))
    html = render_html(replace(_card(), plan=replace(PLAN, objects=objects), plan_as_tree=True))

    assert [block.summary for block in blocks] == ["The account itself: 1 object", "D: 4 objects"]
    assert [b.summary for b in blocks[1].blocks[1:]] == ["S: 2 objects", '"a.b": 1 object']
    assert "<strong>change</strong> table <code>T</code>: owner: A → B" in html
    assert "<strong>create</strong> schema <code>D.S</code>" in html


def _card():
    run = s.run(mode="dry_run", planned=s.PLANNED, summary=s.SUMMARY)
    return thread_card(s.state(run=run), None, s.DRY)


def test_the_tree_stands_before_the_folded_statements():
    text = render_text(replace(_card(), plan_as_tree=True))

    assert "Objects it touches" not in text
    assert (
        text.index("Would create") < text.index("PROD: 2 objects") < text.index("Every statement")
    )


def test_many_objects_are_folded_by_schema():
    objects = tuple(("create", "table", f"D.S{n % 9}.T{n}", "") for n in range(1000))
    (fold,) = tree_blocks(replace(PLAN, objects=objects))

    assert len(fold.blocks) == 9
    assert not any(inner.is_open for inner in fold.blocks)


def test_measured_seconds_are_left_out_and_declared_ones_kept():
    measured = replace(PLAN, duration="0.0 to 0.1 s: 2 statements, 2 by the account's own history")
    declared = replace(PLAN, duration="0.2 to 2.0 s: 2 statements, 2 by declared figures")

    assert without_measures(measured).duration == "2 statements, 2 by the account's own history"
    assert without_measures(declared) is declared
