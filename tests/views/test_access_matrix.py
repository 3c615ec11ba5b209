"""Who sees which columns, before and after, as a matrix."""

from skills_nb.views import render_html, render_text, thread_card
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.html import to_html
from skills_nb.views.sheets.text import to_text
from skills_nb.views.threads.access_matrix import access_blocks
from tests.views import states as s
from tests.views.test_html import EVIL, read

MATRIX = {
    "table": 'D."my S"."t.1"',
    "columns": ["e-mail", "N"],
    "roles": [
        {"role": "ANALYST", "before": ["clear", "clear"], "after": ["masked", "clear"]},
        {"role": "NEW", "before": ["no access"] * 2, "after": ["varies", "clear"]},
    ],
    "rows": ["", ""],
}


def shown(*found):
    return b.Sheet("t", blocks=tuple(access_blocks(found)))


def test_a_cell_says_in_words_what_changes():
    lines = to_text(shown(MATRIX), 90, "x").splitlines()

    assert lines[-4:] == [
        "  Column  ANALYST             NEW",
        "  ──────  ──────────────────  ──────────────────────",
        "  e-mail  ● clear → ◐ masked  ○ no access → ◌ varies",
        "  N       ● clear             ○ no access → ● clear",
    ]
    assert 'Who sees what of D."my S"."t.1", before → after' in lines


def test_a_page_marks_what_changes_and_names_its_rows():
    tags = read(to_html(shown(MATRIX), "%skill")).tags

    assert len([1 for tag, attrs in tags if tag == "td" and "data-turned" in attrs]) == 3
    assert [attrs["scope"] for tag, attrs in tags if tag == "th"] == ["col"] * 3 + ["row"] * 2


def test_rows_that_a_policy_hides_are_told():
    told = to_text(shown({**MATRIX, "rows": ["", "D.G.R"]}), 90, "x")
    same = to_text(shown({**MATRIX, "rows": ["D.G.R", "D.G.R"]}), 90, "x")

    assert "Rows: not filtered → filtered by D.G.R" in told
    assert "Rows are filtered by D.G.R, before and after" in same


def test_what_is_left_out_is_counted():
    many = {**MATRIX, "more_columns": 1440, "more_roles": 1}
    text = to_text(shown(many, {"more_tables": 3}), 90, "x")

    assert "1440 more columns and 1 more role not shown" in text
    assert "3 more tables not shown or not looked at." in text


def test_more_than_a_few_tables_are_folded():
    html = to_html(shown(*[{**MATRIX, "table": f"D.S.T{n}"} for n in range(5)]), "%skill")

    assert html.count("<details>") == 2


def test_hostile_names_are_escaped():
    evil = {**MATRIX, "table": EVIL, "columns": [EVIL, EVIL]}
    evil["roles"] = [{**evil["roles"][0], "role": EVIL}]

    assert "<script" not in to_html(shown(evil), "%skill")


def test_nothing_that_changes_shows_nothing():
    assert access_blocks(()) == []


def test_it_stands_where_a_dry_run_waits_and_nowhere_else():
    told = {"access": [MATRIX]}
    dry = s.state(run=s.run(mode="dry_run", planned=s.PLANNED, summary=s.SUMMARY, steps={}))
    asked = thread_card(dry, s.PLAYBOOK, s.DRY, foretold=told)
    over = s.state(status="completed", summary="x")
    others = [
        thread_card(over, s.PLAYBOOK, None, foretold=told),
        thread_card(s.state(), s.PLAYBOOK, s.REVIEW, foretold=told),
    ]

    assert "Who sees what of" in render_html(asked)
    assert "where the plan is a prediction, so is this" in " ".join(render_text(asked).split())
    assert [card.pictures.access for card in others] == [(), ()]
