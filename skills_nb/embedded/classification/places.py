"""Where somebody is: addresses, towns, regions, postal codes, countries and coordinates.

Room: embedded (classification). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from skills_nb.embedded.classification import vocabulary
from skills_nb.embedded.classification.national import shaped

_NORTH_AMERICAN = re.compile(r"\d{1,6}[a-z]?\s+(?:[\w.'’-]+\s+){0,5}?([a-z]+)\.?(?:[\s,].*)?", re.I)
_NUMBER_LAST = re.compile(
    r"[^\W\d_][^\d,;@]{2,60}?[\s,]+(?:n[o°º]\.?\s*)?\d{1,5}\s?[a-z]?(?:[-/]\d{1,4})?(?:,.*)?", re.I
)
_NUMBER_FIRST = re.compile(
    r"\d{1,5}\s?(?:bis|ter|[a-z])?,?\s+(?:rue|avenue|boulevard|allée|place|chemin|impasse|quai|cours"
    r"|route|via|piazza|calle)\s.+",
    re.I,
)
_STREET_ENDING = re.compile(
    r"stra(?:ß|ss)e|str\.|gasse|weg\b|platz|allee|ufer\b|damm\b|ring\b|chaussee|vägen|gatan|gata\b"
    r"|straat|laan\b|plein\b|\b(?:calle|avenida|avda|plaza|paseo|camino|via|viale|piazza|corso|rua)\b",
    re.I,
)
_JAPANESE = re.compile(
    r"(?:〒?\d{3}-\d{4}\s*)?[\u3040-\u30ff\u4e00-\u9fff]{2,}.*?[\d丁目番地号-].*"
)
_POST_BOX = re.compile(r"p\.?\s?o\.?\s?box\s+\d+.*|postfach\s+[\d ]+.*", re.I)
_PLACE_NAME = re.compile(r"[^\W\d_][^\d_@/\\|<>{}=]{1,59}")
_DECIMAL = re.compile(r"[-+]?\d{1,3}(?:\.\d{1,16})?", re.A)
_PAIR = re.compile(
    r"(?:POINT\s*)?\(?\s*([-+]?\d{1,3}\.\d+)\s*[,; ]\s*([-+]?\d{1,3}\.\d+)\s*\)?", re.A | re.I
)


def one_of(*vocabularies: frozenset[str]) -> Callable[[str], bool]:
    """Make a check that a text, in any case, is an entry of one of the word lists."""
    entries = frozenset[str]().union(*vocabularies)
    return lambda text: text.lower() in entries


def is_north_american_street(text: str) -> bool:
    """Tell whether a house number, a name and a word such as Avenue stand in this order."""
    match = _NORTH_AMERICAN.fullmatch(text)
    words = {word.strip(".,").lower() for word in text.split()[1:]}
    return match is not None and not vocabulary.STREET_WORDS.isdisjoint(words)


def is_street(text: str) -> bool:
    """Tell whether this is a street address of a known style, Japanese ones and boxes included."""
    if _NUMBER_LAST.fullmatch(text):
        return _STREET_ENDING.search(text) is not None
    patterns = (_NUMBER_FIRST, _JAPANESE, _POST_BOX)
    return any(pattern.fullmatch(text) for pattern in patterns) or is_north_american_street(text)


def could_be_street(text: str) -> bool:
    """Tell whether this has words and a number, as addresses of any style do."""
    return len(text) >= 5 and any(map(str.isdigit, text)) and any(map(str.isalpha, text))


def could_be_place(text: str) -> bool:
    """Tell whether this reads like a place's name: letters, spaces, hyphens, apostrophes."""
    return _PLACE_NAME.fullmatch(text) is not None


def _bounded(limit: float) -> Callable[[str], bool]:
    return lambda text: _DECIMAL.fullmatch(text) is not None and abs(float(text)) <= limit


is_latitude = _bounded(90)
is_longitude = _bounded(180)


def is_coordinate_pair(text: str) -> bool:
    """Tell whether this is a latitude and a longitude, in either order (WKT has x first)."""
    match = _PAIR.fullmatch(text)
    if match is None:
        return False
    first, second = abs(float(match[1])), abs(float(match[2]))
    return min(first, second) <= 90 and max(first, second) <= 180


is_country = one_of(vocabulary.COUNTRIES)
is_country_code = one_of(vocabulary.COUNTRY_CODES)
is_us_state = one_of(vocabulary.US_STATES)
is_us_state_code = one_of(vocabulary.US_STATE_CODES)
is_ca_province = one_of(vocabulary.CA_PROVINCES)
is_ca_province_code = one_of(vocabulary.CA_PROVINCE_CODES)
is_nz_region = one_of(vocabulary.NZ_REGIONS)
is_other_region = one_of(vocabulary.OTHER_REGIONS)
is_us_city = one_of(vocabulary.US_CITIES)
is_ca_city = one_of(vocabulary.CA_CITIES)
is_nz_city = one_of(vocabulary.NZ_CITIES)
is_world_city = one_of(vocabulary.WORLD_CITIES)
is_us_county = shaped(r"[A-Z][A-Z .'-]+ (?:county|parish|borough|census area)")

POSTAL_CODES = {
    "AU": shaped(r"[02]\d{3}|[1-9]\d{3}"),
    "CA": shaped(r"[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d"),
    "CH": shaped(r"(?:CH-)?[1-9]\d{3}"),
    "JP": shaped(r"〒?\d{3}-\d{4}"),
    "NZ": shaped(r"\d{4}"),
    "UK": shaped(r"[A-Z]{1,2}\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}"),
    "US": shaped(r"\d{5}(?:-\d{4})?"),
}
"""Postal code shapes by country."""

could_be_postal_code = shaped(
    r"(?:[A-Z]{1,2}-)?\d{3} ?\d{2,3}|\d{4} ?[A-Z]{2}|[A-Z]\d{2} ?[A-Z\d]{4}"
)
