"""The demo's tables: their columns with comments, and one function that makes a row of each.

Room: embedded (demo). Pure. Each table mixes what has to be found (names, cards, national numbers
of eight countries) with what only sounds like it (`EMAIL_OPT_IN`, `PHONE_MODEL`, order numbers of
sixteen digits that fail Luhn), because finding everything is easy and finding just enough is not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from skills_nb.embedded.tools.demo import numbers
from skills_nb.embedded.tools.demo.countries import (
    BY_CODE,
    LOTTERY,
    Country,
    filled,
)
from skills_nb.embedded.tools.demo.dice import Dice

Cell = str | int | float | bool | None
_FIRST_DAY = date(2024, 1, 1)
_BIRTHS_FROM = date(1945, 1, 1)
_BIRTH_DAYS = 22_000
_DOMAINS = ("example.com", "example.org", "example.net", "mail.example.com")
_MODELS = ("iPhone 15", "Galaxy S24", "Pixel 8", "Fairphone 5", "Xperia 10", "Redmi Note 13")
_SEGMENTS = ("CONSUMER", "SMALL BUSINESS", "ENTERPRISE")
_PRODUCTS = (
    "Trail backpack 30 l",
    "Rain jacket",
    "Camping stove",
    "Headlamp 400 lm",
    "Sleeping bag -5",
    "Water filter",
    "Hiking poles",
    "Thermo bottle 1 l",
)
_STATES = ("PENDING", "SHIPPED", "DELIVERED", "RETURNED", "CANCELLED")
_JOBS = (
    ("Data Engineer", "Engineering", 62_000),
    ("Account Manager", "Sales", 54_000),
    ("Support Specialist", "Service", 41_000),
    ("HR Manager", "People", 58_000),
    ("Financial Analyst", "Finance", 60_000),
    ("Warehouse Supervisor", "Operations", 45_000),
    ("Product Designer", "Engineering", 59_000),
    ("Director of Sales", "Sales", 112_000),
)


@dataclass(frozen=True)
class Column:
    """A column of the demo."""

    name: str
    """Its name as stored."""
    type: str
    """Its Snowflake type."""
    comment: str
    """What it holds."""


@dataclass(frozen=True)
class Table:
    """A table of the demo, with the function that makes its rows."""

    name: str
    """Its name in PROD.CUSTOMER_DATA."""
    comment: str
    """What a row is."""
    row_count: int
    """How many rows it has."""
    columns: tuple[Column, ...]
    """In order."""
    row: Callable[[int], tuple[Cell, ...]]
    """Makes the row of a number that counts from 1; dates and times in ISO form."""

    def rows(self) -> list[tuple[Cell, ...]]:
        """Make all rows."""
        return [self.row(number) for number in range(1, self.row_count + 1)]


def _columns(text: str) -> tuple[Column, ...]:
    """Read lines of `NAME | TYPE | comment`."""
    cells = (line.split("|") for line in text.strip().splitlines())
    return tuple(Column(*(cell.strip() for cell in line)) for line in cells)


@dataclass(frozen=True)
class _Person:
    country: Country
    female: bool
    given: str
    family: str
    born: date

    @property
    def full_name(self) -> str:
        first, last = (
            (self.family, self.given) if self.country.code == "JP" else (self.given, self.family)
        )
        return f"{first} {last}"


def _person(dice: Dice, country: Country) -> _Person:
    female = dice.often("female", 50)
    given = dice.pick("given", country.women if female else country.men)
    family = dice.pick("family", country.surnames)
    born = _BIRTHS_FROM + timedelta(days=dice.roll("born", _BIRTH_DAYS))
    return _Person(country, female, given, family, born)


def _mailbox(person: _Person, number: int) -> str:
    """Spell a name as a mail address does; what has no Latin letters gets a neutral one."""
    latin = [
        unicodedata.normalize("NFKD", part.replace("ß", "ss")).encode("ascii", "ignore").decode()
        for part in (person.given, person.family)
    ]
    words = ["".join(filter(str.isalpha, part)).lower() for part in latin]
    return f"{'.'.join(filter(None, words)) or 'user'}{number}"


def _customer(number: int) -> tuple[Cell, ...]:
    dice = Dice("CUSTOMERS", number)
    country = dice.pick("country", LOTTERY)
    person = _person(dice, country)
    city, postal = dice.pick("city", country.cities)
    scheme, card = numbers.payment_card(dice)
    since = datetime(2019, 1, 1) + timedelta(minutes=dice.roll("since", 3_000_000))
    return (
        number,
        person.given,
        person.family,
        f"{_mailbox(person, number)}@{dice.pick('domain', _DOMAINS)}",
        None
        if dice.often("no_phone", 4)
        else filled(dice, "phone", dice.pick("p", country.phones)),
        person.born.isoformat(),
        numbers.national_id(dice, country.code, person.born),
        "X" if dice.often("gender_x", 2) else "F" if person.female else "M",
        country.address(dice),
        city,
        filled(dice, "postal", postal),
        country.name,
        card,
        scheme,
        numbers.iban(dice, country.code) if country.has_iban else None,
        numbers.ip_address(dice),
        dice.often("opt_in", 61),
        dice.pick("model", _MODELS),
        dice.often("verified", 83),
        dice.pick("segment", _SEGMENTS),
        dice.between("points", 0, 12_000),
        since.isoformat(sep=" "),
    )


def _order(number: int) -> tuple[Cell, ...]:
    dice = Dice("ORDERS", number)
    country = dice.pick("country", LOTTERY)
    city, postal = dice.pick("city", country.cities)
    ordered = _FIRST_DAY + timedelta(days=dice.roll("ordered", 540))
    quantity, cents = dice.between("quantity", 1, 6), dice.between("price", 900, 24_900)
    return (
        number,
        numbers.order_number(dice),
        dice.between("customer", 1, CUSTOMERS.row_count),
        ordered.isoformat(),
        dice.pick("state", _STATES),
        dice.pick("product", _PRODUCTS),
        quantity,
        cents / 100,
        quantity * cents / 100,
        f"{country.address(dice)}, {filled(dice, 'postal', postal)} {city}",
        dice.often("validated", 92),
        numbers.ip_address(dice),
    )


def _employee(number: int) -> tuple[Cell, ...]:
    dice = Dice("EMPLOYEES", number)
    country = BY_CODE[dice.pick("country", ("DE", "DE", "US", "US", "FR", "ES"))]
    person = _person(dice, country)
    title, department, base = dice.pick("job", _JOBS)
    salary = base + 250 * dice.between("salary", -20, 90)
    hired = date(2012, 1, 1) + timedelta(days=dice.roll("hired", 4_700))
    return (
        number,
        person.full_name,
        f"{_mailbox(person, number)}@corp.example.com",
        filled(dice, "phone", dice.pick("p", country.phones)),
        person.born.isoformat(),
        numbers.tax_id(dice, country.code),
        dice.pick("marital", ("single", "married", "married", "divorced", "widowed")),
        title,
        department,
        salary,
        f"B{salary // 25_000}",
        numbers.iban(dice, country.code if country.has_iban else "DE"),
        dice.pick("suffix", (None, None, None, "JR", "SR", "III")),
        hired.isoformat(),
        country.name,
    )


CUSTOMERS = Table(
    "CUSTOMERS",
    "One row per customer, with contact data, identification and means of payment",
    2000,
    _columns(
        """
        CUSTOMER_ID        | NUMBER(38,0)     | Key of the customer
        FIRST_NAME         | VARCHAR(60)      | Given name
        LAST_NAME          | VARCHAR(60)      | Family name
        EMAIL              | VARCHAR(120)     | Address for receipts and news
        PHONE              | VARCHAR(30)      | Number in the notation of the country
        DATE_OF_BIRTH      | DATE             | Day of birth
        NATIONAL_ID        | VARCHAR(20)      | National number of the country of residence
        GENDER             | VARCHAR(1)       | F, M or X
        STREET_ADDRESS     | VARCHAR(120)     | Street and house number
        CITY               | VARCHAR(60)      | Town
        POSTAL_CODE        | VARCHAR(12)      | Postal code
        COUNTRY            | VARCHAR(60)      | Country of residence
        CREDIT_CARD_NUMBER | VARCHAR(19)      | Card on file
        CARD_TYPE          | VARCHAR(12)      | Scheme of the card on file
        IBAN               | VARCHAR(34)      | Account for refunds, where there are IBANs
        LAST_LOGIN_IP      | VARCHAR(45)      | Network address of the last sign-in
        EMAIL_OPT_IN       | BOOLEAN          | Whether news may be sent
        PHONE_MODEL        | VARCHAR(40)      | Device that the app last ran on
        SSN_VERIFIED       | BOOLEAN          | Whether the national number has been checked
        SEGMENT            | VARCHAR(20)      | Market segment
        LOYALTY_POINTS     | NUMBER(10,0)     | Points in the loyalty programme
        CREATED_AT         | TIMESTAMP_NTZ(9) | When the account was opened, in UTC
        """
    ),
    _customer,
)
ORDERS = Table(
    "ORDERS",
    "One row per order line",
    2800,
    _columns(
        """
        ORDER_ID          | NUMBER(38,0) | Key of the order
        ORDER_NUMBER      | VARCHAR(16)  | Number printed on the receipt
        CUSTOMER_ID       | NUMBER(38,0) | Customer who ordered
        ORDER_DATE        | DATE         | Day of the order
        DELIVERY_STATE    | VARCHAR(12)  | Where the delivery stands
        NAME_OF_PRODUCT   | VARCHAR(60)  | Article as printed on the receipt
        QUANTITY          | NUMBER(6,0)  | Pieces
        UNIT_PRICE        | NUMBER(10,2) | Price of a piece
        TOTAL_AMOUNT      | NUMBER(12,2) | Price of the line
        SHIPPING_ADDRESS  | VARCHAR(200) | Where the parcel goes
        ADDRESS_VALIDATED | BOOLEAN      | Whether the carrier knows the address
        IP_ADDRESS        | VARCHAR(45)  | Network address that the order came from
        """
    ),
    _order,
)
EMPLOYEES = Table(
    "EMPLOYEES",
    "One row per employee",
    200,
    _columns(
        """
        EMPLOYEE_ID      | NUMBER(38,0) | Key of the employee
        FULL_NAME        | VARCHAR(120) | Name in the order of the country
        WORK_EMAIL       | VARCHAR(120) | Address at work
        WORK_PHONE       | VARCHAR(30)  | Number at work
        BIRTH_DATE       | DATE         | Day of birth
        TAX_ID           | VARCHAR(20)  | Personal tax number
        MARITAL_STATUS   | VARCHAR(12)  | For payroll
        JOB_TITLE        | VARCHAR(60)  | Position held
        DEPARTMENT       | VARCHAR(30)  | Department
        SALARY           | NUMBER(12,2) | Gross pay per year
        SALARY_BAND      | VARCHAR(4)   | Band of the pay scale
        PAYROLL_IBAN     | VARCHAR(34)  | Account that is paid to
        NAME_SUFFIX_CODE | VARCHAR(4)   | Suffix for letters, if any
        HIRED_ON         | DATE         | First day at work
        OFFICE_COUNTRY   | VARCHAR(60)  | Country of the office
        """
    ),
    _employee,
)
TABLES = (CUSTOMERS, ORDERS, EMPLOYEES)
"""All tables of PROD.CUSTOMER_DATA, in the order in which they are created."""
