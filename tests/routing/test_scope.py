"""What is not for this library."""

import pytest

from skills_nb.routing import resolve


@pytest.mark.parametrize(
    "intent",
    [
        "book a flight to Madrid for Monday",
        "row level security in Power BI",
        "Databricks notebook fails with out of memory",
        "convert our Snowflake views to Databricks SQL",
        "move the tables from Snowflake to BigQuery",
        "Postgres autovacuum settings",
        "how do I squash commits in git",
    ],
)
def test_work_elsewhere_and_daily_life_are_answered_with_a_question(library, intent):
    assert resolve(intent, library).mode == "clarify"


@pytest.mark.parametrize(
    ("intent", "target"),
    [
        ("move our BigQuery tables to Snowflake", "playbooks/migrate-database"),
        ("pull the Exadata tables over", "playbooks/migrate-database"),
        ("Teradata QUALIFY rewritten", "primitives/sql-dialect-translation"),
        ("replicate the Postgres orders database continuously", "primitives/openflow-connectors"),
        (
            "what is the equivalent of Oracle's NVL in Snowflake",
            "primitives/sql-dialect-translation",
        ),
        (
            "create a service user with a key pair for Airflow",
            "primitives/users-and-authentication",
        ),
    ],
)
def test_another_product_that_data_come_from_or_that_connects_is_inside(library, intent, target):
    assert resolve(intent, library).targets == (target,)


def test_the_reason_names_what_is_outside(library):
    reason = resolve(
        "add a row access policy with a mapping table for region managers in Power BI", library
    ).why[0]
    assert reason == "The work is inside 'power bi', which this library does not cover."
