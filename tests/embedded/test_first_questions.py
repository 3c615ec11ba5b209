"""What clients ask first: words that are no statement, all columns, bytes and their lengths."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.values import Column
from skills_nb.embedded.wire.encoding import row_type
from skills_nb.errors import SqlError


@pytest.fixture
def session(account: Account) -> AccountSession:
    made = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    made.execute("create database d")
    return made


@pytest.mark.parametrize("sql", ["SAVEPOINT one", "savepoint one", "foo(1)", "1 + 1", "a.b.c"])
def test_what_is_no_statement_is_a_syntax_error_at_its_first_word(
    session: AccountSession, sql: str
) -> None:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    assert refused.value.errno == 1003
    assert sql.split()[0] in str(refused.value)


@pytest.mark.parametrize("kind", ["ICEBERG TABLE", "DYNAMIC ICEBERG TABLE"])
def test_a_kind_of_table_is_refused_by_its_whole_name(session: AccountSession, kind: str) -> None:
    with pytest.raises(SqlError, match=f"'CREATE {kind}'") as refused:
        session.execute(f"create {kind} x target_lag = '1 hour' warehouse = w as select 1 as a")
    assert refused.value.sqlstate == "0A000"


def test_columns_have_an_alias_of_their_type_which_is_not_known(session: AccountSession) -> None:
    session.execute("create table t (n bigint)")
    asked = "select data_type, data_type_alias from information_schema.columns"
    assert session.execute(f"{asked} where table_name = 'T'").rows == (("NUMBER", None),)


@pytest.mark.parametrize(
    ("sf_type", "length"),
    [
        (SfType("BINARY", length=20), 20),
        (SfType("TEXT", length=10), 40),
        (SfType("FIXED", precision=38, scale=0), None),
    ],
)
def test_a_client_is_told_how_many_bytes_a_value_may_take(
    sf_type: SfType, length: int | None
) -> None:
    assert row_type(Column("C", sf_type))["byteLength"] == length
