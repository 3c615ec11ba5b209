"""Positives and look-alikes for every native category, and the shape of the result."""

from datetime import date, datetime
from decimal import Decimal

import pytest

from skills_nb.embedded.classification import ColumnSample, classify_column, classify_table
from skills_nb.embedded.classification.rules import RULES


def recommended(name, type_name, values):
    """Give (category, confidence) of what is recommended, None where nothing is."""
    entry = classify_column(ColumnSample(name, type_name, values)).get("recommendation")
    return entry and (entry["semantic_category"], entry["confidence"])


POSITIVES = [
    ("EMAIL", "EMAIL", "VARCHAR", ["müller@example.de", "a.b+c@mail.example.com"]),
    ("EMAIL", "contact", "VARCHAR", ["anna@example.org", "bob@example.org"]),
    ("PAYMENT_CARD", "CreditCardNo", "VARCHAR", ["4111 1111 1111 1111", "378282246310005"]),
    ("PAYMENT_CARD", "card", "NUMBER(16,0)", [4111111111111111, 5555555555554444]),
    ("BANK_ACCOUNT", "iban", "VARCHAR", ["DE89370400440532013000", "GB82WEST12345698765432"]),
    ("BANK_ACCOUNT", "bank_account_number", "VARCHAR", ["000123456789", "9876543210"]),
    ("NATIONAL_IDENTIFIER", "ssn", "VARCHAR", ["078-05-1120", "219-09-9999"]),
    ("NATIONAL_IDENTIFIER", "マイナンバー", "VARCHAR", ["123456789018"]),
    ("TAX_IDENTIFIER", "steuer_id", "VARCHAR", ["36574261809", "86095742719"]),
    ("TAX_IDENTIFIER", "codice_fiscale", "VARCHAR", ["RCCMNL83S18D969H"]),
    ("TAX_IDENTIFIER", "ein", "VARCHAR", ["12-3456789"]),
    ("PASSPORT", "passport_no", "VARCHAR", ["C01X00T47", "F12345678"]),
    ("DRIVERS_LICENSE", "drivers_license", "VARCHAR", ["B072RRE2I55", "D1234567"]),
    ("MEDICARE_NUMBER", "medicare_number", "VARCHAR", ["2123 45670 1"]),
    ("ORGANIZATION_IDENTIFIER", "abn", "VARCHAR", ["51 824 753 556"]),
    ("IMEI", "device_imei", "VARCHAR", ["490154203237518"]),
    ("VIN", "vin", "VARCHAR", ["1M8GDM9AXKP042788"]),
    ("IP_ADDRESS", "client_ip", "VARCHAR", ["192.0.2.1", "2001:db8::ff00:42:8329"]),
    ("URL", "profile_url", "VARCHAR", ["https://example.com/u/1?x=2", "http://example.org"]),
    ("PHONE_NUMBER", "Telefonnummer", "VARCHAR", ["030 23125 123", "+49 171 3920012"]),
    ("PHONE_NUMBER", "phone_home_2", "VARCHAR", ["(206) 555-0142", "090-5550-1234"]),
    ("NAME", "last_name", "VARCHAR", ["Groß", "渡辺", "O'Brien", "García"]),
    ("NAME", "氏名", "VARCHAR", ["佐藤 健", "鈴木さくら"]),
    ("NAME", "name", "VARCHAR", ["Jürgen Müller", "Anna Weiß", "Dr. Björn Böhm"]),
    ("STREET_ADDRESS", "anschrift", "VARCHAR", ["Hauptstraße 12a", "Lindenallee 3"]),
    ("STREET_ADDRESS", "address_line_1", "VARCHAR", ["12 Oak Street", "4 rue Molière"]),
    ("STREET_ADDRESS", "住所", "VARCHAR", ["東京都港区南町1-2-3", "大阪市北区4丁目5番地"]),
    ("DATE_OF_BIRTH", "Geburtsdatum", "DATE", [date(1980, 2, 29), date(1999, 12, 31)]),
    ("DATE_OF_BIRTH", "dob", "VARCHAR", ["29.02.1980", "31.12.1999"]),
    ("DATE_OF_BIRTH", "birth_date", "TIMESTAMP_NTZ(9)", [datetime(1980, 2, 29)]),
    ("YEAR_OF_BIRTH", "birth_year", "NUMBER(4,0)", [1980, 1999]),
    ("AGE", "age", "NUMBER(3,0)", [17, 42, 99]),
    ("GENDER", "gender", "VARCHAR", ["F", "M", "X"]),
    ("GENDER", "Geschlecht", "VARCHAR", ["weiblich", "männlich", "divers"]),
    ("MARITAL_STATUS", "marital_status", "VARCHAR", ["married", "single"]),
    ("ETHNICITY", "ethnicity", "VARCHAR", ["Asian", "Hispanic or Latino"]),
    ("OCCUPATION", "job_title", "VARCHAR", ["Senior Data Engineer", "Nurse"]),
    ("COUNTRY", "country", "VARCHAR", ["Österreich", "Japan", "日本"]),
    ("COUNTRY", "country_code", "VARCHAR(2)", ["DE", "JP", "US"]),
    ("ADMINISTRATIVE_AREA_1", "state", "VARCHAR", ["CA", "NY", "TX"]),
    ("ADMINISTRATIVE_AREA_1", "Bundesland", "VARCHAR", ["Bayern", "Hessen"]),
    ("ADMINISTRATIVE_AREA_2", "county", "VARCHAR", ["King County", "Orleans Parish"]),
    ("CITY", "city", "VARCHAR", ["Köln", "東京", "Boston"]),
    ("POSTAL_CODE", "plz", "VARCHAR", ["10115", "80331"]),
    ("POSTAL_CODE", "zip", "NUMBER(5,0)", [98101, 60606]),
    ("LAT_LONG", "coordinates", "VARCHAR", ["52.52, 13.405", "-33.87,151.21"]),
    ("LATITUDE", "latitude", "FLOAT", [52.52, -33.87]),
    ("LONGITUDE", "lng", "NUMBER(9,6)", [Decimal("13.405000"), Decimal("151.210000")]),
    ("SALARY", "annual_salary", "NUMBER(12,2)", [Decimal("52000.00"), Decimal("61500.50")]),
    ("SALARY", "Gehalt", "VARCHAR", ["52.000,00 EUR", "€ 61 500"]),
]
LOOK_ALIKES = [
    ("email_opt_in", "BOOLEAN", [True, False]),
    ("email_opt_in", "VARCHAR", ["yes", "no"]),
    ("email_count", "NUMBER(38,0)", [1, 2]),
    ("has_email", "VARCHAR", ["Y", "N"]),
    ("phone_model", "VARCHAR", ["iPhone 15", "Pixel 8"]),
    ("phone_type", "VARCHAR", ["mobile", "landline"]),
    ("mobile_os", "VARCHAR", ["iOS", "Android"]),
    ("card_type", "VARCHAR", ["VISA", "AMEX"]),
    ("card_number", "VARCHAR", ["4111111111111112", "4000001234567890"]),
    ("order_number", "VARCHAR", ["4111111111111112", "4855423663711053"]),
    ("id", "NUMBER(38,0)", list(range(100_000_000, 100_000_200))),
    ("account_id", "NUMBER(38,0)", list(range(10_000_000_000, 10_000_000_300))),
    ("ssn_verified", "BOOLEAN", [True]),
    ("ssn_last_4", "VARCHAR", ["1120", "9999"]),
    ("passport_required", "VARCHAR", ["Y", "N"]),
    ("license", "VARCHAR", ["MIT", "Apache-2.0"]),
    ("software_version", "VARCHAR", ["10.0.19041.1", "1.2.3"]),
    ("sku", "VARCHAR", ["1M8GDM9A1KP042788", "AB-12"]),
    ("page_title", "VARCHAR", ["Home", "About us"]),
    ("product_name", "VARCHAR", ["Rain jacket", "Water filter"]),
    ("name_of_product", "VARCHAR", ["Rain jacket", "Water filter"]),
    ("employee_name_suffix_code", "VARCHAR", ["JR", "SR"]),
    ("file_name", "VARCHAR", ["a.txt", "b.csv"]),
    ("mac_address", "VARCHAR", ["00:1B:44:11:3A:B7"]),
    ("address_validated", "BOOLEAN", [True, False]),
    ("order_date", "DATE", [date(1980, 1, 1)]),
    ("created_at", "TIMESTAMP_NTZ(9)", [datetime(2020, 1, 1, 12, 30)]),
    ("fiscal_year", "NUMBER(4,0)", [2023, 2024]),
    ("page", "NUMBER(3,0)", [17, 42]),
    ("age_group", "VARCHAR", ["18-25", "26-35"]),
    ("status", "VARCHAR", ["single", "married"]),
    ("color", "VARCHAR", ["black", "white"]),
    ("sentiment", "VARCHAR", ["m", "f"]),
    ("state", "VARCHAR", ["PENDING", "DONE"]),
    ("language", "VARCHAR", ["de", "en", "fr"]),
    ("city_tier", "VARCHAR", ["A", "B"]),
    ("quantity", "NUMBER(6,0)", [10115, 80331]),
    ("flat_rate", "FLOAT", [52.5, -33.8]),
    ("price", "NUMBER(12,2)", [Decimal("52000.00")]),
    ("avg_salary", "NUMBER(12,2)", [Decimal("52000.00")]),
    ("salary_band", "VARCHAR", ["B1", "B4"]),
    ("capacity", "VARCHAR", ["Berlin", "Köln"]),
    ("notes", "VARCHAR", ["called on monday", "asked for a refund"]),
]


