"""What people ask most, said of an airline's own tables: where it leads, and what is still open."""

import pytest

from tests.library.asked_wishes import account_that_holds, say

pytestmark = pytest.mark.slow

HOLDS = """
CREATE DATABASE AIRLINE; CREATE SCHEMA AIRLINE.OPS; CREATE SCHEMA AIRLINE.STAGING;
CREATE TABLE AIRLINE.OPS.PASSENGERS (PASSENGER_ID INT, FULL_NAME STRING, EMAIL STRING,
  PASSPORT_NO STRING, REGION STRING, PREFS VARIANT, UPDATED_AT TIMESTAMP);
INSERT INTO AIRLINE.OPS.PASSENGERS
  SELECT 1, 'Ann Ray', 'ann@x.org', 'P123', 'EU', PARSE_JSON('{"meals":["veg"]}'), '2026-11-01'
  UNION ALL SELECT 2, 'Bo Li', 'bo@y.org', 'P456', 'US', NULL, '2026-11-02';
CREATE TABLE AIRLINE.STAGING.PASSENGERS_NEW (PASSENGER_ID INT, FULL_NAME STRING,
  UPDATED_AT TIMESTAMP);
INSERT INTO AIRLINE.STAGING.PASSENGERS_NEW VALUES (2, 'Bo Lee', '2026-11-10');
CREATE TABLE AIRLINE.OPS.FLIGHTS (FLIGHT_NO STRING, ORIGIN STRING, DEST STRING,
  DEPARTED TIMESTAMP, SEATS INT, REVENUE NUMBER(12, 2));
INSERT INTO AIRLINE.OPS.FLIGHTS VALUES ('SK1', 'CPH', 'OSL', '2026-11-01 08:00', 180, 12000.50);
CREATE ROLE GATE_AGENT; GRANT USAGE ON DATABASE AIRLINE TO ROLE GATE_AGENT;
GRANT USAGE ON SCHEMA AIRLINE.OPS TO ROLE GATE_AGENT;
GRANT SELECT ON TABLE AIRLINE.OPS.PASSENGERS TO ROLE GATE_AGENT;
GRANT ROLE GATE_AGENT TO ROLE SYSADMIN; CREATE USER MIA; GRANT ROLE GATE_AGENT TO USER MIA;
CREATE STAGE AIRLINE.STAGING.FILES;
CREATE TASK AIRLINE.OPS.NIGHTLY WAREHOUSE = COMPUTE_WH SCHEDULE = '60 MINUTE' AS SELECT 1;
"""
PASSENGERS, FLIGHTS = "AIRLINE.OPS.PASSENGERS", "AIRLINE.OPS.FLIGHTS"
NEW = "AIRLINE.STAGING.PASSENGERS_NEW"
LEADS = [
    # what is said, the playbook or skill that takes it, where it waits first
    (f"mask the passport numbers in {PASSENGERS} for GATE_AGENT", "masking-policies", "column"),
    (f"let people ask questions in plain English about {FLIGHTS}", "build-semantic-view", None),
    (f"COPY INTO {FLIGHTS} skipped a file, why", "copy-into-table", "plan"),
    ("my task AIRLINE.OPS.NIGHTLY failed, why", "tasks", "plan"),
    (f"my query on {FLIGHTS} is slow", "tune-slow-query", "query_id"),
    (f"restore yesterday's rows of {FLIGHTS}", "recover-lost-data", "key_columns"),
    ("give the developers a masked clone of AIRLINE", "clone-environment", "copy_name"),
    (f"keep history of changes from {NEW} in {PASSENGERS}", "merge-changes-with-history", None),
    (f"upsert {NEW} into {PASSENGERS}", "merge-changes-with-history", "key_columns"),
    (f"flatten the meals in PREFS of {PASSENGERS}", "querying-data", "plan"),
    (f"GATE_AGENT cannot read {FLIGHTS}, what grant is missing", "diagnose-missing-access", "6"),
    ("turn on MFA for everybody", "modernize-authentication", "policy_schema"),
    ("only allow logins from 203.0.113.0/24", "network-policies", "user"),
    (f"GATE_AGENT should only see rows of {PASSENGERS} where REGION = 'EU'", None, "clear_role"),
    (f"build a Streamlit app on {FLIGHTS}", "build-streamlit-app", "viewer_role"),
    ("delete everything about the passenger with email bo@y.org", "erase-a-person", "scope"),
    ("find and clean up unused objects in AIRLINE", "clean-up-unused", None),
    ("right-size our warehouses", "optimize-warehouses", None),
    ("set up SSO and SCIM with Okta", "users-and-authentication", "provider"),
    (f"pivot revenue in {FLIGHTS} by ORIGIN per DEST", "querying-data", "spread"),
    ("set a query time-out of 10 minutes on COMPUTE_WH", "warehouses", "plan"),
    (f"cluster {FLIGHTS} by DEPARTED", "tables", "plan"),
    ("how many credits does each user cost", "warehouse-metering", "plan"),
]
account = account_that_holds(HOLDS)


@pytest.mark.parametrize(("goal", "leads", "waits"), LEADS)
def test_a_wish_leads_to_what_serves_it_and_asks_only_what_is_open(account, goal, leads, waits):
    say(account, goal)
    begun = account.events("playbook_started")
    assert leads is None or begun[-1].playbook in (leads, f"guided/{leads}")
    at = account.pause.at if account.pause is not None else ""
    assert waits is None or at in (waits, f"input:{waits}")
    assert not account.sent()


@pytest.mark.parametrize(
    ("goal", "inputs"),
    [
        (f"upsert {NEW} into {PASSENGERS}", {"changes": NEW, "target_table": PASSENGERS}),
        ("give the developers a masked clone of AIRLINE", {"source": "AIRLINE"}),
        (
            f"GATE_AGENT cannot read {FLIGHTS}, what grant is missing",
            {"role": "GATE_AGENT", "object": FLIGHTS, "want": "select"},
        ),
        (
            f"restore yesterday's rows of {FLIGHTS}",
            {"target": FLIGHTS, "what_happened": "damaged"},
        ),
    ],
)
def test_what_a_wish_names_is_not_asked_for(account, goal, inputs):
    say(account, goal)
    gathered = {one.name: one.value for one in account.events("input_gathered")}
    known = {**account.events("playbook_started")[-1].inputs, **gathered}
    assert {name: known.get(name) for name in inputs} == inputs


def test_a_role_of_the_demo_is_not_taken_for_one_of_this_account(account):
    say(account, f"build a Streamlit app on {FLIGHTS}")
    offered = [option.id for option in account.pause.options]
    assert "GATE_AGENT" in offered
    assert "ANALYST" not in offered


def test_what_no_plan_serves_names_the_playbook_that_does_the_whole_job(account):
    say(account, f"make a reader account for our partner and share {FLIGHTS}")
    assert account.pause.at == "error:plan"
    assert "run playbooks/share-data-with-consumers" in account.pause.present
