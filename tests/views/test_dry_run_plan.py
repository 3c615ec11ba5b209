"""What a dry run says would happen, at any size."""

from dataclasses import replace

from skills_nb.model import events as ev
from skills_nb.views import dry_run_plan, render_html, render_text, thread_card
from skills_nb.views.sheets import blocks as b
from skills_nb.views.threads.dry_run_plan import plan_blocks
from tests.views import states as s

POLICY = {"type": "masking_policy", "name": "M", "fqn": "D.G.M"}


def columns(count):
    turned = {"masking_policy": [None, "D.G.M"]}
    return [
        {"type": "column", "name": "C", "fqn": f"D.S.T{n}.C", "changes": turned}
        for n in range(count)
    ]


def summary(create=(), modify=()):
    return ev.DryRunSummary(
        would_create={"objects": list(create)}, would_modify={"objects": list(modify)}
    )


def card(told):
    run = s.run(mode="dry_run", planned=(), summary=told, steps={})
    return thread_card(s.state(run=run), None, s.DRY)


def test_a_few_objects_stand_in_one_table():
    tables = [
        block
        for block in plan_blocks(dry_run_plan((), summary([POLICY], columns(2))))
        if isinstance(block, b.Table)
    ]
    assert [(t.caption, t.rows) for t in tables] == [
        (
            "Objects it touches",
            (
                ("+ create", "masking policy", "D.G.M", ""),
                ("~ change", "column", "D.S.T0.C", "masking policy: D.G.M"),
                ("~ change", "column", "D.S.T1.C", "masking policy: D.G.M"),
            ),
        )
    ]


def test_a_thousand_objects_fold_by_what_happens_to_which():
    plan = dry_run_plan((), summary([POLICY], columns(1000)))
    folds = [block for block in plan_blocks(plan) if isinstance(block, b.Fold)]
    assert [fold.summary for fold in folds] == [
        "+ Create: 1 masking policy",
        "~ Change: 1000 columns",
    ]
    (table,) = folds[1].blocks
    assert (len(table.rows), table.note) == (200, "800 more: export the plan, or filter")


def test_a_thousand_objects_are_few_lines_of_text_and_closed_on_a_page():
    told = card(summary([POLICY], columns(1000)))
    text, html = render_text(told), render_html(told)
    assert "Change: 1000 columns" in text
    assert len(text.splitlines()) < 60
    assert "<details><summary>~ Change: 1000 columns</summary>" in html


def test_what_an_error_keeps_from_happening_is_listed_and_not_counted():
    beyond = {**POLICY, "fqn": "D.G.N", "name": "N", "beyond": "3"}
    plan = dry_run_plan((), summary([POLICY, beyond], columns(1)))
    assert (plan.creates, plan.modifies) == ((("masking policy", 1),), (("column", 1),))
    assert plan.objects[1] == ("create", "masking policy", "D.G.N", "once step 3 is mended")
    text = render_text(card(summary([POLICY, beyond])))
    assert "What comes after the error of step 3 is listed and not counted." in text
    assert "listed and not counted" not in render_text(card(summary([POLICY])))


def test_what_is_predicted_says_so_at_its_object():
    plan = dry_run_plan((), summary([{**POLICY, "predicted": True}]))
    assert plan.objects == (("create", "masking policy", "D.G.M", "predicted"),)
    assert plan == replace(plan, stopped_at="")


def test_of_what_has_parts_only_those_that_turn_are_told():
    app = {
        "type": "streamlit",
        "name": "A",
        "fqn": "D.S.A",
        "changes": {
            "properties": [
                {"MAIN_FILE": "a.py", "TITLE": "Old", "QUERY_WAREHOUSE": "W"},
                {"MAIN_FILE": "a.py", "TITLE": "New", "QUERY_WAREHOUSE": "W"},
            ],
            "dynamic": [
                '{"lag": "1 hour", "suspended": false}',
                '{"lag": "1 hour", "suspended": true}',
            ],
            "comment": ["{not JSON", "{nor this"],
            "SELECT to role R": ["granted", None],
            "USAGE to role R": [None, "granted"],
        },
    }
    ((_, _, _, change),) = dry_run_plan((), summary(modify=[app])).objects
    assert change == (
        "properties: TITLE Old → New; dynamic: suspended FALSE → TRUE; "
        "comment: {not JSON → {nor this; SELECT to role R: revoked; USAGE to role R: granted"
    )
