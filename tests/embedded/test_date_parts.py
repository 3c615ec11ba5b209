"""Every documented part of a date or time, by each of its names, for every type that has it.

See https://docs.snowflake.com/en/sql-reference/functions-date-time (supported date and time parts)
"""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError
from tests.embedded.conftest import rows

NAMES = {
    "year": "y yy yyy yyyy yr years yrs",
    "quarter": "q qtr qtrs quarters",
    "month": "mm mon mons months",
    "week": "w wk weekofyear woy wy",
    "day": "d dd days dayofmonth",
    "hour": "h hh hr hours hrs",
    "minute": "m mi min minutes mins",
    "second": "s sec seconds secs",
    "nanosecond": "ns nsec nanosec nsecond nanoseconds nanosecs nseconds",
}
FINER = {
    "millisecond": "ms msec milliseconds",
    "microsecond": "us usec microseconds",
}
READ_ONLY = {
    "dayofweek": "weekday dow dw",
    "dayofweekiso": "weekday_iso dow_iso dw_iso",
    "dayofyear": "yearday doy dy",
    "weekiso": "week_iso weekofyeariso weekofyear_iso",
    "yearofweek": "",
    "yearofweekiso": "",
    "epoch_second": "epoch epoch_seconds",
    "epoch_millisecond": "epoch_milliseconds",
    "epoch_microsecond": "epoch_microseconds",
    "epoch_nanosecond": "epoch_nanoseconds",
    "timezone_hour": "tzh",
    "timezone_minute": "tzm",
}
VALUES = {
    "date": "'2024-12-30'::date",
    "time": "'10:11:12.25'::time",
    "timestamp_ntz": "'2024-12-30 10:11:12.25'::timestamp_ntz",
    "timestamp_ltz": "'2024-12-30 10:11:12.25'::timestamp_ltz",
    "timestamp_tz": "'2024-12-30 10:11:12.25 +0530'::timestamp_tz",
}
PARTS = {
    "year": 2024, "quarter": 4, "month": 12, "week": 1, "day": 30, "hour": 10, "minute": 11,
    "second": 12, "nanosecond": 250_000_000, "dayofweek": 1, "dayofweekiso": 1, "dayofyear": 365,
    "weekiso": 1, "yearofweek": 2025, "yearofweekiso": 2025, "epoch_second": 1735553472,
    "epoch_millisecond": 1735553472250, "epoch_microsecond": 1735553472250000,
    "epoch_nanosecond": 1735553472250000000, "timezone_hour": 0, "timezone_minute": 0,
}  # fmt: skip
"""Of the moment without a zone."""
pytestmark = pytest.mark.slow
OF_TIMES = frozenset({"hour", "minute", "second", "nanosecond"})
FINE_EPOCHS = frozenset({"epoch_millisecond", "epoch_microsecond", "epoch_nanosecond"})


@pytest.fixture(scope="module")
def session() -> Iterator[AccountSession]:
    with Account.open() as account:
        yield account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")


def _named(names: dict[str, str]) -> list[tuple[str, list[str]]]:
    return [(name, [name, *words.split()]) for name, words in names.items()]


