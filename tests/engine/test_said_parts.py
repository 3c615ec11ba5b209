"""What a goal says word for word, leaves out, or calls something new."""

from __future__ import annotations

from datetime import date

import pytest

from skills_nb.engine.inputs.absent_objects import (
    names_two_parts,
    presence_query,
    tells_column,
    without_absent,
    without_place,
)
from skills_nb.engine.inputs.left_out_columns import columns_left_out, stretches_left_out
from skills_nb.engine.inputs.new_tables import copy_said, names_new_table, stretches_naming
from skills_nb.engine.inputs.wording.named_choices import grouped_by
from skills_nb.engine.inputs.wording.said_moments import moments_said
from skills_nb.engine.inputs.wording.said_texts import texts_said, with_spans
from skills_nb.model.skills import InputSpec
from skills_nb.model.state import Fact
from skills_nb.sql.templates import Name

COLUMNS = ("SALARY", '"e-mail"', "TEAM")


@pytest.mark.parametrize(
    ("goal", "left_out"),
    {
        "unload staff without salary and e-mail": ("SALARY", '"e-mail"'),
        "unload staff, leave out the team": ("TEAM",),
        "unload staff per team": (),
        "unload staff without salary where the team is A": ("SALARY",),
    }.items(),
)
def test_columns_behind_without_are_left_out(goal, left_out):
    assert columns_left_out(goal, COLUMNS) == left_out


def test_a_stretch_that_leaves_out_is_told():
    goal = "unload staff without salary and team to box"
    told = [goal[start:end] for start, end in stretches_left_out(goal, COLUMNS)]
    assert "".join(told) == "without salary and team"


@pytest.mark.parametrize(
    ("goal", "name", "text"),
    [
        ("load weather.csv from box", "file", ["weather.csv"]),
        ("load a.csv and b.csv from box", "file", []),
        ("run DELETE FROM T WHERE A = 1 every Monday", "statement", ["DELETE FROM T WHERE A = 1"]),
        ("delete the old rows every Monday", "statement", []),
        ('comment on the ships: "what sails"', "text", ["what sails"]),
        ("comment on the ships", "text", []),
        ("load weather.csv", "value", []),
    ],
)
def test_texts_are_known_by_their_form(goal, name, text):
    assert list(texts_said(goal, name)) == text


def test_how_often_is_said_as_a_span():
    assert with_spans("refreshed every hour").endswith("; 1 hour")
    assert with_spans("every 10 minutes, daily").endswith("; 10 minute ; 1 day")
    assert with_spans("May against June").endswith("; month")
    assert with_spans("per ward") == "per ward"


@pytest.mark.parametrize(
    ("goal", "name"),
    {
        "rename the ships table to vessels": "A.B.VESSELS",
        'create table "late ones" from ships': 'A.B."late ones"',
        "clone ships as C.D.X": "C.D.X",
        "create a table of ships": None,
    }.items(),
)
def test_a_new_table_stands_beside_its_source(goal, name):
    source = {"source": Name(("A", "B", "ships"))}
    assert copy_said(goal, source) == name
    assert names_new_table(goal) is (name is not None)
    assert len(list(stretches_naming(goal))) == (name is not None)


def test_without_a_source_nothing_is_called_new():
    assert copy_said("rename it to vessels", {}) is None


def test_what_joins_a_second_group_names_it_too():
    assert grouped_by("rows by team and salary", COLUMNS) == ("SALARY", "TEAM")[::-1]
    assert grouped_by("rows per month and team", COLUMNS) == ("TEAM",)
    assert grouped_by("rows by team with a salary", COLUMNS) == ("TEAM",)


@pytest.mark.parametrize(
    ("words", "sql"),
    {
        "october and november": (
            "(C >= '2026-10-01' AND C < '2026-11-01' OR C >= '2026-11-01' AND C < '2026-12-01')"
        ),
        "between october and december 2025": "C >= '2025-10-01' AND C < '2026-01-01'",
    }.items(),
)
def test_two_months_are_both_or_a_span(words, sql):
    (said,) = moments_said(words, date(2026, 11, 27))
    assert said.condition("C") == sql


def test_a_span_of_months_that_ends_before_it_begins_is_not_read():
    words = "between november 2026 and march 2026"
    assert "OR" not in " ".join(one.condition("C") for one in moments_said(words, date.max))


# ---- what is not there

TABLE = InputSpec(
    "source",
    type="table",
    choices=("{tables}",),
    description="Table to clone",
    default='A."b c".T',
    has_default=True,
)


def spec_of(default: str | None, choice: str = "{tables}") -> InputSpec:
    return InputSpec(
        "source",
        type="table",
        choices=(choice,),
        description="Pick",
        default=default,
        has_default=default is not None,
    )


def found(*names: str) -> Fact:
    rows = [[name] for name in names]
    return Fact(0, "SHOW", None, {"columns": ["name"], "rows": rows, "row_count": len(rows)})


def test_what_was_given_in_full_is_looked_up():
    assert presence_query(TABLE) == "SHOW OBJECTS LIKE 'T' IN SCHEMA A.\"b c\""
    assert presence_query(spec_of("A.T")) is None
    assert presence_query(spec_of(None)) is None
    assert presence_query(spec_of("A.B.P", "{procedures}")) is None
    assert presence_query(spec_of("A.B.T", "{columns of source}")) is None


def test_what_is_there_stays_and_what_is_not_is_said():
    assert without_absent(TABLE, found("T", "T2")) is TABLE
    absent = without_absent(TABLE, found("t"))
    assert (absent.has_default, absent.infer_from) == (False, ())
    assert absent.description == 'Table to clone. Your role can see no table or view A."b c".T'
    of_images = without_absent(spec_of("A.B.I", "{image repositories}"), found())
    assert of_images.description == "Pick. Your role can see no image repository A.B.I"


def test_a_column_with_its_table_is_no_table():
    short = spec_of("patients.phone")
    assert names_two_parts(short)
    assert not names_two_parts(TABLE)
    assert tells_column(short, ("A.B.PATIENTS",))
    assert not tells_column(short, ("A.PATIENTS.PHONE",))
    assert without_place(short).infer_from == ("intent",)
