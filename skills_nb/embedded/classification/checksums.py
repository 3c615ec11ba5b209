"""Check digits: the arithmetic that separates an identifier from a number that looks like one.

Room: embedded (classification). Pure functions over digit strings; callers strip separators and
check the shape first, so every function here may rely on getting ASCII digits (or the letters it
names). One function per published scheme.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

_LUHN_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
_VERHOEFF_PRODUCT = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 2, 3, 4, 0, 6, 7, 8, 9, 5),
    (2, 3, 4, 0, 1, 7, 8, 9, 5, 6),
    (3, 4, 0, 1, 2, 8, 9, 5, 6, 7),
    (4, 0, 1, 2, 3, 9, 5, 6, 7, 8),
    (5, 9, 8, 7, 6, 0, 4, 3, 2, 1),
    (6, 5, 9, 8, 7, 1, 0, 4, 3, 2),
    (7, 6, 5, 9, 8, 2, 1, 0, 4, 3),
    (8, 7, 6, 5, 9, 3, 2, 1, 0, 4),
    (9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
)
_VERHOEFF_PERMUTATION = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 5, 7, 6, 2, 8, 3, 0, 9, 4),
    (5, 8, 0, 3, 7, 9, 6, 1, 4, 2),
    (8, 9, 1, 6, 0, 4, 3, 5, 2, 7),
    (9, 4, 5, 3, 1, 2, 6, 8, 7, 0),
    (4, 2, 8, 6, 5, 7, 3, 9, 0, 1),
    (2, 7, 9, 3, 8, 0, 6, 4, 1, 5),
    (7, 0, 4, 6, 9, 1, 3, 2, 5, 8),
)


def luhn(digits: str) -> bool:
    """Tell whether the last digit is the Luhn check digit (ISO/IEC 7812-1, annex B)."""
    numbers = [ord(digit) - 48 for digit in reversed(digits)]
    return (sum(numbers[0::2]) + sum(_LUHN_DOUBLED[n] for n in numbers[1::2])) % 10 == 0


def luhn_digit(digits: str) -> str:
    """Compute the Luhn check digit that completes `digits`."""
    return next(check for check in "0123456789" if luhn(digits + check))


def mod_97(text: str) -> int:
    """Read letters as 10 to 35 and take the whole number modulo 97 (ISO 7064, MOD 97-10)."""
    return int("".join(str(int(char, 36)) for char in text)) % 97


def weighted(digits: str, weights: Sequence[int]) -> int:
    """Sum the digits times their weights; the shorter of the two decides how many count."""
    return sum(map(mul, map(int, digits), weights))


def verhoeff(digits: str) -> bool:
    """Tell whether the last digit is the Verhoeff check digit (Aadhaar uses it)."""
    check = 0
    for position, digit in enumerate(reversed(digits)):
        check = _VERHOEFF_PRODUCT[check][_VERHOEFF_PERMUTATION[position % 8][ord(digit) - 48]]
    return check == 0


def mod_11_10(digits: str) -> bool:
    """Tell whether the last digit is the ISO 7064 MOD 11,10 check digit."""
    product = 10
    for digit in digits[:-1]:
        product = ((product + ord(digit) - 48) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == ord(digits[-1]) - 48


def machine_readable_digit(text: str) -> str:
    """Compute the check digit of travel documents: weights 7, 3, 1 (ICAO Doc 9303, part 3)."""
    total = sum(int(char, 36) * (7, 3, 1)[index % 3] for index, char in enumerate(text))
    return str(total % 10)
