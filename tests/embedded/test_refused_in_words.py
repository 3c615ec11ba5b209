"""Statements that a fuzzer found to end inside of the account: each is refused in words."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.errors import SqlError

TABLES = ("create database d", "create table t (v variant)", "create table i (id int, a int)")
NOT_MATCHED = "on i.a = s.v when not matched then insert"


@pytest.mark.parametrize(
    ("sql", "errno"),
    [
        ("select i.value from t g, lateral flatten(input => v) .", 1003),
        (f"merge into i using (select 5 as v) {NOT_MATCHED} (id, a) values (1, s.v)", 904),
        (f"merge into i using (select 5 as v) {NOT_MATCHED} all by name", 2),
    ],
)
def test_it_is_refused_with_its_number(sql: str, errno: int) -> None:
    with Account.open() as account:
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for made in TABLES:
            session.execute(made)
        with pytest.raises(SqlError) as refused:
            session.execute(sql)
        assert refused.value.errno == errno


def test_a_source_with_an_alias_is_taken() -> None:
    with Account.open() as account:
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for made in TABLES:
            session.execute(made)
        merged = "merge into i using (select 5 as id, 6 as a) s on i.id = s.id when not matched"
        session.execute(f"{merged} then insert all by name")
        assert session.execute("select id, a from i").rows == ((5, 6),)


def test_whom_a_share_is_lent_to_takes_a_privilege_on_the_account() -> None:
    with Account.open() as account:
        admin = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for made in (
            "create role owns_it",
            "grant create share on account to role owns_it",
            "grant role owns_it to user admin",
            "create database d",
            "grant ownership on database d to role owns_it",
        ):
            admin.execute(made)
        owner = account.session("ADMIN", "OWNS_IT", "COMPUTE_WH")
        for made in ("use secondary roles none", "create share s"):
            owner.execute(made)
        owner.execute("grant usage on database d to share s")
        with pytest.raises(SqlError) as refused:
            owner.execute("alter share s add accounts = a.b")
        assert refused.value.errno == 3001
        admin.execute("grant manage share target on account to role owns_it")
        owner.execute("alter share s add accounts = a.b")
