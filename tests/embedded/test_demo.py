"""The demo's data: how much, always the same, nobody's, and just enough of it sensitive."""

import ipaddress
import json
from datetime import date, datetime
from hashlib import sha256

import pytest

from skills_nb.embedded.classification import ColumnSample, checksums, classify_table, national
from skills_nb.embedded.tools.demo.dice import Dice
from skills_nb.embedded.tools.demo.script import insert, statements
from skills_nb.embedded.tools.demo.tables import (
    CUSTOMERS,
    EMPLOYEES,
    ORDERS,
    TABLES,
)

FINGERPRINT = "1c146adefe039439d0aadd3017f5d4e8d67c8349656120fe8233892bf189b15f"
SENSITIVE = {
    "CUSTOMERS": {
        "FIRST_NAME": "NAME",
        "LAST_NAME": "NAME",
        "EMAIL": "EMAIL",
        "PHONE": "PHONE_NUMBER",
        "DATE_OF_BIRTH": "DATE_OF_BIRTH",
        "NATIONAL_ID": "NATIONAL_IDENTIFIER",
        "GENDER": "GENDER",
        "STREET_ADDRESS": "STREET_ADDRESS",
        "CITY": "CITY",
        "POSTAL_CODE": "POSTAL_CODE",
        "COUNTRY": "COUNTRY",
        "CREDIT_CARD_NUMBER": "PAYMENT_CARD",
        "IBAN": "BANK_ACCOUNT",
        "LAST_LOGIN_IP": "IP_ADDRESS",
    },
    "ORDERS": {"SHIPPING_ADDRESS": "STREET_ADDRESS", "IP_ADDRESS": "IP_ADDRESS"},
    "EMPLOYEES": {
        "FULL_NAME": "NAME",
        "WORK_EMAIL": "EMAIL",
        "WORK_PHONE": "PHONE_NUMBER",
        "BIRTH_DATE": "DATE_OF_BIRTH",
        "TAX_ID": "TAX_IDENTIFIER",
        "MARITAL_STATUS": "MARITAL_STATUS",
        "JOB_TITLE": "OCCUPATION",
        "SALARY": "SALARY",
        "PAYROLL_IBAN": "BANK_ACCOUNT",
        "OFFICE_COUNTRY": "COUNTRY",
    },
}


def column(table, name):
    place = [found.name for found in table.columns].index(name)
    return [row[place] for row in table.rows()]


def typed(cell, type_name):
    """Give a cell as the account would: days and instants as such."""
    if cell is None or not isinstance(cell, str):
        return cell
    if type_name == "DATE":
        return date.fromisoformat(cell)
    return datetime.fromisoformat(cell) if type_name.startswith("TIMESTAMP") else cell


def classified(table):
    rows = table.rows()
    samples = [
        ColumnSample(found.name, found.type, [typed(row[at], found.type) for row in rows])
        for at, found in enumerate(table.columns)
    ]
    return classify_table(samples)["classification_result"]


def test_there_are_about_five_thousand_rows():
    assert {table.name: len(table.rows()) for table in TABLES} == {
        "CUSTOMERS": 2000,
        "ORDERS": 2800,
        "EMPLOYEES": 200,
    }


def test_the_data_never_changes():
    rows = json.dumps([table.rows() for table in TABLES], ensure_ascii=False)
    assert sha256(rows.encode()).hexdigest() == FINGERPRINT


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_row_has_a_cell_per_column_that_fits_its_type(table):
    for row in table.rows():
        for cell, found in zip(row, table.columns, strict=True):
            if isinstance(cell, str) and found.type.startswith("VARCHAR"):
                assert len(cell) <= int(found.type[8:-1])


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_exactly_the_sensitive_columns_are_found_with_high_confidence(table):
    found = {
        name: (entry["recommendation"]["semantic_category"], entry["recommendation"]["confidence"])
        for name, entry in classified(table).items()
        if "recommendation" in entry
    }
    assert found == {name: (kind, "HIGH") for name, kind in SENSITIVE[table.name].items()}


def test_details_name_the_largest_countries_and_all_have_their_numbers():
    details = classified(CUSTOMERS)["NATIONAL_ID"]["recommendation"]["details"]
    assert [found["semantic_category"] for found in details] == ["US_SSN", "DE_IDENTITY_CARD"]
    assert sum(map(national.NUMBERS["JP_INDIVIDUAL_NUMBER"], column(CUSTOMERS, "NATIONAL_ID"))) > 99


def test_cards_pass_luhn_and_order_numbers_never_do():
    assert all(map(checksums.luhn, column(CUSTOMERS, "CREDIT_CARD_NUMBER")))
    assert not any(map(checksums.luhn, column(ORDERS, "ORDER_NUMBER")))


def test_mail_and_network_addresses_belong_to_nobody():
    mails = [*column(CUSTOMERS, "EMAIL"), *column(EMPLOYEES, "WORK_EMAIL")]
    assert {mail.rpartition("@")[2].split(".")[-2] for mail in mails} == {"example"}
    documentation = [
        ipaddress.ip_network(net)
        for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
    ]
    for text in {*column(CUSTOMERS, "LAST_LOGIN_IP"), *column(ORDERS, "IP_ADDRESS")}:
        assert any(ipaddress.ip_address(text) in net for net in documentation)


def test_mail_addresses_are_unique_and_orders_refer_to_customers():
    assert len(set(column(CUSTOMERS, "EMAIL"))) == CUSTOMERS.row_count
    assert set(column(ORDERS, "CUSTOMER_ID")) <= set(column(CUSTOMERS, "CUSTOMER_ID"))


def test_names_come_in_several_scripts():
    names = {*column(CUSTOMERS, "LAST_NAME"), *column(CUSTOMERS, "FIRST_NAME")}
    assert {"Müller", "佐藤", "O'Brien", "García", "Åsa"} <= names


def test_a_row_does_not_depend_on_the_others():
    assert CUSTOMERS.row(1234) == CUSTOMERS.rows()[1233]


def test_rolls_stay_within_their_bounds_and_reach_them():
    rolls = {Dice("T", row).between("C", 3, 5) for row in range(200)}
    assert rolls == {3, 4, 5}
    assert {len(Dice("T", row).digits("C", 4)) for row in range(200)} == {4}


def test_rows_travel_as_one_array_binding_per_column():
    text, bindings = insert(EMPLOYEES)
    assert text == f"INSERT INTO PROD.CUSTOMER_DATA.EMPLOYEES VALUES ({', '.join('?' * 15)})"
    assert list(bindings) == [str(place) for place in range(1, 16)]
    assert {len(bound["value"]) for bound in bindings.values()} == {200}


def test_no_statement_carries_a_row_in_its_text():
    assert max(len(text) for text, _ in statements()) < 2500
