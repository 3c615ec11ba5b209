"""How many rows an answer says that a statement changed."""

import pytest

from skills_nb.sql.result_counts import counts_of, is_counted, total_of

INSERTED, UPDATED, TWICE = (
    "number of rows inserted",
    "number of rows updated",
    "number of multi-joined rows updated",
)


@pytest.mark.parametrize(
    ("columns", "rows", "counts"),
    [
        ([INSERTED], [(3,)], {INSERTED: 3}),
        ([UPDATED, TWICE], [(3, 2)], {UPDATED: 3, TWICE: 2}),
        ([INSERTED], [], {}),
        (["file", "rows_loaded"], [("a", 2), ("b", None)], {"rows_loaded": 2}),
        (["status"], [("Copy executed with 0 files processed.",)], {"rows_loaded": 0}),
    ],
)
def test_an_answer_to_a_change_has_counts(columns, rows, counts):
    assert (is_counted(columns), counts_of(columns, rows)) == (True, counts)


@pytest.mark.parametrize(
    ("columns", "rows"),
    [(["status"], [("Table T successfully dropped.",)]), (["status"], []), (["A"], [(1,)])],
)
def test_another_answer_has_none(columns, rows):
    assert counts_of(columns, rows) is None


def test_rows_that_met_several_others_count_once():
    assert total_of({UPDATED: 3, TWICE: 2}) == 3