@pytest.mark.parametrize(("category", "name", "type_name", "values"), POSITIVES)
def test_a_named_column_with_fitting_values_is_recommended_with_high_confidence(
    category, name, type_name, values
):
    assert recommended(name, type_name, values) == (category, "HIGH")


def test_every_native_category_has_a_positive_example():
    assert {category for category, *_ in POSITIVES} == {rule.category for rule in RULES}


@pytest.mark.parametrize(("name", "type_name", "values"), LOOK_ALIKES)
def test_a_look_alike_is_not_recommended(name, type_name, values):
    assert recommended(name, type_name, values) is None


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([f"user{n}@example.com" for n in range(9)], ("EMAIL", "HIGH")),
        (["a@example.com", "b@example.com"], ("EMAIL", "MEDIUM")),
        (["078-05-1120", "219-09-9999", "123-45-6789"], ("NATIONAL_IDENTIFIER", "MEDIUM")),
        (["Germany", "France", "Japan"], ("COUNTRY", "MEDIUM")),
        (["123456789", "987654321"], None),
    ],
)
def test_values_speak_for_themselves_as_far_as_they_can(values, found):
    assert recommended("COLUMN_7", "VARCHAR", values) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("EMAIL", ("EMAIL", "HIGH")),
        ("CITY", ("CITY", "MEDIUM")),
        ("NAME", None),
        ("PRODUCT", None),
    ],
)
def test_an_empty_table_is_predicted_by_name_only_where_the_name_is_clear(name, found):
    assert recommended(name, "VARCHAR", []) == found


