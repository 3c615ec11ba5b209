"""AI functions: answered by the registered handler with what the query may see, else refused."""

from collections.abc import Iterator
from typing import Any

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.types.values import AiCall
from skills_nb.errors import SqlError

SETUP = """
create database d
create table notes (topic string, body string)
insert into notes values ('a', 'good'), ('a', 'bad'), ('b', null)
"""
ANSWERS: dict[str, Any] = {
    "AI_COMPLETE": lambda call: f"{call.arguments[0]}: {call.arguments[1]}",
    "AI_CLASSIFY": lambda call: {"labels": [call.arguments[1][0]]},
    "AI_FILTER": lambda call: "good" in str(call.arguments),
    "AI_AGG": lambda call: f"{sorted(filter(None, call.arguments[0]))} {call.arguments[1]}",
    "AI_SUMMARIZE_AGG": lambda call: str(len(call.arguments[0])),
    "AI_SENTIMENT": lambda call: {"categories": []},
    "AI_SIMILARITY": lambda call: 0.5,
    "AI_EXTRACT": lambda call: {"response": call.named},
    "SNOWFLAKE.CORTEX.SENTIMENT": lambda call: -1.0,
    "SNOWFLAKE.CORTEX.COMPLETE": lambda call: 7,
}


def _answer(call: AiCall) -> Any:
    return ANSWERS[call.function](call)


@pytest.fixture
def session() -> Iterator[AccountSession]:
    with Account.open() as account:
        opened = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for statement in SETUP.strip().splitlines():
            opened.execute(statement)
        account.answer_ai(_answer)
        yield opened


def _rows(session: AccountSession, sql: str) -> list[tuple[Any, ...]]:
    return list(session.execute(sql).rows)


def test_a_completion_gets_its_arguments_row_by_row(session: AccountSession) -> None:
    sql = "select ai_complete('m', body) as c from notes where body is not null order by 1"
    assert _rows(session, sql) == [("m: bad",), ("m: good",)]


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("select ai_classify(body, ['x', 'y']):labels[0]::string from notes limit 1", "x"),
        ("select count(*) from notes where ai_filter('fine?', body)", 1),
        ("select ai_similarity('a', 'b')", 0.5),
        ("select snowflake.cortex.sentiment('a')", -1.0),
        ("select ai_extract(text => 'a', n => 1):response:n::int", 1),
        ("select ai_complete('m', prompt('{0}!', 'x')) like '%{0}!%'", True),
    ],
)
def test_an_answer_has_the_type_of_its_function(
    session: AccountSession, sql: str, found: Any
) -> None:
    assert _rows(session, sql) == [(found,)]


def test_an_aggregate_gets_the_values_of_its_group(session: AccountSession) -> None:
    asked = "topic, ai_agg(body, 'list'), ai_summarize_agg(body)"
    sql = f"select {asked} from notes group by topic order by topic"
    assert _rows(session, sql) == [("a", "['bad', 'good'] list", "2"), ("b", "[] list", "1")]


def test_a_masked_value_reaches_the_handler_masked(session: AccountSession) -> None:
    session.execute("create masking policy m as (v string) returns string -> '***'")
    session.execute("alter table notes modify column body set masking policy m")
    sql = "select distinct ai_complete('m', body), ai_complete('m', upper(body)) from notes"
    assert _rows(session, sql) == [("m: ***", "m: ***")]
    assert _rows(session, "select ai_agg(body, 'x') from notes limit 1") == [
        ("['***', '***', '***'] x",)
    ]


def test_a_call_without_a_handler_is_refused_with_a_hint(session: AccountSession) -> None:
    session.account.answer_ai(None)
    for call in ("ai_complete('m', 'p')", "snowflake.cortex.summarize('t')", "ai_agg(body, 'x')"):
        with pytest.raises(SqlError) as refused:
            session.execute(f"select {call} from notes")
        assert (refused.value.errno, refused.value.sqlstate) == (2, "0A000")
        assert "answer_ai" in (refused.value.hint or "")


def test_an_answer_of_another_type_is_refused(session: AccountSession) -> None:
    with pytest.raises(SqlError) as refused:
        session.execute("select snowflake.cortex.complete('m', 'p')")
    assert "must be answered with" in str(refused.value)


def test_a_handler_that_raises_fails_the_statement(session: AccountSession) -> None:
    with pytest.raises(SqlError) as refused:
        session.execute("select ai_translate('a', 'en', 'de')")
    assert "AI_TRANSLATE failed in its handler: KeyError" in str(refused.value)
