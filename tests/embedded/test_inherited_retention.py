"""How long rows are kept comes from what holds a table, where the table says nothing.

See https://docs.snowflake.com/en/sql-reference/parameters (DATA_RETENTION_TIME_IN_DAYS)
"""

from skills_nb.embedded.engine.account import Account
from tests.embedded.conftest import rows, statements

SCRIPT = """
create database cellar data_retention_time_in_days = 5
create schema young
create table a (i int)
create schema old data_retention_time_in_days = 30
create table b (i int)
create transient table c (i int)
create table d (i int) data_retention_time_in_days = 2
create table e as select 1 as i
create dynamic table f target_lag = '1 hour' warehouse = compute_wh as select i from b
create table g (i int) data_retention_time_in_days = 2
alter table g unset data_retention_time_in_days
"""


def test_a_table_keeps_rows_as_long_as_its_schema_says(account: Account) -> None:
    admin = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for statement in statements(SCRIPT):
        admin.execute(statement)
    asked = (
        "select table_name, retention_time from cellar.information_schema.tables"
        " where table_type = 'BASE TABLE' order by 1"
    )
    found = {"A": 5, "B": 30, "C": 1, "D": 2, "E": 30, "F": 30, "G": 30}
    assert dict(rows(admin, asked)) == found
    admin.execute("alter schema cellar.old unset data_retention_time_in_days")
    kept = admin.execute("show schemas like 'OLD' in database cellar")
    at = [column.name for column in kept.columns].index("retention_time")
    assert [row[at] for row in kept.rows] == ["5"]
