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
