"""Rates with intervals, pass@k, and paired comparisons."""

import itertools
import json
import math
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skills_nb.bench.reports.run_comparison import comparison_text
from skills_nb.bench.reports.run_differences import differences
from skills_nb.bench.reports.statistics import (
    clustered,
    comparison,
    effective_count,
    paired_p_value,
    pass_at_k,
    pass_power_k,
    pass_rates,
    smallest_difference,
    wilson,
)
from skills_nb.errors import UsageError


def _result(name, total, attempt=1):
    return {
        "instance_id": name,
        "attempt": attempt,
        "resolved": total >= 0.6,
        "scores": {"total": total},
    }


def test_wilsons_interval_is_the_published_one():
    low, high = wilson(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_rate(counted):
    hits, count = counted
    low, high = wilson(hits, count)
    assert 0 <= low <= hits / count + 1e-12
    assert hits / count - 1e-12 <= high <= 1


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_pass_at_k_is_the_share_of_draws_with_a_pass(counted):
    attempts, passed = counted
    outcomes = [True] * passed + [False] * (attempts - passed)
    for k in range(1, attempts + 1):
        draws = list(itertools.combinations(outcomes, k))
        share = sum(any(draw) for draw in draws) / len(draws)
        assert math.isclose(pass_at_k(attempts, passed, k), share)


def test_pass_at_k_needs_k_attempts():
    with pytest.raises(ValueError, match="needs 3 attempts"):
        pass_at_k(2, 1, 3)
    rows = [_result("a", 1.0), _result("a", 0.0, 2), _result("b", 0.0)]
    assert pass_rates(rows) == {"pass@1": 0.25}


def test_two_runs_are_compared_task_by_task():
    first = [_result("a", 0.5), _result("b", 1.0), _result("only", 1.0)]
    second = [_result("a", 1.0), _result("b", 1.0), _result("new", 1.0)]
    found = comparison(first, second)
    assert (found["tasks"], found["difference"]) == (2, 0.25)
    assert (found["gained"], found["lost"], found["resolved"]) == (["a"], [], [1, 2])
    assert (found["only_in_first"], found["only_in_second"]) == (["only"], ["new"])
    low, high = found["interval"]
    assert low < 0 < high
    said = comparison_text(found, "off", "on")
    assert "no difference can be told" in said
    assert "  + a" in said


def test_a_clear_difference_is_said():
    first = [_result(f"t{n}", 0.1) for n in range(20)]
    second = [_result(f"t{n}", 0.9 if n else 0.8) for n in range(20)]
    found = comparison(first, second)
    assert found["interval"][0] > 0.7
    assert found["p_value"] == round(1 / 2**20, 6)
    assert "\nbetter\n" in comparison_text(found, "off", "on")
    assert "\nworse\n" in comparison_text(comparison(second, first), "on", "off")


def test_an_even_split_tells_nothing():
    one = Fraction(1)
    assert paired_p_value([]) == paired_p_value([one, one, -one, -one]) == 1.0


def test_one_attempt_a_task_is_mcnemars_test():
    """With b tasks gained and c lost: mid-p of a fair coin thrown b + c times."""
    for gained, lost in ((1, 0), (5, 0), (9, 2), (30, 17)):
        count, most = gained + lost, max(gained, lost)
        ways = [math.comb(count, k) / 2**count for k in range(count + 1)]
        expected = 2 * sum(ways[most + 1 :]) + ways[most]
        found = paired_p_value([Fraction(1)] * gained + [Fraction(-1)] * lost + [Fraction(0)] * 40)
        assert math.isclose(found, expected)


def test_a_task_that_is_always_solved_now_weighs_more_than_a_toss_up():
    sure, tossed = Fraction(1), Fraction(1, 3)
    mixed = [sure] * 6 + [-tossed] * 6
    assert paired_p_value(mixed) < 0.2 < 1 == paired_p_value([tossed] * 6 + [-tossed] * 6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.fractions(-1, 1, max_denominator=6), max_size=20))
def test_the_order_and_the_side_do_not_matter(differences):
    found = paired_p_value(differences)
    assert 0 <= found <= 1
    assert math.isclose(found, paired_p_value([-one for one in reversed(differences)]))


# ---- attempts are clusters


def test_one_attempt_a_task_is_an_interval_over_tasks():
    hits = {f"t{n}": [n % 3 == 0] for n in range(30)}
    assert clustered(hits) == wilson(10, 30)


def test_attempts_that_always_agree_tell_no_more_than_one_would():
    one = {f"t{n}": [n % 3 == 0] for n in range(30)}
    eight = {name: hits * 8 for name, hits in one.items()}
    assert clustered(eight) == clustered(one)
    low, high = clustered(eight)
    naive = wilson(80, 240)
    assert high - low > 2 * (naive[1] - naive[0]), "240 attempts would look like 240 tasks"


def test_attempts_that_differ_within_each_task_tell_more():
    mixed = {f"t{n}": [True, False] for n in range(30)}
    assert effective_count(mixed) == 60
    assert clustered(mixed) == wilson(30, 60)


@given(
    st.dictionaries(
        st.text("ab", min_size=1, max_size=4),
        st.lists(st.booleans(), min_size=1, max_size=5),
        min_size=1,
    )
)
def test_an_interval_holds_its_rate_and_is_never_narrower_than_independent_trials(hits):
    low, high = clustered(hits)
    count, passed = sum(map(len, hits.values())), sum(map(sum, hits.values()))
    naive = wilson(passed, count)
    assert low - 1e-12 <= passed / count <= high + 1e-12
    assert high - low >= naive[1] - naive[0] - 1e-12


