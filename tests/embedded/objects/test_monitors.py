"""A resource monitor keeps its warehouses from computing once its quota is used."""

from datetime import UTC, datetime, timedelta

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.session import quotas
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


def test_what_is_used_before_a_monitor_starts_does_not_count() -> None:
    session = _session(
        "create resource monitor m with credit_quota = 1 frequency = monthly "
        "start_timestamp = '2030-01-01' triggers on 10 percent do suspend",
        "alter warehouse compute_wh set resource_monitor = m",
        "insert into t values (2)",
    )
    assert len(session.execute("select * from t").rows) == 1


@pytest.mark.parametrize(
    ("frequency", "day", "start", "reset"),
    [
        ("DAILY", (2024, 5, 10), (2024, 1, 3), (2024, 5, 10)),
        ("WEEKLY", (2024, 5, 10), (2024, 1, 3), (2024, 5, 8)),
        ("WEEKLY", (2024, 5, 8), (2024, 1, 3), (2024, 5, 8)),
        ("MONTHLY", (2024, 5, 10), (2024, 1, 3), (2024, 5, 3)),
        ("MONTHLY", (2024, 3, 10), (2024, 1, 31), (2024, 2, 29)),
        ("YEARLY", (2024, 5, 10), (2020, 6, 1), (2023, 6, 1)),
        ("YEARLY", (2025, 3, 1), (2024, 2, 29), (2025, 2, 28)),
        ("NEVER", (2024, 5, 10), (2024, 1, 3), None),
    ],
)
def test_credits_are_reset_on_the_day_that_frequency_and_start_make(
    frequency: str,
    day: tuple[int, int, int],
    start: tuple[int, int, int],
    reset: tuple[int, int, int] | None,
) -> None:
    found = quotas.last_reset(frequency, datetime(*day, tzinfo=UTC), datetime(*start, tzinfo=UTC))
    assert found == (datetime(*reset, tzinfo=UTC) if reset is not None else None)
