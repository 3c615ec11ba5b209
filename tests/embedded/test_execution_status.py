"""How a statement ended is told in each history's own words."""

from __future__ import annotations

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.errors import SqlError

_VIEW = "SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY"
_FUNCTIONS = (
    "TABLE(D.INFORMATION_SCHEMA.QUERY_HISTORY())",
    "TABLE(D.INFORMATION_SCHEMA.QUERY_HISTORY_BY_SESSION())",
    "TABLE(D.INFORMATION_SCHEMA.QUERY_HISTORY_BY_USER())",
)


@pytest.mark.parametrize(
    ("history", "failed"),
    [(_VIEW, "FAIL"), *((function, "FAILED_WITH_ERROR") for function in _FUNCTIONS)],
)
def test_a_failure_and_a_success_are_told_as_the_manual_has_them(history: str, failed: str) -> None:
    account = Account.open(None)
    session = account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    session.execute("CREATE DATABASE D")
    with pytest.raises(SqlError, match="does not exist"):
        session.execute("SELECT * FROM D.PUBLIC.NOTHING")
    told = session.execute(f"SELECT LEFT(QUERY_TEXT, 6), EXECUTION_STATUS FROM {history}")
    ends = dict(told.rows)
    session.close()
    account.close()
    assert (ends["CREATE"], ends["SELECT"]) == ("SUCCESS", failed)
