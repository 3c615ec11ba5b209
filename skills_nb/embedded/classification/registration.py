"""Tax, organisation and health-insurance numbers: shape first, then the check digit.

Room: embedded (classification). Pure.
"""

from __future__ import annotations

from collections import Counter

from skills_nb.embedded.classification import checksums
from skills_nb.embedded.classification.national import Accepts, checked, dni, fiscal_code, shaped
from skills_nb.embedded.classification.vocabulary import spaced

_GST_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CIF_LETTERS = "JABCDEFGHI"


def _au_tfn(text: str) -> bool:
    return checksums.weighted(text, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def _au_abn(text: str) -> bool:
    weights = (10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)
    return text[0] != "0" and (checksums.weighted(text, weights) - 10) % 89 == 0


def _au_acn(text: str) -> bool:
    return (10 - checksums.weighted(text, range(8, 0, -1)) % 10) % 10 == int(text[8])


def _au_medicare(text: str) -> bool:
    return checksums.weighted(text, (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(text[8])


def _de_tax_id(text: str) -> bool:
    """Check a Steuer-ID: among the first ten digits one occurs twice or three times, then 11,10."""
    most = Counter(text[:10]).most_common(2)
    repeats = most[0][1] in {2, 3} and most[1][1] == 1
    return repeats and checksums.mod_11_10(text)


def _fr_tax(text: str) -> bool:
    return int(text[:10]) % 511 == int(text[10:])


def _gr_tax(text: str) -> bool:
    total = checksums.weighted(text, (256, 128, 64, 32, 16, 8, 4, 2))
    return int(text) > 0 and total % 11 % 10 == int(text[8])


def _hu_tax(text: str) -> bool:
    return checksums.weighted(text, range(1, 10)) % 11 == int(text[9])


def _in_gst(text: str) -> bool:
    total = 0
    for index, char in enumerate(text[:14]):
        product = _GST_ALPHABET.index(char) * (1 + index % 2)
        total += product // 36 + product % 36
    return _GST_ALPHABET[(36 - total % 36) % 36] == text[14]


def _nl_tax(text: str) -> bool:
    number = text[2:] if text.startswith("NL") else text
    old = checksums.weighted(number, (9, 8, 7, 6, 5, 4, 3, 2)) % 11 == int(number[8])
    return old or checksums.mod_97("NL" + number) == 1


def _nz_ird(text: str) -> bool:
    padded = text.zfill(9)
    for weights in ((3, 2, 7, 6, 5, 4, 3, 2), (7, 4, 3, 2, 5, 2, 7, 6)):
        check = -checksums.weighted(padded, weights) % 11
        if check < 10:
            return check == int(padded[8])
    return False


def _pl_nip(text: str) -> bool:
    return checksums.weighted(text, (6, 5, 7, 2, 3, 4, 5, 6, 7)) % 11 == int(text[9])


def _pt_nif(text: str) -> bool:
    check = 11 - checksums.weighted(text, range(9, 1, -1)) % 11
    return (0 if check >= 10 else check) == int(text[8])


def _si_tax(text: str) -> bool:
    check = 11 - checksums.weighted(text, range(8, 1, -1)) % 11
    return check % 10 == int(text[7]) and check != 11


def _es_tax(text: str) -> bool:
    if text[0] in "ABCDEFGHJNPQRSUVW":
        doubled = sum((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)[int(digit)] for digit in text[1:8:2])
        check = (10 - (doubled + sum(map(int, text[2:8:2]))) % 10) % 10
        return text[8] in {str(check), _CIF_LETTERS[check]}
    return text[8].isalpha() and text[1:8].isdigit() and dni(text)


def _at_tax(text: str) -> bool:
    total = sum(
        int(digit) if index % 2 == 0 else sum(divmod(int(digit) * 2, 10))
        for index, digit in enumerate(text[:8])
    )
    return (100 - total) % 10 == int(text[8])


def _us_itin(text: str) -> bool:
    group = int(text[3:5])
    return 50 <= group <= 65 or 70 <= group <= 88 or 90 <= group <= 92 or 94 <= group <= 99


_EIN_UNUSED = spaced("00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97")


def _us_ein(text: str) -> bool:
    return text[:2] not in _EIN_UNUSED


def _nhi(text: str) -> bool:
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    numbers = [letters.index(char) + 1 for char in text[:3]] + [int(char) for char in text[3:6]]
    total = sum(number * weight for number, weight in zip(numbers, range(7, 1, -1), strict=True))
    return total % 11 != 0 and (11 - total % 11) % 10 == int(text[6])


def _nzbn(text: str) -> bool:
    return (10 - checksums.weighted(text, (1, 3) * 6) % 10) % 10 == int(text[12])


SG_UNIQUE_ENTITY_NUMBER = shaped(r"\d{8,9}[A-Z]|[TSR]\d{2}[A-Z]{2}\d{4}[A-Z]")
US_TAX_IDENTIFIER = checked(r"9\d{2}-?\d{2}-?\d{4}", _us_itin)
CY_TAX_ID_NUMBER = shaped(r"\d{8}[A-Z]")
MT_TAX_ID_NUMBER = shaped(r"\d{3,7}[MGAPLHBZ]")
EMPLOYER_IDENTIFICATION_NUMBER = checked(r"\d{2}-\d{7}", _us_ein)

TAX: dict[str, Accepts] = {
    "AT_TAX_ID_NUMBER": checked(r"\d{2}-?\d{3}/?\d{4}", _at_tax),
    "AU_TAX_NUMBER": checked(r"\d{3} ?\d{3} ?\d{3}", _au_tfn),
    "DE_TAX_ID_NUMBER": checked(r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}", _de_tax_id),
    "ES_TAX_ID_NUMBER": checked(r"[A-HJNP-SUVWXYZ\d]-?\d{7}-?[A-Z\d]", _es_tax),
    "FR_TAX_ID_NUMBER": checked(r"[0-3]\d ?\d{2} ?\d{3} ?\d{3} ?\d{3}", _fr_tax),
    "GR_TAX_ID_NUMBER": checked(r"\d{9}", _gr_tax),
    "HU_TAX_ID_NUMBER": checked(r"8\d{9}", _hu_tax),
    "IN_GST_NUMBER": checked(r"\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[\dA-Z]", _in_gst),
    "IT_FISCAL_CODE": checked(
        r"[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z]", fiscal_code
    ),
    "NL_TAX_ID_NUMBER": checked(r"(?:NL)?\d{9}B\d{2}", _nl_tax),
    "NZ_INLAND_REVENUE_NUMBER": checked(r"\d{2,3}[- ]?\d{3}[- ]?\d{3}", _nz_ird),
    "PL_TAX_ID_NUMBER": checked(r"\d{3}-?\d{3}-?\d{2}-?\d{2}", _pl_nip),
    "PT_TAX_ID_NUMBER": checked(r"[1-35689]\d{8}", _pt_nif),
    "SE_TAX_ID_NUMBER": checked(r"SE\d{10}01", lambda text: checksums.luhn(text[2:12])),
    "SI_TAX_ID_NUMBER": checked(
        r"(?:SI)?[1-9]\d{7}", lambda text: _si_tax(text.removeprefix("SI"))
    ),
}
"""Tax numbers with a check digit, by Snowflake's semantic subcategory."""
ORGANIZATIONS: dict[str, Accepts] = {
    "AU_BUSINESS_NUMBER": checked(r"\d{2} ?\d{3} ?\d{3} ?\d{3}", _au_abn),
    "AU_COMPANY_NUMBER": checked(r"\d{3} ?\d{3} ?\d{3}", _au_acn),
    "NZ_BUSINESS_NUMBER": checked(r"94\d{11}", _nzbn),
}
"""Company numbers with a check digit."""
HEALTH: dict[str, Accepts] = {
    "AU_MEDICARE_NUMBER": checked(r"[2-6]\d{3} ?\d{5} ?\d(?:[ /-]?\d)?", _au_medicare),
    "NZ_NHI_NUMBER": checked(r"[A-HJ-NP-Z]{3}\d{4}", _nhi),
}
"""Health insurance numbers with a check digit."""
