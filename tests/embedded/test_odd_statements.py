"""Statements that a slip of the keyboard makes are refused in words, the right ones answered."""

import pytest

from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError
from tests.embedded.conftest import rows

WRONG = [
    "create view v as select * from shop...people",
    "select * from people pivot(sumamount() for region in ('EU'))",
    "select * from people pivot(sumamount() for region in (any))",
    "select * from people pivot(max(id) for * in ('EU'))",
    "select * from people pivot(max(id) for 1 in (any))",
    "select * from (select 1 as id, 10 as jan) unpivot(? for month in (jan))",
    "select * from (select 1 as id, 10 as jan) unpivot(v for ? in (jan))",
    "update people set 3 where id = 1",
    "update people set id = 1, 3",
    "merge into people using (select 1 b) s on id = b when matched then update set 3",
    "select 'a' like any ()",
    "select 'a' like all ()",
    "begin for i in 1 to 'x' do select 1; end for; end",
    "begin for i in null to 3 do select 1; end for; end",
    "begin for i in 'inf'::float to 3 do select 1; end for; end",
]


@pytest.mark.parametrize("sql", WRONG)
def test_an_odd_statement_is_a_syntax_error(admin: AccountSession, sql: str) -> None:
    with pytest.raises(SqlError) as refused:
        admin.execute(sql)
    assert refused.value.errno == 1003


RIGHT = [
    ("select * from (select region, id from people) pivot(max(id) for region in ('EU'))", [(3,)]),
    ("select * from (select 1 as id, 10 as jan) unpivot(v for month in (jan))", [(1, "JAN", 10)]),
    ("select 'a' like any ('b', 'a')", [(True,)]),
    ("begin for i in 1 to 2.7 do select 1; end for; return 'done'; end", [("done",)]),
]


@pytest.mark.parametrize(("sql", "expected"), RIGHT)
def test_the_right_statement_is_answered(
    admin: AccountSession, sql: str, expected: list[tuple[object, ...]]
) -> None:
    assert rows(admin, sql) == expected


def test_a_semantic_view_without_a_member_is_refused(admin: AccountSession) -> None:
    admin.execute(
        "create semantic view seen tables (p as people primary key (id)) "
        "facts (p.half as id / 2) metrics (p.many as count(id))"
    )
    for asked in ("facts null.half", "facts people.*"):
        with pytest.raises(SqlError) as refused:
            admin.execute(f"select * from semantic_view(seen {asked})")
        assert refused.value.errno not in (None, 603)
    assert rows(admin, "select * from semantic_view(seen metrics p.many)") == [(3,)]