def test_clustered_intervals_hold_what_they_promise():
    """Over sets of tasks that are easy or hard, 95 % of intervals hold the true rate."""
    chance = random.Random(7)
    held = naive = 0
    for _ in range(400):
        hits = {}
        for task in range(40):
            rate = chance.choice((0.1, 0.9))
            hits[str(task)] = [chance.random() < rate for _ in range(5)]
        low, high = clustered(hits)
        held += low <= 0.5 <= high
        low, high = wilson(sum(map(sum, hits.values())), 200)
        naive += low <= 0.5 <= high
    assert held / 400 >= 0.93
    assert naive / 400 <= 0.85, "what attempts taken for tasks would promise and not hold"


def test_pass_power_k_is_the_chance_that_all_pass():
    for attempts, passed in ((4, 2), (5, 5), (3, 0)):
        hits = [True] * passed + [False] * (attempts - passed)
        for k in range(1, attempts + 1):
            chosen = list(itertools.combinations(hits, k))
            share = sum(map(all, chosen)) / len(chosen)
            assert math.isclose(pass_power_k(attempts, passed, k), share)
    with pytest.raises(ValueError, match="needs 3 attempts"):
        pass_power_k(2, 1, 3)


def test_both_rates_are_told_and_part_where_attempts_differ():
    results = [
        _result("a", 1.0, 1),
        _result("a", 0.0, 2),
        _result("b", 1.0, 1),
        _result("b", 1.0, 2),
    ]
    assert pass_rates(results) == {"pass@1": 0.75, "pass@2": 1.0, "pass^2": 0.5}
    other = [_result(name, 1.0, attempt) for name in "ab" for attempt in (1, 2)]
    found = comparison(results, other)
    assert (found["resolved"], found["gained"]) == ([1.5, 2], ["a"])


# ---- power


@pytest.mark.parametrize(("tasks", "points"), [(29, 25), (120, 13), (240, 9)])
def test_how_many_tasks_tell_apart_which_difference(tasks, points):
    assert round(100 * smallest_difference(tasks)) == points


def test_power_is_what_it_says():
    """Simulated pairs with that very difference are told apart four times of five."""
    chance = random.Random(11)
    tasks, share = 120, 0.25
    apart = smallest_difference(tasks, discordant=share)
    gains, losses = (share + apart) / 2, (share - apart) / 2
    found = 0
    for _ in range(600):
        drawn = [chance.random() for _ in range(tasks)]
        better = sum(x < gains for x in drawn)
        worse = sum(gains <= x < gains + losses for x in drawn)
        found += (better - worse) ** 2 / max(1, better + worse) > 3.841
    assert 0.74 <= found / 600 <= 0.87


def _drawn(chance, easy, better, attempts):
    """Return a run's difference on a task, where one model is better by so much in the logit."""
    rates = (1 / (1 + math.exp(-easy - shift)) for shift in (better, 0.0))
    one, other = (sum(chance.random() < rate for _ in range(attempts)) for rate in rates)
    return Fraction(one - other, attempts)


@pytest.mark.slow
@pytest.mark.parametrize(("better", "least", "most"), [(0.0, 0.0, 0.07), (0.66, 0.8, 1.0)])
def test_ten_points_are_told_apart_by_three_answers_to_each_shipped_task(better, least, most):
    """Two models on 128 tasks, easy ones and hard ones: rates of 60 and 50 %, or the same."""
    chance = random.Random(3)
    found = 0
    for _ in range(200):
        tasks = [chance.gauss(0, 2) for _ in range(128)]
        found += paired_p_value([_drawn(chance, easy, better, 3) for easy in tasks]) < 0.05
    assert least <= found / 200 <= most


# ---- what runs differ in


def _manifest(tmp_path, name, about=None, digests=None, **identity):
    folder = tmp_path / name
    folder.mkdir()
    usual = {"backend": "embedded", "functional": True, "attempts": 1, "skills": False}
    document = {
        "identity": {**usual, **identity},
        "about": {"version": "1", **(about or {})},
        "task_digests": digests or {"a": "1"},
    }
    (folder / "manifest.json").write_text(json.dumps(document))
    return folder


def test_runs_that_differ_in_their_model_alone_are_compared_without_a_word(tmp_path):
    one = _manifest(tmp_path, "one", model="a", about={"endpoint": "x", "began": "today"})
    two = _manifest(tmp_path, "two", model="b", about={"endpoint": "y"}, digests={"b": "2"})
    assert differences(one, two) == ()


def test_what_else_they_differ_in_is_said(tmp_path):
    one = _manifest(tmp_path, "one", sampling=None)
    two = _manifest(tmp_path, "two", sampling={"temperature": 0.7}, attempts=3, skills=True)
    assert differences(one, two) == (
        "how the model answers: nothing said before, temperature 0.7 after",
        "answers to each task: 1 before, 3 after",
        "the library's pages: off before, on after",
    )


def test_scores_that_do_not_mean_the_same_are_not_compared(tmp_path):
    one = _manifest(tmp_path, "one")
    with pytest.raises(UsageError, match="--functional: on before, off after"):
        differences(one, _manifest(tmp_path, "two", functional=False))
    with pytest.raises(UsageError, match="the backend: embedded before, snowflake after"):
        differences(one, _manifest(tmp_path, "three", backend="snowflake"))
    with pytest.raises(UsageError, match="a asked for something else"):
        differences(one, _manifest(tmp_path, "four", digests={"a": "2"}))


def test_results_alone_do_not_tell_how_they_came(tmp_path):
    one = _manifest(tmp_path, "one")
    (said,) = differences(one, tmp_path / "results.jsonl")
    assert "nobody can tell" in said
