"""A goal takes from an example what it asks for, about the objects that it names."""

import pytest

from skills_nb.engine.guided.asked_statements import asked_for
from skills_nb.engine.guided.example_inputs import Wanted, with_holes

PAST = (
    "CREATE TABLE raw.orders_then CLONE raw.orders AT (OFFSET => -1800);"
    "DROP TABLE raw.customers; UNDROP TABLE raw.customers"
)
POLICY = (
    "CREATE NETWORK RULE governance.office TYPE = IPV4 VALUE_LIST = ('192.0.2.0/24');"
    "CREATE NETWORK POLICY office_only ALLOWED_NETWORK_RULE_LIST = ('governance.office');"
    "ALTER USER etl SET NETWORK_POLICY = office_only"
)


@pytest.mark.parametrize(
    ("sql", "goal", "kept"),
    [
        (PAST, "Undrop PROD.SALES.ORDERS", [2]),
        (PAST, "restore a dropped table", [2]),
        (PAST, "Create a clone of yesterday", [0]),
        (PAST, "time travel", []),
        (POLICY, "create a network policy", [0, 1]),
        (POLICY, "keep strangers out", []),
    ],
)
def test_the_statements_whose_verb_is_said_are_taken_with_what_they_need(
    sql: str, goal: str, kept: list[int]
) -> None:
    every = [one.strip() for one in sql.split(";")]
    assert asked_for(sql, goal) == [every[at] for at in kept]


def test_what_a_goal_names_fills_the_holes_of_its_kind() -> None:
    said = {'SALES.OPS."my orders"': "from", "SALES.OPS.B": "", "SALES.OPS.S": "stage"}
    wanted = Wanted(said)
    sqls = (
        "INSERT INTO raw.log SELECT * FROM raw.orders",
        "SHOW TABLES IN SCHEMA prod.raw",
        "CREATE STREAM raw.changes ON TABLE raw.orders",
        "GRANT USAGE ON DATABASE prod TO ROLE reader",
        "COPY INTO @raw.landing/out FROM raw.orders",
        "LIST @prod.raw.landing/out",
    )
    templates, specs = with_holes(sqls, wanted)
    told = {spec.name: spec.default if spec.has_default else None for spec in specs}
    assert told == {
        "table": 'SALES.OPS."my orders"',
        "table_2": "SALES.OPS.B",
        "schema": "SALES.OPS",
        "stream": None,
        "database": "SALES",
        "role": None,
        "stage": "SALES.OPS.S",
    }
    assert templates[5] == "LIST @{{ stage }}/out"
    assert templates[2] == "CREATE STREAM {{ stream }} ON TABLE {{ table_2 }}"
