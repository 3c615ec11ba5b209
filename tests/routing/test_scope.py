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


def test_a_product_named_as_background_of_a_wish_is_no_foreign_ground(library):
    words = "Our churn model was trained in SageMaker. Register it here and score nightly."
    assert resolve(words, library).domains == ("ml-ai",)
    assert resolve("SageMaker endpoint fails", library).mode == "clarify"


def test_a_source_in_a_chain_is_no_foreign_ground(library):
    words = "Bring in the Jira issues, then make them searchable by meaning"
    assert resolve(words, library).domains == ("data-integration", "ml-ai")


def test_who_says_nothing_is_asked(library):
    route = resolve("please handle the new requirements of the team", library)
    assert (route.mode, route.why) == ("clarify", ("This does not say what it is about.",))


def test_who_names_an_object_of_the_account_does_not_speak_of_daily_life(library):
    named = resolve("mail me@acme.example when SHOP.QUEUE.JOBS has 500 open jobs", library)
    assert named.targets == ("primitives/alerts",)
    assert "something else" in resolve("plan the team lunch in the restaurant", library).why[0]


def test_who_uses_another_product_is_somebody_and_no_place_of_work(library):
    route = resolve("the tableau user gets permission denied on MART.SALES", library)
    assert route.domains == ("data-security",)
    assert resolve("the tableau extract does not refresh", library).mode == "clarify"
