"""Answers that the manual shows for functions and clauses, on values of our own.

See https://docs.snowflake.com/en/sql-reference/functions/reduce,
https://docs.snowflake.com/en/sql-reference/constructs/pivot,
https://docs.snowflake.com/en/sql-reference/functions/to_decimal and
https://docs.snowflake.com/en/sql-reference/functions/time_slice
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError
from tests.embedded.conftest import rows


@pytest.fixture(scope="module")
def session() -> Iterator[AccountSession]:
    with Account.open() as account:
        opened = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        opened.execute("create database harvest")
        opened.execute(
            "create table picked as select * from values"
            " ('North', 'plum', 3), ('North', 'pear', 4), ('South', 'plum', 5), ('South', null, 6)"
            " as t(field, fruit, crates)"
        )
        yield opened


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("reduce([2, 3], 0, (a, v) -> a + v)", 5),
        ("reduce([2, 3]::array(int), 10, (a, v) -> a + v)", 15),
        ("reduce(['x', 'y'], '-', (a, v) -> a || v)", "-xy"),
        ("reduce([2, null, 3], 0, (a, v) -> a + zeroifnull(v))", 5),
        ("reduce([2, null, 3], 0, (a, v) -> a + nvl(v, 1))", 6),
        ("reduce([8, 12], 0, (a, v) -> iff(v < 10, a + v * v, a + v))", 76),
        ("reduce([true, false], true, (a, v) -> a and v::boolean)", False),
        ("to_json(transform([4, null], v -> zeroifnull(v)))", "[4,0]"),
        ("parse_json(7)", "7"),
        ("to_decimal('- 0.1', '99.9', 9, 5)", Decimal("-0.10000")),
        ("to_number('987', '999')", 987),
        (
            "to_number('12345678901234567890123456789012345678', 'TM9')",
            int("1234567890" * 3 + "12345678"),
        ),
        ("try_to_number('987', '99')", None),
        ("try_to_number('987', '999', 2, 0)", None),
    ],
)
def test_an_expression_is_worth_what_the_manual_says(
    session: AccountSession, expression: str, value: object
) -> None:
    assert rows(session, f"select {expression}") == [(value,)]


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        ("to_number('12.3456', 10, 9)", 100039),
        ("to_number('12x', 10, 9)", 100038),
        ("'4000'::number(3, 0)", 100039),
        ("to_decimal('ff1', 'XX')", 100140),
        ("to_decimal('12345', '99999', 3, 0)", 100039),
    ],
)
def test_a_number_that_does_not_fit_is_told_from_what_is_none(
    session: AccountSession, expression: str, number: int
) -> None:
    with pytest.raises(SqlError) as refused:
        rows(session, f"select {expression}")
    assert refused.value.errno == number


def test_the_end_of_a_slice_of_days_is_a_day_under_an_alias_too(session: AccountSession) -> None:
    asked = "select '2025-02-28'::date as d, time_slice(d, 4, 'month', 'end')"
    assert rows(session, asked) == [(date(2025, 2, 28), date(2025, 5, 1))]


def test_the_alias_of_what_is_pivoted_stands_inside_the_quotes(session: AccountSession) -> None:
    found = session.execute(
        "select * from picked pivot(sum(crates) as sent for fruit in ('plum', 'pear' as p))"
        " order by field"
    )
    assert [column.name for column in found.columns] == ["FIELD", "'plum_SENT'", "P_SENT"]
    assert found.rows == (("North", 3, 4), ("South", 5, None))


def test_no_value_is_a_value_to_pivot_on(session: AccountSession) -> None:
    found = session.execute(
        "select * from picked pivot(sum(crates) for fruit in (any order by fruit)) order by field"
    )
    assert [column.name for column in found.columns] == ["FIELD", "'pear'", "'plum'", "NULL"]
    assert found.rows == (("North", 4, 3, None), ("South", None, 5, 6))
