"""A temporary object of one session is nothing that another session could find there already."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.errors import SqlError


@pytest.mark.parametrize(
    "sql",
    [
        "create temporary table if not exists t (a int)",
        "create table if not exists t (a int)",
        "create table t (a int)",
        "create or replace table t (a int)",
    ],
)
def test_another_session_s_temporary_table_is_never_said_to_exist(sql: str) -> None:
    with Account.open() as account:
        mine = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        mine.execute("create database d")
        mine.execute("create temporary table t (a int)")
        other = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", "D", "PUBLIC")
        with pytest.raises(SqlError, match="beside another session's temporary one"):
            other.execute(sql)
        mine.execute("drop table t")
        other.execute(sql)
        assert other.execute("select count(*) from t").rows == ((0,),)
