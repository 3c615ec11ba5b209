"""What is to be made beside something is offered a name that nothing has."""

from __future__ import annotations

import pytest

from skills_nb.engine.inputs.questions import Choices, choices_for
from skills_nb.model.skills import InputSpec
from skills_nb.model.state import Fact
from skills_nb.sql.templates import Name

_COPY = InputSpec("copy_name", type="scope", choices=("{free name of source and DEV}",))


def _offered(source: str, query: str, *taken: str) -> Choices:
    found = {"columns": ["name"], "rows": [[name] for name in taken], "row_count": len(taken)}
    fact = Fact(1, query, None, found)
    return choices_for(_COPY, None, [fact], {"source": Name.parse(source)})


@pytest.mark.parametrize(
    ("source", "query", "taken", "name"),
    [
        ("SALES", "SHOW DATABASES", ("SALES",), "SALES_DEV"),
        ("SALES", "SHOW DATABASES", ("SALES", "SALES_DEV", "SALES_DEV_2"), "SALES_DEV_3"),
        ('"My Shop"', "SHOW DATABASES", ("My Shop_DEV",), '"My Shop_dev_2"'),
        ("SALES.OPS", "SHOW SCHEMAS IN DATABASE SALES", ("OPS_DEV",), "SALES.OPS_DEV_2"),
        ("A.B.C", "SHOW OBJECTS IN SCHEMA A.B STARTS WITH 'C'", ("C", "C_DEV"), "A.B.C_DEV_2"),
        (
            '"Trade House"."ops"',
            'SHOW SCHEMAS IN DATABASE "Trade House"',
            ("ops",),
            '"Trade House"."ops_dev"',
        ),
    ],
)
def test_the_first_name_that_nothing_has_is_offered(
    source: str, query: str, taken: tuple[str, ...], name: str
) -> None:
    assert _offered(source, query, *taken) == Choices((name,))


def test_the_account_is_asked_first_and_nothing_is_offered_where_it_says_nothing() -> None:
    bound = {"source": Name.parse("SALES.OPS")}
    asked = "SHOW SCHEMAS IN DATABASE SALES"
    assert choices_for(_COPY, None, [], bound) == Choices((), discovery=asked)
    refused = Fact(1, asked, None, {"error": {"text": "no", "errno": 2003, "sqlstate": None}})
    assert choices_for(_COPY, None, [refused], bound) == Choices(())


@pytest.mark.parametrize("bound", [{}, {"source": Name(("A", "B", "C", "D"))}, {"source": "SALES"}])
def test_what_no_name_can_stand_beside_is_offered_none(bound: dict[str, object]) -> None:
    assert choices_for(_COPY, None, [], bound) == Choices(())