def _expected(kind: str, part: str) -> int | None:
    """What a part is of a type's value; None where the type has none."""
    east = 5 * 3600 + 30 * 60
    if kind == "time":
        return PARTS[part] if part in OF_TIMES else None
    if kind == "date":
        if part in FINE_EPOCHS:
            return None
        return {"epoch_second": 1735516800}.get(part, 0 if part in OF_TIMES else PARTS[part])
    if kind == "timestamp_tz":
        zone = {"timezone_hour": 5, "timezone_minute": 30}
        if part.startswith("epoch"):
            factor = PARTS[part] // PARTS["epoch_second"]
            power = {1: 1, 1000: 1000, 10**6: 10**6, 10**9: 10**9}[factor]
            return PARTS[part] - east * power
        return zone.get(part, PARTS[part])
    return PARTS[part]


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize(("part", "words"), _named(NAMES | READ_ONLY))
def test_date_part_and_extract_know_every_name(
    session: AccountSession, kind: str, part: str, words: list[str]
) -> None:
    wanted = _expected(kind, part)
    forms = [f"date_part({w}, {VALUES[kind]})" for w in words]
    forms += [f"date_part('{w.upper()}', {VALUES[kind]})" for w in words]
    forms += [f"extract({w} from {VALUES[kind]})" for w in words]
    if wanted is None:
        for form in forms:
            with pytest.raises(SqlError) as refused:
                session.execute(f"select {form}")
            assert refused.value.errno == 1008, form
        return
    assert rows(session, f"select {', '.join(forms)}") == [(wanted,) * len(forms)]


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize(("unit", "words"), _named(NAMES | FINER))
def test_units_move_compare_and_cut_by_every_name(
    session: AccountSession, kind: str, unit: str, words: list[str]
) -> None:
    value, amount = VALUES[kind], 1000 if unit == "nanosecond" else 1
    forms = [f"dateadd({w}, {amount}, {value})" for w in words]
    forms += [f"timestampadd('{w}', {amount}, {value})" for w in words]
    counts = [f"{f}({w}, {value}, {value})" for w in words for f in ("datediff", "timediff")]
    cuts = [f"date_trunc({w}, {value})" for w in words] + [f"trunc({value}, '{w}')" for w in words]
    if kind == "time" and unit in ("year", "quarter", "month", "week", "day"):
        for form in (*forms, *counts, *cuts):
            with pytest.raises(SqlError) as refused:
                session.execute(f"select {form}")
            assert refused.value.errno == 2151, form
        return
    for group in (forms, counts, cuts):
        ((*found,),) = rows(session, f"select {', '.join(group)}")
        assert len({repr(one) for one in found}) == 1, group
    assert rows(session, f"select {counts[0]}") == [(0,)]
    moved = f"datediff({unit}, {value}, dateadd({unit}, {amount}, {value}))"
    assert rows(session, f"select {moved}") == [(amount,)]


LASTS = {"year": date(2024, 12, 31), "quarter": date(2024, 6, 30), "month": date(2024, 5, 31),
         "week": date(2024, 5, 19)}  # fmt: skip


@pytest.mark.parametrize(("unit", "words"), _named(NAMES | FINER | READ_ONLY))
def test_last_day_takes_large_units(session: AccountSession, unit: str, words: list[str]) -> None:
    forms = [f"last_day('2024-05-15 10:00:00'::timestamp_ntz, '{w}')" for w in words]
    if unit in LASTS:
        assert rows(session, f"select {', '.join(forms)}") == [(LASTS[unit],) * len(forms)]
        return
    for form in forms:
        with pytest.raises(SqlError) as refused:
            session.execute(f"select {form}")
        assert refused.value.errno == 2151, form


SLICES = {
    "year": datetime(2024, 1, 1), "quarter": datetime(2024, 1, 1), "month": datetime(2024, 4, 1),
    "week": datetime(2024, 4, 29), "day": datetime(2024, 5, 14),
    "hour": datetime(2024, 5, 15, 9), "minute": datetime(2024, 5, 15, 10, 9),
    "second": datetime(2024, 5, 15, 10, 11, 12),
}  # fmt: skip
"""Slices of three that hold the moment; of a DATE the first five."""


@pytest.mark.parametrize(("unit", "words"), _named(NAMES | FINER))
def test_time_slice_knows_the_units_of_its_types(
    session: AccountSession, unit: str, words: list[str]
) -> None:
    moment = "'2024-05-15 10:11:12.5'::timestamp_ntz"
    forms = [f"time_slice({moment}, 3, '{w}')" for w in words]
    if unit in SLICES:
        assert rows(session, f"select {', '.join(forms)}") == [(SLICES[unit],) * len(forms)]
    dates = [f"time_slice({moment}::date, 3, '{w}')" for w in words]
    refused = dates if unit in OF_TIMES & SLICES.keys() else [*forms, *dates]
    if unit in list(SLICES)[:5]:
        assert rows(session, f"select {', '.join(dates)}") == [(SLICES[unit].date(),) * len(dates)]
        return
    for form in refused:
        with pytest.raises(SqlError) as told:
            session.execute(f"select {form}")
        assert told.value.errno == 2151, form


