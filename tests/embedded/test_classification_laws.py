"""Laws: total, independent of row order, deterministic, quick, and always of the same shape."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skills_nb.embedded.classification import ColumnSample, classify_table
from skills_nb.embedded.classification.evidence import Coverage, weigh
from skills_nb.embedded.classification.names import NameEvidence
from skills_nb.embedded.classification.rules import RULES

TYPES = ("VARCHAR(20)", "NUMBER(38,0)", "FLOAT", "DATE", "BOOLEAN", "VARIANT", "BINARY", "", "?(")
NAMES = ("EMAIL", "ssn", "name", "age", "phone", "dob", "address", "tax_id", "passport", "x")
ODD = st.sampled_from(
    ("٣٣٣٤٥٦٧٨٩", "１２３-45-6789", "²³", "a@b", "1E400", "NaN", "\x00", "[[[[", "{}")
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.decimals(),
    st.dates(),
    st.datetimes(),
    st.times(),
    st.binary(max_size=8),
    st.text(max_size=40),
    st.from_regex(r"[A-Z0-9 +/.()-]{1,20}", fullmatch=True),
    ODD,
)
NESTED = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
COLUMNS = st.builds(
    ColumnSample,
    name=st.one_of(st.sampled_from(NAMES), st.text(max_size=20)),
    type=st.sampled_from(TYPES),
    values=st.lists(NESTED, max_size=12),
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(COLUMNS, max_size=3, unique_by=lambda column: column.name))
def test_classification_never_raises_and_always_gives_json(columns):
    result = classify_table(columns)
    assert json.loads(json.dumps(result)) == result
    for entry in result["classification_result"].values():
        assert set(entry) <= {
            "alternates",
            "recommendation",
            "valid_value_ratio",
            "object_path_results",
        }
        assert 0 <= entry["valid_value_ratio"] <= 1


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(COLUMNS, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(column, shuffler):
    shuffled = list(column.values)
    shuffler.shuffle(shuffled)
    again = ColumnSample(column.name, column.type, tuple(shuffled))
    assert classify_table([again]) == classify_table([column])


@settings(max_examples=100, deadline=None)
@given(st.from_regex(r"[\x20-\x7e]{1,60}", fullmatch=True))
def test_every_check_answers_every_text(text):
    answers = {check.accepts(text) for rule in RULES for check in rule.checks}
    assert answers <= {True, False}


@given(
    st.sampled_from(NameEvidence),
    st.sampled_from(NameEvidence),
    st.tuples(*[st.floats(0, 1)] * 3).map(lambda shares: sorted(shares, reverse=True)),
    st.integers(0, 10),
)
def test_a_clearer_name_never_lowers_the_confidence(one, other, shares, distinct):
    less, more = sorted((one, other))
    seen = Coverage(*shares, distinct=distinct)
    assert (weigh(less, seen) or 0) <= (weigh(more, seen) or 0)


def test_a_large_sample_of_thirty_columns_takes_well_under_a_second_of_processor_time():
    makers = (
        lambda n: f"user{n}@example.com",
        lambda n: f"{4_000_000_000_000_000 + n * 7919}",
        lambda n: f"{n % 400 + 1} Main Street",
        lambda n: ("Germany", "Japan")[n % 2],
        lambda n: f"a longer free text about number {n}",
    )
    columns = [
        ColumnSample(f"C{place}", "VARCHAR", [makers[place % 5](n) for n in range(10_000)])
        for place in range(30)
    ]
    started = time.process_time()
    classify_table(columns)
    assert time.process_time() - started < 1.0
