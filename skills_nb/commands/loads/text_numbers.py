"""Numbers as people write them: which of them a column of texts holds.

Room: commands (loads). What could be read in two ways stays text, and so does what would lose
something: a leading zero, a digit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from skills_nb.commands.loads.tabled import Fit, shortened

_WHOLE = re.compile(r"[+-]?\d+")
_POINT = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,})")
_COMMA = re.compile(r"[+-]?(\d+,\d+|\d{1,3}(\.\d{3})+,\d+|\d{1,3}(\.\d{3}){2,})")
_BOTH = re.compile(r"[+-]?\d{1,3}(,\d{3}|\.\d{3})")
_ONE_COMMA = re.compile(r"[+-]?\d{1,3},\d{3}")
_FLOAT = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)[eE][+-]?\d+")
_ZERO = re.compile(r"[+-]?0\d")
_MOST_DIGITS = 38
_MOSTLY = 0.9


def number_fit(values: Sequence[str]) -> Fit | None:
    """Return how a column's texts are numbers; None where they are none.

    A fit of type VARCHAR says why they stay text though they look like numbers.
    """
    written = [value.strip() for value in values]
    if all(_WHOLE.fullmatch(value) or _is_plain(value) for value in written):
        return _of_decimals(written, comma=False)
    if all(_WHOLE.fullmatch(value) or _COMMA.fullmatch(value) for value in written):
        return _with_commas(written)
    if all(_WHOLE.fullmatch(value) or _POINT.fullmatch(value) for value in written):
        return _of_decimals(written, comma=False)
    if all(_is_float(value) for value in written):
        return Fit("FLOAT", lambda value: value.strip())
    return None


def _is_plain(value: str) -> bool:
    return "," not in value and _POINT.fullmatch(value) is not None


def _is_float(value: str) -> bool:
    return any(pattern.fullmatch(value) for pattern in (_WHOLE, _FLOAT)) or _is_plain(value)


def _with_commas(values: Sequence[str]) -> Fit:
    """Read a comma as a decimal one where at least one of them cannot be anything else."""
    odd = [value for value in values if "," in value]
    if any(not _ONE_COMMA.fullmatch(value) for value in odd):
        return _of_decimals(values, comma=True)
    return _text(f"'{odd[0]}' may be a thousand or a fraction")


def is_doubtful(values: Sequence[str]) -> str | None:
    """Return a value that is a thousand where a comma stands before decimals; None without one."""
    written = [value.strip() for value in values if not _WHOLE.fullmatch(value.strip())]
    if written and all(_BOTH.fullmatch(value) for value in written):
        return written[0]
    return None


def _of_decimals(values: Sequence[str], *, comma: bool) -> Fit:
    padded = next((value for value in values if _ZERO.match(value)), None)
    if padded is not None:
        return _text(f"'{shortened(padded)}' begins with a zero, which a number would lose")

    def read(value: str) -> str:
        plain = value.strip().lstrip("+")
        return plain.replace(".", "").replace(",", ".") if comma else plain.replace(",", "")

    sizes = [_size(read(value)) for value in values]
    whole, scale = max(size[0] for size in sizes), max(size[1] for size in sizes)
    if whole + scale > _MOST_DIGITS:
        return _text(f"a NUMBER has {_MOST_DIGITS} digits, and these have more")
    return Fit(f"NUMBER({_MOST_DIGITS},{scale})", read, has_comma=comma and scale > 0)


def _size(value: str) -> tuple[int, int]:
    """Return how many digits stand before the point and behind it."""
    before, _, behind = value.lstrip("-").partition(".")
    return len(before), len(behind)


def near_number(values: Sequence[tuple[int, str]]) -> str:
    """Say which value keeps a column of numbers from being one; empty where most are none."""
    misfits = [(row, value) for row, value in values if not _is_any(value.strip())]
    if len(values) < 3 or len(misfits) > (1 - _MOSTLY) * len(values) + 1 or not misfits:
        return ""
    row, value = misfits[0]
    return f"row {row} holds '{shortened(value)}', which is no number"


def _is_any(value: str) -> bool:
    return any(pattern.fullmatch(value) for pattern in (_WHOLE, _POINT, _COMMA, _FLOAT))


def _text(why: str) -> Fit:
    return Fit("VARCHAR", str, why)


def has_decimal_commas(values: Sequence[str]) -> bool:
    """Tell whether a comma stands before decimals in a column in which not all are numbers."""
    written = [value.strip() for value in values]
    if any(_is_plain(value) and not _BOTH.fullmatch(value) for value in written):
        return False
    return any(_COMMA.fullmatch(value) and not _BOTH.fullmatch(value) for value in written)


def without_commas(value: str) -> str:
    """Return a number that has a comma before its decimals with a point in its place."""
    plain = value.strip()
    return plain.replace(".", "").replace(",", ".") if _COMMA.fullmatch(plain) else plain


def as_number(value: str) -> Decimal:
    """Return the number that a text is in SQL's own form.

    Raises:
        ValueError: it is none.
    """
    plain = value.strip()
    if not (_WHOLE.fullmatch(plain) or _is_plain(plain) or _FLOAT.fullmatch(plain)):
        raise ValueError(f"'{shortened(value)}' is no number")
    return Decimal(plain)
