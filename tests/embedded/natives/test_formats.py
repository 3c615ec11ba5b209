"""Numbers and moments as texts, and back."""

from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.embedded.translator.python_functions import RefusalError, answer

MOMENT = datetime(2024, 3, 5, 14, 5, 6, 789000)


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (MOMENT, None, "2024-03-05 14:05:06.789"),
        (MOMENT.replace(tzinfo=UTC), None, "2024-03-05 14:05:06.789 +0000"),
        (MOMENT, "DY, DD MON YY hh12:mi am", "Tue, 05 Mar 24 02:05 pm"),
        (MOMENT, '"on" MMMM DD', "on March 05"),
        (MOMENT, "FF2", "78"),
        (date(2024, 3, 5), "YYYY/MM/DD", "2024/03/05"),
        (time(1, 2, 3), "HH24.MI", "01.02"),
        (Decimal("12.3"), "999.00", "  12.30"),
        (Decimal("0.5"), "90.9", "  0.5"),
        (Decimal("-1234567.891"), "9,999,999.99", "-1,234,567.89"),
        (Decimal(7), "0000", " 0007"),
        (Decimal(7), "FM0000", "0007"),
        (Decimal(12345), "999", " ###"),
        (Decimal(-5), "S99", " -5"),
        (Decimal(5), "99MI", " 5 "),
        (Decimal(255), "XXXX", "  FF"),
        (Decimal(255), "00xx", "00ff"),
        (Decimal(-12), "0XXX", "FFF4"),
        (Decimal("-12.9"), "S0XXX", "-000C"),
        (Decimal(70000), "XXXX", "####"),
        (Decimal(12345), "9.99EE", " 1.23E4"),
        (Decimal(12345), "9.99EEEE", " 1.23E+04"),
        (Decimal("0.00012"), "9.9EEE", " 1.2E-4"),
        (Decimal(-7), "MI99", "- 7"),
        (Decimal(-7), "$99", " -$7"),
        (Decimal("0.25"), "B9,999.00", "      .25"),
        (Decimal("0.10"), "TM9", "0.10"),
        (Decimal("-0.10"), "TME", "-1E-1"),
        (Decimal("1200.5"), "tme", "1.2005e3"),
        (Decimal("1E+20"), "TM", "1E20"),
        (Decimal("0.25"), "TM9%", "25%"),
        (Decimal("1234567.1234567"), "TM9(6,3)", "1,234,567.123457"),
        (Decimal("1.2"), "999.999", "   1.2  "),
        (Decimal("1.2"), "FM999.999", "1.2"),
        (Decimal(9), '"no. "00":"', "no.  09:"),
        (Decimal("1" * 38), "9" * 38 + ".0", " " + "1" * 38 + ".0"),
        (float("nan"), "99", "##"),
        (b"HELP", "UTF-8", "HELP"),
        (b"HELP", None, "48454C50"),
        (True, None, "true"),
    ],
)
def test_a_value_is_written_by_its_format(value: object, form: str | None, shown: str) -> None:
    assert answer("to_char", value, form) == shown


@pytest.mark.parametrize(
    ("text", "form", "read"),
    [
        ("012,345.67", "999,999.99", "12345.67"),
        (" 12,345.67", "999,999.99", "12345.67"),
        ("12345.67", "999,999.99", "12345.67"),
        ("1,2345.67", "999,999.99", None),
        ("012,345.67", "000,000.00", "12345.67"),
        ("12,345.67", "000,000.00", None),
        ("102-", "MI999|999MI", "-102"),
        ("-101", "MI999|999MI", "-101"),
        ("- 0.1", "99.9", "-0.1"),
        ("0.12", "99.9", None),
        ("ae5", "XXX", "2789"),
        ("ae5", "XX", None),
        ("$3,741.72", "$9,999.99", "3741.72"),
        ("1,234.5", "9,999.9", "1234.5"),
        ("1e5", "TM9", None),
        ("1e5", "TME", "100000"),
        ("25%", "TM9%", "0.25"),
        ("", "99", None),
    ],
)
def test_a_number_is_read_by_its_format(text: str, form: str, read: str | None) -> None:
    assert answer("to_number", text, form, True) == read
    if read is None:
        with pytest.raises(RefusalError, match="Can't parse"):
            answer("to_number", text, form)


@given(st.decimals(-99_999, 99_999, places=2))
def test_a_number_that_was_written_is_read_again(number: Decimal) -> None:
    for form in ("99999.99", "FM99999.00", "S99999.99", "99999.99MI", "B99,999.00", "TM9"):
        written = answer("to_char", number, form)
        assert Decimal(answer("to_number", written, form)) == number


def test_a_time_has_no_year() -> None:
    with pytest.raises(RefusalError, match="YYYY"):
        answer("to_char", time(1), "YYYY")


@given(st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 31)))
def test_a_moment_that_was_written_is_read_again(moment: datetime) -> None:
    form = "YYYY-MM-DD HH24:MI:SS.FF6"
    written = answer("to_char", moment, form)
    assert datetime.fromisoformat(answer("moment", written, "TIMESTAMP", form) or "") == moment


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2024-01-02", "2024-01-02 00:00:00"),
        ("2024-01-02T03:04:05.5Z", "2024-01-02 03:04:05.500000"),
        ("2024-01-02 03:04", "2024-01-02 03:04:00"),
        ("02-JAN-2024", "2024-01-02 00:00:00"),
        ("01/02/2024 03:04:05", "2024-01-02 03:04:05"),
        ("1704164645", "2024-01-02 03:04:05"),
        ("1704164645000", "2024-01-02 03:04:05"),
    ],
)
def test_a_text_is_read_in_each_usual_spelling(text: str, read: str) -> None:
    assert answer("moment", text, "TIMESTAMP") == read


def test_an_offset_counts_where_the_type_has_a_zone() -> None:
    text = "2024-01-02 03:04:05 +02:00"
    assert answer("moment", text, "TIMESTAMPTZ") == "2024-01-02 03:04:05+02:00"
    assert answer("moment", text, "TIMESTAMP") == "2024-01-02 03:04:05"


@pytest.mark.parametrize(
    ("kind", "form", "said"),
    [
        ("DATE", None, "[100040 22007] Date 'nope' is not recognized"),
        ("TIME", None, "[100108 22007] Time 'nope' is not recognized"),
        ("TIMESTAMP", None, "[100035 22007] Timestamp 'nope' is not recognized"),
        ("DATE", "YYYY", "[100096 22007] Can't parse 'nope' as date with format 'YYYY'"),
    ],
)
def test_what_cannot_be_read_is_refused(kind: str, form: str | None, said: str) -> None:
    with pytest.raises(RefusalError) as caught:
        answer("moment", "nope", kind, form)
    assert str(caught.value) == said
    assert answer("moment", "nope", kind, form, True) is None


def test_a_number_that_does_not_fit_is_refused() -> None:
    with pytest.raises(RefusalError, match="Can't parse '12345' as number with format '999'"):
        answer("to_number", "12345", "999")
    assert answer("to_number", "12345", "999", True) is None