@pytest.mark.parametrize(
    ("call", "errno"),
    [
        ("time_slice('10:11:12'::time, 3, 'minute')", 1044),
        ("time_slice('2024-05-15'::date, 0, 'day')", 1014),
        ("time_slice('2024-05-15'::date, -1, 'day')", 1014),
        ("last_day('10:11:12'::time)", 1044),
        ("year('10:11:12'::time)", 1044),
        ("next_day('2024-05-15'::date, 'xx')", 1008),
        ("previous_day('2024-05-15'::date, column1)", 1008),
        ("date_part(nope, '2024-05-15'::date)", 1008),
        ("dateadd(dayofweek, 1, '2024-05-15'::date)", 2151),
        ("date_trunc('epoch', '2024-05-15'::date)", 2151),
    ],
)
def test_what_is_no_part_is_refused(session: AccountSession, call: str, errno: int) -> None:
    with pytest.raises(SqlError) as refused:
        session.execute(f"select {call} from values ('xx')")
    assert refused.value.errno == errno


DAYS = {"su": 19, "mo": 20, "tu": 21, "we": 22, "th": 16, "fr": 17, "sa": 18}
"""Days of May 2024 after Wednesday the 15th."""


@pytest.mark.parametrize("day", DAYS)
def test_two_letters_name_a_day_of_the_week(session: AccountSession, day: str) -> None:
    words = [day, day.upper(), f"  {day}", f"{day}whatever "]
    after = date(2024, 5, DAYS[day])
    before = after - timedelta(days=14 if day == "we" else 7)
    forms = [f"next_day('2024-05-15'::date, '{w}')" for w in words]
    for moment in ("'2024-05-15 23:00:00'::timestamp_ntz", "'2024-05-15'"):
        forms.append(f"next_day({moment}, '{day}')")
    assert rows(session, f"select {', '.join(forms)}") == [(after,) * len(forms)]
    calls = ", ".join(f"{f}_day('2024-05-15'::date, column1)" for f in ("next", "previous"))
    asked = f"select {calls} from values ('{day}'), (null)"
    assert rows(session, asked) == [(after, before), (None, None)]


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("hour('10:11:12'::time)", 10), ("minute('10:11:12'::time)", 11),
        ("second('2024-12-30 10:11:12.9'::timestamp_ntz)", 12), ("hour('2024-12-30'::date)", 0),
        ("yearofweek('2024-12-30'::date)", 2025), ("yearofweekiso('2023-01-01'::date)", 2022),
        ("weekofyear('2023-01-01'::date)", 52), ("weekiso('2023-01-01'::date)", 52),
        ("dayofweek('2024-12-29'::date)", 0), ("dayofweekiso('2024-12-29'::date)", 7),
        ("dayofmonth('2024-12-29'::date)", 29), ("dayofyear('2024-12-31'::date)", 366),
        ("quarter('2024-12-29 00:00:00 +0100'::timestamp_tz)", 4),
        ("dayname('2024-12-29'::date)", "Sun"),
        ("monthname('2024-05-29'::timestamp_ltz)", "May"),
        ("date_trunc(hour, '10:11:12'::time)", time(10)),
        ("date_trunc(hour, '2024-05-05'::date)", date(2024, 5, 5)),
        ("datediff(year, '2023-12-31', '2024-01-01')", 1),
        ("datediff(hrs, '10:59:59'::time, '11:00:00'::time)", 1),
        ("add_months('2024-02-29'::date, 1)", date(2024, 3, 31)),
        ("dateadd(month, 1, '2024-01-31'::date)", date(2024, 2, 29)),
    ],
)  # fmt: skip
def test_shorter_names_of_parts(session: AccountSession, call: str, wanted: object) -> None:
    assert rows(session, f"select {call}") == [(wanted,)]
