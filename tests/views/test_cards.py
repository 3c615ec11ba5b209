"""Routes, rows, lists, timelines, pages, errors."""

import time
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from skills_nb.errors import SqlError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.routes import Candidate, ClarifyOption, Route
from skills_nb.views import (
    account_card,
    error_card,
    message,
    render_html,
    render_text,
    route_card,
    rows_table,
    skill_page,
    thread_list,
    timeline,
)
from skills_nb.views.sheets.blocks import Bullets, Code, Paragraph, Table
from skills_nb.views.sheets.markdown import blocks_of
from skills_nb.views.threads.timeline import _DETAILS, PAGE, narrow_timeline, page_of, pages_of
from tests.views import states as s

ROUTE = Route(
    "playbook",
    ("data-security",),
    ("playbooks/p",),
    0.914,
    alternatives=(Candidate("primitives/q", "guided", "data-security", 0.4),),
    why=("The words say so.",),
    suggest_dry_run="it touches production",
)


def test_a_route_says_how_sure_it_is_and_what_to_type():
    assert render_text(route_card(ROUTE), prompt="%skill") == "\n".join(
        [
            "playbooks/p — 91 % sure",
            "",
            "A playbook does this from start to end.",
            "",
            "It touches production. A dry run shows every statement and changes nothing.",
            "",
            "Preview it: %skill run playbooks/p --dry-run",
            "Do it, step by step: %skill run playbooks/p",
            "",
            "  ▸  Why",
            "  ▸  Not it? primitives/q",
        ]
    )


def test_why_opens_the_reasons():
    assert "The words say so." not in render_text(route_card(ROUTE))
    assert "The words say so." in render_text(route_card(ROUTE, why=True))


def test_an_unclear_intent_offers_what_to_name():
    options = (
        ClarifyOption("a", "Find them", "playbooks/a"),
        ClarifyOption("none-of-these", "Say it again"),
    )
    shown = render_text(route_card(Route("clarify", (), (), 0.2, options=options)))

    assert "? WHICH ONE?" in shown
    assert "  playbooks/a    Find them" in shown
    assert "Name the one you mean: skills-nb run playbooks/a" in shown


def test_a_chain_is_numbered_in_its_order():
    chain = Route("chain", ("one", "two"), ("playbooks/a", None), 0.8, modes=("playbook", "guided"))
    shown = render_text(route_card(chain))

    assert "  1.  one: playbooks/a" in shown
    assert "  2.  two: to be chosen" in shown


def test_a_guided_route_can_be_begun_and_read_about():
    plan = Route("guided", ("d",), ("primitives/q",), 0.9)
    begun = render_text(route_card(plan, intent="make a q"))
    alone = render_text(route_card(plan))

    assert "Do it, step by step: skills-nb run 'make a q'" in begun
    assert "Read about it: skills-nb show primitives/q" in begun
    assert "Read about it: skills-nb show primitives/q" in alone
    assert "Do it" not in alone


def test_a_question_of_fact_is_answered_by_reading():
    fact = Route("reference", ("d",), ("primitives/q",), 0.9)

    assert "Read it: skills-nb show primitives/q" in render_text(route_card(fact))


def test_rows_say_whose_view_they_are_and_null_is_said():
    table = rows_table(["A", "B"], [["x", None]], 3, role="ANALYST")

    assert render_text(table) == "\n".join(
        [
            "3 rows as ANALYST",
            "",
            "  A  B",
            "  ─  ────",
            "  x  NULL",
            "  2 more not fetched; narrow the query to see them",
        ]
    )


def test_a_statement_without_columns_says_so():
    assert "no columns" in render_text(rows_table([], []))


def test_threads_are_listed_with_what_they_wait_for():
    row = {
        "thread_id": "tidy",
        "status": "paused",
        "goal": "tidy up",
        "playbook": "p",
        "step": "2",
        "pause": {"kind": "input_question", "at": "input:x"},
    }
    shown = render_text(thread_list([row]))

    assert "tidy    paused at step 2  input:x (input question)  p         tidy up" in shown
    assert shown.endswith("Go on with one: skills-nb resume tidy")


