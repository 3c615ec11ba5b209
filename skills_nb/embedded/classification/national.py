"""National identifiers: one validator per country, shape first, then the check digit.

Room: embedded (classification). Pure. Each function takes trimmed text, accepts the usual
separators, and refuses anything whose published check does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from skills_nb.embedded.classification import checksums

Accepts = Callable[[str], bool]

_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_FI_LETTERS = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_IE_LETTERS = "WABCDEFGHIJKLMNOPQRSTUV"
_CF_ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (
            *(1, 0, 5, 7, 9, 13, 15, 17, 19, 21),
            *(1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20),
            *(11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        ),
        strict=True,
    )
)
_SEPARATORS = str.maketrans("", "", " -./")


def shaped(pattern: str) -> Accepts:
    """Make a check of a shape alone; the pattern covers the whole text, letters in any case."""
    matcher = re.compile(pattern, re.ASCII | re.IGNORECASE).fullmatch
    return lambda text: matcher(text) is not None


def checked(pattern: str, check: Accepts) -> Accepts:
    """Make a check of a shape, and of a rule over the text without separators, upper-cased."""
    matcher = re.compile(pattern, re.ASCII | re.IGNORECASE).fullmatch
    return lambda text: matcher(text) is not None and check(text.translate(_SEPARATORS).upper())


def is_day(year: int, month: int, day: int) -> bool:
    """Tell whether the three numbers are a day of the calendar."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _short_day(text: str, order: str = "YMD", century: int = 1900) -> bool:
    """Tell whether six digits are a day; 29 February counts in any century that has it."""
    parts = dict(zip(order, (int(text[0:2]), int(text[2:4]), int(text[4:6])), strict=True))
    years = {century + parts["Y"], 2000 + parts["Y"]}
    return any(is_day(year, parts["M"], parts["D"]) for year in years)


def _weighted_11(digits: str, weights: tuple[int, ...], check: str) -> bool:
    return checksums.weighted(digits, weights) % 11 % 10 == int(check)


def _at_ssn(text: str) -> bool:
    total = checksums.weighted(text[:3] + text[4:], (3, 7, 9, 5, 8, 4, 2, 1, 6)) % 11
    return text[0] != "0" and total == int(text[3])


def _be_number(text: str) -> bool:
    base, check = text[:9], int(text[9:])
    return check in {97 - int(base) % 97, 97 - int("2" + base) % 97}


def _bg_egn(text: str) -> bool:
    month = int(text[2:4]) % 20
    plain = text[:2] + f"{month:02d}" + text[4:6]
    return _short_day(plain) and _weighted_11(text, (2, 4, 8, 5, 10, 9, 7, 3, 6), text[9])


def _ca_sin(text: str) -> bool:
    return text[0] not in "08" and checksums.luhn(text)


def _cz_number(text: str) -> bool:
    month = int(text[2:4]) % 50 % 20
    return _short_day(text[:2] + f"{month:02d}" + text[4:6]) and (
        int(text) % 11 == 0 or (int(text[:9]) % 11 == 10 and text[9] == "0")
    )


def _dk_cpr(text: str) -> bool:
    # Numbers issued since 2007 carry no check digit, so the day is all there is to hold on to.
    return _short_day(text[:6], "DMY")


def _baltic_code(text: str) -> bool:
    century = 1800 + (int(text[0]) - 1) // 2 * 100
    day = is_day(century + int(text[1:3]), int(text[3:5]), int(text[5:7]))
    check = checksums.weighted(text, (1, 2, 3, 4, 5, 6, 7, 8, 9, 1)) % 11
    if check == 10:
        check = checksums.weighted(text, (3, 4, 5, 6, 7, 8, 9, 1, 2, 3)) % 11 % 10
    return day and check == int(text[10])


def _fi_hetu(text: str) -> bool:
    digits = text[:6] + text[-4:-1]
    return _short_day(text[:6], "DMY") and _FI_LETTERS[int(digits) % 31] == text[-1]


def _fr_ssn(text: str) -> bool:
    number = text[:13].replace("2A", "19").replace("2B", "18")
    return number.isdigit() and 97 - int(number) % 97 == int(text[13:])


def _gr_amka(text: str) -> bool:
    return _short_day(text[:6], "DMY") and checksums.luhn(text)


