"""Published examples of every number with a check digit, and the same with one digit changed."""

import pytest

from skills_nb.embedded.classification import checksums, contact, documents, national, registration
from skills_nb.embedded.classification.national import is_day

NATIONAL = {
    "AT_SSN": "1237 010180",
    "BE_NATIONAL_NUMBER": "85.07.30-033.28",
    "BG_UNIFORM_CIVIL_NUMBER": "7523169263",
    "BR_CPF": "529.982.247-25",
    "CA_SOCIAL_INSURANCE_NUMBER": "123-456-782",
    "CH_AHV_NUMBER": "756.9217.0769.85",
    "CZ_PERSONAL_IDENTITY_NUMBER": "710319/2745",
    "DE_IDENTITY_CARD": "T220001293",
    "DK_PERSONAL_IDENTIFICATION_NUMBER": "211062-5629",
    "ES_DNI": "54362315K",
    "FI_NATIONAL_IDENTITY_CARD": "131052-308T",
    "FR_SSN": "2 95 10 99 126 111 93",
    "GR_SSN": "01013099997",
    "HR_PERSONAL_IDENTIFICATION_NUMBER": "33392005961",
    "HU_PERSONAL_IDENTIFICATION_NUMBER": "1-800101-0007",
    "HU_SSN": "111 111 110",
    "IE_PERSONAL_PUBLIC_SERVICE_NUMBER": "6433435F",
    "IN_AADHAAR": "2341 2341 2346",
    "JP_INDIVIDUAL_NUMBER": "1234 5678 9018",
    "LV_PERSONAL_CODE": "161175-19997",
    "NL_CITIZEN_SERVICE_NUMBER": "111222333",
    "PL_NATIONAL_ID": "44051401359",
    "PT_CITIZEN_CARD_NUMBER": "00000000 0 ZZ4",
    "RO_PERSONAL_NUMERIC_CODE": "1630615123457",
    "SE_NATIONAL_ID": "880320-0016",
    "SG_NATIONAL_REGISTRATION_IDENTITY_CARD": "S1234567D",
    "SI_UNIQUE_MASTER_CITIZEN_NUMBER": "0101006500006",
}
REGISTRATIONS = {
    "AT_TAX_ID_NUMBER": "59-119/9013",
    "AU_BUSINESS_NUMBER": "51 824 753 556",
    "AU_COMPANY_NUMBER": "004 085 616",
    "AU_MEDICARE_NUMBER": "2123 45670 1",
    "AU_TAX_NUMBER": "123 456 782",
    "DE_TAX_ID_NUMBER": "36 574 261 809",
    "ES_TAX_ID_NUMBER": "J99216582",
    "FR_TAX_ID_NUMBER": "30 23 217 600 053",
    "GR_TAX_ID_NUMBER": "094259216",
    "HU_TAX_ID_NUMBER": "8071592153",
    "IN_GST_NUMBER": "27AAPFU0939F1ZV",
    "IT_FISCAL_CODE": "RCCMNL83S18D969H",
    "NL_TAX_ID_NUMBER": "NL004495445B01",
    "NZ_BUSINESS_NUMBER": "9429041535110",
    "NZ_INLAND_REVENUE_NUMBER": "49-091-850",
    "NZ_NHI_NUMBER": "ZAC5361",
    "PL_TAX_ID_NUMBER": "856-734-62-15",
    "PT_TAX_ID_NUMBER": "501964843",
    "SE_TAX_ID_NUMBER": "SE123456789701",
    "SI_TAX_ID_NUMBER": "SI50223054",
}
REGISTERED = {**registration.TAX, **registration.ORGANIZATIONS, **registration.HEALTH}
NO_CHECK_DIGIT = {"DK_PERSONAL_IDENTIFICATION_NUMBER"}


def one_digit_changed(text: str) -> list[str]:
    """Every variant of a number in which one digit, of the first eight, is one higher."""
    places = [index for index, char in enumerate(text) if char.isdigit()][:8]
    return [f"{text[:i]}{(int(text[i]) + 1) % 10}{text[i + 1 :]}" for i in places]


def test_every_validator_has_a_published_example():
    assert set(NATIONAL) == set(national.NUMBERS)
    assert set(REGISTRATIONS) == set(REGISTERED)


@pytest.mark.parametrize(("name", "number"), NATIONAL.items())
def test_national_numbers_pass(name, number):
    assert national.NUMBERS[name](number)