def test_the_data_type_can_contradict_the_name():
    assert recommended("EMAIL", "NUMBER(38,0)", [1, 2]) is None
    assert recommended("SALARY", "BOOLEAN", [True]) is None
    assert recommended("BIRTH_DATE", "BOOLEAN", []) is None


def test_values_that_contradict_an_unambiguous_name_leave_a_low_alternate():
    entry = classify_column(ColumnSample("EMAIL", "VARCHAR", ["9f86d081", "60303ae2"]))
    assert entry == {
        "alternates": [
            {
                "confidence": "LOW",
                "coverage": 0,
                "details": [],
                "privacy_category": "IDENTIFIER",
                "semantic_category": "EMAIL",
            }
        ],
        "valid_value_ratio": 1,
    }


def test_the_result_has_the_documented_shape():
    table = [
        ColumnSample("SSN", "VARCHAR(11)", ["078-05-1120", None, "219-09-9999", "", "x" * 300]),
        ColumnSample("ORDER_ID", "NUMBER(38,0)", [1, 2, 3, 4, 5]),
        ColumnSample("PICTURE", "BINARY(8388608)", [b"\x00"]),
    ]
    assert classify_table(table, profile="DB.S.P") == {
        "classification_profile_config": {"classification_profile_name": "DB.S.P"},
        "classification_result": {
            "SSN": {
                "alternates": [],
                "recommendation": {
                    "confidence": "HIGH",
                    "coverage": 1,
                    "details": [{"coverage": 1, "semantic_category": "US_SSN"}],
                    "privacy_category": "IDENTIFIER",
                    "semantic_category": "NATIONAL_IDENTIFIER",
                },
                "valid_value_ratio": 0.4,
            },
            "ORDER_ID": {"alternates": [], "valid_value_ratio": 1},
        },
    }


