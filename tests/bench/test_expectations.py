"""What an answer must look like, exactly."""

import pytest

from skills_nb.bench.tasks.expectations import compares, expectation, same_answer, same_cell
from skills_nb.errors import SqlError, UsageError
from skills_nb.ports import QueryRows


def _rows(*rows, columns=("A",)):
    return QueryRows(columns, tuple(rows), len(rows))


@pytest.mark.parametrize(
    ("found", "expected", "is_same"),
    [
        (1, 1, True),
        ("12.50", 12.5, True),
        ("12.50", "12.5", False),
        (None, None, True),
        (None, 0, False),
        (0, None, False),
        (True, True, True),
        (1, True, False),
        ("TRUE", True, True),
        ("a", "A", False),
        ("ten", 10, False),
    ],
)
def test_cells_are_the_same_by_value(found, expected, is_same):
    assert same_cell(found, expected) is is_same


@pytest.mark.parametrize("sign", [">=", "<=", "!=", "<>", "==", "=", ">", "<"])
def test_every_comparison_is_read(sign):
    holds = {">=": True, "<=": True, "!=": False, "<>": False, "==": True, "=": True}
    assert compares(3, f"{sign} 3") is holds.get(sign, False)
    assert compares(None, f"{sign} 3") is False


@pytest.mark.parametrize(
    ("kind", "expected", "found", "problem"),
    [
        ("value", 3, _rows((3,)), ""),
        ("value", 3, _rows((4,)), "4, expected 3"),
        ("value", 3, _rows(), "0 rows of 1 columns, expected one value"),
        ("compare", ">= 3", _rows((3,)), ""),
        ("compare", ">= 4", _rows((3,)), "3, expected >= 4"),
        ("rows", [[1], [None]], _rows((1,), (None,)), ""),
        ("rows", [[1], [2]], _rows((2,), (1,)), "row 1 is (2), expected (1)"),
        ("rows", [[1]], _rows((1,), (1,)), "2 rows, expected 1: (1), (1)"),
        ("rows_in_any_order", [[1], [2]], _rows((2,), (1,)), ""),
        ("rows_in_any_order", [[1], [1]], _rows((1,), (2,)), "no row (1) in (1), (2)"),
        ("row_count", 0, _rows(), ""),
        ("row_count", ">= 1", _rows(), "0 rows, expected >= 1"),
        ("matches", "^a.c$", _rows(("abc",)), ""),
        ("matches", "^a.c$", _rows((None,)), "None does not match '^a.c$'"),
    ],
)
def test_what_is_found_is_compared(kind, expected, found, problem):
    assert expectation(kind, expected).problem(found) == problem


def test_a_refusal_is_expected_by_number_or_words():
    refused = SqlError("Insufficient privileges to operate on table 'T'", errno=3001)
    assert expectation("refused", 3001).problem(refused) == ""
    assert expectation("refused", "insufficient privileges").problem(refused) == ""
    assert "another reason" in expectation("refused", 2003).problem(refused)
    assert expectation("refused", 3001).problem(_rows((1,))) == "accepted, and must be refused"


def test_an_error_meets_no_other_expectation():
    assert (
        expectation("row_count", 0).problem(SqlError("no such table")) == "refused: no such table"
    )


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("rows", 1),
        ("rows", [1]),
        ("compare", "3"),
        ("compare", 3),
        ("row_count", True),
        ("matches", "("),
        ("value", [1]),
    ],
)
def test_an_expectation_that_says_nothing_is_refused(kind, expected):
    with pytest.raises(UsageError):
        expectation(kind, expected)


def test_answers_are_the_same_in_any_order_with_their_duplicates():
    assert same_answer(_rows((1,), (2,)), _rows((2,), (1,)))
    assert not same_answer(_rows((1,), (1,)), _rows((1,)))
    assert not same_answer(_rows((1,)), _rows((1,), columns=("B",)))
