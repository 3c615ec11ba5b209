"""What rests on an object is told by its whole name, as far as a row says it."""

import pytest

from skills_nb.sql.objects import ObjectRef
from skills_nb.sql.objects.dependents import streams_on

_VIEW = ObjectRef("view", ("Trade House", "SHARED", "orders"))


def _told(ref: ObjectRef, table: str) -> list[str]:
    (asked,) = streams_on(ref)
    row = {"database_name": "D", "schema_name": "S", "name": "CHANGES", "table_name": table}
    return [name] if (name := asked.name(row)) else []


@pytest.mark.parametrize(
    "table",
    [
        '"Trade House".SHARED."orders"',
        "Trade House.SHARED.orders",
        "SHARED.orders",
        "orders",
        "TRADE HOUSE.SHARED.ORDERS",
    ],
)
def test_a_stream_rests_on_what_it_names_in_full_or_in_part(table: str) -> None:
    assert _told(_VIEW, table) == ["D.S.CHANGES"]


@pytest.mark.parametrize(
    "table",
    [
        '"Trade House"."My Sales"."orders"',
        "OTHER.SHARED.orders",
        '"Trade House".SHARED."orders.2024"',
        "old_orders",
        '"the ""orders"""',
    ],
)
def test_a_stream_on_something_else_of_that_name_does_not(table: str) -> None:
    assert _told(_VIEW, table) == []
