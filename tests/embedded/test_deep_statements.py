"""What nests too deeply is refused in words, and the session goes on."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.errors import SqlError

LEVELS = 500
DEEP = {
    "parentheses": "select " + "(" * LEVELS + "1" + ")" * LEVELS,
    "calls": "select " + "abs(" * LEVELS + "1" + ")" * LEVELS,
    "negations": "select " + "not " * LEVELS + "true",
    "arrays": "select " + "[" * LEVELS + "]" * LEVELS,
    "objects": "select " + "{'a':" * LEVELS + "1" + "}" * LEVELS,
    "subqueries": "select * from " + "(select * from " * LEVELS + "t" + ")" * LEVELS,
    "conditions": "select " + "case when true then " * LEVELS + "1" + " end" * LEVELS,
    "casts": "select 1" + "::int" * 3000,
    "set operations": " union all ".join(["select 1"] * 2000),
    "sums": "select " + "1+" * 5000 + "1",
    "blocks": "begin " * LEVELS + "null;" + " end;" * LEVELS,
    "branches": "begin " + "if (true) then " * LEVELS + "null;" + " end if;" * LEVELS + " end",
    "documents": "select parse_json('" + "[" * 5000 + "]" * 5000 + "')",
}


@pytest.mark.parametrize("sql", DEEP.values(), ids=DEEP)
def test_what_nests_too_deeply_is_refused_in_words(account: Account, sql: str) -> None:
    session = account.session("ADMIN")
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    assert (refused.value.errno, refused.value.message.splitlines()[-1]) == (
        1003,
        "The statement is nested too deeply; divide it into several.",
    )
    assert session.execute("select 1").rows == ((1,),)


@pytest.mark.parametrize(
    "sql",
    [
        "select 1 where " + "true and " * 1000 + "true",
        "select " + ", ".join(["1::int::string"] * 400),
        "select 1" + "::int" * 100,
    ],
)
def test_what_is_only_long_is_run(account: Account, sql: str) -> None:
    assert account.session("ADMIN").execute(sql).row_count == 1