@pytest.mark.parametrize("name", sorted(set(NATIONAL) - NO_CHECK_DIGIT))
def test_national_numbers_with_a_changed_digit_fail(name):
    accepted = [text for text in one_digit_changed(NATIONAL[name]) if national.NUMBERS[name](text)]
    assert accepted == []


@pytest.mark.parametrize(("name", "number"), REGISTRATIONS.items())
def test_tax_company_and_health_numbers_pass(name, number):
    assert REGISTERED[name](number)


@pytest.mark.parametrize("name", sorted(REGISTRATIONS))
def test_tax_company_and_health_numbers_with_a_changed_digit_fail(name):
    changed = one_digit_changed(REGISTRATIONS[name])
    if name == "AU_MEDICARE_NUMBER":
        changed = changed[1:]
    assert [text for text in changed if REGISTERED[name](text)] == []


def test_a_danish_number_is_a_day_and_four_digits():
    accepts = national.NUMBERS["DK_PERSONAL_IDENTIFICATION_NUMBER"]
    assert (accepts("310262-5629"), accepts("280262-5629")) == (False, True)


@pytest.mark.parametrize("number", ["078-05-1120", "078 05 1120", "078051120"])
def test_a_social_security_number_may_be_written_three_ways(number):
    assert national.US_SSN(number)


@pytest.mark.parametrize(
    "number",
    ["000-12-3456", "666-12-3456", "912-12-3456", "123-00-4567", "123-45-0000", "123-456789"],
)
def test_a_social_security_number_that_was_never_issued_is_refused(number):
    assert not national.US_SSN(number)


def test_insurance_numbers_with_unused_prefixes_are_refused():
    accepts = national.UK_NATIONAL_INSURANCE_NUMBER
    assert accepts("AB 12 34 56 C")
    assert [text for text in ("BG123456A", "AO123456C", "AB123456E") if accepts(text)] == []


def test_estonian_and_luxembourgish_codes_hold_a_day():
    assert national.BALTIC_PERSONAL_CODE("36805280109")
    assert not national.BALTIC_PERSONAL_CODE("36802300109")
    assert national.LU_PERSON("1893120105732")
    assert not national.LU_PERSON("1893130105732")


@pytest.mark.parametrize(
    "number",
    [
        "4111111111111111",
        "4111-1111-1111-1111",
        "378282246310005",
        "5555 5555 5555 4444",
        "6011111111111117",
        "3530111333300000",
    ],
)
def test_card_numbers_of_all_schemes_pass(number):
    assert contact.PAYMENT_CARD(number)


@pytest.mark.parametrize(
    "number", ["4111111111111112", "9111111111111118", "411111111111", "1234567812345670"]
)
def test_card_numbers_need_a_check_digit_and_an_issuer(number):
    assert not contact.PAYMENT_CARD(number)


def test_an_iban_has_the_length_of_its_country():
    passing = ["DE89 3704 0044 0532 0130 00", "NO9386011117947", "FR1420041010050500013M02606"]
    failing = ["DE88370400440532013000", "DE8937040044053201300", "XX89370400440532013000"]
    assert [text for text in passing + failing if contact.IBAN(text)] == passing


def test_vehicle_and_device_numbers_carry_a_check_digit():
    assert (contact.VIN("1M8GDM9AXKP042788"), contact.VIN("1M8GDM9A1KP042788")) == (True, False)
    assert (contact.IMEI("490154203237518"), contact.IMEI("490154203237519")) == (True, False)


@pytest.mark.parametrize("digits", ["7992739871", "40000012345", "0"])
def test_exactly_one_luhn_digit_completes_a_number(digits):
    completing = [check for check in "0123456789" if checksums.luhn(digits + check)]
    assert completing == [checksums.luhn_digit(digits)]


def test_all_passport_and_licence_countries_of_the_manual_are_there():
    europe = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
    assert set(documents.PASSPORTS) == {*europe.split(), "AU", "CA", "NZ", "SG", "US"}
    assert set(documents.LICENCES) == {*europe.split(), "AU", "CA", "IN", "NZ", "US"}


def test_days_that_do_not_exist_are_told_apart():
    assert (is_day(2024, 2, 29), is_day(2023, 2, 29)) == (True, False)


def test_latvian_codes_issued_since_2017_hold_no_day():
    accepts = national.NUMBERS["LV_PERSONAL_CODE"]
    assert (accepts("321175-19997"), accepts("321375-1999")) == (True, False)


def test_new_zealand_accounts_name_a_bank_that_exists():
    accepts = contact.NZ_BANK_ACCOUNT
    assert (accepts("12-3456-7890123-00"), accepts("99-3456-7890123-00")) == (True, False)
