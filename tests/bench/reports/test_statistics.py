"""Rates with intervals, pass@k, and paired comparisons."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.bench.reports.run_comparison import comparison_text
from skills_nb.bench.reports.statistics import (
    comparison,
    pass_at_k,
    pass_rates,
    sign_test,
    wilson,
)


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
    assert found["p_value"] == round(2 / 2**20, 6)
    assert "\nbetter\n" in comparison_text(found, "off", "on")
    assert "\nworse\n" in comparison_text(comparison(second, first), "on", "off")


def test_an_even_split_tells_nothing():
    assert sign_test(0, 0) == sign_test(3, 3) == 1.0
