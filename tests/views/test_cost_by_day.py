"""Credits by day as bars and as a line of blocks."""

from dataclasses import replace

from skills_nb.model.state import StepState
from skills_nb.views import render_html, render_text, thread_card
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.html import to_html
from skills_nb.views.sheets.text import to_text
from skills_nb.views.threads.cost_by_day import DailyCost, cost_blocks, daily_costs
from tests.views import states as s
from tests.views.test_html import EVIL, read

ROWS = [
    {"USAGE_DAY": "2026-11-03", "CREDITS": 4.5, "VERDICT": "x"},
    {"USAGE_DAY": "2026-11-01", "CREDITS": "1.5", "VERDICT": "y"},
    {"USAGE_DAY": "2026-11-01", "CREDITS": 0, "VERDICT": "z"},
]
COST = DailyCost("days", (("2026-11-01", 1.5), ("2026-11-02", 0.0), ("2026-11-03", 4.5)))


def shown(*costs):
    return b.Sheet("t", blocks=tuple(cost_blocks(costs)))


def test_days_are_in_order_summed_and_none_is_left_out():
    assert daily_costs([{"days": ROWS, "peak": "x", "day_count": 3}]) == (COST,)


def test_dates_with_a_midnight_and_other_names_of_credits_count():
    rows = [
        {"DAY": "2026-11-01T00:00:00Z", "CREDITS_USED_COMPUTE": 1},
        {"DAY": "2026-11-02 00:00:00", "CREDITS_USED_COMPUTE": None},
    ]

    assert daily_costs([{"d": rows}]) == (
        DailyCost("d", (("2026-11-01", 1.0), ("2026-11-02", 0.0))),
    )


def test_what_is_no_cost_by_day_is_none():
    for rows in (
        [],
        [{"USAGE_DAY": "2026-11-01", "CREDITS": 1}],
        [{"USAGE_DAY": "2026-13-01", "CREDITS": 1}] * 2,
        [{"HOUR": "2026-11-01 07:00:00", "CREDITS": 1}, {"HOUR": "x", "CREDITS": 1}],
        [{"DAY": "2026-11-01", "ROWS": 1}, {"DAY": "2026-11-02", "ROWS": 2}],
        [{"DAY": "2026-11-01", "CREDITS": "inf"}, {"DAY": "2026-11-02", "CREDITS": 2}],
        [{"DAY": "2026-11-01", "CREDITS": "many"}, {"DAY": "2026-11-02", "CREDITS": 2}],
    ):
        assert daily_costs([{"rows": rows}]) == ()


def test_a_terminal_draws_blocks_and_says_the_sum_and_the_peak():
    assert to_text(shown(COST), 80, "x").splitlines()[2:] == [
        "Days, credits by day",
        "  ▃▁█",
        "",
        "2026-11-01 to 2026-11-03: 6 credits in 3 days, most on 2026-11-03 with 4.5.",
    ]


def test_a_page_has_a_bar_for_each_day_that_says_its_number():
    html = to_html(shown(COST), "%skill")
    bars = [attrs for tag, attrs in read(html).tags if attrs.get("class", "").startswith("bar")]

    assert [bar["class"] for bar in bars] == ["bar", "bar none", "bar peak"]
    assert "<title>2026-11-02: 0 credits</title>" in html


def test_a_year_is_bounded_and_says_what_is_not_drawn():
    rows = [{"DAY": f"2026-{month:02}-01", "CREDITS": 1} for month in range(1, 13)]
    (cost,) = daily_costs([{"year": rows}])

    assert (len(cost.days), cost.earlier) == (92, 243)
    assert "243 days before are not drawn." in to_text(shown(cost), 200, "x")


def test_days_of_ages_ago_do_not_make_it_endless():
    rows = [{"DAY": "0001-01-01", "CREDITS": 1}, {"DAY": "2026-01-01", "CREDITS": 1}]
    (cost,) = daily_costs([{"d": rows}])

    assert len(cost.days) == 92


def test_no_credits_at_all_are_drawn_flat():
    cost = replace(COST, days=tuple((day, 0.0) for day, _ in COST.days))

    assert "▁▁▁" in to_text(shown(cost), 80, "x")
    assert 'class="bar peak"' not in to_html(shown(cost), "%skill")


def test_hostile_names_are_escaped():
    assert "<script" not in to_html(shown(replace(COST, name=EVIL)), "%skill")


def test_it_stands_at_the_checkpoint_of_its_step_and_on_the_finished_card():
    steps = {"1": StepState("1", "done", result={"days": ROWS})}
    waiting = thread_card(s.state(run=s.run(steps=steps)), s.PLAYBOOK, s.REVIEW)
    later = thread_card(s.state(run=s.run(steps=steps)), s.PLAYBOOK, s.CRITICAL)
    over = s.state(status="completed", summary="x", run=s.run(steps=steps))

    assert "▃▁█" in render_text(waiting)
    assert "bar peak" in render_html(thread_card(over, s.PLAYBOOK, None))
    assert later.pictures.costs == ()
