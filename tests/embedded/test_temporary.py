"""What is temporary is seen by one session, and goes with it."""

import pytest

from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.engine.account import Account
from skills_nb.errors import SqlError

MADE = (
    "create temporary view v as select 1 as a",
    "create temporary function f () returns int as '1'",
    "create temporary procedure p () returns int language sql as 'begin return 1; end'",
    "create temporary stage s",
    "create temporary file format ff type = csv",
)
USED = ("select * from v", "select f()", "call p()", "list @s")


def _temporary(account: Account) -> list[str]:
    found = account.catalog.all(Entity)
    return sorted(e.name for e in found if getattr(e.detail, "temporary", 0))


@pytest.mark.parametrize("use", USED)
def test_another_session_does_not_see_it(account: Account, use: str) -> None:
    one, other = account.session("ADMIN"), account.session("ADMIN")
    for session in (one, other):
        session.execute("create database if not exists d")
        session.execute("use schema d.public")
        session.execute("use warehouse compute_wh")
    for statement in MADE:
        one.execute(statement)
    one.execute(use)
    with pytest.raises(SqlError):
        other.execute(use)


def test_it_goes_with_its_session(account: Account) -> None:
    session = account.session("ADMIN")
    session.execute("create database d")
    for statement in MADE:
        session.execute(statement)
    assert _temporary(account) == ["F()", "FF", "P()", "S", "V"]
    session.close()
    assert _temporary(account) == []
