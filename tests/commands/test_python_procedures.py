"""Procedures in Python: their handlers get a Snowpark session, governed like any other."""

import pytest
from snowflake.snowpark.exceptions import SnowparkSQLException

HEAD = "LANGUAGE PYTHON RUNTIME_VERSION = '3.11' PACKAGES = ('snowflake-snowpark-python')"


@pytest.fixture
def admin(snowflake_account):
    session = snowflake_account.connect(warehouse="COMPUTE_WH")
    for statement in (
        "CREATE DATABASE shop",
        "CREATE TABLE shop.public.orders (id INT, region STRING, amount INT)",
        "INSERT INTO shop.public.orders VALUES (1, 'EU', 5), (2, 'US', 7), (3, 'EU', 9)",
    ):
        session.sql(statement).collect()
    return session


def make(session, name, body, *, arguments="", returns="STRING", rights="OWNER"):
    session.sql(
        f"CREATE PROCEDURE shop.public.{name}({arguments}) RETURNS {returns} {HEAD} "
        f"HANDLER = 'run' EXECUTE AS {rights} AS $$\n{body}\n$$"
    ).collect()


def called(session, call):
    return session.sql(f"CALL shop.public.{call}").collect()[0][0]


def test_a_handler_works_with_frames_and_writes_tables(admin):
    body = (
        "from snowflake.snowpark.functions import col, sum as sum_\n"
        "def run(session, region):\n"
        "    chosen = session.table('shop.public.orders').filter(col('region') == region)\n"
        "    chosen.write.save_as_table('shop.public.chosen', mode='overwrite')\n"
        "    return chosen.agg(sum_('amount')).collect()[0][0]\n"
    )
    make(admin, "choose", body, arguments="region STRING", returns="INT")
    assert called(admin, "choose('EU')") == 14
    assert admin.table("shop.public.chosen").count() == 2


def test_what_a_handler_raises_is_told_and_its_statements_stand(admin):
    body = (
        "def run(session):\n"
        "    session.sql(\"INSERT INTO shop.public.orders VALUES (4, 'EU', 1)\").collect()\n"
        "    raise ValueError('enough')\n"
    )
    make(admin, "fail", body)
    with pytest.raises(SnowparkSQLException, match="ValueError: enough"):
        called(admin, "fail()")
    assert admin.table("shop.public.orders").count() == 4


def test_a_procedure_with_its_owners_rights_reads_what_its_caller_may_not(admin, snowflake_account):
    body = "def run(session):\n    return str(session.table('shop.public.orders').count())\n"
    make(admin, "as_owner", body)
    make(admin, "as_caller", body, rights="CALLER")
    for statement in (
        "CREATE ROLE clerk",
        "CREATE USER kim DEFAULT_ROLE = clerk",
        "GRANT ROLE clerk TO USER kim",
        "GRANT USAGE ON DATABASE shop TO ROLE clerk",
        "GRANT USAGE ON SCHEMA shop.public TO ROLE clerk",
        "GRANT USAGE ON WAREHOUSE compute_wh TO ROLE clerk",
        "GRANT USAGE ON ALL PROCEDURES IN SCHEMA shop.public TO ROLE clerk",
    ):
        admin.sql(statement).collect()
    kim = snowflake_account.connect("KIM", "CLERK", warehouse="COMPUTE_WH")
    assert called(kim, "as_owner()") == "3"
    with pytest.raises(SnowparkSQLException, match="does not exist or not authorized"):
        called(kim, "as_caller()")


def test_the_session_of_a_handler_is_not_ended_by_it(admin):
    make(admin, "close", "def run(session):\n    session.close()\n    return 'closed'\n")
    assert called(admin, "close()") == "closed"
    assert admin.table("shop.public.orders").count() == 3
