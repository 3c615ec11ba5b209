"""Amounts of money in a file: numbers where they are of one currency, else texts, with the why."""

from __future__ import annotations

import pytest

from skills_nb.commands.loads.text_money import money_fit


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        (["€2,591.71", "€340.00"], ["2591.71", "340.00"]),
        (["1.308,35 €", "12,00 €"], ["1308.35", "12.00"]),
        (["CHF 40", "CHF 1,234.50"], ["40", "1234.50"]),
        (["-$5.25", "$-6.00", "+$7.5"], ["-5.25", "-6.00", "7.5"]),
        (["12\u00a0000 EUR".replace("\u00a0", ""), "7 EUR"], ["12000", "7"]),
    ],
)
def test_amounts_of_one_currency_are_numbers(values, kept):
    fit = money_fit(values)
    assert fit is not None
    assert fit.type.startswith("NUMBER(38,")
    assert [fit.read(value) for value in values] == kept
    assert "which is left out" in fit.note


def test_amounts_of_two_currencies_stay_text_and_say_why():
    fit = money_fit(["€5.00", "$6.00"])
    assert fit is not None
    assert (fit.type, fit.read("€5.00")) == ("VARCHAR", "€5.00")
    assert fit.note == "its amounts are in $ and €, and a sum of them says nothing"


@pytest.mark.parametrize(
    "values", [["€5.00", "6.00"], ["€5.00", "on request"], ["€5 EUR"], ["€"], ["-$-5"], ["EURO 5"]]
)
def test_what_is_not_all_amounts_is_left_alone(values):
    assert money_fit(values) is None


def test_an_amount_that_may_be_a_thousand_or_a_fraction_stays_text():
    fit = money_fit(["€1,234", "€2,345"])
    assert fit is not None
    assert fit.type == "VARCHAR"
    assert "may be a thousand or a fraction" in fit.note