def test_what_is_over_is_not_offered_to_go_on():
    rows = [{"thread_id": n, "status": status} for n, status in (("a", "failed"), ("b", "paused"))]

    assert render_text(thread_list(rows)).endswith("Go on with one: skills-nb resume b")
    assert render_text(thread_list(rows[:1])).endswith("Look at one: skills-nb show a")


def test_an_empty_list_says_how_to_begin():
    assert "No threads yet" in render_text(thread_list([]))


def test_every_event_type_tells_its_story():
    assert set(_DETAILS) == set(ev.EVENT_TYPES)


def test_a_timeline_says_what_happened_and_who_decided():
    events = [
        ev.StatementStarted(step="2", ordinal=1, sql="CREATE\n  X", kind="once", seq=1),
        ev.HumanResponse(choice="approve", at="2", actor="human:ada", seq=2),
        ev.HumanResponse(choice="approve", at="3", actor="timer", seq=3),
    ]

    assert [(r.seq, r.what, r.who, r.detail) for r in timeline(s.state(), events).rows] == [
        (1, "statement started", "", "step 2 · CREATE X"),
        (2, "human response", "ada", "2: approve"),
        (3, "human response", "timer", "3: approve"),
    ]


def _shown(count: int) -> tuple[float, int]:
    """Show a timeline of so many events three times: the CPU seconds of the best, the lines."""
    event = ev.StepStarted(step="1", primitive="p", seq=1)
    seconds = []
    for _ in range(3):
        began = time.process_time()
        html = render_html(timeline(s.state(), [event] * count))
        seconds.append(time.process_time() - began)
    return min(seconds), html.count("<li>")


def test_a_timeline_costs_in_proportion_to_its_events():
    few_s, few = _shown(1_000)
    many_s, many = _shown(10_000)

    assert (few, many) == (1_000, 10_000)
    assert many_s < 40 * few_s


def _worked_on():
    """A statement that was sent and a decision, with the state that knows its query id."""
    events = [
        ev.StatementStarted(
            step="2", ordinal=1, sql="CREATE\n  TABLE X (A INT)", kind="once", seq=9
        ),
        ev.StatementCompleted(query_id="01ab-0", row_count=1, seq=10),
        ev.HumanResponse(at="2", choice="approve", actor="human:ada", seq=11),
        ev.EnvironmentProbed(query="SELECT 1", result={"error": {"text": "no"}}, seq=12),
    ]
    record = replace(s.REFUSED, seq=9, status="completed", query_id="01ab-0", error=None)
    return timeline(s.state(statements=(record,)), events)


def test_a_statement_leads_to_its_whole_sql_and_its_query_id():
    view = _worked_on()
    html = render_html(view)

    assert [(row.sql, row.query_id) for row in view.rows] == [
        ("CREATE\n  TABLE X (A INT)", "01ab-0"),
        ("", "01ab-0"),
        ("", ""),
        ("SELECT 1", ""),
    ]
    assert "<pre>CREATE\n  TABLE X (A INT)</pre><p>query 01ab-0</p></details>" in html
    assert "query 01ab-0 · 1 row" in render_text(view)


def test_query_ids_are_left_out_where_the_text_must_be_the_same_in_every_run():
    assert "01ab" not in render_html(replace(_worked_on(), with_ids=False))


def test_a_timeline_is_narrowed_by_kind_and_by_words():
    view = _worked_on()

    assert [row.seq for row in narrow_timeline(view, "statements").rows] == [9, 10, 12]
    assert [row.seq for row in narrow_timeline(view, "decisions").rows] == [11]
    assert [row.seq for row in narrow_timeline(view, "trouble").rows] == [12]
    assert [row.seq for row in narrow_timeline(view, "everything", "table CREATE").rows] == [9]
    assert [row.seq for row in narrow_timeline(view, "statements", "01AB-0").rows] == [9, 10]
    assert narrow_timeline(view, "everything", " ") is view


def test_a_narrowed_timeline_says_what_is_left_out():
    shown = render_text(narrow_timeline(_worked_on(), "statements", "create"))

    assert "1 event: statements with “create”, of 4 events, oldest first" in shown


def test_an_error_shows_its_number_and_its_repair():
    error = SqlError("No such table", errno=2003, sqlstate="42S02", hint="look again")

    assert render_text(error_card(error)) == (
        "! SqlError  002003 (42S02) No such table\n\nhint: look again"
    )
    assert 'role="alert"' in render_html(error_card(error))


