"""A resource monitor keeps its warehouses from computing once its quota is used."""

from datetime import UTC, datetime, timedelta

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError


class SlowClock:
    """Ten minutes go by whenever somebody looks."""

    def __init__(self) -> None:
        self.now = datetime(2024, 5, 10, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=10)
        return self.now


def _session(*statements: str) -> AccountSession:
    session = Account.open(None, clock=SlowClock()).session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for statement in ("create database d", "create table t (a int)", *statements):
        session.execute(statement)
    return session


def _state(session: AccountSession) -> object:
    session.execute("show warehouses like 'compute_wh'")
    shown = 'select "state" from table(result_scan(last_query_id()))'
    return session.execute(shown).rows[0][0]


def _refused(session: AccountSession, sql: str) -> tuple[int | None, str]:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    return refused.value.errno, refused.value.message


USED_UP = (
    90073,
    "Warehouse 'COMPUTE_WH' cannot be resumed because resource monitor 'M' has exceeded its quota.",
)


@pytest.mark.parametrize("action", ["suspend", "suspend_immediate"])
def test_a_used_quota_suspends_the_warehouse(action: str) -> None:
    session = _session(
        f"create resource monitor m with credit_quota = 1 triggers on 10 percent do {action}",
        "alter warehouse compute_wh set resource_monitor = m",
        "insert into t values (2)",
    )
    assert _refused(session, "select * from t") == USED_UP
    assert _refused(session, "insert into t values (3)") == USED_UP
    assert _state(session) == "SUSPENDED"


def test_a_higher_quota_lets_it_go_on() -> None:
    session = _session(
        "create resource monitor m with credit_quota = 1 triggers on 10 percent do suspend",
        "alter warehouse compute_wh set resource_monitor = m",
        "insert into t values (2)",
        "alter resource monitor m set credit_quota = 100000",
    )
    assert len(session.execute("select * from t").rows) == 1
    assert _state(session) == "STARTED"


def test_the_monitor_of_the_account_suspends_every_warehouse() -> None:
    session = _session(
        "create resource monitor m with credit_quota = 1 triggers on 10 percent do suspend",
        "alter account set resource_monitor = m",
        "insert into t values (2)",
    )
    assert _refused(session, "select * from t") == USED_UP


def test_a_notification_suspends_nothing() -> None:
    session = _session(
        "create resource monitor m with credit_quota = 1 triggers on 10 percent do notify",
        "alter warehouse compute_wh set resource_monitor = m",
        "insert into t values (2)",
    )
    assert len(session.execute("select * from t").rows) == 1


def test_another_warehouse_goes_on() -> None:
    session = _session(
        "create resource monitor m with credit_quota = 1 triggers on 10 percent do suspend",
        "alter warehouse compute_wh set resource_monitor = m",
        "insert into t values (2)",
        "create warehouse other",
    )
    assert len(session.execute("select * from t").rows) == 1
