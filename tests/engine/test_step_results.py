"""What a step's reads found and its statements made, by the paths of `binds`."""

import json

import pytest

from skills_nb.engine.planning.step_results import bind, shows_effect
from skills_nb.errors import UsageError
from skills_nb.model.events import CreatedObject
from skills_nb.model.state import Fact
from tests.builders import playbook, step
from tests.engine.driving import Drive

ROWS = Fact(1, "q", None, {"columns": ["A", "b"], "rows": [[1, "x"], [2, "y"]], "row_count": 9})
NOTHING = Fact(2, "q", None, {"columns": ["A"], "rows": [], "row_count": 0})
MADE = [
    CreatedObject(type="role", name="R", fqn="R"),
    CreatedObject(type="view", name="V", fqn="D.S.V"),
    CreatedObject(type="view", name="W"),
]


def document(value):
    return Fact(3, "q", None, {"columns": ["J"], "rows": [[value]], "row_count": 1})


def bound(path, *facts, looped=False):
    reads = [[fact] for fact in facts] if looped else [list(facts)]
    return bind(step("1", binds={"n": path}), reads, MADE, looped=looped)["n"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("rows", [{"A": 1, "b": "x"}, {"A": 2, "b": "y"}]),
        ("row_count", 9),
        ("first.a", 1),
        ("first.B", "x"),
        ("column.A", [1, 2]),
        ("created_objects", ["R", "D.S.V", "W"]),
        ("created_objects.view", ["D.S.V", "W"]),
        ("created_objects.table", []),
        ("created_objects.count", 3),
    ],
)
def test_a_path_tells_what_it_names(path, value):
    assert bound(path, ROWS) == value


def test_the_last_read_of_a_step_counts_and_a_loop_gives_one_value_an_item():
    assert bound("row_count", ROWS, NOTHING) == 0
    assert bound("row_count", ROWS, NOTHING, looped=True) == [9, 0]


def test_nothing_found_is_nothing_bound():
    assert bound("first.A", NOTHING) is None
    assert bound("column.A", NOTHING) == []
    assert bound("json.a", NOTHING) is None


@pytest.mark.parametrize("wrap", [json.dumps, lambda value: value])
def test_a_document_is_read_as_text_and_as_a_value(wrap):
    fact = document(wrap({"a": {"b": [1]}}))
    assert bound("json.a.b", fact) == [1]
    assert bound("json", fact) == {"a": {"b": [1]}}
    assert bound("json.a.nothing.more", fact) is None


@pytest.mark.parametrize(
    ("path", "fact", "complaint"),
    [
        ("first.C", ROWS, "has no column 'C'"),
        ("column.C", ROWS, "has no column 'C'"),
        ("last.A", ROWS, "'last.A' is not a path"),
        ("json.a", document("no { json" + "x" * 99), "the result is not JSON: no { json"),
    ],
)
def test_a_path_that_fits_nothing_is_refused_with_the_repair(path, fact, complaint):
    with pytest.raises(UsageError, match=complaint) as refused:
        bound(path, fact)
    assert refused.value.hint


def test_a_step_that_reads_nothing_binds_nothing():
    with pytest.raises(UsageError, match="none of its statements reads"):
        bind(step("1", binds={"n": "rows"}), [], MADE, looped=False)


def test_a_result_that_does_not_fit_is_put_before_a_person():
    drive = Drive(playbook(step("1", "SELECT N FROM T", binds={"n": "json.a"})))
    drive.account.answers["FROM T"] = [{"N": "no json"}]
    assert drive.run().pause.at == "error:1"
    assert "the result is not JSON" in drive.pause.present


THERE = ([[1]], [["A"]], [[True]], [["x", 0]])
NOT_THERE = ([], [[0]], [["0"]], [[None]], [["FALSE"]], [[False]], [[""]])


@pytest.mark.parametrize("rows", [*THERE, *NOT_THERE])
def test_an_effect_is_there_when_its_probe_says_so(rows):
    assert shows_effect(rows) is (rows in THERE)