def test_an_error_without_number_or_repair_is_one_line():
    assert render_text(error_card(UsageError("wrong"))) == "! UsageError  wrong"


def test_an_account_lists_the_roles_that_may_be_taken():
    assert "ANALYST, SECURITYADMIN" in render_text(account_card(s.CONTEXT))


def test_a_message_keeps_its_lines():
    assert render_text(message("one\n  two")) == "one\n  two"


def test_a_skill_page_shows_its_sections_and_how_to_run_it():
    page = skill_page(replace(s.PLAYBOOK, sections={"Notes": "Be careful."}))
    shown = render_text(page)

    assert "Be careful." in shown
    assert shown.endswith("Run it: skills-nb run playbooks/p")


def test_markdown_becomes_blocks():
    text = "Words\nhere.\n\n- one\n  more\n- two\n\n```sql\nSELECT 1;\n\nSELECT 2;\n```\n\n"
    text += "| A | B |\n|---|---|\n| `x` | a\\|b |\n"

    assert blocks_of(text) == (
        Paragraph("Words here."),
        Bullets(("one more", "two")),
        Code("SELECT 1;\n\nSELECT 2;"),
        Table(("A", "B"), (("x", "a|b"),), "", most_in_text=1, is_prose=True),
    )


def test_numbers_make_a_numbered_list():
    assert blocks_of("1. one\n2. two") == (Bullets(("one", "two"), is_numbered=True),)


def test_a_fence_that_is_not_closed_is_code_to_its_end():
    assert blocks_of("```\nSELECT 1") == (Code("SELECT 1"),)


def test_a_gathered_plan_is_told_by_its_goal_and_its_length():
    plan = {"goal": "Count", "steps": [{"step": "1"}, {"step": "2"}], "inputs": []}
    events = [
        ev.InputGathered(name="guided_plan", value=plan, seq=1),
        ev.InputGathered(name="scope", value={"a": 1}, seq=2),
    ]
    assert [row.detail for row in timeline(s.state(), events).rows] == [
        "guided plan: Count, 2 steps",
        'scope: {"a": 1}',
    ]


# ---- pages of a long timeline


def long(count):
    return timeline(s.state(), [ev.StepStarted(step=str(n), seq=n) for n in range(1, count + 1)])


def test_a_long_timeline_has_pages_that_say_where_they_are():
    view = long(2 * PAGE + 1)
    assert pages_of(view) == 3
    last = page_of(view, 3)
    assert [row.seq for row in last.rows] == [2 * PAGE + 1]
    assert f"Events {2 * PAGE + 1} to {2 * PAGE + 1} of {2 * PAGE + 1}" in render_text(last)
    middle = page_of(view, 2)
    assert (middle.rows[0].seq, middle.rows[-1].seq) == (PAGE + 1, 2 * PAGE)


@given(st.integers(0, 3 * PAGE))
def test_pages_together_are_the_whole_timeline(count):
    view = long(count)
    pages = [page_of(view, number) for number in range(1, pages_of(view) + 1)]
    assert [row for page in pages for row in page.rows] == list(view.rows)


def test_a_page_that_is_not_there_is_the_nearest_one():
    view = long(PAGE + 1)
    assert page_of(view, 0) == page_of(view, 1)
    assert page_of(view, 9) == page_of(view, 2)


def test_a_short_timeline_is_its_own_page():
    view = long(3)
    assert page_of(view, 2) is view
    assert "3 events for the goal" in render_text(view)


def test_a_narrowed_timeline_has_pages_of_its_own():
    found = narrow_timeline(long(2 * PAGE), "steps")
    assert f"Events 1 to {PAGE} of {2 * PAGE}: steps, of {2 * PAGE} events" in render_text(
        page_of(found, 1)
    )


def test_every_fence_that_markdown_knows_is_shown_as_code():
    texts = ["~~~sql\nDROP T\n~~~", "````text\n```sql\n````", "- ~~~~\n  ~~~\n  ~~~~", "```sql\nx"]
    assert [[type(block) for block in blocks_of(text)] for text in texts] == [[Code]] * 4
