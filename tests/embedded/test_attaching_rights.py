"""A role that may attach policies and tags to anything does so to tables of others.

See https://docs.snowflake.com/en/user-guide/security-column-intro (masking policy privileges),
https://docs.snowflake.com/en/user-guide/security-row-intro and
https://docs.snowflake.com/en/user-guide/object-tagging/work
"""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError
from tests.embedded.conftest import rows, statements

SETUP = """
create database barn
create table "Herd" ("Ear tag" string, b string)
create masking policy hide as (v string) returns string -> '*'
create row access policy few as (v string) returns boolean -> true
create tag kind_of
create role steward
create role guest
grant role steward to user admin
grant role guest to user admin
grant usage on database barn to role steward
grant usage on schema barn.public to role steward
grant usage on database barn to role guest
"""
HERD = 'barn.public."Herd"'
SENT = {
    "APPLY MASKING POLICY": (
        'alter table {t} modify column "Ear tag" set masking policy barn.public.hide',
        'alter table {t} modify column "Ear tag" unset masking policy',
    ),
    "APPLY ROW ACCESS POLICY": (
        "alter table {t} add row access policy barn.public.few on (b)",
        "alter table {t} drop row access policy barn.public.few",
    ),
    "APPLY TAG": (
        "alter table {t} set tag barn.public.kind_of = 'x'",
        "alter table {t} modify column b set tag barn.public.kind_of = 'y'",
    ),
}


@pytest.fixture
def barn(account: Account) -> AccountSession:
    admin = account.session("ADMIN")
    for statement in statements(SETUP):
        admin.execute(statement)
    return admin


@pytest.mark.parametrize("privilege", SENT)
def test_a_right_on_the_account_reaches_tables_of_others(
    account: Account, barn: AccountSession, privilege: str
) -> None:
    steward = account.session("ADMIN", "STEWARD", "COMPUTE_WH")
    for sql in SENT[privilege]:
        with pytest.raises(SqlError, match="does not exist or not authorized"):
            steward.execute(sql.format(t=HERD))
    barn.execute(f"grant {privilege} on account to role steward")
    for sql in SENT[privilege]:
        steward.execute(sql.format(t=HERD))
    assert [row[0] for row in rows(steward, f"describe table {HERD}")] == ["Ear tag", "B"]
    with pytest.raises(SqlError, match="does not exist or not authorized"):
        steward.execute(f"select * from {HERD}")
    with pytest.raises(SqlError, match="Insufficient privileges"):
        steward.execute(f"alter table {HERD} add column c int")


def test_it_does_not_reach_where_the_schema_is_closed(
    account: Account, barn: AccountSession
) -> None:
    barn.execute("grant apply masking policy on account to role guest")
    guest = account.session("ADMIN", "GUEST", "COMPUTE_WH")
    with pytest.raises(SqlError, match="does not exist or not authorized"):
        guest.execute(SENT["APPLY MASKING POLICY"][0].format(t=HERD))
