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


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("array_to_string(['a', null, 'c'], '-')", "a--c"),
        ("array_to_string(parse_json('[, 5, , 6, ]'), '-')", "-5--6-"),
        ("regexp_substr('Hallooo Welt', '\\\\b\\\\S*o\\\\S*\\\\b', 3)", "llooo"),
        ("regexp_substr('Hallooo Welt', '^l+', 3)", "ll"),
        ("regexp_instr('aXbX', '^b', 3)", 3),
        ("regexp_count('aXbX', '\\\\bX', 2)", 1),
        ("regexp_replace('abcabc', '^b', '-', 2)", "a-cabc"),
        ("regexp_replace('abcabc', 'c', '-', 2, 2)", "abcab-"),
        ("iff(true, '1.5', column1) from values (2)", Decimal("1.5")),
        ("coalesce(column1, column2) from values ('2.5', 1)", Decimal("2.50000")),
        (
            "iff(column2 = 1, column1, '2025-01-02'::date) from values ('2025-01-01', 1)",
            date(2025, 1, 1),
        ),
    ],
)
def test_a_value_is_read_as_the_manual_says(
    session: AccountSession, expression: str, value: object
) -> None:
    assert rows(session, f"select {expression}") == [(value,)]


@pytest.mark.parametrize(
    ("condition", "is_met"),
    [
        ("n = '1.5'", False),
        ("n = '2.0'", True),
        ("n in ('1.5', '7')", False),
        ("n < '2.4'", True),
        ("n between '1.9' and '2.1'", True),
        ("n >= '2.000001'", False),
        ("n = ' 2 '", True),
    ],
)
def test_a_whole_number_is_compared_with_the_fraction_in_a_text(
    session: AccountSession, condition: str, is_met: bool
) -> None:
    asked = f"select count(*) from (select 2 as n) where {condition}"
    assert rows(session, asked) == [(int(is_met),)]


def test_a_text_that_meets_numbers_in_a_union_is_read_as_one(session: AccountSession) -> None:
    asked = "select crates from picked where crates = 3 union all select '4' union all select '5.5'"
    assert rows(session, asked) == [(3,), (4,), (Decimal("5.50000"),)]
    assert rows(session, "select '2025-01-01' union all select '2025-01-02'::date") == [
        (date(2025, 1, 1),),
        (date(2025, 1, 2),),
    ]
    with pytest.raises(SqlError) as refused:
        rows(session, "select field from picked union select crates from picked")
    assert refused.value.errno == 100038


def test_a_union_by_name_fills_what_one_side_lacks(session: AccountSession) -> None:
    found = session.execute(
        "select field, crates from picked where crates > 5 union all by name"
        " select fruit, field from picked where crates < 4"
    )
    assert [column.name for column in found.columns] == ["FIELD", "CRATES", "FRUIT"]
    assert set(found.rows) == {("South", 6, None), ("North", None, "plum")}


def test_two_lateral_lists_of_one_value_meet(session: AccountSession) -> None:
    asked = (
        "select a.value::int, b.index from (select parse_json('{\"n\": [7, 8]}') as v) as t,"
        " lateral flatten(input => t.v) as s, lateral flatten(input => s.value) as a,"
        " lateral flatten(input => s.value) as b order by 1, 2"
    )
    assert rows(session, asked) == [(7, 0), (7, 1), (8, 0), (8, 1)]


def test_a_hierarchy_of_listed_values_keeps_its_names(session: AccountSession) -> None:
    asked = (
        "select who, level from (values ('root', 1, null), ('leaf', 2, 1)) as t(who, id, above)"
        " start with above is null connect by above = prior id order by id"
    )
    assert rows(session, asked) == [("root", 1), ("leaf", 2)]


