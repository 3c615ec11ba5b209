"""Rows that change, in words."""

import pytest

from skills_nb.model.events import ModifiedObject
from skills_nb.views.threads.row_changes import changed_line, rows_in_words, rows_of_entry


@pytest.mark.parametrize(
    ("rows", "rows_are", "of", "how", "said"),
    [
        (2800, "exact", 2801, {"deleted": 2800}, "2,800 of 2,801 rows deleted"),
        (2801, "exact", 2801, {"deleted": 2801}, "all 2,801 rows deleted"),
        (1, "exact", 1, {"deleted": 1}, "1 of 1 row deleted"),
        (0, "exact", 12, {"deleted": 0}, "0 of 12 rows deleted"),
        (1, "exact", 12, {"inserted": 1}, "1 row inserted"),
        (0, "exact", 12, {"inserted": 0}, "0 rows inserted"),
        (2000, "exact", None, {"updated": 2000}, "2,000 rows updated"),
        (10, "exact", 1, {"inserted": 9, "updated": 1}, "9 rows inserted, 1 updated"),
        (5, "exact", 5, {"lost": 5}, "all 5 rows lost with the table"),
        (5, "exact", 5, {"exchanged": 5}, "all 5 rows exchanged"),
        (5, "exact", 5, {"cut": 5}, "5 rows each lose what is in a column"),
        (12, "at_most", 12, {}, "at most 12 rows changed"),
        (3, "exact", 12, {}, "3 of 12 rows changed"),
        (None, "unknown", 12, {}, "how many rows is not known"),
    ],
)
def test_rows_are_said_as_they_are_known(rows, rows_are, of, how, said):
    assert rows_in_words(rows, rows_are, of, how) == said


def test_an_object_is_told_with_its_rows_where_rows_are_concerned():
    one = ModifiedObject(type="table", fqn='D.S."t"', rows=2, rows_are="exact", of=3)
    assert changed_line(one) == 'D.S."t": 2 of 3 rows changed'
    assert rows_of_entry(one.model_dump()) == "2 of 3 rows changed"
    assert rows_of_entry({"type": "table", "fqn": "D.S.T"}) == ""