def test_coverage_is_the_share_of_valid_values():
    values = ["a@example.com"] * 7 + ["none"] * 3 + [None] * 5
    entry = classify_column(ColumnSample("EMAIL", "VARCHAR", values))
    assert entry["recommendation"]["coverage"] == 0.7
    assert entry["recommendation"]["confidence"] == "MEDIUM"
    assert entry["valid_value_ratio"] == 0.6667


def test_details_list_the_countries_that_a_number_fits():
    entry = classify_column(ColumnSample("NATIONAL_ID", "VARCHAR", ["078-05-1120", "54362315K"]))
    assert entry["recommendation"]["details"] == [
        {"coverage": 0.5, "semantic_category": "ES_DNI"},
        {"coverage": 0.5, "semantic_category": "US_SSN"},
    ]


def test_an_employer_number_is_a_quasi_identifier():
    entry = classify_column(ColumnSample("EIN", "VARCHAR", ["12-3456789", "04-1234567"]))
    assert entry["recommendation"]["privacy_category"] == "QUASI_IDENTIFIER"


def test_paths_of_semi_structured_columns_are_classified_on_their_own():
    values = ['{"email": "a@example.com", "tags": ["x"]}', {"email": "b@example.com", "n": 4}]
    email = {
        "alternates": [],
        "recommendation": {
            "confidence": "HIGH",
            "coverage": 1,
            "details": [],
            "privacy_category": "IDENTIFIER",
            "semantic_category": "EMAIL",
        },
    }
    assert classify_column(ColumnSample("PROFILE", "VARIANT", values)) == {
        "object_path_results": {"PROFILE:email": email},
        "recommendation": {
            "confidence": "HIGH",
            "details": [],
            "privacy_category": "IDENTIFIER",
            "semantic_category": "MULTIPLE",
        },
        "valid_value_ratio": 1,
    }


def test_elements_of_arrays_are_written_with_dollars():
    values = ['[{"email": "a@example.com"}]', '[{"email": "b@example.com"}]']
    entry = classify_column(ColumnSample("ARRAY_COL", "ARRAY", values))
    assert list(entry["object_path_results"]) == ["ARRAY_COL:[$$].email"]


def test_semi_structured_columns_without_sensitive_paths_have_no_recommendation():
    entry = classify_column(ColumnSample("PROFILE", "OBJECT", ['{"clicks": 4}', None]))
    assert entry == {"alternates": [], "valid_value_ratio": 0.5}


def test_scalars_at_the_top_of_a_variant_are_the_column_itself():
    entry = classify_column(ColumnSample("EMAIL", "VARIANT", ["a@example.com", '"b@example.com"']))
    assert entry["recommendation"]["semantic_category"] == "EMAIL"
    assert "object_path_results" not in entry


def test_paths_deeper_than_anybody_writes_are_left_alone():
    value = "a@example.com"
    for _ in range(40):
        value = {"email": value}
    entry = classify_column(ColumnSample("DEEP", "VARIANT", [value]))
    assert entry == {"alternates": [], "valid_value_ratio": 1}


def test_only_the_first_five_hundred_paths_are_read():
    wide = {f"k{n:04d}": "x" for n in range(500)} | {"zz_email": "a@example.com"}
    entry = classify_column(ColumnSample("WIDE", "OBJECT", [wide, {"k0000": "y"}]))
    assert "recommendation" not in entry
