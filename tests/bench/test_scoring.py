"""Scores: weights, bounds, verdicts, and what a pass needs."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.bench.scoring import (
    WEIGHTS,
    Component,
    Evidence,
    Scorecard,
    State,
    card_document,
    card_of,
    failed,
    graded,
    passed,
    total_score,
    unmeasured,
)
from skills_nb.errors import UsageError

RAN = Evidence("ran", command="run", exit_status=0, count=1)


def _card(**parts):
    return Scorecard(**{"no_tweaks": passed(RAN), "deploy": passed(RAN), **parts})


def test_weights_are_the_specs_and_make_a_hundred():
    assert WEIGHTS == {"deploy": 10, "tests": 20, "functional": 50, "bulk": 10, "no_tweaks": 10}
    assert sum(WEIGHTS.values()) == 100


SHARES = st.dictionaries(
    st.sampled_from(sorted(WEIGHTS)), st.integers(0, 10), min_size=5, max_size=5
)


@given(SHARES)
def test_the_total_is_the_formula_of_the_spec(shares):
    scores = {name: shares[name] / 10 for name in WEIGHTS}
    by_hand = (
        scores["deploy"] * 0.10
        + scores["tests"] * 0.20
        + scores["functional"] * 0.50
        + scores["bulk"] * 0.10
        + scores["no_tweaks"] * 0.10
    )
    assert total_score(scores) == pytest.approx(by_hand, abs=1e-12)
    card = Scorecard(**{name: graded(shares[name], 10, "some", RAN) for name in WEIGHTS})
    assert card.scores() == {**scores, "total": total_score(scores)}
    assert card.verdict == (
        "pass" if sum(WEIGHTS[n] * s for n, s in shares.items()) >= 600 else "fail"
    )


def test_sixty_percent_is_a_pass_whatever_floats_say():
    card = Scorecard(
        deploy=passed(RAN),
        tests=failed("no"),
        functional=passed(RAN),
        bulk=failed("no"),
        no_tweaks=failed("no"),
    )
    assert (card.lower, card.verdict, card.is_partial) == (Fraction(60), "pass", True)


def test_what_was_not_measured_counts_as_nothing_below_and_as_full_above():
    card = _card(tests=passed(RAN), bulk=failed("slow"))
    assert (card.lower, card.upper, card.coverage) == (40, 90, 50)
    assert card.verdict == "undetermined"
    assert not card.is_resolved
    assert card.scores()["functional"] is None


def test_without_functional_nothing_passes():
    card = _card(tests=passed(RAN), bulk=passed(RAN))
    assert card.lower == 50
    assert card.verdict == "undetermined"


def test_a_verdict_is_fail_once_the_rest_cannot_save_it():
    card = Scorecard(functional=failed("no"))
    assert (card.lower, card.upper, card.verdict) == (0, 50, "fail")


@pytest.mark.parametrize(
    "evidence",
    [
        (),
        (Evidence("it ran", count=3),),
        (Evidence("it ran", command="run", exit_status=0),),
        (Evidence("it ran", command="run", exit_status=0, count=0),),
    ],
    ids=["none", "no command", "no count", "zero tests"],
)
def test_a_pass_needs_evidence_and_a_positive_count(evidence):
    with pytest.raises(UsageError, match="positive count"):
        passed(*evidence)


def test_points_must_fit_their_state():
    with pytest.raises(UsageError):
        Component(State.PARTIAL, 2, 2, evidence=(RAN,))
    with pytest.raises(UsageError):
        Component(State.FAIL, 1, 2)
    with pytest.raises(UsageError):
        Component(State.PASS, 3, 2, evidence=(RAN,))
    with pytest.raises(UsageError):
        unmeasured(State.PASS, "it looked fine")


@pytest.mark.parametrize("state", [s for s in State if s not in ("pass", "fail", "partial")])
def test_only_what_was_measured_has_a_score(state):
    assert unmeasured(state, "because").score is None


def test_a_total_refuses_unknown_components_and_scores_outside_the_range():
    with pytest.raises(UsageError, match="exactly"):
        total_score({"deploy": 1.0})
    with pytest.raises(UsageError, match="between 0 and 1"):
        total_score(dict.fromkeys(WEIGHTS, 1.5))


def test_cards_travel_as_documents():
    card = _card(tests=graded(1, 3, "two failed", RAN), bulk=unmeasured(State.UNSUPPORTED, "gap"))
    assert card_of(card_document(card)) == card