def _hu_taj(text: str) -> bool:
    return checksums.weighted(text, (3, 7, 3, 7, 3, 7, 3, 7)) % 10 == int(text[8])


def _hu_personal(text: str) -> bool:
    # Whoever was born after 1996 has the weights in the other order.
    later = text[0] in "3456" or text[1:3] in {"97", "98", "99"}
    weights = range(10, 0, -1) if later else range(1, 11)
    return _short_day(text[1:7]) and checksums.weighted(text, weights) % 11 == int(text[10])


def _ie_pps(text: str) -> bool:
    extra = 0 if len(text) == 8 else 9 * _IE_LETTERS.find(text[8])
    total = checksums.weighted(text[:7], range(8, 1, -1)) + max(extra, 0)
    return _IE_LETTERS[total % 23] == text[7]


def _lv_code(text: str) -> bool:
    if text.startswith("32"):
        return True
    total = 1101 - checksums.weighted(text, (1, 6, 3, 7, 9, 10, 5, 8, 4, 2))
    return _short_day(text[:6], "DMY") and total % 11 % 10 == int(text[10])


def _lu_person(text: str) -> bool:
    return is_day(int(text[:4]), int(text[4:6]), int(text[6:8])) and checksums.luhn(text[:12])


def _nl_bsn(text: str) -> bool:
    return int(text) > 0 and checksums.weighted(text, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def _pl_pesel(text: str) -> bool:
    month = int(text[2:4]) % 20
    weights = (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)
    plain = text[:2] + f"{month:02d}" + text[4:6]
    return _short_day(plain) and checksums.weighted(text, weights) % 10 == 0


def _pt_card(text: str) -> bool:
    numbers = [int(char, 36) for char in reversed(text)]
    doubled = [n * 2 - 9 if n * 2 > 9 else n * 2 for n in numbers[1::2]]
    return (sum(numbers[0::2]) + sum(doubled)) % 10 == 0


def _ro_cnp(text: str) -> bool:
    check = checksums.weighted(text, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return _short_day(text[1:7]) and (1 if check == 10 else check) == int(text[12])


def _sg_nric(text: str) -> bool:
    total = checksums.weighted(text[1:8], (2, 7, 6, 5, 4, 3, 2)) + (4 if text[0] in "TG" else 0)
    letters = "JZIHGFEDCBA" if text[0] in "ST" else "XWUTRQPNMLK"
    return letters[total % 11] == text[8]


def _si_emso(text: str) -> bool:
    total = checksums.weighted(text, (7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2))
    year = int(text[4:7]) + (2000 if text[4] == "0" else 1000)
    day = is_day(year, int(text[2:4]), int(text[:2]))
    return day and (11 - total % 11) % 11 == int(text[12])


def dni(text: str) -> bool:
    """Check a Spanish DNI or NIE: the letter is the number modulo 23."""
    number = text[:-1].translate(str.maketrans("XYZ", "012"))
    return _DNI_LETTERS[int(number) % 23] == text[-1]


def _se_number(text: str) -> bool:
    short = text.replace("+", "")[-10:]
    return _short_day(short[:6]) and checksums.luhn(short)


def _us_ssn(text: str) -> bool:
    return (
        text[:3] not in {"000", "666"}
        and text[0] != "9"
        and text[3:5] != "00"
        and (text[5:] != "0000")
    )


def fiscal_code(text: str) -> bool:
    """Check an Italian codice fiscale: its last letter is a sum over the other fifteen."""
    odd = sum(_CF_ODD[char] for char in text[0:15:2])
    even = sum(int(char) if char.isdigit() else ord(char) - 65 for char in text[1:15:2])
    return chr(65 + (odd + even) % 26) == text[15]


def _br_cpf(text: str) -> bool:
    first = checksums.weighted(text, range(10, 1, -1)) * 10 % 11 % 10
    second = checksums.weighted(text, range(11, 1, -1)) * 10 % 11 % 10
    return len(set(text)) > 1 and text[9:] == f"{first}{second}"


def _ch_ahv(text: str) -> bool:
    return (10 - checksums.weighted(text, (1, 3) * 6) % 10) % 10 == int(text[12])


def _jp_number(text: str) -> bool:
    rest = checksums.weighted(text, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if rest <= 1 else 11 - rest) == int(text[11])


def _de_card(text: str) -> bool:
    return checksums.machine_readable_digit(text[:9]) == text[9]


BALTIC_PERSONAL_CODE = checked(r"[1-8]\d{10}", _baltic_code)
IN_PAN = shaped(r"[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]")
LU_PERSON = checked(r"(?:18|19|20)\d{11}", _lu_person)
UK_NATIONAL_INSURANCE_NUMBER = shaped(
    r"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"
    r"(?: ?\d{2}){3} ?[A-D]"
)
US_SSN = checked(r"\d{3}([- ]?)\d{2}\1\d{4}", _us_ssn)
US_SSN_DASHED = checked(r"\d{3}-\d{2}-\d{4}", _us_ssn)

NUMBERS: dict[str, Accepts] = {
    "AT_SSN": checked(r"\d{4}[ ]?\d{6}", _at_ssn),
    "BE_NATIONAL_NUMBER": checked(r"\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}[. ]?\d{2}", _be_number),
    "BG_UNIFORM_CIVIL_NUMBER": checked(r"\d{10}", _bg_egn),
    "BR_CPF": checked(r"\d{3}\.?\d{3}\.?\d{3}-?\d{2}", _br_cpf),
    "CA_SOCIAL_INSURANCE_NUMBER": checked(r"\d{3}[- ]?\d{3}[- ]?\d{3}", _ca_sin),
    "CH_AHV_NUMBER": checked(r"756\.?\d{4}\.?\d{4}\.?\d{2}", _ch_ahv),
    "CZ_PERSONAL_IDENTITY_NUMBER": checked(r"\d{6}/?\d{4}", _cz_number),
    "DE_IDENTITY_CARD": checked(r"[CFGHJKLMNPRTVWXYZ0-9]{9}\d", _de_card),
    "DK_PERSONAL_IDENTIFICATION_NUMBER": checked(r"\d{6}-\d{4}", _dk_cpr),
    "ES_DNI": checked(r"[XYZ\d]-?\d{7}-?[A-Z]", dni),
    "FI_NATIONAL_IDENTITY_CARD": checked(r"\d{6}[-+A-FYXWVU]\d{3}[0-9A-FHJ-NPR-Y]", _fi_hetu),
    "FR_SSN": checked(r"[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}", _fr_ssn),
    "GR_SSN": checked(r"\d{11}", _gr_amka),
    "HR_PERSONAL_IDENTIFICATION_NUMBER": checked(r"\d{11}", checksums.mod_11_10),
    "HU_PERSONAL_IDENTIFICATION_NUMBER": checked(r"[1-8][- ]?\d{6}[- ]?\d{4}", _hu_personal),
    "HU_SSN": checked(r"\d{3}[- ]?\d{3}[- ]?\d{3}", _hu_taj),
    "IE_PERSONAL_PUBLIC_SERVICE_NUMBER": checked(r"\d{7}[A-W][A-IW]?", _ie_pps),
    "IN_AADHAAR": checked(r"[2-9]\d{3}[- ]?\d{4}[- ]?\d{4}", checksums.verhoeff),
    "JP_INDIVIDUAL_NUMBER": checked(r"\d{4}[- ]?\d{4}[- ]?\d{4}", _jp_number),
    "LV_PERSONAL_CODE": checked(r"\d{6}-?\d{5}", _lv_code),
    "NL_CITIZEN_SERVICE_NUMBER": checked(r"\d{9}", _nl_bsn),
    "PL_NATIONAL_ID": checked(r"\d{11}", _pl_pesel),
    "PT_CITIZEN_CARD_NUMBER": checked(r"\d{8}[ -]?\d[ -]?[A-Z0-9]{2}\d", _pt_card),
    "RO_PERSONAL_NUMERIC_CODE": checked(r"[1-9]\d{12}", _ro_cnp),
    "SE_NATIONAL_ID": checked(r"(?:\d{2})?\d{6}[-+]?\d{4}", _se_number),
    "SG_NATIONAL_REGISTRATION_IDENTITY_CARD": checked(r"[STFG]\d{7}[A-Z]", _sg_nric),
    "SI_UNIQUE_MASTER_CITIZEN_NUMBER": checked(r"\d{13}", _si_emso),
}
"""Numbers with a check digit, by Snowflake's semantic subcategory (three of them ours)."""
