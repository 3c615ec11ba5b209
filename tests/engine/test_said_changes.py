"""What a goal wants changed: the column, the value, and the words left for the rows."""

from __future__ import annotations

import pytest

from skills_nb.engine.inputs.wording.said_changes import (
    ChangeSaid,
    change_said,
    may_change,
    value_marked,
    value_swapped,
)

COLUMNS = ("STATUS", "PRICE", '"VIP?"', "CITY")


@pytest.mark.parametrize(
    ("goal", "column", "value", "rows"),
    [
        ("set status to closed where price is 1", "STATUS", "closed", "where price is 1"),
        ("please fill empty prices with 0", "PRICE", "0", "prices is missing"),
        ("orders: set status = 'in repair' where price is 1", "STATUS", "in repair", "price is 1"),
        ("set status of orders in Bern to closed", "STATUS", "closed", "of orders in Bern"),
        ("change VIP? to no for all", '"VIP?"', "no", "for all"),
        ("change city from Genf to Geneva", "CITY", "Geneva", "city is Genf"),
        ("replace Genf by Geneva in the city", "CITY", "Geneva", "city is Genf"),
    ],
)
def test_a_change_is_read_by_its_column(goal, column, value, rows):
    said = change_said(goal, COLUMNS)
    assert said is not None
    assert (said.column, said.value) == (column, value)
    assert rows in said.rows


@pytest.mark.parametrize(
    "goal",
    ["rename status to state", "set the retention to 7 days", "show status", "how many per status"],
)
def test_what_changes_no_value_is_not_read(goal):
    assert change_said(goal, COLUMNS) is None


def test_a_value_is_swapped_and_rows_are_marked_without_a_column():
    swapped = value_swapped("rename Genf back to Geneva in clients")
    assert swapped is not None
    assert (swapped.column, swapped.value, swapped.former) == ("", "Geneva", "Genf")
    assert value_swapped("rename the column a to b") is None
    assert value_marked("mark invoice 2 as paid") == ChangeSaid("", "paid", "", "invoice 2")
    assert value_marked("mark my words") is None


def test_only_what_begins_with_a_verb_of_change_may_change():
    assert may_change("please set it to 3")
    assert not may_change("show what was set to 3")
