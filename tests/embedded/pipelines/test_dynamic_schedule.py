"""Dynamic tables that a scheduler leaves alone: refreshed on demand, never along."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

WAREHOUSE = "warehouse = compute_wh"


@pytest.fixture
def session(account: Account) -> AccountSession:
    made = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for sql in ("create database d", "create table t (a int)", "insert into t values (1)"):
        made.execute(sql)
    return made


def shown(session: AccountSession, name: str) -> tuple[object, object]:
    answer = session.execute(f"show dynamic tables like '{name}'")
    listed = [column.name for column in answer.columns]
    row = answer.rows[0]
    return row[listed.index("target_lag")], row[listed.index("scheduler")]


def count(session: AccountSession, name: str) -> object:
    return session.execute(f"select count(*) from {name}").rows[0][0]


@pytest.mark.parametrize("written", ["enable", "'ENABLE'"])
def test_a_scheduler_is_taken_as_a_word_or_a_text(session: AccountSession, written: str) -> None:
    session.execute(
        f"create dynamic table x target_lag = '1 minute' scheduler = {written} {WAREHOUSE} "
        "as select a from t"
    )
    assert shown(session, "x") == ("1 minute", "ENABLE")


def test_a_table_on_demand_has_no_lag_and_is_refreshed_alone(session: AccountSession) -> None:
    session.execute(
        f"create dynamic table low scheduler = 'DISABLE' {WAREHOUSE} as select a from t"
    )
    session.execute(
        f"create dynamic table high target_lag = downstream {WAREHOUSE} as select a from low"
    )
    assert shown(session, "low") == (None, "DISABLE")
    session.execute("insert into t values (2)")
    session.execute("alter dynamic table high refresh")
    assert (count(session, "low"), count(session, "high")) == (1, 1)
    session.execute("alter dynamic table low refresh")
    assert (count(session, "low"), count(session, "high")) == (2, 1)


def test_one_on_demand_does_not_refresh_what_it_reads(session: AccountSession) -> None:
    session.execute(
        f"create dynamic table low target_lag = '1 hour' {WAREHOUSE} as select a from t"
    )
    session.execute(
        f"create dynamic table high scheduler = disable {WAREHOUSE} as select a from low"
    )
    session.execute("insert into t values (2)")
    session.execute("alter dynamic table high refresh")
    assert (count(session, "low"), count(session, "high")) == (1, 1)


def test_alter_turns_it_off_and_on(session: AccountSession) -> None:
    session.execute(f"create dynamic table x target_lag = '1 hour' {WAREHOUSE} as select a from t")
    session.execute("alter dynamic table x set scheduler = 'DISABLE'")
    assert shown(session, "x") == (None, "DISABLE")
    with pytest.raises(SqlError, match="TARGET_LAG") as refused:
        session.execute("alter dynamic table x set scheduler = 'ENABLE'")
    assert refused.value.errno == 1420
    session.execute("alter dynamic table x set target_lag = '2 hours' scheduler = 'ENABLE'")
    assert shown(session, "x") == ("2 hours", "ENABLE")


def test_what_it_is_written_as_makes_it_again(session: AccountSession) -> None:
    session.execute(f"create dynamic table x scheduler = disable {WAREHOUSE} as select a from t")
    written = str(session.execute("select get_ddl('table', 'x')").rows[0][0])
    session.execute(written)
    assert shown(session, "x") == (None, "DISABLE")


@pytest.mark.parametrize(
    ("said", "errno"),
    [
        ("target_lag = '1 hour' scheduler = disable", 1420),
        ("scheduler = enable", 1420),
        ("scheduler = 'SOMETIMES' target_lag = '1 hour'", 1008),
        ("", 1420),
    ],
)
def test_a_contradiction_is_refused(session: AccountSession, said: str, errno: int) -> None:
    with pytest.raises(SqlError) as refused:
        session.execute(f"create dynamic table x {said} {WAREHOUSE} as select a from t")
    assert refused.value.errno == errno


@pytest.mark.parametrize("said", ["frozen where", "immutable where"])
@pytest.mark.parametrize(
    "sql",
    [
        "create dynamic table y target_lag = '1 hour' {warehouse} {said} (a > 1) as select 1 as a",
        "alter dynamic table x set {said} (a > 1)",
    ],
)
def test_rows_that_may_not_change_are_refused_by_name(
    session: AccountSession, sql: str, said: str
) -> None:
    session.execute(f"create dynamic table x target_lag = '1 hour' {WAREHOUSE} as select a from t")
    with pytest.raises(SqlError, match=said.upper()) as refused:
        session.execute(sql.format(said=said, warehouse=WAREHOUSE))
    assert (refused.value.errno, refused.value.sqlstate) == (2, "0A000")
