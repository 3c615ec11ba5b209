"""Parameters that reach over several statements of a session."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError


@pytest.fixture
def session() -> AccountSession:
    made = Account.open().session("ADMIN")
    made.execute("create database d")
    made.execute("create table t (n number)")
    return made


def _fail(session: AccountSession) -> None:
    with pytest.raises(SqlError):
        session.execute("select 1 / 0")


def test_an_aborted_transaction_takes_nothing_more_and_commits_nothing(
    session: AccountSession,
) -> None:
    session.execute("alter session set transaction_abort_on_error = true")
    session.execute("begin")
    session.execute("insert into t values (1)")
    _fail(session)
    with pytest.raises(SqlError) as refused:
        session.execute("insert into t values (2)")
    session.execute("commit")
    session.execute("insert into t values (3)")
    assert (refused.value.errno, session.execute("select n from t").rows) == (615, ((3,),))


def test_without_the_parameter_a_transaction_goes_on(session: AccountSession) -> None:
    session.execute("begin")
    session.execute("insert into t values (1)")
    _fail(session)
    session.execute("insert into t values (2)")
    session.execute("commit")
    assert session.execute("select n from t order by n").rows == ((1,), (2,))


def test_an_open_session_follows_the_account(session: AccountSession) -> None:
    other = session.account.session("ADMIN")
    session.execute("alter account set timezone = 'Asia/Tokyo'")
    asked = "select '2024-01-01 10:00:00'::timestamp_tz, hour('2024-01-01'::timestamp_ltz)"
    own = timezone(timedelta(hours=9))
    assert other.execute(asked).rows == ((datetime(2024, 1, 1, 10, tzinfo=own), 0),)


def test_a_zone_of_one_session_is_not_another_s(session: AccountSession) -> None:
    other = session.account.session("ADMIN")
    session.execute("alter session set timezone = 'Asia/Tokyo'")
    asked = "select '2024-01-01 10:00:00'::timestamp_ltz"
    assert other.execute(asked).rows == ((datetime(2024, 1, 1, 10, tzinfo=UTC),),)
