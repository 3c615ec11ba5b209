"""Frames written with `session.write_pandas` come back as they were, value by value."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pandas
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from snowflake.snowpark import Session

import skills_nb

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

_MOMENTS = st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1))  # what 64 bits of ns hold
_DOCUMENTS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.text("abc é\n\"'", max_size=6),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)
_COLUMNS: dict[str, st.SearchStrategy[Any]] = {
    "float": st.floats(allow_nan=False, allow_infinity=True),
    "int": st.integers(-(2**63), 2**63 - 1),
    "decimal": st.decimals(-(10**28), 10**28, allow_nan=False, places=9),
    "bool": st.booleans(),
    "bytes": st.binary(max_size=12),
    "text": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
    "date": st.dates(date(1, 1, 1)),
    "time": st.times(),
    "moment": _MOMENTS,
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """Open a session with a database of its own."""
    opened = skills_nb.connect()
    opened.sql("CREATE DATABASE D").collect()
    yield opened
    opened.close()


def _written(session: Session, values: Any, **options: Any) -> list[Any]:
    frame = pandas.DataFrame({"X": values})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session.write_pandas(frame, "W", auto_create_table=True, overwrite=True, **options)
    return [row[0] for row in session.table("W").collect()]


@pytest.mark.parametrize("kind", _COLUMNS)
def test_values_come_back_as_they_were_with_gaps_among_them(session: Session, kind: str) -> None:
    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(_COLUMNS[kind], min_size=1, max_size=6))
    def check(values: list[Any]) -> None:
        given_values = [*values, None]
        column = pandas.Series(given_values, dtype=object)
        if kind == "int":
            column = pandas.Series(given_values, dtype="Int64")
        assert _written(session, column) == given_values

    check()


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(_DOCUMENTS, max_size=3), min_size=1, max_size=3))
def test_nested_lists_come_back_as_they_were(session: Session, values: list[Any]) -> None:
    text = [json.dumps(value) for value in values]
    frame = pandas.DataFrame({"X": text})
    session.write_pandas(frame, "N", auto_create_table=True, overwrite=True)
    found = session.sql("SELECT PARSE_JSON(X) FROM N").collect()
    assert [json.loads(row[0]) for row in found] == values


def test_documents_of_a_frame_become_variants(session: Session) -> None:
    found = _written(session, [{"a": 1.5, "b": ["x", None]}, None])
    assert (json.loads(found[0]), found[1]) == ({"a": 1.5, "b": ["x", None]}, None)


def test_whole_numbers_of_64_bits_without_a_sign_keep_their_last_digit(session: Session) -> None:
    values = [2**64 - 1, 2**53 + 1, 0]
    assert _written(session, pandas.Series(values, dtype="uint64")) == values


def test_a_number_of_38_digits_keeps_them(session: Session) -> None:
    values = [Decimal("-123456789012345678901234567890123456.78"), None, Decimal("0.01")]
    assert _written(session, values) == values


def test_moments_with_a_zone_are_the_same_instants(session: Session) -> None:
    local = pandas.Series(pandas.to_datetime(["2024-07-01T01:02:03.123456", None]))
    found = _written(session, local.dt.tz_localize("Europe/Berlin"), use_logical_type=True)
    wanted = datetime(2024, 6, 30, 23, 2, 3, 123456, tzinfo=UTC)
    assert (found[0].astimezone(UTC), found[1]) == (wanted, None)
