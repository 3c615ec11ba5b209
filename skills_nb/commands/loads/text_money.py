"""Amounts of money as people write them: `€2,591.71`, `1.308,35 €`, `CHF 40`.

Room: commands (loads). A column whose values all have one and the same sign is one of numbers, and
the sign is told; where they have several, or one value has none, they stay text: the sum of them
would be of no currency.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from skills_nb.commands.loads.tabled import Fit
from skills_nb.commands.loads.text_numbers import number_fit

_CODES = "EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|ZAR|BRL|MXN"
_SIGN = rf"[$€£¥₹]|(?:{_CODES})(?![A-Za-z])"
_SPACE = "[ \u00a0\u202f]?"
_AMOUNT = re.compile(
    rf"(?P<minus>[+-]?)(?P<before>{_SIGN})?{_SPACE}(?P<number>[+-]?[\d.,]*\d)"
    rf"{_SPACE}(?P<after>{_SIGN})?"
)


def money_fit(values: Sequence[str]) -> Fit | None:
    """Return how a column's texts are amounts in one currency; None where they are none."""
    signs = {_sign_of(value) for value in values}
    if None in signs or "" in signs:
        return None
    if len(signs) > 1:
        listed = " and ".join(sorted(sign for sign in signs if sign))
        return Fit("VARCHAR", str, f"its amounts are in {listed}, and a sum of them says nothing")
    found = number_fit([unsigned(value) for value in values])
    if found is None or found.type == "VARCHAR":
        return found
    (sign,) = signs
    told = f"its amounts are all in {sign}, which is left out"
    return replace(found, read=lambda value: found.read(unsigned(value)), note=told)


def unsigned(value: str) -> str:
    """Return an amount without the sign of its currency; any other text as it is."""
    found = _AMOUNT.fullmatch(value.strip())
    return value if found is None else found["minus"] + found["number"]


def _sign_of(value: str) -> str | None:
    """Return the sign of an amount; empty for a number without one, None for any other text."""
    found = _AMOUNT.fullmatch(value.strip())
    if found is None or (found["before"] and found["after"]):
        return None
    if found["minus"] and found["number"][0] in "+-":
        return None
    return found["before"] or found["after"] or ""
