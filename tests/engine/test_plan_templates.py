"""Which offered plan a goal gets, and which of its names goes to which input."""

import pytest

from skills_nb.engine.guided.plan_templates import plan_for
from skills_nb.model.diagnostics import Span
from skills_nb.model.skills import CodeBlock, InputSpec, PlannedWork, PlanTemplate, Primitive

INTENT = ("intent",)
WORK = (PlannedWork("Do it.", CodeBlock("sql", "SELECT 1", 1)),)


def named(goal, *inputs, said=("do",), unless=()):
    """Return the names that the inputs of a plan get from a goal, or None without a plan."""
    plan = PlanTemplate("Do", said, inputs, WORK, unless=unless)
    found = plan_for(goal, Primitive("p", "d", "P", "", Span("p.md", 1), plans=(plan,)))
    return None if found is None else [spec.default for spec in found.inputs]


def table(name):
    return InputSpec(name, type="table", infer_from=INTENT)


def test_a_plan_is_not_offered_where_a_goal_wants_something_else():
    assert named("drop the table A.B", said=("drop table",), unless=("primary key",)) == []
    assert named("drop the table's key", said=("drop table",), unless=("primary key",)) == []
    goal = "drop the primary keys of table A.B"
    assert named(goal, said=("drop table",), unless=("primary key",)) is None


@pytest.mark.parametrize(
    "goal", ["do stream A.B.S on A.B.T", 'do it on A.B.T with the stream A."B".S', "do A.B.T"]
)
def test_a_name_behind_its_kind_goes_to_the_input_of_that_kind(goal):
    source, stream = named(goal, table("source"), table("stream"))
    assert source == "A.B.T"
    assert stream in ((None,) if "stream" not in goal else ("A.B.S", 'A."B".S'))


def test_the_first_of_two_names_goes_to_the_first_input():
    assert named("do A.B.T to A.B.U", table("source"), table("copy")) == ["A.B.T", "A.B.U"]


def test_a_new_column_takes_a_name_alone_and_an_existing_one_is_looked_up():
    new = InputSpec("new_name", type="identifier", infer_from=INTENT)
    old = InputSpec(
        "column", type="identifier", infer_from=INTENT, choices=("{columns of source}",)
    )
    goal = 'do column "was" in A.B.T as "is now"'
    assert named(goal, table("source"), old, new) == ["A.B.T", '"was"', '"is now"']
    assert named('do it in A.B.T as "is now"', table("source"), old, new)[1] is None
