"""A plan that nobody wrote names what its goal and its inputs say, and no example's objects."""

import pytest

from skills_nb.engine.guided.guardrails import Objection, borrowed_name_objection
from skills_nb.model.events import PlannedStep
from tests.builders import library, primitive

EXAMPLES = "Empty it:\n\n```sql\nTRUNCATE TABLE raw.orders;\n```\n"
LIBRARY = library(primitives={"tables": primitive("tables", Examples=EXAMPLES)})


def judged(sql, goal="empty a table", values=()):
    steps = [PlannedStep(step="1", action="x", primitive="tables", sql=sql)]
    return borrowed_name_objection(steps, LIBRARY, goal, values)


@pytest.mark.parametrize("sql", ["TRUNCATE TABLE raw.orders", "DELETE FROM DB.RAW.ORDERS"])
def test_a_name_that_only_an_example_says_is_refused(sql):
    assert judged(sql) == Objection(
        "example_name",
        "Step 1 names RAW.ORDERS, which is only an example's name. Say which object is meant.",
    )


@pytest.mark.parametrize(
    ("goal", "values"), [("empty raw.orders", ()), ("empty it", ("DB.RAW.ORDERS",))]
)
def test_a_name_that_the_person_said_is_theirs(goal, values):
    assert judged("TRUNCATE TABLE DB.RAW.ORDERS", goal, values) is None


def test_another_name_is_no_examples():
    assert judged("TRUNCATE TABLE DB.RAW.OTHERS") is None
