"""Outer joins by (+): the rows of a LEFT JOIN, or a refusal, never an inner join.

See https://docs.snowflake.com/en/sql-reference/constructs/where#joins-in-the-where-clause
"""

from collections.abc import Iterator

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError
from tests.embedded.conftest import rows

SETUP = """
create database port
create table ships (id int, berth int, flag string)
insert into ships values (1, 1, 'NO'), (2, null, 'SE'), (3, 9, '')
create table berths (id int, name string)
insert into berths values (1, 'north')
"""
ALL = [(1, "north"), (2, None), (3, None)]


@pytest.fixture(scope="module")
def port() -> Iterator[AccountSession]:
    with Account.open(None) as account:
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for statement in SETUP.strip().splitlines():
            session.execute(statement)
        yield session


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("select s.id, b.name from ships s, berths b where s.berth = b.id(+)", ALL),
        ("select s.id, b.name from berths b, ships s where b.id(+) = s.berth", ALL),
        (
            "select s.id, b.name from ships s, berths b where s.berth = b.id(+) and s.flag <> ''",
            ALL[:2],
        ),
        (
            "select s.id, b.name from ships s, berths b where s.berth = b.id(+) "
            "and b.name(+) = 'south'",
            [(1, None), (2, None), (3, None)],
        ),
        (
            "select s.id, b.name from ships s, berths b where s.berth = b.id(+) and b.id is null",
            ALL[1:],
        ),
        (
            "select s.id, c.name from berths c, berths b, ships s where s.berth = b.id(+) "
            "and b.id = c.id(+)",
            ALL,
        ),
        ("select * from (select s.id, b.name from ships s, berths b where s.berth = b.id(+))", ALL),
    ],
)
def test_a_marked_side_is_joined_outer(
    port: AccountSession, query: str, found: list[tuple[object, ...]]
) -> None:
    assert rows(port, f"{query} order by 1") == found


def test_a_view_keeps_its_outer_join(port: AccountSession) -> None:
    port.execute(
        "create or replace view moored as "
        "select s.id, b.name from ships s, berths b where s.berth = b.id(+)"
    )
    assert rows(port, "select * from moored order by 1") == ALL


@pytest.mark.parametrize(
    "statement",
    [
        "select s.id from ships s, berths b where s.berth = b.id(+) or s.id = 3",
        "select s.id from ships s join berths b on true where s.berth = b.id(+)",
        "select s.id from ships s, berths b where berth = name(+)",
        "select s.id, b.id(+) from ships s, berths b",
        "select s.id from ships s, berths b where s.berth(+) = b.id(+)",
        "select s.id from ships s, berths b where s.berth(+) = b.id and b.id(+) = s.berth",
        "select * from berths b, ships s where s.berth = b.id(+)",
        "select s.id from ships s where s.id(+) = 1",
        "delete from ships s using berths b where s.berth = b.id(+)",
    ],
)
def test_a_mark_that_cannot_be_followed_is_refused(port: AccountSession, statement: str) -> None:
    with pytest.raises(SqlError, match="Unsupported feature"):
        port.execute(statement)
    assert rows(port, "select count(*) from ships") == [(3,)]
