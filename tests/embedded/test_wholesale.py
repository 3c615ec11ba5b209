"""Long lists of constant rows answer like short ones."""

import pytest

from skills_nb.errors import SqlError

from .conftest import rows

MANY = "".join(f"\n  , ({i}, 'it''s {i}', null, -{i}.5)" for i in range(2, 501))
VALUES = f"values (1, 'one', true, 0.5){MANY}"
"""Long enough to be taken as it is written."""


def test_a_query_reads_every_row(admin):
    sql = f"select count(*), sum(column1), max(column2), count(column3), min(column4) from {VALUES}"
    assert [tuple(map(str, row)) for row in rows(admin, sql)] == [
        ("500", "125250", "one", "1", "-500.5")
    ]


def test_an_insert_writes_every_row(admin):
    admin.execute("create table wide (a int, b string, c boolean, d number(10, 2))")
    assert rows(admin, f"insert into wide {VALUES}") == [(500,)]
    assert rows(admin, "select b from wide where a in (1, 500) order by a") == [
        ("one",),
        ("it's 500",),
    ]


def test_a_view_over_many_rows_is_kept(admin):
    admin.execute(f"create view v as select column1 as a from {VALUES}")
    assert rows(admin, "select count(*) from v where a > 100") == [(400,)]


def test_a_result_is_named_as_it_was_written(admin):
    found = admin.execute(f"select (select count(*) from {VALUES})")
    assert "\x00" not in found.columns[0].name
    assert found.rows == ((500,),)


def test_a_long_list_that_is_no_rows_is_read(admin):
    assert rows(admin, f"select 7 in (1{', (7)' * 2_000})") == [(True,)]


@pytest.mark.parametrize(
    ("sql", "errno"),
    [
        (f"select * from {VALUES}{', (1)' * 30}", 2020),
        (f"select * from values (1, 2){MANY}", 2020),
        (f"select * from {VALUES} where", 1003),
    ],
)
def test_what_is_wrong_is_told_as_it_stands(admin, sql, errno):
    with pytest.raises(SqlError) as told:
        admin.execute(sql)
    assert (told.value.errno, "\x00" in told.value.message) == (errno, False)


@pytest.mark.parametrize(
    ("first", "row", "expected"),
    [
        ("(null)", "(true)", "BOOLEAN"),
        ("(1)", "(123456789012)", "NUMBER"),
        ("(0.5)", "(2)", "NUMBER"),
        ("('a')", "('b''c')", "VARCHAR"),
        ("(1)", "(null)", "NUMBER"),
        ("('2020-01-01'::date)", "('2020-01-02')", "DATE"),
    ],
)
def test_a_column_has_the_type_that_its_rows_share(admin, first, row, expected):
    sql = (
        f"create or replace table t as select column1 as a from values {first}{f', {row}' * 2_000}"
    )
    admin.execute(sql)
    assert rows(admin, "select count(*) from t") == [(2_001,)]
    assert admin.execute("describe table t").rows[0][1].startswith(expected)


def test_rows_of_several_kinds_are_refused_as_in_a_short_list(admin):
    with pytest.raises(SqlError) as told:
        admin.execute(f"select * from values (1){', (2)' * 2_000}, ('x')")
    assert "'x' is not recognized" in told.value.message


def test_rows_come_in_the_order_in_which_they_are_written(admin):
    listed = "".join(f", ({i})" for i in range(1, 6_000))
    found = rows(admin, f"select column1 from values (0){listed}, (abs(-6000))")
    assert found == [(i,) for i in range(6_001)]