def test_a_row_may_be_deleted_twice_but_not_deleted_and_changed(session: AccountSession) -> None:
    session.execute("create or replace table kept as select 1 as k, 10 as v")
    session.execute(
        "create or replace table news as select * from values (1, 11), (1, 12) as t(k, v)"
    )
    merge = "merge into kept using news on kept.k = news.k when matched and news.v < {} then delete"
    with pytest.raises(SqlError, match="Duplicate row"):
        session.execute(f"{merge.format(12)} when matched then update set v = news.v")
    assert rows(session, "select count(*) from kept") == [(1,)]
    session.execute(merge.format(13))
    assert rows(session, "select count(*) from kept") == [(0,)]


def test_a_day_is_made_of_the_numbers_in_columns(session: AccountSession) -> None:
    asked = (
        "select date_from_parts(y, m, 1), date_from_parts(y, m + 11, 0),"
        " date_from_parts(y, '2', -1) from (select 2024::number(38, 0) as y, 3::int as m)"
    )
    assert rows(session, asked) == [(date(2024, 3, 1), date(2025, 1, 31), date(2024, 1, 30))]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("to_json(parse_json('[1, 2,]'))", "[1,2,null]"),
        ('to_json(parse_json(\'{"k": "a,]", "l": 2}\'))', '{"k":"a,]","l":2}'),
        ("to_json(parse_json('{\"k\": 1, \"k\": 2}', 'd'))", '{"k":2}'),
        ('try_parse_json(\'{"k": 1, "k": 2}\')', None),
        ("round(column1, column2) from values (12.345::float, 1)", 12.3),
        (".1 * .0000000000001", Decimal("0E-13")),
        ("1.23456789 * 2.3456789", Decimal("2.895899850191")),
    ],
)
def test_documents_and_products_keep_what_the_manual_says(
    session: AccountSession, expression: str, value: object
) -> None:
    assert rows(session, f"select {expression}") == [(value,)]


def test_a_document_that_says_a_key_twice_is_refused(session: AccountSession) -> None:
    with pytest.raises(SqlError, match='duplicate object attribute "k", pos 12') as refused:
        rows(session, 'select parse_json(\'{"k": 1, "k": 2}\')')
    assert refused.value.errno == 100069


DOCUMENTS = "select parse_json(column1) as v from values {}"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"b": 1, "a": 2}', '{"a":2,"b":1}'),
        ('{"a": [1, {"y": 1.50, "x": null}]}', '{"a":[1,{"x":null,"y":1.50}]}'),
        ("[1, [2, 3]]", "[1,[2,3]]"),
        ('{"ä": "\\u0061"}', '{"ä":"a"}'),
    ],
)
def test_documents_that_say_the_same_are_equal(
    session: AccountSession, one: str, other: str
) -> None:
    listed = DOCUMENTS.format(f"($${one}$$), ($${other}$$)")
    assert rows(session, f"select count(distinct v), count(*) from ({listed})") == [(1, 2)]
    joined = f"({DOCUMENTS.format(f'($${one}$$)')}) x join ({DOCUMENTS.format(f'($${other}$$)')}) y"
    assert rows(session, f"select count(*) from {joined} on x.v = y.v") == [(1,)]


@pytest.mark.parametrize(
    "made",
    [
        "object_construct('b', 1, 'a', [2])",
        "{'b': 1, 'a': [2]}",
        "object_insert({'b': 1}, 'a', [2])",
        "object_construct(k, 1, 'a', [2])",
        'parse_json(\'{"b": 1, "a": [2]}\')',
    ],
)
def test_an_object_is_equal_however_it_was_made(session: AccountSession, made: str) -> None:
    asked = f'select {made} = parse_json(\'{{"a":[2],"b":1}}\'), to_json({made})'
    assert rows(session, f"{asked} from (select 'b' as k)") == [(True, '{"a":[2],"b":1}')]


def test_texts_among_listed_days_are_read_as_days(session: AccountSession) -> None:
    listed = "values ('2025-01-01'), (dateadd(day, 1, '2025-01-01'::date)), (null)"
    assert rows(session, f"select * from {listed}") == [
        (date(2025, 1, 1),),
        (date(2025, 1, 2),),
        (None,),
    ]
    with pytest.raises(SqlError, match="'soon' is not recognized"):
        rows(session, "select * from values ('2025-01-01'::date), ('soon')")
