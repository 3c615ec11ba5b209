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
        (Decimal(255), "XXXX", "   FF"),
        (Decimal(12345), "9.99EEEE", " 1.23E4"),
        (b"HELP", "UTF-8", "HELP"),
        (b"HELP", None, "48454C50"),
        (True, None, "true"),
    ],
)
def test_a_value_is_written_by_its_format(value: object, form: str | None, shown: str) -> None:
    assert answer("to_char", value, form) == shown


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


@pytest.mark.parametrize(
    ("text", "form", "read"),
    [("1,234.5", "9,999.9", "1234.5"), ("$12.34", "$99.99", "12.34"), ("FF", "XX", "255")],
)
def test_a_number_is_read_by_its_format(text: str, form: str, read: str) -> None:
    assert answer("to_number", text, form) == read


def test_a_number_that_does_not_fit_is_refused() -> None:
    with pytest.raises(RefusalError, match="Can't parse '12345' as number with format '999'"):
        answer("to_number", "12345", "999")
    assert answer("to_number", "12345", "999", True) is None
