"""The demo account: seeded quickly, in memory and on disk, with rights as people expect them."""

import time

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools.demo import seed
from skills_nb.errors import SqlError


@pytest.fixture(scope="module")
def account():
    made = Account.open()
    seed(made)
    return made


def ask(account, sql, user="ADMIN", role=None):
    return account.session(user=user, role=role).execute(sql).rows


def counts(account, user="ADMIN", role=None):
    return [
        ask(account, f"SELECT COUNT(*) FROM PROD.CUSTOMER_DATA.{table}", user, role)[0][0]
        for table in ("CUSTOMERS", "ORDERS", "EMPLOYEES")
    ]


@pytest.mark.parametrize("role", ["ACCOUNTADMIN", "SYSADMIN", "ANALYST", "PII_READER"])
def test_one_person_can_look_as_each_role(account, role):
    assert counts(account, role=role) == [2000, 2800, 200]


@pytest.mark.parametrize(("user", "role"), [("ANA", "ANALYST"), ("PAT", "PII_READER")])
def test_users_start_in_their_role_warehouse_and_schema(account, user, role):
    sql = "SELECT CURRENT_ROLE(), CURRENT_WAREHOUSE(), CURRENT_DATABASE(), CURRENT_SCHEMA()"
    assert [tuple(row) for row in ask(account, sql, user)] == [
        (role, "COMPUTE_WH", "PROD", "CUSTOMER_DATA")
    ]


def test_support_reads_customers_and_not_employees(account):
    support = account.session(user="ADMIN", role="SUPPORT")
    support.execute("USE SECONDARY ROLES NONE")
    found = support.execute("SELECT COUNT(*) FROM PROD.CUSTOMER_DATA.CUSTOMERS").rows
    assert found[0][0] == 2000
    with pytest.raises(SqlError) as refused:
        support.execute("SELECT * FROM PROD.CUSTOMER_DATA.EMPLOYEES")
    assert refused.value.errno == 2003


def test_analysts_read_and_do_not_write(account):
    analyst = account.session(user="ANA")
    with pytest.raises(SqlError):
        analyst.execute("DELETE FROM PROD.CUSTOMER_DATA.ORDERS")
    assert counts(account, "ANA") == [2000, 2800, 200]


def test_the_summary_view_adds_the_orders_up(account):
    sql = "SELECT COUNT(*), SUM(ORDER_COUNT) FROM PROD.ANALYTICS.CUSTOMER_SUMMARY"
    assert [tuple(map(int, row)) for row in ask(account, sql, "ANA")] == [(2000, 2800)]


def test_values_arrive_in_the_types_of_their_columns(account):
    sql = (
        "SELECT COUNT_IF(DATE_OF_BIRTH < '2010-01-01'), COUNT(DISTINCT EMAIL_OPT_IN), "
        "COUNT_IF(CREATED_AT >= '2019-01-01'), COUNT(PHONE) FROM PROD.CUSTOMER_DATA.CUSTOMERS"
    )
    births, answers, created, phones = ask(account, sql)[0]
    assert (births, answers, created) == (2000, 2, 2000)
    assert 1850 < phones < 2000


def test_tables_and_columns_are_owned_by_sysadmin_and_explained(account):
    session = account.session(user="ADMIN", role="SYSADMIN")
    shown = session.execute("SHOW TABLES IN SCHEMA PROD.CUSTOMER_DATA")
    names = [column.name for column in shown.columns]
    found = [dict(zip(names, row, strict=True)) for row in shown.rows]
    assert {row["name"] for row in found} == {"CUSTOMERS", "ORDERS", "EMPLOYEES"}
    assert {row["owner"] for row in found} == {"SYSADMIN"}
    assert all(row["comment"] for row in found)


@pytest.mark.slow
def test_seeding_files_takes_less_than_two_seconds_and_lasts(tmp_path):
    started = time.process_time()
    account = Account.open(tmp_path)
    seed(account)
    spent = time.process_time() - started
    account.close()
    again = Account.open(tmp_path)
    assert counts(again, "ANA") == [2000, 2800, 200]
    again.close()
    assert spent < 2.0
