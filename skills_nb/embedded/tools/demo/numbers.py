"""Numbers that pass their published checks and belong to nobody.

Room: embedded (demo). Pure. Telephone numbers come from the ranges that regulators keep for
fiction where there are any, addresses on the network from those reserved for documentation;
identifiers are made up and only then given their check digit.
"""

from __future__ import annotations

from datetime import date

from skills_nb.embedded.classification import checksums
from skills_nb.embedded.tools.demo.dice import Dice

_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_NINO_LETTERS = "ABCEGHJKLMNPRSTWXYZ"
_CARD_LETTERS = "CFGHJKLMNPRTVWXYZ"
_CARDS = (("VISA", "400000", 16), ("MASTERCARD", "520000", 16), ("AMEX", "370000", 15))


def payment_card(dice: Dice) -> tuple[str, str]:
    """Give the scheme and a card number with its Luhn digit."""
    scheme, prefix, length = dice.pick("card_scheme", _CARDS)
    body = prefix + dice.digits("card_number", length - 7)
    return scheme, body + checksums.luhn_digit(body)


def order_number(dice: Dice) -> str:
    """Give sixteen digits that start like a card and never pass Luhn."""
    body = "4" + dice.digits("order_number", 14)
    right = int(checksums.luhn_digit(body))
    return f"{body}{(right + dice.between('order_check', 1, 9)) % 10}"


def iban(dice: Dice, country: str) -> str:
    """Give an IBAN of a country that has them, with its check digits."""
    lengths = {"DE": 18, "FR": 23, "ES": 20, "SE": 20}
    account = dice.digits("iban", 14).zfill(lengths.get(country, 18))
    if country == "GB":
        account = "TEST" + account[-14:]
    check = 98 - checksums.mod_97(f"{account}{country}00")
    return f"{country}{check:02d}{account}"


def ip_address(dice: Dice) -> str:
    """Give an address of the documentation ranges, one in eight of them IPv6."""
    if dice.roll("ip_family", 8) == 0:
        return f"2001:db8:{dice.roll('ip_net', 65536):x}::{dice.between('ip_host', 1, 65535):x}"
    network = dice.pick("ip_net", ("192.0.2", "198.51.100", "203.0.113"))
    return f"{network}.{dice.between('ip_host', 1, 254)}"


def national_id(dice: Dice, country: str, born: date) -> str:
    """Give the number that a country's people are known by."""
    return _NATIONAL[country](dice, born)


def tax_id(dice: Dice, country: str) -> str:
    """Give a personal tax number."""
    return _TAX[country](dice)


def _us_ssn(dice: Dice, _: date) -> str:
    area = dice.between("ssn_area", 1, 665)
    return f"{area:03d}-{dice.between('ssn_group', 1, 99):02d}-{dice.between('ssn', 1, 9999):04d}"


def _de_card(dice: Dice, _: date) -> str:
    body = dice.pick("card_letter", _CARD_LETTERS) + dice.digits("identity_card", 8)
    return body + checksums.machine_readable_digit(body)


def _fr_insee(dice: Dice, born: date) -> str:
    sex, department = dice.between("insee_sex", 1, 2), dice.between("insee_place", 1, 95)
    body = f"{sex}{born:%y%m}{department:02d}{dice.between('insee', 1, 999_999):06d}"
    return f"{body}{97 - int(body) % 97:02d}"


def _es_dni(dice: Dice, _: date) -> str:
    number = dice.digits("dni", 8)
    return number + _DNI_LETTERS[int(number) % 23]


def _uk_nino(dice: Dice, _: date) -> str:
    first = dice.pick("nino_first", _NINO_LETTERS)
    digits = dice.digits("nino", 6)
    return f"{first}A {digits[:2]} {digits[2:4]} {digits[4:]} {dice.pick('nino_last', 'ABCD')}"


def _jp_number(dice: Dice, _: date) -> str:
    body = dice.digits("my_number", 11)
    rest = checksums.weighted(body, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return f"{body}{0 if rest <= 1 else 11 - rest}"


def _ca_sin(dice: Dice, _: date) -> str:
    body = f"{dice.between('sin_area', 1, 7)}{dice.digits('sin', 7)}"
    number = body + checksums.luhn_digit(body)
    return f"{number[:3]}-{number[3:6]}-{number[6:]}"


def _se_number(dice: Dice, born: date) -> str:
    body = f"{born:%y%m%d}{dice.digits('personnummer', 3)}"
    return f"{born:%Y%m%d}-{body[6:]}{checksums.luhn_digit(body)}"


def _us_itin(dice: Dice) -> str:
    group = dice.between("itin_group", 70, 88)
    return f"9{dice.digits('itin_area', 2)}-{group}-{dice.digits('itin', 4)}"


def _de_tax(dice: Dice) -> str:
    """Make ten digits of which exactly one occurs twice, as the number's rule asks."""
    order = sorted(range(10), key=lambda digit: dice.roll(f"tax_{digit}", 1_000_003))
    digits = [digit for digit in order if digit] + [0]
    digits[9] = digits[dice.roll("tax_twice", 8) + 1]
    body = "".join(map(str, digits))
    return next(body + check for check in "0123456789" if checksums.mod_11_10(body + check))


def _fr_tax(dice: Dice) -> str:
    body = f"{dice.between('spi', 1_000_000_000, 3_299_999_999):010d}"
    return f"{body}{int(body) % 511:03d}"


def _es_tax(dice: Dice) -> str:
    return _es_dni(dice, date.min)


_NATIONAL = {
    "US": _us_ssn,
    "DE": _de_card,
    "FR": _fr_insee,
    "ES": _es_dni,
    "GB": _uk_nino,
    "JP": _jp_number,
    "CA": _ca_sin,
    "SE": _se_number,
}
_TAX = {
    "US": _us_itin,
    "DE": _de_tax,
    "FR": _fr_tax,
    "ES": _es_tax,
}
