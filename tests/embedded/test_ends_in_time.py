"""A statement that is ended ends, whatever works on it; what is linear in its input stays so."""

import time

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import rows

pytestmark = pytest.mark.slow
NEVER = "select count(*) from n a, n b, n c, n d, n e"
ENDLESS = [
    "begin for i in 1 to 1000000000 do null; end for; end",
    "begin loop null; end loop; end",
    "begin while (true) do let x int := 1; end while; end",
    f"begin loop begin {NEVER}; exception when other then null; end; end loop; end",
    f"begin for i in 1 to 1000 do {NEVER}; end for; exception when other continue then null; end",
    "declare p procedure() returns int as begin loop null; end loop; end; begin call p(); end",
]
QUERIES = [
    "select sum(array_size(regexp_substr_all(t, '.'))) from wide",
    "select count(regexp_replace(t, 'a', 'x', 1, 99999)) from wide",
    "select array_size(regexp_substr_all(repeat(t, 400), '.')) from wide limit 1",
    "select count(*) from wide, lateral flatten(split(t, ''), recursive => true)",
    "select array_size(split(repeat('a,', 30000000), ','))",
    "select array_size(strtok_to_array(repeat('a,', 30000000), ','))",
    "select count(*) from table(split_to_table(repeat('a,', 30000000), ','))",
    "select count(*) from wide a, wide b, lateral split_to_table(a.t, 'a')",
    "select max(editdistance(a.t, b.t)) from wide a, wide b",
    NEVER,
    "with recursive r as (select 1 n union all select n + 1 from r) select max(n) from r",
    "select count(*) from (select 1 a) connect by level > 0",
    "select count(*) from table(generator(rowcount => 1000000000000))",
]


@pytest.fixture(scope="module")
def busy() -> AccountSession:
    session = Account.open().session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for statement in (
        "create database shop",
        "create table n as select seq4() a from table(generator(rowcount => 2000))",
        "create table wide as select repeat('ab', 50000) t from n limit 60",
        "alter session set statement_timeout_in_seconds = 1",
    ):
        session.execute(statement)
    return session


@pytest.mark.parametrize(
    "statement", [*QUERIES, *(f"execute immediate $$ {block} $$" for block in ENDLESS)]
)
def test_a_statement_that_takes_too_long_is_ended(busy: AccountSession, statement: str) -> None:
    began = time.monotonic()
    with pytest.raises(SqlError) as refused:
        busy.execute(statement)
    assert refused.value.errno == 630
    assert time.monotonic() - began < 10
    assert rows(busy, "select 1") == [(1,)]


def test_an_array_of_many_elements_is_flattened_in_no_time(admin: AccountSession) -> None:
    many = "split(repeat('ab', 50000), '')"
    query = f"select count(*), max(index), count(distinct value) from table(flatten({many}))"
    assert rows(admin, query) == [(100_000, 99_999, 2)]
    few = "split(repeat('ab', 500), '')"
    assert rows(admin, f"select max(array_size(this)) from table(flatten({few}))") == [(1000,)]


def test_each_row_says_what_it_was_taken_out_of(admin: AccountSession) -> None:
    found = rows(
        admin,
        "select path, value::string, this::string from table(flatten("
        'parse_json(\'{"a": [1, {"b": 2}], "c": 3}\'), recursive => true)) order by 1',
    )
    whole, listed = '{"a":[1,{"b":2}],"c":3}', '[1,{"b":2}]'
    assert found == [
        ("a", listed, whole),
        ("a[0]", "1", listed),
        ("a[1]", '{"b":2}', listed),
        ("a[1].b", "2", '{"b":2}'),
        ("c", "3", whole),
    ]
    outer = "select value, this from table(flatten(parse_json('5'), outer => true))"
    assert rows(admin, outer) == [(None, "5")]
