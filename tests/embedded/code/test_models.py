"""Calls of models: answered by the handler for who may use the model, else refused."""

from collections.abc import Iterator
from typing import Any

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.types.values import AiCall
from skills_nb.errors import SqlError

SETUP = """
create database d
create stage models
create model m with version v1 from @models/m
alter model m add version v2 from @models/m2
alter model m version v2 set alias = production
create table t (a int, b int)
insert into t values (1, 2), (3, 4)
create role scorer
grant usage on database d to role scorer
grant usage on schema d.public to role scorer
grant select on table t to role scorer
grant role scorer to user admin
"""


def _answer(call: AiCall) -> Any:
    model, version, method, *features = call.arguments
    return {"output": sum(features), "by": f"{call.function} {model} {version} {method}"}


@pytest.fixture
def account() -> Iterator[Account]:
    with Account.open() as opened:
        opened.answer_ai(_answer)
        yield opened


@pytest.fixture
def session(account: Account) -> AccountSession:
    opened = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for statement in SETUP.strip().splitlines():
        opened.execute(statement)
    return opened


def _rows(session: AccountSession, sql: str) -> list[tuple[Any, ...]]:
    return list(session.execute(sql).rows)


def test_a_method_gets_each_row_and_its_result_is_read_by_key(session: AccountSession) -> None:
    sql = "select model(m, v2)!predict(t.a, b)['output']::int as p from t order by 1"
    assert [int(row[0]) for row in _rows(session, sql)] == [3, 7]


@pytest.mark.parametrize(
    ("called", "version"),
    [
        ("model(m)", "V1"),
        ("model(d.public.m, default)", "V1"),
        ("model(m, first)", "V1"),
        ("model(m, last)", "V2"),
        ("model(m, production)", "V2"),
    ],
)
def test_a_version_is_named_or_the_default(
    session: AccountSession, called: str, version: str
) -> None:
    found = _rows(session, f"select {called}!predict(a):by::string from t limit 1")
    assert found == [(f"MODEL D.PUBLIC.M {version} PREDICT",)]


@pytest.mark.parametrize(
    ("called", "errno", "text"),
    [
        ("model(m, v9)!predict(a)", 2003, "Version 'D.PUBLIC.M.V9' does not exist"),
        ("model(n)!predict(a)", 2003, "Model 'D.PUBLIC.N' does not exist"),
        ("forecast(m)!predict(a)", 2, "Unsupported feature"),
    ],
)
def test_what_is_no_version_of_a_model_is_not_called(
    session: AccountSession, called: str, errno: int, text: str
) -> None:
    with pytest.raises(SqlError, match=text) as refused:
        session.execute(f"select {called} from t")
    assert refused.value.errno == errno


def test_a_star_hands_every_column_over(session: AccountSession) -> None:
    sql = "select model(m)!predict(*):output::int from t order by 1"
    assert [int(row[0]) for row in _rows(session, sql)] == [3, 7]


def test_calling_takes_usage_on_the_model(session: AccountSession) -> None:
    sql = "select model(d.public.m)!predict(a):output::int from d.public.t order by 1"
    session.execute("use role scorer")
    session.execute("use secondary roles none")
    with pytest.raises(SqlError, match="Model 'D\\.PUBLIC\\.M' does not exist or not authorized"):
        session.execute(sql)
    session.execute("use role accountadmin")
    session.execute("grant usage on model d.public.m to role scorer")
    session.execute("use role scorer")
    assert [int(row[0]) for row in _rows(session, sql)] == [1, 3]


def test_without_a_handler_no_model_answers(account: Account, session: AccountSession) -> None:
    account.answer_ai(None)
    with pytest.raises(SqlError, match="Unsupported feature 'MODEL\\(…\\)!method'") as refused:
        session.execute("select model(m)!predict(a) from t")
    assert (refused.value.errno, refused.value.sqlstate) == (2, "0A000")
