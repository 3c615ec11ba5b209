"""AI functions answer who holds USE AI FUNCTIONS, which PUBLIC does until somebody revokes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.errors import SqlError

ASKED = "SELECT AI_SENTIMENT('good'):mood::STRING"


def _account(path: Path | None = None) -> Account:
    account = Account.open(path)
    account.answer_ai(lambda call: {"mood": "calm"} if call.function == "AI_SENTIMENT" else "all")
    return account


def test_a_role_without_the_privilege_is_refused_and_one_that_inherits_it_is_not() -> None:
    account = _account()
    boss = account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    for statement in (
        "CREATE ROLE CLERK",
        "CREATE ROLE READERS",
        "GRANT ROLE CLERK TO USER ADMIN",
        "GRANT ROLE READERS TO ROLE CLERK",
    ):
        boss.execute(statement)
    clerk = account.session("ADMIN", "CLERK", warehouse="COMPUTE_WH")
    clerk.execute("USE SECONDARY ROLES NONE")
    assert clerk.execute(ASKED).rows == (("calm",),)
    boss.execute("REVOKE USE AI FUNCTIONS ON ACCOUNT FROM ROLE PUBLIC")
    with pytest.raises(SqlError, match="Insufficient privileges to operate on account") as refused:
        clerk.execute(ASKED)
    assert refused.value.errno == 3001
    assert clerk.execute("SELECT AI_AGG(column1, 'sum up') FROM VALUES ('a')").rows == (("all",),)
    boss.execute("GRANT USE AI FUNCTIONS ON ACCOUNT TO ROLE READERS")
    assert clerk.execute(ASKED).rows == (("calm",),)
    account.close()


def test_an_account_kept_before_the_privilege_was_known_has_it_when_opened(tmp_path: Path) -> None:
    account = _account(tmp_path)
    boss = account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    for role in ("PUBLIC", "ACCOUNTADMIN"):
        boss.execute(f"REVOKE USE AI FUNCTIONS ON ACCOUNT FROM ROLE {role}")
    account.close()
    account = _account(tmp_path)
    held = account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH").execute(
        'SHOW GRANTS ON ACCOUNT ->> SELECT "grantee_name" FROM $1'
        " WHERE \"privilege\" = 'USE AI FUNCTIONS' ORDER BY 1"
    )
    assert held.rows == (("ACCOUNTADMIN",), ("PUBLIC",))
    account.close()
