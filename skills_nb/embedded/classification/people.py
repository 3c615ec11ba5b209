"""Who somebody is: names, births, ages and the attributes that single people out.

Room: embedded (classification). Pure. There is no clock here: a birth lies between 1900 and 2039,
which also keeps the result the same on every day.
"""

from __future__ import annotations

import re

from skills_nb.embedded.classification import vocabulary
from skills_nb.embedded.classification.national import is_day
from skills_nb.embedded.classification.places import one_of
from skills_nb.embedded.classification.vocabulary import spaced

_NAME = re.compile(r"(?:[^\W\d_]+(?:['’.\- ・]{1,3}|$)|, ){1,6}(?:[^\W\d_]+\.?)?")
_CJK = re.compile(
    r"[\u3040-\u30ff\u4e00-\u9fff々]{1,8}(?:[ ・][\u3040-\u30ff\u4e00-\u9fff々]{1,8})?"
)
_DAY = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?)?", re.A
)
_DAY_LAST_YEAR = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})", re.A)
_AMOUNT = re.compile(
    r"(?:[A-Z]{3}|[$€£¥])? ?\d{1,3}(?:(?:[,.' ]\d{3})+|\d*)(?:[.,]\d{1,2})?k? ?"
    r"(?:[A-Z]{3}|[$€£¥])?",
    re.A | re.I,
)
_TITLES = spaced("mr mrs ms miss dr prof herr frau mme m mlle sr sra don ing")
EARLIEST_BIRTH = 1900
LATEST_BIRTH = 2039


def is_known_name(text: str) -> bool:
    """Tell whether a given name that is known, or a common Japanese surname, is in it."""
    if not text.isascii() and _CJK.fullmatch(text):
        return any(text.startswith(surname) for surname in vocabulary.JAPANESE_SURNAMES)
    if len(text) > 60 or _NAME.fullmatch(text) is None:
        return False
    words = re.split(r"[\s,.\-]+", text.lower())
    significant = [word for word in words if word and word not in _TITLES]
    return 1 <= len(significant) <= 5 and not vocabulary.GIVEN_NAMES.isdisjoint(significant)


def could_be_name(text: str) -> bool:
    """Tell whether this reads like a name: a few words of letters, none of them all digits."""
    if not text.isascii() and _CJK.fullmatch(text):
        return True
    return 2 <= len(text) <= 60 and _NAME.fullmatch(text) is not None


def is_birth_date(text: str) -> bool:
    """Tell whether this is a day, not an instant, on which somebody living may have been born."""
    if match := _DAY.fullmatch(text):
        year, month, day = (int(part) for part in match.groups())
        return EARLIEST_BIRTH <= year <= LATEST_BIRTH and is_day(year, month, day)
    if match := _DAY_LAST_YEAR.fullmatch(text):
        first, second, year = (int(part) for part in match.groups())
        known = is_day(year, second, first) or is_day(year, first, second)
        return EARLIEST_BIRTH <= year <= LATEST_BIRTH and known
    return False


def is_birth_year(text: str) -> bool:
    """Tell whether this is a year in which somebody living may have been born."""
    return len(text) == 4 and text.isdecimal() and EARLIEST_BIRTH <= int(text) <= LATEST_BIRTH


def is_age(text: str) -> bool:
    """Tell whether this is a whole number of years that people reach."""
    return text.isdecimal() and len(text) <= 3 and int(text) <= 120


def is_salary(text: str) -> bool:
    """Tell whether this is an amount of money that a person may earn, in any notation."""
    return _AMOUNT.fullmatch(text) is not None and any(char in "123456789" for char in text)


def is_occupation(text: str) -> bool:
    """Tell whether a word of it is an occupation: `Senior Data Engineer`, `VP, Head of Sales`."""
    lower = text.lower()
    words = re.split(r"[\s,/()&-]+", lower)
    return lower in vocabulary.OCCUPATION_HEADS or any(
        word in vocabulary.OCCUPATION_HEADS for word in words
    )


def could_be_phrase(text: str) -> bool:
    """Tell whether this is a short text that holds letters and neither @ nor many digits."""
    return len(text) <= 80 and "@" not in text and any(map(str.isalpha, text))


is_gender = one_of(vocabulary.GENDERS)
could_be_gender = one_of(vocabulary.GENDERS, vocabulary.GENDER_CODES)
is_marital_status = one_of(vocabulary.MARITAL)
could_be_marital_status = one_of(vocabulary.MARITAL, vocabulary.MARITAL_CODES)
is_ethnicity = one_of(vocabulary.ETHNICITIES)
