"""Objects that a plan or a thread touches, as a diff."""

from skills_nb.model.net_changes import NetChange
from skills_nb.views import render_html, render_text, thread_card
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.html import to_html
from skills_nb.views.sheets.text import to_text
from skills_nb.views.threads.object_diff import diff_blocks, rows_of_changes
from tests.views import states as s
from tests.views.test_html import EVIL, read

ROWS = (
    ("created", "table", 'D."my S"."t.1"', ""),
    ("changed", "column", "D.S.T.C", "masking policy: D.G.M"),
    ("dropped", "view", "D.S.V", ""),
)


def sheet(rows):
    return b.Sheet("t", blocks=tuple(diff_blocks(rows, "What it changed", "Did")))


def test_a_sign_and_a_word_tell_what_became_of_each():
    assert to_text(sheet(ROWS), 80, "skills-nb").splitlines() == [
        "t",
        "",
        "What it changed",
        "  Did        Type    Object          Change",
        "  ─────────  ──────  ──────────────  ─────────────────────",
        '  + created  table   D."my S"."t.1"',
        "  ~ changed  column  D.S.T.C         masking policy: D.G.M",
        "  − dropped  view    D.S.V",
    ]


def test_a_page_marks_the_rows_and_says_the_same():
    tags = read(to_html(sheet(ROWS), "%skill")).tags

    assert [attrs["data-fate"] for tag, attrs in tags if "data-fate" in attrs] == [
        "new",
        "changed",
        "gone",
    ]


def test_nothing_touched_shows_nothing():
    assert diff_blocks((), "x", "Did") == []


def test_hostile_names_are_escaped_and_stay_on_their_line():
    rows = (("dropped", "table", f"D.S.{EVIL}\n+ created", ""),)

    assert "<script" not in to_html(sheet(rows), "%skill")
    assert not any(line.startswith("  +") for line in to_text(sheet(rows), 90, "x").splitlines())


def test_fifteen_hundred_columns_fold_and_say_how_many_more():
    rows = tuple(("changed", "column", f"D.S.T.C{n}", "") for n in range(1500))
    shown = sheet(rows)
    text, html = to_text(shown, 80, "x"), to_html(shown, "%skill")

    assert "~ Changed: 1500 columns" in text
    assert len(text.splitlines()) < 20
    assert html.count("<tr data-fate") == 200
    assert "1300 more" in html


def test_a_finished_card_shows_one_diff_with_what_happened_to_rows():
    made = NetChange("created", "masking_policy", "D.G.M")
    turned = NetChange("changed", "table", "D.S.T", ("row access policy: D.G.R",))
    rows = rows_of_changes(
        (made, turned),
        [("3", "view", "D.S.V")],
        [("1", "table", "D.S.T", "2 rows deleted"), ("2", "table", "D.S.U", "x")],
    )

    assert rows == (
        ("created", "masking policy", "D.G.M", ""),
        ("created", "view", "D.S.V", "in step 3"),
        ("changed", "table", "D.S.T", "2 rows deleted; row access policy: D.G.R; in step 1"),
        ("changed", "table", "D.S.U", "x; in step 2"),
    )
    done = thread_card(
        s.state(status="completed", summary="All done"), s.PLAYBOOK, None, came_to=(made,)
    )
    assert "+ created" in render_text(done)
    assert 'aria-label="What it changed"' in render_html(done)
    assert 'aria-label="Created"' not in render_html(done)


def test_a_thread_that_is_not_over_shows_no_diff_of_what_it_did():
    card = thread_card(
        s.state(), s.PLAYBOOK, s.REVIEW, came_to=(NetChange("created", "table", "T"),)
    )

    assert card.objects == ()
