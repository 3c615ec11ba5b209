"""The main job: what a restricted role sees before and after, on every road to the data."""

import pytest

from skills_nb import connect
from tests.commands.flow import begin, finish

TABLE = "PROD.CUSTOMER_DATA.CUSTOMERS"
ROADS = {
    "plain select": f"SELECT EMAIL FROM {TABLE} ORDER BY CUSTOMER_ID LIMIT 5",
    "star": f"SELECT * FROM {TABLE} ORDER BY CUSTOMER_ID LIMIT 5",
    "cte": f"WITH c AS (SELECT * FROM {TABLE}) SELECT EMAIL FROM c ORDER BY CUSTOMER_ID LIMIT 5",
    "join": f"SELECT c.EMAIL FROM {TABLE} c JOIN PROD.CUSTOMER_DATA.ORDERS o "
    "ON o.CUSTOMER_ID = c.CUSTOMER_ID ORDER BY o.ORDER_ID LIMIT 5",
    "subquery": f"SELECT EMAIL FROM (SELECT EMAIL, CUSTOMER_ID FROM {TABLE}) "
    "ORDER BY CUSTOMER_ID LIMIT 5",
}


@pytest.fixture(scope="module")
def secured(tmp_path_factory):
    """A demo account on which the main job ran to its end."""
    from skills_nb.commands import App

    home = tmp_path_factory.mktemp("secured")
    app = App(home)
    last = finish(app, begin(app))
    assert last.document["status"] == "completed"
    yield app
    app.close()


def emails(app, sql, role):
    session = connect(app.wiring.account_folder, role=role, warehouse="COMPUTE_WH")
    session.sql("USE SECONDARY ROLES NONE").collect()
    return [row["EMAIL"] for row in session.sql(sql).collect()]


@pytest.mark.slow
@pytest.mark.parametrize("road", ROADS)
def test_a_restricted_role_sees_no_address_and_an_authorised_one_does(secured, road):
    assert not any("@" in value for value in emails(secured, ROADS[road], "ANALYST"))
    assert all("@" in value for value in emails(secured, ROADS[road], "PII_READER"))


def test_a_view_shows_masked_values_to_the_restricted_role(secured):
    session = connect(secured.wiring.account_folder, role="SYSADMIN", warehouse="COMPUTE_WH")
    session.sql(
        f"CREATE OR REPLACE VIEW PROD.ANALYTICS.ADDRESSES AS SELECT EMAIL FROM {TABLE}"
    ).collect()
    session.sql("GRANT USAGE ON SCHEMA PROD.ANALYTICS TO ROLE ANALYST").collect()
    session.sql("GRANT USAGE ON SCHEMA PROD.ANALYTICS TO ROLE PII_READER").collect()
    session.sql("GRANT SELECT ON VIEW PROD.ANALYTICS.ADDRESSES TO ROLE ANALYST").collect()
    session.sql("GRANT SELECT ON VIEW PROD.ANALYTICS.ADDRESSES TO ROLE PII_READER").collect()
    sql = "SELECT EMAIL FROM PROD.ANALYTICS.ADDRESSES LIMIT 5"
    assert not any("@" in value for value in emails(secured, sql, "ANALYST"))
    assert all("@" in value for value in emails(secured, sql, "PII_READER"))


def test_a_dataframe_shows_masked_values_to_the_restricted_role(secured):
    from snowflake.snowpark.functions import col

    for role, is_clear in (("ANALYST", False), ("PII_READER", True)):
        session = connect(secured.wiring.account_folder, role=role, warehouse="COMPUTE_WH")
        session.sql("USE SECONDARY ROLES NONE").collect()
        frame = session.table(TABLE).filter(col("CUSTOMER_ID") < 100).select("EMAIL").limit(5)
        assert {("@" in row["EMAIL"]) for row in frame.collect()} == {is_clear}


def test_decoys_stay_readable(secured):
    sql = f"SELECT EMAIL_OPT_IN::STRING AS EMAIL FROM {TABLE} LIMIT 5"
    assert all(value in ("true", "false") for value in emails(secured, sql, "ANALYST"))


def test_every_changing_statement_was_probed_and_approved(secured):
    events = secured.invoke(["show", "job"]).document["events"]
    seen = set()
    for event in events:
        if event["type"] == "environment_probed":
            seen.add(event["query"])
        if event["type"] == "statement_started" and event["kind"] != "read":
            assert seen, "nothing was probed before the first change"
    choices = [e["choice"] for e in events if e["type"] == "human_response"]
    assert choices.count("approve") >= 3


@pytest.mark.slow
def test_a_second_run_finds_nothing_to_do(secured):
    words = ["run", "playbooks/secure-sensitive-data"]
    words += ["--input", "target_scope=PROD.CUSTOMER_DATA", "--thread", "again"]
    reply = secured.invoke(words)
    while reply.pause is not None:
        reply = secured.invoke(
            ["approve", "--thread", "again", "--phrase", reply.pause.phrase or ""]
        )
    events = secured.invoke(["show", "again"]).document["events"]
    sent = [e["sql"] for e in events if e["type"] == "statement_started"]
    assert not any("SET MASKING POLICY" in sql for sql in sent)
