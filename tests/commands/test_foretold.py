"""Errors that the real run would meet are met in the dry run, at their step and with a repair.

The account is reached over HTTP, as a role that may do little; the rehearsal is on its mirror.
"""

import pytest

from skills_nb.commands import App
from tests.commands.flow import SCOPE

CUSTOMERS = f"{SCOPE}.CUSTOMERS"


@pytest.fixture
def client(app, monkeypatch, tmp_path):
    """A home that works as DATA_ENGINEER on the account that `app` serves."""
    path = app.invoke(["account", "address"]).document["connections"]
    monkeypatch.setenv("SNOWFLAKE_HOME", path.rpartition("/")[0])
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("SNOWFLAKE_CONNECTIONS_EMBEDDED_ROLE", "DATA_ENGINEER")
    with open(path, encoding="utf-8") as file:
        told = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(told.replace('role = "ACCOUNTADMIN"', 'role = "DATA_ENGINEER"'))
    client = App(tmp_path / "client")
    assert client.invoke(["connect", "embedded"]).document["current_role"] == "DATA_ENGINEER"
    yield client
    client.close()


def foretold(client, *statements):
    """Return what a dry run of a plan says of each step, and its summary."""
    steps = [
        f'  - {{step: {n}, action: Step {n}, primitive: masking-policies, sql: "{sql}"}}'
        for n, sql in enumerate(statements, 1)
    ]
    reply = client.invoke(
        ["plan", "--dry-run", "--thread", "p"], cell="\n".join(["goal: g", "steps:", *steps])
    )
    reply = client.invoke(["respond", "approve", "--at", reply.pause.at, "--thread", "p"])
    assert reply.pause.kind == "dry_run_summary", reply.pause.present
    events = client.invoke(["show", "p"]).document["events"]
    (summary,) = [event for event in events if event["type"] == "dry_run_summary"]
    actions = [event["action"] for event in events if event["type"] == "step_planned"]
    return actions, summary


def do(app, *statements):
    for sql in statements:
        app.wiring.snowpark.sql(sql).collect()


def test_what_is_allowed_has_no_error(client):
    (action,), summary = foretold(client, "CREATE VIEW PROD.ANALYTICS.V AS SELECT 1 AS A")
    assert "WOULD FAIL" not in action
    assert [one["fqn"] for one in summary["would_create"]["objects"]] == ["PROD.ANALYTICS.V"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sql", "error", "repair"),
    [
        (
            f"CREATE MASKING POLICY {SCOPE}.M AS (V STRING) RETURNS STRING -> '*'",
            "Insufficient privileges to operate on schema 'CUSTOMER_DATA'",
            "Grant CREATE MASKING POLICY on the schema",
        ),
        (
            "CREATE TABLE PROD.ANALYTICS.CUSTOMER_SUMMARY (A INT)",
            "already exists",
            "Use IF NOT EXISTS",
        ),
        (
            f"ALTER TABLE {CUSTOMERS} MODIFY COLUMN EMAIL SET MASKING POLICY PROD.PUBLIC.THEIRS",
            "already",
            "(repair: ",
        ),
        ("CREATE TABLE PROD.ANALYTICS.ODD (A INET)", "Unsupported data type 'INET'", "(repair: "),
    ],
    ids=["privilege", "existing", "policy", "type"],
)
def test_an_error_is_told_at_its_step_with_its_repair(app, client, sql, error, repair):
    do(
        app,
        "CREATE MASKING POLICY PROD.PUBLIC.THEIRS AS (V STRING) RETURNS STRING -> '*'",
        f"ALTER TABLE {CUSTOMERS} MODIFY COLUMN EMAIL SET MASKING POLICY PROD.PUBLIC.THEIRS",
        "GRANT CREATE TABLE, CREATE VIEW ON SCHEMA PROD.ANALYTICS TO ROLE DATA_ENGINEER",
        "GRANT USAGE ON SCHEMA PROD.PUBLIC TO ROLE DATA_ENGINEER",
        "GRANT APPLY MASKING POLICY ON ACCOUNT TO ROLE DATA_ENGINEER",
    )
    actions, _ = foretold(client, "SHOW TABLES IN DATABASE PROD", sql)
    assert "WOULD FAIL" not in actions[0]
    assert "WOULD FAIL: " in actions[1]
    assert error in actions[1]
    assert repair in actions[1]
