"""How to reach and what to bill: mail, phone, network addresses, devices, cards and accounts.

Room: embedded (classification). Pure.
"""

from __future__ import annotations

import ipaddress
import re

from skills_nb.embedded.classification import checksums
from skills_nb.embedded.classification.national import checked, shaped

_PHONE_SHAPE = re.compile(r"(?:\+|00)?[\d(][\d() ./-]{5,22}\d(?: ?(?:x|ext\.?) ?\d{1,6})?", re.A)
_NOT_DIGIT = re.compile(r"\D+", re.A)
_IBAN_LENGTHS = {
    code: int(length)
    for length, codes in (
        ("15", "NO"),
        ("16", "BE"),
        ("18", "DK FI FO GL NL"),
        ("19", "MK SI"),
        ("20", "AT BA EE KZ LT LU XK"),
        ("21", "CH HR LI LV"),
        ("22", "BG BH CR DE GB GE IE ME RS VA"),
        ("23", "AE GI IL IQ TL"),
        ("24", "AD CZ ES MD PK RO SA SE SK TN VG"),
        ("25", "LY PT ST"),
        ("26", "IS TR"),
        ("27", "BI DJ FR GR IT MC MR SM"),
        ("28", "AL AZ BY CY DO GT HU LB NI PL SV"),
        ("29", "BR EG PS QA UA"),
        ("30", "JO KW MU"),
        ("31", "MT SC"),
        ("32", "LC"),
    )
    for code in codes.split()
}
_VIN_VALUES = dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", (*range(1, 9), *range(1, 6), 7, 9, *range(2, 10)), strict=True)
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_ISSUERS = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}"
    r"|62\d{14,17}",
    re.ASCII,
)

_EMAIL = re.compile(
    r"[^\s@<>\"(),:;\[\\\]]{1,64}@(?:[^\W_][\w-]*\.)+(?:[^\W\d_]{2,24}|xn--[a-z0-9-]+)"
)
URL = shaped(r"(?:https?|ftps?|s3|gs|azure)://[^\s/?#]+(?:[/?#]\S*)?|www\.[\w-]+\.[a-z]{2,}\S*")


def is_email(text: str) -> bool:
    """Tell whether this is one mail address; letters of any script may occur on both sides."""
    return "@" in text and _EMAIL.fullmatch(text) is not None


def is_ip_address(text: str) -> bool:
    """Tell whether this is an IPv4 or IPv6 address, with or without a prefix length."""
    if text.count(".") != 3 and text.count(":") < 2:
        return False
    try:
        ipaddress.ip_interface(text)
    except ValueError:
        return False
    return True


def is_phone(text: str) -> bool:
    """Tell whether this is a dialling shape of 7 to 15 digits that is not a date or an address."""
    if _PHONE_SHAPE.fullmatch(text) is None or _LOOKS_DATED.fullmatch(text) is not None:
        return False
    return 7 <= len(_NOT_DIGIT.sub("", text.partition("x")[0])) <= 15


_LOOKS_DATED = re.compile(
    r"(?:19|20)\d\d([-/.])\d\d\1\d\d|\d\d([-/.])\d\d\2(?:19|20)\d\d|\d{1,3}(?:\.\d{1,3}){3}|\d+\.\d+",
    re.A,
)

PHONE_INTERNATIONAL = shaped(r"\+[1-9]\d{0,2}(?:[ .()/-]*\d){6,12}")
PHONES = {
    "AU": shaped(
        r"(?:\+61 ?|0)(?:4\d{2} ?\d{3} ?\d{3}|[2378] ?\d{4} ?\d{4})|\(0[2378]\) ?\d{4} ?\d{4}"
    ),
    "CA": shaped(
        r"(?:\+?1[ .-]?)?\(?(?:204|226|236|249|250|263|289|306|343|354|36[578]|382|403|416|418|428"
        r"|431|437|438|450|468|474|506|514|519|548|579|58[147]|604|613|639|647|672|683|705|709|742"
        r"|753|778|780|782|807|819|825|867|873|879|902|905)\)?[ .-]?[2-9]\d{2}[ .-]?\d{4}"
    ),
    "JP": shaped(
        r"(?:\+81[ -]?|0)(?:[5789]0-?\d{4}-?\d{4}|(?=[\d-]{11}$)[1-9]\d{0,3}-\d{1,4}-\d{4})"
    ),
    "UK": shaped(r"(?:\+44 ?|0)(?:7\d{3} ?\d{6}|20 ?\d{4} ?\d{4}|1\d{2,3} ?\d{3} ?\d{3,4})"),
    "US": shaped(r"(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[.-])[2-9]\d{2}[ .-]\d{4}"),
}
"""National dialling shapes that are recognisable by their punctuation, by country."""


def _iban(text: str) -> bool:
    return _IBAN_LENGTHS.get(text[:2]) == len(text) and checksums.mod_97(text[4:] + text[:4]) == 1


def _vin(text: str) -> bool:
    values = (_VIN_VALUES.get(char) or int(char) for char in text)
    total = sum(value * weight for value, weight in zip(values, _VIN_WEIGHTS, strict=True)) % 11
    return text[8] == ("X" if total == 10 else str(total))


def _card(text: str) -> bool:
    return _ISSUERS.fullmatch(text) is not None and checksums.luhn(text)


def _us_account(text: str) -> bool:
    return len(set(text)) > 1


def _nz_account(text: str) -> bool:
    return 1 <= int(text[:2]) <= 38


IBAN = checked(r"[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}", _iban)
CA_BANK_ACCOUNT = shaped(r"\d{5}-\d{3}-\d{7,12}|0\d{3}\d{5}\d{7,12}")
NZ_BANK_ACCOUNT = checked(r"\d{2}[- ]?\d{4}[- ]?\d{7}[- ]?\d{2,3}", _nz_account)
US_BANK_ACCOUNT = checked(r"\d{6,17}", _us_account)
IMEI = checked(
    r"\d{2}[- ]?\d{6}[- ]?\d{6}[- ]?\d", lambda text: text != "0" * 15 and checksums.luhn(text)
)
PAYMENT_CARD = checked(r"\d{4}(?:[ -]?\d{2,6}){2,4}", _card)
VIN = checked(r"(?=.*[A-Z])[A-HJ-NPR-Z\d]{8}[\dX][A-HJ-NPR-Z\d]{8}", _vin)
